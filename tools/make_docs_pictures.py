"""Make docs/pictures again: contact sheets of the built-in motion, each small enough to be committed."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from walkon.builtin import make
from walkon.motion import crop
from walkon.render import contact_sheet, write_png

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
LARGEST = 300_000
"""Bytes a committed picture may have."""


@dataclass(frozen=True)
class Sheet:
    """One picture: `poses` of a built-in motion between two times [s], `width` pixels wide."""

    motion: str
    poses: int
    width: int
    options: dict[str, int] = field(default_factory=dict)
    start: float = 0.0
    stop: float | None = None
    mode: Literal["strip", "overlay"] = "strip"


SHEETS = {
    "walk": Sheet("walk", 8, 1100, {"cycles": 1}),
    "jump": Sheet("jump", 15, 1080, start=0.4, stop=2.4),
    "crawl": Sheet("crawl", 8, 1280, {"cycles": 1}),
    "skateboarder": Sheet("skateboarder", 18, 1000),
    "skateboarder_path": Sheet("skateboarder", 16, 1400, mode="overlay"),
    "dog": Sheet("dog", 8, 1280, {"cycles": 1}),
}


def main() -> None:
    """Write every sheet; fail if one is too large to commit."""
    too_large = []
    for name, sheet in SHEETS.items():
        clip = make(sheet.motion, **sheet.options)
        stop = len(clip) if sheet.stop is None else round(sheet.stop * clip.fps)
        clip = crop(clip, round(sheet.start * clip.fps), stop)
        path = PICTURES / f"{name}.png"
        write_png(path, contact_sheet(clip, sheet.poses, mode=sheet.mode, width=sheet.width))
        size = path.stat().st_size
        sys.stdout.write(f"{path.relative_to(PICTURES.parents[1])}  {size / 1000:.0f} kB\n")
        if size > LARGEST:
            too_large.append(path.name)
    if too_large:
        sys.exit(f"larger than {LARGEST / 1000:.0f} kB: {', '.join(too_large)}")


if __name__ == "__main__":
    main()
