"""Charts as files: their form, what they hold, and what they never hold."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pictures import SVG, Drawing, read_png
from ragstone.errors import InputError, MissingExtraError, UsageError
from ragstone.reports.charts import Bar, bars, curves, require, save, to_html, to_png, to_svg, write
from ragstone.reports.charts.palette import BACKGROUND, BAD, SERIES

BARS = [
    Bar(measure="RR", run="a", value=0.5),
    Bar(measure="RR", run="b", value=0.4, limit=0.45, failed=True),
]


@pytest.fixture(scope="module")
def svg() -> str:
    return to_svg(bars(BARS, title="A & B"))


def test_the_svg_names_itself(svg: str) -> None:
    root = Drawing.of(svg).root
    children = {child.get("id"): child for child in root}
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "graphics-document document"
    assert children[root.get("aria-labelledby")].text == "A & B"
    assert str(children[root.get("aria-describedby")].text).startswith("RR: a 0.5000")


def test_the_svg_needs_nothing_from_outside(svg: str) -> None:
    drawing = Drawing.of(svg)
    for each in drawing.root.iter():
        assert each.tag.removeprefix(SVG) in {
            "svg", "g", "path", "text", "line", "rect", "title", "desc", "style", "defs", "tspan",
        }  # fmt: skip
        assert not [name for name in each.attrib if name.endswith(("href", "src"))]
        assert not [name for name in each.attrib if name.startswith("on")]
    assert "url(" not in svg
    assert "@import" not in svg


def test_the_size_fits_the_view(svg: str) -> None:
    root = Drawing.of(svg).root
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


def test_the_same_chart_has_the_same_bytes(svg: str) -> None:
    assert to_svg(bars(BARS, title="A & B")) == svg
    assert to_png(bars(BARS)) == to_png(bars(BARS))


def test_parts_that_are_cut_off_have_names_of_their_own() -> None:
    """Vega counts what it clips on through a process; and two charts may stand on one page."""
    chart = curves([0.5, 0.6], {"a": [0.1, 0.2]})
    clipped = dict(chart.to_dict())
    for layer in clipped["layer"]:
        layer["mark"]["clip"] = True

    class Clipped:
        def to_dict(self) -> dict[str, Any]:
            return clipped

    first, again = to_svg(Clipped()), to_svg(Clipped())
    names = re.findall(r'clipPath id="([^"]+)"', first)
    assert names
    assert all(f'clip-path="url(#{name})"' in first for name in names)
    assert first == again
    assert len({*re.findall(r' id="([^"]+)"', first)}) == len(re.findall(r' id="', first))


SEEDED = """
import sys
from ragstone.reports.charts import Bar, bars, to_svg
given = [Bar(measure=m, run=r, value=0.5) for m in ("RR", "AP") for r in ("a", "b")]
sys.stdout.write(to_svg(bars(given, title="Seeds")))
"""


def test_the_bytes_do_not_depend_on_hashing() -> None:
    drawn = {
        subprocess.run(
            [sys.executable, "-c", SEEDED],
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1


def test_a_png_has_twice_the_pixels(svg: str) -> None:
    root, picture = Drawing.of(svg).root, read_png(to_png(bars(BARS, title="A & B")))
    assert (picture.width, picture.height) == (
        2 * int(str(root.get("width"))),
        2 * int(str(root.get("height"))),
    )
    colours = picture.colours()
    assert picture.at(0, 0) == BACKGROUND.light
    assert colours[BAD.light] > 5_000
    assert BAD.dark not in colours


def test_a_png_may_be_dark() -> None:
    picture = read_png(to_png(bars(BARS), dark=True))
    assert picture.at(0, 0) == BACKGROUND.dark
    assert picture.colours()[BAD.dark] > 5_000
    assert BACKGROUND.light not in picture.colours()


class Page(HTMLParser):
    """Takes a page apart: its tags, its styles, its policy."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.styles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "style" and data.strip():
            self.styles.append(data)


def test_the_page_holds_the_svg_and_nothing_that_runs(svg: str) -> None:
    text = to_html(bars(BARS, title="A & B"))
    page = Page(text)
    assert svg in text
    assert text.startswith("<!doctype html>")
    assert "<title>A &amp; B</title>" in text
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in {"src", "href", "xlink:href"}]


def test_the_page_allows_its_own_styles_alone() -> None:
    page = Page(to_html(bars(BARS)))
    [policy] = [value for _, value in page.attributes if value and value.startswith("default-src")]
    styles = [style.removesuffix("\n") for style in page.styles]
    digests = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in styles]
    assert policy == "default-src 'none'; style-src " + " ".join(f"'sha256-{d}'" for d in digests)
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.svg", b"<svg "), ("a.PNG", b"\x89PNG"), ("deep/er/a.html", b"<!doctype html>")],
)
def test_saving(tmp_path: Path, name: str, start: bytes) -> None:
    save(bars(BARS), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert len(list((tmp_path / name).parent.iterdir())) == 1


@pytest.mark.parametrize("name", ["a.jpg", "a", ".svg", "a.svg.gz", "-"])
def test_another_suffix_is_refused_before_anything_is_drawn(tmp_path: Path, name: str) -> None:
    expected = r"a chart is written as \.svg, \.png, \.html; name such a file"
    with pytest.raises(UsageError, match=expected):
        require(tmp_path / name)
    with pytest.raises(UsageError, match=expected):
        save(bars(BARS), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"chart\.svg: cannot be written: one of its folders is"):
        save(bars(BARS), tmp_path / "file" / "chart.svg")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("vl_convert", "altair"):
        with monkeypatch.context() as patched:
            patched.setattr("importlib.util.find_spec", lambda asked, n=name: asked != n or None)
            with pytest.raises(MissingExtraError, match=r'pip install "ragstone\[report\]"'):
                require("a.svg")
    chart = bars(BARS)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r'drawing a chart needs an extra: pip install "ra'):
        save(chart, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_data_are_never_loaded(tmp_path: Path) -> None:
    class Fetching:
        def to_dict(self) -> dict[str, Any]:
            return {"data": {"url": "http://127.0.0.1:9/data.json"}, "mark": "bar",
                    "encoding": {"x": {"field": "a", "type": "nominal"}}}  # fmt: skip

    with pytest.raises(InputError, match=r"the chart cannot be drawn: .*url not allowed"):
        to_svg(Fetching())


def test_a_chart_of_anybody_can_be_saved() -> None:
    import altair as alt

    data = alt.InlineData(values=[{"a": 1, "b": 2}])
    own = alt.Chart(data, description="One bar.").mark_bar().encode(x="a:Q", y="b:O")
    drawing = Drawing.of(to_svg(own))
    assert (drawing.named("title"), drawing.named("desc")) == ("Chart", "One bar.")
    assert SERIES[0].light not in drawing.colours()


def test_the_version_is_that_of_the_chart() -> None:
    assert write._version("https://vega.github.io/schema/vega-lite/v5.20.1.json") == "5.20"
    assert write._version("") == ""
