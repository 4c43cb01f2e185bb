"""Moves begin and end in the poses they promise, and go where they should."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.gait.engine import natural_period
from walkon.builtin.gait.idle import idle
from walkon.builtin.gait.moves import (
    CADENCE,
    Move,
    change_pace,
    go_on,
    halt,
    jogging,
    set_out,
    step_about,
    stop_short,
    strolling,
    walking,
)
from walkon.builtin.gait.standing import stand
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score, play
from walkon.errors import ClipError
from walkon.motion import Clip
from walkon.rotations import heading_of
from walkon.skeleton import build_body

PERSON = Performer(4)
WALK, JOG = walking(PERSON), jogging(PERSON)
CREEP, STROLL = strolling(PERSON, 0.4), strolling(PERSON, 0.6)
PACES = {"walk": WALK, "jog": JOG, "creep": CREEP, "stroll": STROLL}

MOVES: dict[str, tuple[str, str, Move]] = {
    "walk": ("walk", "walk", go_on(PERSON, WALK, 1)),
    "walk right": ("walk", "walk", go_on(PERSON, WALK, 2, turn=-1.2)),
    "short steps": ("walk", "walk", go_on(PERSON, WALK, 2, shorten=0.4)),
    "jog left": ("jog", "jog", go_on(PERSON, JOG, 2, turn=0.8)),
    "set out": ("stand", "walk", set_out(PERSON, WALK)),
    "set out left": ("stand", "walk", set_out(PERSON, WALK, lead="Left")),
    "set out jogging": ("stand", "jog", set_out(PERSON, JOG)),
    "set off": ("stand", "walk", set_out(PERSON, WALK, lead="Left", cycles=1, at_once=True)),
    "halt": ("walk", "stand", halt(PERSON, WALK)),
    "halt at once": ("walk", "stand", halt(PERSON, WALK, steps=2, hurry=1.0)),
    "halt jogging": ("jog", "stand", halt(PERSON, JOG, steps=4)),
    "break into a jog": ("walk", "jog", change_pace(PERSON, WALK, JOG)),
    "fall into a walk": ("jog", "walk", change_pace(PERSON, JOG, WALK)),
    "creep": ("creep", "creep", go_on(PERSON, CREEP, 1)),
    "creep in short steps": ("creep", "creep", go_on(PERSON, CREEP, 2, shorten=0.3)),
    "set out strolling": ("stand", "stroll", set_out(PERSON, STROLL)),
    "halt strolling": ("stroll", "stand", halt(PERSON, STROLL)),
    "stop creeping": ("creep", "stand", stop_short(PERSON, CREEP)),
    "slow down": ("walk", "creep", change_pace(PERSON, WALK, CREEP, cycles=1)),
    "speed up": ("creep", "stroll", change_pace(PERSON, CREEP, STROLL, cycles=1)),
    "turn": ("stand", "stand", step_about(PERSON, steps=3, turn=np.pi / 2)),
    "side step": ("stand", "stand", step_about(PERSON, lead="Right", left=-0.35)),
    "step back": ("stand", "stand", step_about(PERSON, ahead=-0.3)),
}


def canonical(pose: str) -> Score:
    """Three frames around the pose; the middle one is it."""
    if pose == "stand":
        return stand(PERSON, 2 / 30)
    return go_on(PERSON, PACES[pose], 1).score(1).window(0, 3)


def in_place(clip: Clip, frame: int) -> np.ndarray:
    """Joints (3, J, 3) [m] of a frame and its neighbours, as seen from the middle frame's pelvis."""
    heading = heading_of(clip.rotations[frame, 0])
    local = clip.positions[frame - 1 : frame + 2] - clip.root_positions[frame] * np.array([1.0, 0.0, 1.0])
    sine, cosine = np.sin(heading), np.cos(heading)
    x, y, z = local.transpose(2, 0, 1)
    return np.stack([x * cosine - z * sine, y, x * sine + z * cosine], axis=-1)


@pytest.mark.parametrize("name", MOVES)
def test_moves_begin_and_end_in_their_poses_at_their_speed(name):
    entry, leaving, move = MOVES[name]
    clip = play(move.score(1), name)
    for pose, frame in ((entry, 1), (leaving, len(clip) - 2)):
        ours, wanted = in_place(clip, frame), in_place(play(canonical(pose), pose), 1)
        assert np.abs(ours[1] - wanted[1]).max() < 0.003, "pose"
        velocity, expected = (30.0 * 0.5 * (frames[2] - frames[0]) for frames in (ours, wanted))
        assert np.abs(velocity - expected).max() < 0.06, "velocity"


@pytest.mark.parametrize("name", MOVES)
def test_feet_do_not_slide_or_sink_and_legs_reach_them(name):
    score = MOVES[name][2].score(8)
    clip = play(score, name)
    for joint, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
        path = clip.positions[:, clip.skeleton.index(joint)]
        edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            assert np.linalg.norm(path[start:stop] - path[start], axis=1).max() <= 0.002, joint
    body = build_body(clip.skeleton)
    assert (body.capsules(clip.positions)[..., 1].min(axis=-1) - body.radii).min() > -0.003
    for side, track in score.feet.items():
        ankles = clip.positions[:, clip.skeleton.index(f"{side}Foot")]
        np.testing.assert_allclose(ankles, track.ankles, atol=1e-4)


