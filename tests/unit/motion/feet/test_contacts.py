"""Heels and toes on the ground, against motion whose plants are known."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import human_skeleton, make
from walkon.motion import Clip
from walkon.motion.features import foot_supports
from walkon.motion.feet._kernels_contacts import drop_short_runs, hold_with_hysteresis
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.floor import fit_floor
from walkon.rotations import IDENTITY, from_axis_angle, multiply, rotate
from walkon.skeleton import Skeleton


def moved(clip: Clip, rotation, lift: float) -> Clip:
    """The clip turned as a whole, floor and all, then lifted."""
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation, rotations[:, 0])
    roots = rotate(rotation, clip.root_positions) + np.array([0, lift, 0])
    return Clip(clip.name, clip.skeleton, clip.fps, roots, rotations)


def edges(planted) -> list[int]:
    return [int(f) for f in np.flatnonzero(np.diff(planted.astype(int)))]


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_walk_is_supported_when_its_maker_says(fps):
    """To two frames of 30 Hz: the maker knows the tips of the toes, we watch the balls of the feet."""
    clip = make("walk", fps=fps)
    ours = foot_supports(clip, find_contacts(clip))
    theirs = foot_supports(clip, clip.contacts)
    for foot in range(2):
        for found, known in zip(edges(ours[:, foot]), edges(theirs[:, foot]), strict=True):
            assert abs(found - known) <= 2 * fps / 30


@pytest.mark.parametrize("lift", [-0.4, 0.0, 1.3])
def test_the_floor_may_lie_anywhere_and_tilt_a_little(lift):
    clip = make("walk", fps=60.0)
    level = find_contacts(clip).planted
    tilted = find_contacts(moved(clip, from_axis_angle(np.array([0, 0, 1.0]), np.radians(1.0)), lift)).planted
    assert (level != tilted).mean() < 0.03


def test_tilt_is_recovered_where_feet_rest_apart():
    clip = moved(make("walk", fps=60.0, cycles=6), from_axis_angle(np.array([1.0, 0, 0]), np.radians(1.0)), 0.2)
    joints = np.array([clip.skeleton.index(name) for name in ("LeftToeBase", "RightToeBase")])
    speeds = np.linalg.norm(np.gradient(clip.positions[:, joints], 1 / clip.fps, axis=0), axis=-1)
    floor = fit_floor(clip, joints, speeds)
    assert np.degrees(floor.tilt[1]) == pytest.approx(-1.0, abs=0.1)


def test_standing_still_is_planted_all_the_time():
    human = human_skeleton()
    clip = Clip("stand", human, 30.0, np.tile(human.offsets[0], (20, 1)), np.tile(IDENTITY, (20, len(human), 1)))
    contacts = find_contacts(clip)
    assert contacts.joints == ("LeftHeel", "LeftToeBase", "RightHeel", "RightToeBase")
    assert contacts.planted.all()


def test_a_glitch_of_a_frame_is_no_step():
    human = human_skeleton()
    rotations = np.tile(IDENTITY, (60, len(human), 1))
    rotations[30, human.index("LeftUpLeg")] = from_axis_angle(np.array([1.0, 0, 0]), -0.4)
    clip = Clip("glitch", human, 120.0, np.tile(human.offsets[0], (60, 1)), rotations)
    assert find_contacts(clip).planted.all()


def test_one_frame_is_enough():
    human = human_skeleton()
    assert find_contacts(
        Clip("one", human, 30.0, np.zeros((1, 3)), np.tile(IDENTITY, (1, len(human), 1)))
    ).planted.all()


def test_a_jump_leaves_the_ground_with_both_feet():
    clip = make("jump", fps=120.0)
    supports = foot_supports(clip, find_contacts(clip)).any(axis=1)
    known = foot_supports(clip, clip.contacts).any(axis=1)
    assert supports[0]
    assert supports[-1]
    for found, expected in zip(edges(supports), edges(known), strict=True):
        assert abs(found - expected) <= 6


def test_feet_on_a_rolling_board_are_not_planted():
    clip = make("skateboarder")
    left, right = foot_supports(clip, find_contacts(clip)).T
    assert not left.any()
    assert right.any()  # it pushes
    assert not right[-30:].any()


def test_a_dog_puts_down_all_four():
    clip = make("dog", fps=120.0)
    supports = foot_supports(clip, find_contacts(clip))
    assert supports.shape[1] == 4
    assert (supports != foot_supports(clip, clip.contacts)).mean() < 0.1


def test_no_feet_no_contacts():
    chain = Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    contacts = find_contacts(Clip("chain", chain, 30.0, np.zeros((4, 3)), np.tile(IDENTITY, (4, 2, 1))))
    assert contacts.joints == ()
    assert contacts.planted.shape == (4, 0)


def test_hysteresis_against_its_plain_twin():
    rng = np.random.default_rng(1)
    heights, speeds = rng.uniform(0, 0.1, (200, 3)), rng.uniform(0, 2, (200, 3))
    slow, fast = np.array([0.5, 1.0, 0.2]), np.array([0.8, 1.5, 0.9])
    planted = np.zeros((200, 3), bool)
    hold_with_hysteresis(heights, speeds, 0.03, 0.06, slow, fast, planted)
    for k in range(3):
        held = heights[0, k] < 0.06 and speeds[0, k] < fast[k]
        for f in range(200):
            takes = heights[f, k] < 0.03 and speeds[f, k] < slow[k]
            keeps = heights[f, k] < 0.06 and speeds[f, k] < fast[k]
            held = keeps if held else takes
            assert planted[f, k] == held


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("..#..", True, "....."),
        ("..##.", True, "..##."),
        ("##.##", False, "#####"),
        (".####", False, ".####"),
        ("####.", False, "####."),
        ("#.#.#", False, "#####"),
    ],
)
def test_short_runs_go_except_at_the_ends(before, value, after):
    planted = np.array([[c == "#"] for c in before])
    drop_short_runs(planted, value, 2.0)
    assert "".join("#" if p else "." for p in planted[:, 0]) == after
