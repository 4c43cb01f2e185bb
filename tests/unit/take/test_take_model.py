"""Takes that cannot be played are refused when they are made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import TakeError
from walkon.take import Role


def test_duration_first_and_last(take):
    shown = take.clips[0]
    assert (shown.first, shown.last, shown.duration) == (1, 4, 3)


def test_a_clip_needs_a_core(take):
    with pytest.raises(TakeError, match=r"walk_1.*too few.*3 extra"):
        replace(take.clips[0], margin=3)


def test_role_by_name(take):
    assert take.role("Ann") is take.roles[0]
    with pytest.raises(TakeError, match="nobody called 'Zoe'"):
        take.role("Zoe")


def test_a_character_that_stays_is_there_until_the_end_and_one_that_leaves_is_not(take):
    assert take.end_frame(take.roles[0]) == 39
    assert take.end_frame(replace(take.roles[0], leaves=True)) == 8


def test_roles_are_read_only_copies():
    clips = np.array([0])
    role = Role("Ann", clips, np.array([0]), np.zeros((1, 3)), None)
    clips[0] = 5
    assert role.clips[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        role.frames[0] = 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"clips": np.array([0, 1])}, "plays clip 1; there are 1"),
        ({"clips": np.array([-1, 0])}, "plays clip"),
        ({"frames": np.array([2, 6])}, "segment 1 does not begin when segment 0 ends"),
        ({"frames": np.array([100, 103])}, "begins at frame 100; the take has 40"),
        ({"character": "Zoe"}, "no such character"),
    ],
)
def test_roles_that_do_not_fit_the_take(take, change, message):
    with pytest.raises(TakeError, match=message):
        replace(take, roles=(replace(take.roles[0], **change),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"clips": np.array([0])}, r"clips \(S,\), frames \(S,\) and placements"),
        ({"clips": [], "frames": [], "placements": np.zeros((0, 3))}, "no segments"),
        ({"frames": np.array([5, 2])}, "must rise"),
        ({"frames": np.array([-1, 2])}, "must rise"),
        ({"placements": np.full((2, 3), np.nan)}, "finite"),
    ],
)
def test_roles_that_are_none(take, change, message):
    with pytest.raises(TakeError, match=message):
        replace(take.roles[0], **change)


def test_other_takes_that_cannot_be(take):
    with pytest.raises(TakeError, match="two roles"):
        replace(take, roles=take.roles * 2)
    with pytest.raises(TakeError, match="30 Hz, the take 25 Hz"):
        replace(take, fps=25.0)
    with pytest.raises(TakeError, match="fps must be positive"):
        replace(take, fps=0.0)
