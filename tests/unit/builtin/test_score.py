"""A score is cut, joined, moved and changed channel by channel, and played."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.gait.moves import go_on, walking
from walkon.builtin.gait.standing import stand
from walkon.builtin.performer import Performer
from walkon.builtin.score import ARM_CHANNELS, Score, envelope, join, play
from walkon.errors import ClipError
from walkon.motion import Label
from walkon.rotations import heading_of

PERSON = Performer.average()


@pytest.fixture(scope="module")
def walk() -> Score:
    return go_on(PERSON, walking(PERSON), 1).score()


def test_a_window_plays_the_same_frames(walk):
    whole, part = play(walk, "walk"), play(walk.window(5, 15), "walk")
    assert len(part) == 10
    np.testing.assert_allclose(part.positions, whole.positions[5:15], atol=1e-12)
    np.testing.assert_array_equal(part.contacts.planted, whole.contacts.planted[5:15])


def test_windows_that_meet_are_joined_to_what_they_were(walk):
    joined = join([walk.window(0, 12), walk.window(11, len(walk))])
    assert len(joined) == len(walk)
    np.testing.assert_allclose(joined.times, walk.times, atol=1e-12)
    np.testing.assert_allclose(play(joined, "x").positions, play(walk, "x").positions, atol=1e-12)


def test_scores_that_do_not_meet_are_refused(walk):
    with pytest.raises(ClipError, match="do not meet: pelvis"):
        join([walk, walk])
    with pytest.raises(ClipError, match="one person at one frame rate"):
        join([walk, stand(Performer.average(1.5), 1.0)])


def test_a_moved_score_is_the_same_clip_elsewhere(walk):
    here, there = play(walk, "x"), play(walk.moved(2.0, -1.0, np.pi / 2), "x")
    x, y, z = here.positions.transpose(2, 0, 1)
    np.testing.assert_allclose(there.positions, np.stack([z + 2.0, y, -x - 1.0], axis=-1), atol=1e-9)
    turned = heading_of(there.rotations[:, 0]) - heading_of(here.rotations[:, 0])
    np.testing.assert_allclose(turned, np.pi / 2, atol=1e-9)


def test_changes_touch_their_channel_only(walk):
    bent = walk.plus(bend=10.0).plus_arm("Left", swing=5.0)
    np.testing.assert_allclose(bent.bend, walk.bend + 10.0)
    np.testing.assert_allclose(bent.arms["Left"]["swing"], walk.arms["Left"]["swing"] + 5.0)
    for name in ARM_CHANNELS:
        np.testing.assert_array_equal(bent.arms["Right"][name], walk.arms["Right"][name])
    feet = ["LeftFoot", "RightToeBase", "Hips"]
    before, after = play(walk, "x"), play(bent, "x")
    for joint in feet:
        index = walk.skeleton.index(joint)
        np.testing.assert_allclose(after.positions[:, index], before.positions[:, index], atol=1e-9)
    head = walk.skeleton.index("Head")
    assert np.linalg.norm(after.positions[:, head] - before.positions[:, head], axis=1).min() > 0.02


def test_an_arm_is_drawn_towards_a_pose(walk):
    weight = np.linspace(0.0, 1.0, len(walk))
    raised = walk.arm_towards("Right", weight, swing=150.0)
    swing = raised.arms["Right"]["swing"]
    assert swing[0] == pytest.approx(walk.arms["Right"]["swing"][0])
    assert swing[-1] == pytest.approx(150.0)


def test_an_envelope_leaves_both_ends_at_rest():
    times = np.linspace(0.0, 4.0, 4001)
    curve = envelope(times, 1.0, 1.5, 2.5, 3.0)
    assert np.all(curve[times <= 1.0] == 0.0)
    assert np.all(curve[times >= 3.0] == 0.0)
    np.testing.assert_allclose(curve[(times >= 1.5) & (times <= 2.5)], 1.0)
    # Its acceleration, up to 23, has no jumps.
    assert np.abs(np.diff(curve, 3) / 1e-3**2).max() < 1.0


def test_a_clip_is_labelled_with_its_name_unless_told_otherwise(walk):
    assert play(walk, "stroll").labels == (Label("stroll", 0, len(walk)),)
    assert play(walk, "stroll", [Label("left", 0, 3)]).labels == (Label("left", 0, 3),)
