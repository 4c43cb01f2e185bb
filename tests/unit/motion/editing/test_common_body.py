"""A floor that is known is not fitted again, so that clips stay as they were when others come."""

from __future__ import annotations

import numpy as np

from walkon.builtin import make
from walkon.motion.editing.common_body import RecordedFloor, share_body
from walkon.motion.editing.leveling import lowered, turned
from walkon.rotations import from_axis_angle

TILT = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.02)


def recorded(name: str, height: float = 0.3, **options):
    """A built-in clip as if recorded on a floor that is tilted and too high."""
    return lowered(turned(make(name, **options).with_changes(contacts=None), TILT), -height)


def same(one, other) -> bool:
    return np.array_equal(one.root_positions, other.root_positions) and np.array_equal(
        one.rotations, other.rotations
    )


def test_clips_stay_as_they_were_when_another_comes():
    walk, run = recorded("walk"), recorded("run")
    grounds: dict[str, RecordedFloor] = {}
    (before, _), failed = share_body([walk, run], grounds=grounds)
    assert not failed
    (known,) = grounds.values()
    assert known.frames == len(walk) + len(run)
    jump = recorded("jump", height=0.32)
    after, _ = share_body([walk, run, jump], grounds=grounds)
    assert same(after[0], before)
    assert list(grounds.values()) == [known]
    anew, _ = share_body([walk, run, jump])
    assert not same(anew[0], before)


def test_floors_are_made_level_at_height_0():
    (clip,), _ = share_body([recorded("walk")])
    lowest = clip.positions[..., 1].min(axis=1)
    assert np.abs(lowest - make("walk").positions[..., 1].min(axis=1)).max() < 0.02


def test_a_floor_fitted_to_little_is_fitted_again_when_there_is_much_more():
    walk = recorded("walk")
    grounds: dict[str, RecordedFloor] = {}
    share_body([walk], grounds=grounds)
    others = [recorded("run").with_changes(name=f"run{n}") for n in range(4)]
    share_body([walk, *others], grounds=grounds)
    (known,) = grounds.values()
    assert known.frames == len(walk) + sum(len(clip) for clip in others)


def test_other_bodies_have_other_floors():
    grounds: dict[str, RecordedFloor] = {}
    share_body([recorded("walk"), recorded("run", height=0.1)], grounds=grounds)
    short = make("walk").skeleton.scaled(0.8)
    share_body([recorded("walk").with_changes(skeleton=short)], grounds=grounds)
    assert len(grounds) == 2