def test_turns_turn_by_as_much_as_asked():
    assert MOVES["walk right"][2].end()[2] == pytest.approx(-1.2)
    assert MOVES["turn"][2].end()[2] == pytest.approx(np.pi / 2)
    clip = play(MOVES["walk right"][2].score(), "turn")
    turned = heading_of(clip.rotations[-1, 0]) - heading_of(clip.rotations[0, 0])
    assert turned == pytest.approx(-1.2, abs=1e-4)


def test_steps_on_the_spot_go_as_far_as_asked():
    x, z, _ = MOVES["side step"][2].end()
    assert (x, z) == pytest.approx((-0.35, 0.0), abs=1e-4)
    x, z, _ = MOVES["step back"][2].end()
    assert (x, z) == pytest.approx((0.0, -0.3), abs=1e-4)


def test_the_leading_foot_leads():
    for lead, other in (("Left", "Right"), ("Right", "Left")):
        for move in (set_out(PERSON, WALK, lead=lead), step_about(PERSON, lead=lead, turn=0.5)):
            feet = move.score().feet
            leaves = {side: int(np.argmin(track.planted.any(axis=1))) for side, track in feet.items()}
            assert leaves[lead] < leaves[other]


def test_short_steps_are_shorter_but_as_quick():
    plain, short = go_on(PERSON, WALK, 2), MOVES["short steps"][2]
    assert short.frames == plain.frames
    assert short.end()[1] < 0.85 * plain.end()[1]


@pytest.mark.parametrize("person", [PERSON, Performer(9), Performer.average(height=1.2)])
@pytest.mark.parametrize("pace", [0.4, 0.55, 0.75])
def test_slow_steps_are_short_instead_of_slow(person, pace):
    slow, wanted = strolling(person, pace), pace * np.sqrt(person.scale)
    assert slow.speed == pytest.approx(wanted)
    assert slow.period == pytest.approx(CADENCE * walking(person).period)
    move = go_on(person, slow, 2)
    assert move.duration == pytest.approx(2 * slow.period, abs=0.5 / 30)
    assert move.end()[1] == pytest.approx(wanted * move.duration, rel=1e-3)
    assert move.end()[1] < 0.9 * 2 * wanted * natural_period(person, wanted, False), "shorter than people's alone"


def test_who_is_quick_of_its_own_accord_takes_the_usual_steps():
    brisk = strolling(PERSON, 1.2 * PERSON.walk_speed / np.sqrt(PERSON.scale))
    assert brisk.rate == 1.0
    assert brisk.period == natural_period(PERSON, brisk.speed, False) < WALK.period


def test_short_steps_of_a_slow_walk_are_as_quick_as_its_others():
    plain, short = go_on(PERSON, CREEP, 2), MOVES["creep in short steps"][2]
    assert short.frames == plain.frames
    assert short.end()[1] < 0.9 * plain.end()[1]


def test_who_sets_out_is_under_way_soon():
    for move, pace in ((MOVES["set out"][2], WALK), (MOVES["set out jogging"][2], JOG)):
        score = move.score()
        speed = np.gradient(score.pelvis[:, 2], score.times)
        assert speed[0] == pytest.approx(0.0, abs=0.05)
        assert np.all(speed[score.times > 2.2] > 0.75 * pace.speed)


def test_a_move_of_no_length_is_refused():
    with pytest.raises(ClipError, match="at least one step"):
        go_on(PERSON, WALK, 0)


def test_who_idles_stands_on_one_leg_then_the_other_and_comes_back():
    score = idle(PERSON, 150, np.random.default_rng(3))
    still = stand(PERSON, 5.0)
    for end in (0, -1):
        np.testing.assert_allclose(score.pelvis[end], still.pelvis[end], atol=1e-12)
        assert score.look[end] == pytest.approx(still.look[end])
    aside = score.pelvis[:, 0]
    assert aside.max() > 0.015
    assert aside.min() < -0.015
    velocity = np.diff(score.pelvis, axis=0) * score.fps
    assert np.abs(velocity[[0, -1]]).max() < 0.002
    clip = play(score, "idle")
    assert clip.contacts.planted.all()
    heels = clip.positions[:, clip.skeleton.index("LeftHeel")]
    np.testing.assert_allclose(heels, heels[:1].repeat(len(clip), axis=0), atol=1e-4)


def test_standing_is_upright_with_eased_knees():
    clip = play(stand(PERSON, 0.5), "stand")
    centre = clip.root_positions[0]
    assert np.ptp(clip.positions, axis=0).max() < 1e-12
    assert centre[1] > 0.5 * PERSON.height
    height = clip.positions[0, clip.skeleton.index("HeadTip"), 1]
    assert height == pytest.approx(PERSON.height, rel=0.01)
