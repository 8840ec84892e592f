"""Charts in a real browser, in light and in dark: what is on the screen."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pictures import Picture, read_png
from ragstone.reports.charts import Bar, bars, save
from ragstone.reports.charts.palette import BACKGROUND, BAD, BASELINE, SERIES, Colour

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
SCHEMES = {"dark": "0", "light": "1"}
GIVEN = [
    Bar(measure="RR", run="before", value=0.5),
    Bar(measure="RR", run="after", value=0.25, limit=0.45, failed=True),
    Bar(measure="AP", run="before", value=0.5),
    Bar(measure="AP", run="after", value=0.5),
]
ABSENT = "#123456"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium: apt-get install chromium"),
]


def screenshot(page: Path, scheme: str, folder: Path) -> Picture:
    """Look at a page with a browser that reaches nothing, and whose system is light or dark."""
    shot = folder / f"{page.stem}-{scheme}.png"
    options = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={folder / 'profile'}",
        f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
        "--window-size=1000,700",
        f"--screenshot={shot}",
    )
    subprocess.run([CHROMIUM, *options, page.as_uri()], check=True, capture_output=True, timeout=90)
    return read_png(shot.read_bytes())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a chart, alone, on its page, and as an image of another page."""
    folder = tmp_path_factory.mktemp("browser")
    chart = bars(GIVEN, title="A chart")
    save(chart, folder / "alone.svg")
    save(chart, folder / "page.html")
    (folder / "image.html").write_text(f'<body style="background:{ABSENT}"><img src="alone.svg">')
    inline = (folder / "alone.svg").read_text()
    (folder / "inline.html").write_text(f'<body style="background:{ABSENT}">{inline}{inline}')
    return folder


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["alone.svg", "page.html", "image.html", "inline.html"])
def test_a_chart_follows_the_system(folder: Path, name: str, scheme: str) -> None:
    picture = screenshot(folder / name, scheme, folder)
    assert (picture.width, picture.height) == (1000, 700)
    seen = picture.colours()
    times = 2 if name == "inline.html" else 1
    for colour in (BASELINE, SERIES[0], BAD):
        assert seen[shade(colour, scheme)] > 1_000 * times, (name, scheme, colour)
        assert seen[shade(colour, other(scheme))] == 0
    assert seen[shade(BACKGROUND, scheme)] > 80_000
    # Bars of one value are of one length; the candidate's half as long has half the pixels.
    plain, failed = (seen[shade(colour, scheme)] for colour in (BASELINE, BAD))
    assert failed / plain == pytest.approx(0.25, abs=0.08)


def test_a_page_is_of_one_colour_to_its_edges(folder: Path) -> None:
    for scheme in SCHEMES:
        picture = screenshot(folder / "page.html", scheme, folder)
        edges = {picture.at(x, y) for x in (0, 999) for y in (0, 699)}
        assert edges == {shade(BACKGROUND, scheme)}


def shade(colour: Colour, scheme: str) -> str:
    return str(getattr(colour, scheme))


def other(scheme: str) -> str:
    return next(name for name in SCHEMES if name != scheme)
