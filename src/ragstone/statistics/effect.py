"""How large a change is, and how many queries it touches.

Pure `math`: no NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.statistics.moments import ROUNDING, Differences, finite, moments


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect size, and the numbers of queries by what became of them.

    `d_z` is the mean over the standard deviation of the differences, with the sign
    of the change; None below two queries or without variance.
    """

    d_z: float | None
    worse: int
    better: int
    unchanged: int

    @property
    def changed(self) -> int:
        """The queries that became worse or better."""
        return self.worse + self.better


def effect(differences: Differences, *, higher_is_better: bool = True) -> Effect:
    """Return the effect size d_z and the worse, better and unchanged counts.

    d_z is Cohen's (1988, Statistical Power Analysis for the Behavioral Sciences,
    section 2.3.5), without a correction for small sets. A difference of at most
    1e-12 is unchanged. `higher_is_better` decides which sign is worse; d_z keeps
    its sign. ValueError if a difference is not finite.

    >>> effect([0.0, -1.0, -2.0])
    Effect(d_z=-1.0, worse=2, better=0, unchanged=1)
    >>> effect([-0.5, -0.5], higher_is_better=False)
    Effect(d_z=None, worse=0, better=2, unchanged=0)
    """
    values = finite(differences)
    fell = sum(value < -ROUNDING for value in values)
    rose = sum(value > ROUNDING for value in values)
    worse, better = (fell, rose) if higher_is_better else (rose, fell)
    return Effect(_d_z(values), worse, better, len(values) - fell - rose)


def _d_z(values: list[float]) -> float | None:
    found = moments(values)
    if found.mean is None or not found.sd:
        return None
    return found.mean / found.sd
