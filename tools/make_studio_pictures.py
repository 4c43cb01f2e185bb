"""Make docs/pictures/studio-*.png: the studio with 150 people on its plaza, as Debian's chromium shows it.

    python tools/make_studio_pictures.py [FOLDER]

Needs chromium and the bundle (`make studio-assets`). Without a graphics card a picture takes a few seconds; the
address ends in #best, so that none of the detail is given up for that.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from studio_page import Window, open_browser, run_studio

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE = {"width": 1366, "height": 768}
PEOPLE = 150
STROLL = 12.0
"""[s] before the first picture: people should be on their way."""
SLOW = 120.0
"""[s] that a picture may take."""


def main(arguments: Sequence[str]) -> int:
    """Start a studio and a browser, take the pictures."""
    folder = Path(arguments[0]) if arguments else FOLDER
    with (
        tempfile.TemporaryDirectory() as project,
        run_studio("--people", str(PEOPLE), "--project", project) as address,
        open_browser() as browser,
    ):
        take_pictures(Window(browser, f"{address}#best", **SIZE), folder)
    return 0


def take_pictures(window: Window, folder: Path) -> None:
    """Three views: the plaza, its density and paths, somebody selected."""
    window.page.set_default_timeout(1000 * SLOW)
    window.until("walkon.cost.triangles > 60000", seconds=SLOW)
    time.sleep(STROLL)
    window.read("walkon.look([13, 10.5, 24], [1.5, 0, 2.5])")
    _take(window, folder / "studio-plaza.png")
    for key in ("Home", "1", "2"):
        window.press(key)
    window.until("walkon.overlays.length === 2", seconds=SLOW)
    _take(window, folder / "studio-density.png")
    window.press("2")
    # Paused until the end: where pictures are slow, whoever is selected would have walked away by then.
    window.press(" ")
    window.until("!walkon.running", seconds=SLOW)
    window.read("walkon.look([9, 7.5, 17], [1, 0, 4])")
    window.settle(3)
    window.page.mouse.click(*_middle_person(window))
    window.until("walkon.selected.people.length === 1", seconds=SLOW)
    for key in ("4", "5", "g"):
        window.press(key)
    window.page.mouse.move(20, SIZE["height"] - 100)
    window.until("walkon.overlays.includes('reserved')", seconds=SLOW)
    _take(window, folder / "studio-selected.png")


def _middle_person(window: Window) -> tuple[float, float]:
    """Where on the page somebody near the middle of the scene is."""
    places = window.read("walkon.placesOf().map(([who]) => walkon.screenOf({person: who})).filter(Boolean)")
    middle_x, middle_y = 0.42 * SIZE["width"], 0.6 * SIZE["height"]
    nearest = min(places, key=lambda place: abs(place["x"] - middle_x) + abs(place["y"] - middle_y))
    return nearest["x"], nearest["y"]


def _take(window: Window, path: Path) -> None:
    window.settle(4)
    window.page.screenshot(path=path)
    sys.stdout.write(f"{path} {path.stat().st_size / 1024:.0f} KB\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
