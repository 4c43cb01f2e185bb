"""The tools that actions are made with: layers, reach, clearance, kneeling, flight."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.actions.all_fours import KneelingLeg, bone_length, kneel_before, lay_shin, settle_pelvis
from walkon.builtin.actions.clearance import room_above, room_below
from walkon.builtin.actions.flight import Flight, fly
from walkon.builtin.actions.layers import Manner, layer, standing_frames
from walkon.builtin.actions.plain_gait import lay_gait
from walkon.builtin.actions.reach import highest_pelvis, within_reach
from walkon.builtin.actions.shown import wander
from walkon.builtin.actions.swings import heading_and_pitch, lift_foot, swing_of
from walkon.builtin.falling import GRAVITY
from walkon.builtin.gait.standing import stand
from walkon.builtin.performer import Performer
from walkon.builtin.posing import Poser, turned
from walkon.builtin.score import BODY_CHANNELS, play
from walkon.motion import center_of_mass
from walkon.rotations import multiply, rotation_about_y
from walkon.skeleton import build_body

AVERAGE = Performer.average()
NOD = """
time  rise  aside  bend  look  lead.swing  other.elbow  both.wrist
0.0   0     0      0     0     0           0            0
0.5  -0.1   0.02  30    10    40          20            5
1.0   0     0      0     0     0           0            0
"""


@pytest.fixture
def standing():
    return stand(AVERAGE, 2.0)


def test_a_layer_adds_its_keys_and_nothing_before_or_after(standing):
    score = layer(standing, NOD, scale=0.5, manner=Manner(start=0.5))
    middle = int(np.argmin(np.abs(score.times - 1.0)))
    assert score.bend[middle] - standing.bend[middle] == pytest.approx(30.0)
    np.testing.assert_allclose(score.pelvis[middle] - standing.pelvis[middle], [0.01, -0.05, 0.0], atol=1e-12)
    for frame in (0, 15, -8, -1):
        for name in BODY_CHANNELS:
            assert getattr(score, name)[frame] == getattr(standing, name)[frame], name
        np.testing.assert_array_equal(score.pelvis[frame], standing.pelvis[frame])
        for side, arm in score.arms.items():
            assert all(arm[name][frame] == standing.arms[side][name][frame] for name in arm)


def test_a_layer_begins_and_ends_without_speed_or_acceleration(standing):
    bend = layer(stand(AVERAGE, 1.0, fps=2000.0), NOD).bend
    speed, push = np.gradient(bend, 1 / 2000), np.gradient(np.gradient(bend, 1 / 2000), 1 / 2000)
    for end in (3, -4):
        assert abs(speed[end]) < 0.1
        assert abs(push[end]) < 30.0
    assert np.abs(push).max() > 300.0


def test_a_layer_is_mirrored_for_the_other_lead(standing):
    right, left = (layer(standing, NOD, manner=Manner(lead=lead)) for lead in ("Right", "Left"))
    np.testing.assert_allclose(right.look, -left.look)
    np.testing.assert_allclose(right.pelvis[:, 0], -left.pelvis[:, 0])
    np.testing.assert_allclose(right.bend, left.bend)
    for name in ("swing", "elbow", "wrist"):
        np.testing.assert_allclose(right.arms["Right"][name], left.arms["Left"][name])
        np.testing.assert_allclose(right.arms["Left"][name], left.arms["Right"][name])


def test_manner_changes_pace_and_size(standing):
    quick = layer(standing, NOD, manner=Manner(pace=2.0, size=0.5)).bend - standing.bend
    assert quick.max() == pytest.approx(15.0, rel=0.02)
    assert standing.times[np.argmax(quick)] == pytest.approx(0.25, abs=0.02)
    frames, start = standing_frames(NOD, manner=Manner(pace=2.0), margin=8, fps=30.0)
    assert start == pytest.approx(8 / 30)
    assert frames >= 2 * 8 + 1 + 15


def test_wandering_leaves_the_ends_alone_and_follows_its_randomness(standing):
    first, again, other = (wander(standing, np.random.default_rng(seed), 8) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.bend, again.bend)
    assert np.abs(first.bend - other.bend).max() > 0.05
    for frames in (slice(0, 9), slice(-9, None)):
        np.testing.assert_array_equal(first.bend[frames], standing.bend[frames])
    assert wander(standing, None, 8) is standing


def test_a_pelvis_out_of_reach_is_lowered_until_the_legs_reach(standing):
    high = standing.plus(pelvis=[0.0, 0.05, 0.0])
    reached = within_reach(high)
    for side in ("Left", "Right"):
        assert np.all(reached.pelvis[:, 1] <= highest_pelvis(high, side) + 1e-9)
        ankle = play(reached, "reached").positions[:, high.skeleton.index(f"{side}Foot")]
        np.testing.assert_allclose(ankle, high.feet[side].ankles, atol=1e-6)
    np.testing.assert_array_equal(within_reach(high, 0.0).pelvis, high.pelvis)


def test_room_is_what_the_capsules_leave(standing):
    clip = play(standing, "stand")
    body = build_body(clip.skeleton)
    ends = body.capsules(clip.positions)
    top = float((ends[..., 1] + body.radii[:, None]).max())
    assert room_above(clip, -1.0, 1.0) == pytest.approx(top)
    assert abs(room_below(clip, -1.0, 1.0)) < 0.002
    assert room_below(clip, 0.5, 1.0) == np.inf
    assert room_above(clip, 0.5, 1.0) == 0.0


def test_room_agrees_with_a_brute_force_search(standing):
    clip = play(layer(standing, NOD, manner=Manner(start=0.5)), "nod")
    body = build_body(clip.skeleton)
    near, far, best = 0.10, 0.14, 0.0
    radii = np.tile(body.radii, len(clip))
    ends = body.capsules(clip.positions).reshape(-1, 2, 3)
    for share in np.linspace(0.0, 1.0, 9):
        centres = (1 - share) * ends[:, 0] + share * ends[:, 1]
        for z in np.linspace(near, far, 41):
            inside = radii**2 - (centres[:, 2] - z) ** 2
            hit = inside > 0
            if hit.any():
                best = max(best, float((centres[hit, 1] + np.sqrt(inside[hit])).max()))
    assert room_above(clip, near, far) == pytest.approx(best, abs=0.004)


def test_shins_lie_behind_their_knees():
    ankle = lay_shin([0.1, 0.08, 1.0], 0.15, 0.2, 0.43)
    assert np.linalg.norm(ankle - [0.1, 0.08, 1.0]) == pytest.approx(0.43)
    assert ankle[1] == pytest.approx(0.15)
    np.testing.assert_allclose(kneel_before(ankle, 0.08, 0.2, 0.43), [0.1, 0.08, 1.0], atol=1e-12)


@pytest.mark.parametrize("kneeling", [(1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)])
def test_a_pelvis_settles_one_thigh_above_the_knees_that_kneel(kneeling):
    skeleton = AVERAGE.skeleton()
    thigh = bone_length(skeleton, "LeftLeg")
    knees = {"Left": np.array([[0.11, 0.076, 0.10]]), "Right": np.array([[-0.11, 0.076, -0.08]])}
    track = stand(AVERAGE, 0.0).feet["Left"]
    legs = {
        side: KneelingLeg(track, knees[side], np.array([weight]), np.zeros(1))
        for side, weight in zip(("Left", "Right"), kneeling, strict=True)
    }
    poser = Poser(skeleton, np.array([[0.0, 0.6, 0.0]]))
    zero = np.zeros(1)
    poser.turn("Hips", settle_pelvis(poser, zero, zero + 80.0, zero + 4.0, legs))
    for side, weight in zip(("Left", "Right"), kneeling, strict=True):
        apart = np.linalg.norm(poser.frame(f"{side}UpLeg")[0] - knees[side])
        if weight:
            assert apart == pytest.approx(thigh, abs=1e-6)
    if not any(kneeling):
        assert poser.root_positions[0, 1] == 0.6


def test_heading_and_pitch_are_read_back_from_a_foot():
    heading, pitch = np.linspace(-0.6, 0.6, 7), np.linspace(20.0, -150.0, 7)
    rotations = multiply(rotation_about_y(heading), turned(bend=-pitch))
    found_heading, found_pitch = heading_and_pitch(rotations)
    np.testing.assert_allclose(found_heading, heading, atol=1e-9)
    np.testing.assert_allclose(found_pitch, pitch, atol=1e-6)


def test_a_way_begins_and_ends_over_the_left_foot_at_whole_frames():
    way = lay_gait(AVERAGE, False, 2, margin=4)
    assert way.seconds * 30 == pytest.approx(round(way.seconds * 30))
    np.testing.assert_allclose([way.times[0], way.times[-1]], [-4 / 30, way.seconds + 4 / 30])
    score = way.score()
    for frame in (4, len(score) - 5):
        left, right = (score.feet[side].planted[frame].any() for side in ("Left", "Right"))
        assert left
        assert not right


def test_lifting_a_foot_changes_only_its_swing():
    way = lay_gait(AVERAGE, False, 2)
    plain = way.score()
    swing = swing_of(way, "Right", 1.5)
    lifted = lift_foot(plain, "Right", swing, "fraction up ahead pitch\n0.5 0.2 0.05 10")
    away = (plain.times > swing[0].stop) & (plain.times < swing[1].start)
    risen = (lifted.feet["Right"].ankles - plain.feet["Right"].ankles)[:, 1]
    assert risen.max() == pytest.approx(0.2, abs=0.01)
    assert np.all(risen[~away] == 0.0)
    np.testing.assert_array_equal(lifted.feet["Left"].ankles, plain.feet["Left"].ankles)


def test_a_body_thrown_up_falls_freely_and_is_caught():
    """Feet do not matter here, the centre of mass does."""
    plain = stand(AVERAGE, 1.6, fps=120.0)
    hop = Flight(0.2, 0.7, 0.95, 1.3, landing="Left", pull=0.0)
    flown = fly(plain, layer(plain, NOD, manner=Manner(start=0.3)), hop)
    centre = center_of_mass(play(flown, "hop"))[:, 1]
    air = (flown.times > hop.off) & (flown.times < hop.on)
    # At both ends the feet of this score are still on the ground, as far as the legs reach.
    falling = np.diff(centre[air], 2)[4:-5] * 120.0**2
    np.testing.assert_allclose(falling, -GRAVITY, atol=0.05)
    np.testing.assert_allclose(flown.pelvis[flown.times < 0.05, 1], plain.pelvis[0, 1])
    np.testing.assert_allclose(flown.pelvis[flown.times > 1.3, 1], plain.pelvis[0, 1], atol=2e-3)
