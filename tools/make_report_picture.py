"""Make docs/pictures/report.png: `walkon compare` on central locking, as a browser shows the page.

Needs playwright and a chromium, as the tests in a browser do, and pyrvo for one of the rivals.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from walkon.render.report.images import with_few_colours

sys.path.insert(0, str(Path(__file__).parent))
from studio_page import open_browser

ROOT = Path(__file__).resolve().parents[1]
SCENE = ROOT / "examples" / "scenes" / "classic" / "locking-8.toml"
PARTS = (("verdict", 0, 1080), ("measures", 10, 706))
"""Sections of the page, where in them a part begins, and how tall it is [px]."""

WIDTH, SHOWN = 1280, 1000
"""[px] of the page, and of the picture."""


def main() -> None:
    """Compare, look, and put the parts below each other."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "walkon", "compare", str(SCENE), "--html", str(page)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        with open_browser() as browser:
            shown = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
            shown.goto(page.as_uri())
            pieces = []
            for section, below, tall in PARTS:
                top = shown.evaluate("name => document.getElementById(name).offsetTop", section)
                begin = 0 if section == "verdict" else top + below
                clip = {"x": 0, "y": begin, "width": WIDTH, "height": tall}
                pieces.append(Image.open(io.BytesIO(shown.screenshot(full_page=True, clip=clip))).convert("RGB"))
    whole = Image.new("RGB", (WIDTH, sum(piece.height for piece in pieces)), "white")
    at = 0
    for piece in pieces:
        whole.paste(piece, (0, at))
        at += piece.height
    small = whole.resize((SHOWN, round(whole.height * SHOWN / WIDTH)), Image.Resampling.LANCZOS)
    target = ROOT / "docs" / "pictures" / "report.png"
    with_few_colours(small).save(target, optimize=True)
    sys.stdout.write(f"{target}: {target.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
