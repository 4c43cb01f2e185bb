"""Make docs/pictures again: contact sheets of the built-in motion, each small enough to be committed."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from PIL import Image

from walkon.behaviors import BehaviorLibrary
from walkon.builtin import make
from walkon.builtin.casts import make_library
from walkon.builtin.session import run_errands
from walkon.files import atomic_path
from walkon.motion import Clip, crop
from walkon.render import contact_sheet

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
LARGEST = 200_000
"""Bytes a committed picture may have."""

COLOURS = 160
"""A palette of so many colours is enough for capsules on a pale floor, at a third of the size."""


@dataclass(frozen=True)
class Sheet:
    """One picture: `poses` of a motion between two times [s], `width` pixels wide.

    motion: a single built-in motion, or "cast/behavior", or several behaviors that follow each other.
    """

    motion: str
    poses: int
    width: int = 1100
    options: dict[str, int] = field(default_factory=dict)
    start: float = 0.0
    stop: float | None = None
    mode: Literal["strip", "overlay"] = "strip"
    azimuth: float | None = None

    def clip(self) -> Clip:
        """The motion between the two times."""
        cast, _, behavior = self.motion.rpartition("/")
        clip = _core(cast, behavior) if cast else make(self.motion, **self.options)
        stop = len(clip) if self.stop is None else round(self.stop * clip.fps)
        return crop(clip, round(self.start * clip.fps), stop)


SHEETS = {
    "walk": Sheet("walk", 8, options={"cycles": 1}),
    "jump": Sheet("jump", 15, start=0.4, stop=2.4),
    "crawl": Sheet("crawl", 8, 1280, {"cycles": 1}),
    "skateboarder": Sheet("skateboarder", 18, 1000),
    "skateboarder_path": Sheet("skateboarder", 16, 1400, mode="overlay"),
    "dog": Sheet("dog", 8, 1280, {"cycles": 1}),
    "human_walk": Sheet("human/walk_forward", 8),
    "human_slow": Sheet("human/set_off_slowly walk_slow_forward_on_left walk_slow_stop_on_right", 10),
    "human_aside": Sheet(
        "human/walk_aside_right_20_on_left walk_step_on_right walk_step_right_35_on_left", 10, azimuth=0.35
    ),
    "human_narrow": Sheet(
        "human/walk_narrow_60_in_on_left walk_narrow_60_forward_on_right walk_narrow_60_out_on_right",
        10,
        azimuth=0.2,
    ),
    "human_sidle": Sheet("human/sidle_in_left sidle_left sidle_left sidle_out_left", 12, azimuth=0.5),
    "human_jog": Sheet("human/jog_forward", 8),
    "human_step_over": Sheet("human/step_over", 12, start=0.8, stop=3.0),
    "human_jump_over": Sheet("human/jump_over_low", 12, start=0.6, stop=2.0),
    "human_duck_under": Sheet("human/duck_under", 12, start=0.6, stop=2.9),
    "human_crawl_under": Sheet("human/crawl_under", 16, azimuth=0.9),
    "human_sit_down": Sheet("human/sit_down", 8, azimuth=1.0),
    "human_cheer": Sheet("human/cheer", 10, azimuth=0.4),
    "skateboarder_carve": Sheet("skateboarder/carve_left_90", 10, azimuth=0.6),
    "skateboarder_jump": Sheet("skateboarder/jump", 10, start=0.2, stop=1.8),
    "horse_gallop": Sheet("horse/gallop_forward", 10, 1280),
}


def main() -> None:
    """Write every sheet; fail if one is too large to commit."""
    too_large = []
    for name, sheet in SHEETS.items():
        picture = contact_sheet(
            sheet.clip(), sheet.poses, mode=sheet.mode, width=sheet.width, azimuth=sheet.azimuth
        )
        path = PICTURES / f"{name}.png"
        with atomic_path(path) as temporary:
            Image.fromarray(picture).quantize(COLOURS).save(temporary, optimize=True)
        size = path.stat().st_size
        sys.stdout.write(f"docs/pictures/{path.name}  {size / 1000:.0f} kB\n")
        if size > LARGEST:
            too_large.append(path.name)
    if too_large:
        sys.exit(f"larger than {LARGEST / 1000:.0f} kB: {', '.join(too_large)}")


@cache
def _library(cast: str) -> BehaviorLibrary:
    return make_library(cast, seed=7)


def _core(cast: str, behavior: str) -> Clip:
    if " " in behavior:
        return run_errands(_library(cast), behavior, behavior.split())
    shown = _library(cast)[behavior].clips[0]
    return crop(shown.clip, shown.first, shown.last + 1)


if __name__ == "__main__":
    main()
