"""How far a clip may be blended, and when its feet have calmed down after a seam."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion import Clip, Contacts
from walkon.motion.feet.holding import EASE
from walkon.rotations import Placement
from walkon.skeleton import Skeleton
from walkon.synthesis.cores import ClipCore
from walkon.synthesis.seams import _last_step

FPS = 30.0


def core(frames: int, first: int, last: int, planted: np.ndarray | None = None) -> ClipCore:
    skeleton = Skeleton(("root", "left", "right"), (-1, 0, 0), np.zeros((3, 3)))
    contacts = None if planted is None else Contacts(("left", "right"), planted)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 3, 1))
    clip = Clip("still", skeleton, FPS, np.zeros((frames, 3)), rotations, contacts=contacts)
    return ClipCore(clip, clip, first, last, Placement())


@pytest.mark.parametrize(
    ("frames", "first", "last", "half"),
    [
        pytest.param(60, 10, 50, 8, id="as asked for"),
        pytest.param(60, 3, 50, 3, id="margin before the entry"),
        pytest.param(60, 10, 57, 2, id="margin after the exit"),
        pytest.param(60, 20, 27, 3, id="half of a short clip"),
        pytest.param(60, 20, 21, 0, id="a clip of one step"),
    ],
)
def test_clips_are_blended_within_their_margins_and_middles(frames: int, first: int, last: int, half: int) -> None:
    assert core(frames, first, last).half_window(8) == half


def test_feet_are_calm_a_while_after_the_last_of_them_has_left_the_ground() -> None:
    planted = np.zeros((60, 2), dtype=np.bool_)
    planted[5:18, 0] = planted[8:23, 1] = planted[30:40, 0] = True
    assert _last_step(core(60, 10, 50, planted)) == 13 + round(EASE * FPS)
    assert _last_step(core(60, 25, 50, planted)) == round(EASE * FPS)
    assert _last_step(core(60, 10, 50)) == round(EASE * FPS)
