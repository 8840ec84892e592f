"""Writes what is expected of the files in tests/formats/samples/golden; read what changes.

`python tests/support/golden_samples.py`. The traces themselves are made by made_traces.py.
"""

from __future__ import annotations

import json
from pathlib import Path

from ragstone.formats.samples import open_samples, write_samples

GOLDEN = Path(__file__).parents[1] / "formats/samples/golden"
MADE = (".samples", ".counts")


def inputs() -> list[Path]:
    """Return the files that are read."""
    return sorted(path for path in GOLDEN.iterdir() if path.suffix not in MADE)


def expected(path: Path) -> dict[str, str]:
    """Return the files that belong to an input, by the end of their name, and what they hold."""
    file = open_samples(path)
    samples = b"".join(write_samples(file)).decode()
    counts = {"format": file.format_name, "facts": file.facts, "unknown": file.unknown}
    shown = json.dumps(counts, indent=2, sort_keys=True, ensure_ascii=False)
    return {".samples": samples, ".counts": f"{shown}\n"}


if __name__ == "__main__":
    for path in inputs():
        for ending, text in expected(path).items():
            path.with_name(f"{path.name}{ending}").write_text(text, encoding="utf-8")
