"""Whether a motion comes back to where it began."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.motion import crop, read_clip, resample
from walkon.variation.coordinates import fit_coordinates


@pytest.mark.parametrize("name", ["walk", "run", "crawl", "dog"])
def test_gaits_come_back(name):
    clips = [make(name, **options) for options in ({}, {"fps": 31.0})]
    assert not fit_coordinates([clips[0], resample(clips[1], 30.0)])[0].ends


def test_walks_of_different_speeds_come_back():
    assert not fit_coordinates([make("walk", speed=speed) for speed in (1.1, 1.2, 1.3, 1.4)])[0].ends


@pytest.mark.parametrize("count", [2, 4])
def test_jumps_end(count):
    assert fit_coordinates([make("jump", distance=distance) for distance in np.linspace(1.2, 1.9, count)])[0].ends


def test_half_a_step_does_not_come_back():
    """Cut before anything was seen twice, a walk cannot go on."""
    walks = [make("walk", speed=speed) for speed in (1.1, 1.2, 1.3)]
    assert fit_coordinates([crop(clip, 0, 12) for clip in walks])[0].ends


def test_very_short_clips_do_not():
    assert fit_coordinates([crop(make("walk", speed=speed), 0, 7) for speed in (1.1, 1.3)])[0].ends


@pytest.mark.parametrize(("names", "ends"), [(("35_01", "35_02", "35_03"), False), (("13_39", "13_40"), True)])
def test_recordings(mocap, names, ends):
    files = [mocap / "cmu" / "bvh" / f"{name}.bvh" for name in names]
    missing = [file for file in files if not file.exists()]
    if missing:
        pytest.skip(f"no {missing[0]}")
    clips = [resample(crop(read_clip(file), 1), 30.0) for file in files]
    assert fit_coordinates(clips)[0].ends == ends
