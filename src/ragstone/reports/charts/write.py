"""Charts as files: SVG, PNG, or a page with the SVG inline. The only module that needs vl-convert.

The SVG has a title and a description for those who do not see it, follows the light or dark scheme
of the reader's system, and holds no script and no reference to anything outside.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Protocol

from ragstone.errors import InputError, MissingExtraError, UsageError, one_line
from ragstone.reports.charts.palette import BACKGROUND, CSS_CLASS, TEXT, dark_style, in_dark
from ragstone.store import write_atomic

FEATURE = "drawing a chart"
SCALE = 2
"""Pixels of a PNG for one of the SVG, as fine screens have them."""
PAGE_STYLE = (
    f":root{{color-scheme:light dark}}body{{margin:0;background:{BACKGROUND.light};"
    f"color:{TEXT.light};font-family:sans-serif}}main{{max-width:60rem;margin:1rem auto}}"
    f"svg{{max-width:100%;height:auto}}@media screen and (prefers-color-scheme:dark)"
    f"{{body{{background:{BACKGROUND.dark};color:{TEXT.dark}}}}}"
)


class Chart(Protocol):
    """What can be saved: any chart of altair."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as Vega-Lite."""


def library() -> ModuleType:
    """Return vl-convert; raises MissingExtraError where it is not installed."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError(FEATURE, "report") from None
    return vl_convert


def require(path: str | Path) -> None:
    """Raise what `save` would raise for a name's suffix or a missing library, before any work."""
    from importlib.util import find_spec

    form_of(path)
    if not (find_spec("altair") and find_spec("vl_convert")):
        raise MissingExtraError(FEATURE, "report")


def save(chart: Chart, path: str | Path) -> None:
    """Write a chart whole or not at all, in the form that the name's suffix says.

    .svg; .png, twice as many pixels, in the light colours; .html, a page with the SVG inline.
    Raises UsageError for another suffix, InputError where the path cannot be written, and
    MissingExtraError.
    """
    write_atomic(path, form_of(path)(chart))


def form_of(path: str | Path) -> Callable[[Chart], bytes]:
    """Return what makes the bytes of a file from a chart; raises UsageError for its suffix."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise UsageError(f"{path}: a chart is written as {', '.join(FORMS)}; name such a file")
    return FORMS[suffix]


def to_svg(chart: Chart) -> str:
    """Draw a chart as SVG: the same text for the same chart and versions of the libraries."""
    spec = chart.to_dict()
    title, said = _title(spec), one_line(str(spec.get("description", "")))
    drawn, key = _with_own_names(_drawn(spec))
    head, _, rest = drawn.partition(">")
    names = f'role="graphics-document document" aria-labelledby="t{key}" aria-describedby="d{key}"'
    head = head.replace('class="marks"', f'class="{CSS_CLASS}" {names}')
    return (
        f'{head}><title id="t{key}">{html.escape(title)}</title>'
        f'<desc id="d{key}">{html.escape(said)}</desc><style>{dark_style()}</style>{rest}\n'
    )


def to_png(chart: Chart, *, dark: bool = False) -> bytes:
    """Draw a chart as PNG, in the light colours or the dark ones."""
    drawn = _drawn(chart.to_dict())
    picture: bytes = library().svg_to_png(in_dark(drawn) if dark else drawn, scale=SCALE)
    return picture


def to_html(chart: Chart) -> str:
    """Draw a chart on a page of its own, which needs no script and no network."""
    policy = " ".join(f"'sha256-{_digest(style)}'" for style in (PAGE_STYLE, dark_style()))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src {policy}\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(_title(chart.to_dict()))}</title>\n<style>{PAGE_STYLE}</style>\n"
        f"</head>\n<body>\n<main>\n{to_svg(chart)}</main>\n</body>\n</html>\n"
    )


FORMS: Mapping[str, Callable[[Chart], bytes]] = MappingProxyType(
    {
        ".svg": lambda chart: to_svg(chart).encode(),
        ".png": to_png,
        ".html": lambda chart: to_html(chart).encode(),
    }
)


def _drawn(spec: Mapping[str, Any]) -> str:
    """Let vl-convert draw; it may load nothing."""
    vl_convert = library()
    wanted = _version(str(spec.get("$schema", "")))
    known = vl_convert.get_vegalite_versions()
    try:
        drawn: str = vl_convert.vegalite_to_svg(
            spec, vl_version=wanted if wanted in known else None, allowed_base_urls=[]
        )
    except ValueError as error:
        reason = str(error).partition("\n    at ")[0].replace("\n", " ")
        raise InputError(f"the chart cannot be drawn: {reason}") from None
    return drawn


def _with_own_names(svg: str) -> tuple[str, str]:
    """Give the parts that others refer to names that no other chart on a page has.

    Also returns the digest that they begin with. Vega numbers these parts throughout a process.
    """
    places = re.findall(r'(?<= id=")[^"]+(?=")', svg)
    numbered = {name: f"part{place}" for place, name in enumerate(dict.fromkeys(places))}
    pattern = r'(?<= id=")[^"]+(?=")|(?<="url\(#)[^)]+(?=\)")'
    same = re.sub(pattern, lambda found: numbered.get(found[0], found[0]), svg)
    key = hashlib.sha256(same.encode()).hexdigest()[:8]
    return re.sub(pattern, lambda found: f"c{key}-{found[0]}", same), key


def _version(schema: str) -> str:
    """Return the version of Vega-Lite that a chart was made for.

    >>> _version("https://vega.github.io/schema/vega-lite/v6.1.0.json")
    '6.1'
    """
    found = re.search(r"/v(\d+\.\d+)", schema)
    return found[1] if found else ""


def _title(spec: Mapping[str, Any]) -> str:
    title = spec.get("title", "")
    text = title.get("text", "") if isinstance(title, dict) else title
    return one_line(" ".join(text) if isinstance(text, list) else str(text)) or "Chart"


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
