"""Support phases, steps and gait cycles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from walkon.builtin import human_skeleton, make
from walkon.errors import ClipError
from walkon.motion import Clip, Contacts
from walkon.motion.features import Support, foot_supports, measure_gait, support_phases
from walkon.motion.feet.contacts import find_contacts
from walkon.rotations import IDENTITY


def marched(pattern_left: str, pattern_right: str, fps: float = 10.0) -> tuple[Clip, Contacts]:
    """A body that glides along z at 1 m/s, and contacts drawn by hand."""
    human, frames = human_skeleton(), len(pattern_left)
    roots = np.tile(human.offsets[0], (frames, 1)) + np.outer(np.arange(frames) / fps, [0, 0, 1])
    planted = np.array([[c == "#" for c in pair] for pair in zip(pattern_left, pattern_right, strict=True)])
    clip = Clip("march", human, fps, roots, np.tile(IDENTITY, (frames, len(human), 1)))
    return clip, Contacts(("LeftToeBase", "RightHeel"), planted)


def test_phases_name_what_carries_the_body():
    phases = support_phases(*marched("##..", ".##."))
    assert [Support(phase) for phase in phases] == [Support.LEFT, Support.DOUBLE, Support.RIGHT, Support.FLIGHT]


def test_cycles_go_from_strike_to_strike():
    gait = measure_gait(*marched("#...####....####..", "..................."[:18]))
    assert [(step.foot, step.strike, step.leave) for step in gait.steps] == [("left", 4, 8), ("left", 12, 16)]
    (cycle,) = gait.cycles
    assert (cycle.start, cycle.stop) == (4, 12)
    assert cycle.duration == pytest.approx(0.8)
    assert cycle.duty == pytest.approx(0.5)
    assert cycle.stride_length == pytest.approx(0.8)
    assert gait.cadence == pytest.approx(150)
    assert gait.flight == pytest.approx(9 / 18)


def test_a_stance_cut_off_by_the_end_is_a_step_without_a_cycle():
    gait = measure_gait(*marched("...###", "######"))
    assert [(step.strike, step.leave) for step in gait.steps] == [(3, 6)]
    assert gait.cycles == ()
    assert np.isnan(gait.duty)
    assert gait.cadence == 0


@pytest.mark.parametrize("fps", [30.0, 120.0])
@pytest.mark.parametrize("speed", [1.0, 1.4])
def test_walk_has_the_gait_it_was_made_with(fps, speed):
    clip = make("walk", fps=fps, speed=speed, cycles=4)
    gait = measure_gait(clip, find_contacts(clip))
    known = measure_gait(clip, clip.contacts)
    assert gait.cycle_duration == pytest.approx(known.cycle_duration, abs=1.1 / fps)
    assert gait.stride_length == pytest.approx(known.stride_length, rel=0.03)
    assert gait.duty == pytest.approx(known.duty, abs=0.05)
    assert gait.flight == 0
    feet = [step.foot for step in gait.steps]
    assert all(a != b for a, b in pairwise(feet))


def test_a_clips_own_contacts_are_believed():
    clip, contacts = marched("####", "....")
    assert foot_supports(clip.with_changes(contacts=contacts))[:, 0].all()


def test_contacts_of_another_clip_are_refused():
    clip, _ = marched("####", "....")
    with pytest.raises(ClipError, match="expected"):
        support_phases(clip, Contacts(("LeftHeel",), np.zeros((3, 1), bool)))
