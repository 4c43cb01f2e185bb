"""The gallop: order of footfalls, flight, and what distinguishes it from a scaled dog."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.falling import GRAVITY
from walkon.builtin.horse.clip import make_horse
from walkon.builtin.horse.gallop import steady_gallop
from walkon.builtin.horse.stride import FOOTFALLS, GALLOP_DUTY, GALLOP_PERIOD, WEIGHT, bearing, rise
from walkon.builtin.horse.way import curved_way
from walkon.builtin.skeletons import horse_skeleton, withers_height
from walkon.errors import ClipError
from walkon.motion import Clip, center_of_mass
from walkon.rotations import IDENTITY, angle_between, logarithm
from walkon.skeleton import build_body, find_roles

VARIANTS = {
    "straight": make_horse,
    "left": lambda: make_horse(turn=30.0),
    "right": lambda: make_horse(turn=-30.0),
    "pony": lambda: make_horse(horse_skeleton(1.25)),
    "at 120 Hz": lambda: make_horse(turn=15.0, fps=120),
}


@pytest.fixture(scope="module", params=VARIANTS)
def clip(request) -> Clip:
    return VARIANTS[request.param]()


def joint(clip: Clip, name: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.index(name)]


def planted_runs(planted: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(int), [0]])))
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_the_skeleton_is_a_horse():
    skeleton = horse_skeleton(1.5)
    rest = skeleton.rest_positions + skeleton.offsets[0]
    assert withers_height(skeleton) == pytest.approx(1.5)
    assert len(find_roles(skeleton).feet) == 4
    assert skeleton.names[find_roles(skeleton).joints["head_tip"]] == "Muzzle"
    height = dict(zip(skeleton.names, rest[:, 1] / 1.5, strict=True))
    # Elbow a good half up, knee and hock well above the ground, poll above the withers.
    assert 0.5 < height["LeftForeArm"] < 0.62
    assert 0.28 < height["LeftHand"] < 0.36
    assert height["LeftHand"] < height["LeftFoot"] < 0.42
    assert height["Head"] > 1.1
    assert build_body(skeleton).height == pytest.approx(1.5, rel=0.1)


def test_left_and_right_are_mirror_images():
    skeleton = horse_skeleton()
    for index, left in enumerate(skeleton.names):
        if left.startswith("Left"):
            right = skeleton.index(left.replace("Left", "Right"))
            np.testing.assert_array_equal(skeleton.offsets[index], skeleton.offsets[right] * [-1, 1, 1])


def test_hooves_do_not_slide(clip):
    for name, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
        runs = planted_runs(planted)
        assert len(runs) == 4
        for start, stop in runs:
            path = joint(clip, name)[start:stop]
            assert np.linalg.norm(path - path[0], axis=1).max() <= 0.0005, (name, start)


def test_no_flesh_goes_below_the_ground(clip):
    body = build_body(clip.skeleton)
    lowest = body.capsules(clip.positions)[..., 1].min(axis=-1) - body.radii
    assert lowest.min() >= -0.005
    assert lowest.min() < 0.01


def test_knees_stifles_and_elbows_fold_one_way_only(clip):
    skeleton = clip.skeleton
    for side in ("Left", "Right"):
        for part, sign in (("Leg", 1.0), ("ForeArm", -1.0), ("Hand", 1.0)):
            turn = logarithm(clip.rotations[:, skeleton.index(side + part)])
            np.testing.assert_allclose(turn[:, 1:], 0.0, atol=1e-9)
            bones = [skeleton.offsets[skeleton.index(side + part)]]
            bones.append(skeleton.offsets[skeleton.children[skeleton.index(side + part)][0]])
            at_rest = sign * np.arctan2(np.cross(*bones)[0], bones[0] @ bones[1])
            assert (sign * turn[:, 0] + at_rest).min() > -0.09, side + part


def test_footfalls_are_those_of_a_transverse_gallop_on_the_right_lead():
    clip = make_horse(cycles=1, fps=240)
    starts = {}
    for name, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
        starts[name] = planted_runs(planted)[0][0]
    order = sorted(starts, key=starts.__getitem__)
    assert order == ["LeftHindHoofTip", "RightHindHoofTip", "LeftForeHoofTip", "RightForeHoofTip"]
    airborne = ~clip.contacts.planted.any(axis=1)
    assert airborne[0]
    assert airborne[-1]
    # One flight a stride, gathered: it is split between the clip's two ends.
    inside = planted_runs(airborne)
    assert len(inside) == 2
    flight = airborne[:-1].mean()
    assert 0.15 < flight < 0.25


def test_the_flight_is_gathered_and_the_reach_is_long():
    clip = make_horse(cycles=1, fps=120)
    fore, hind = (
        np.mean([joint(clip, f"{side}{end}HoofTip")[:, 2] for side in ("Left", "Right")], axis=0)
        for end in ("Fore", "Hind")
    )
    apart = fore - hind
    assert apart[0] < 0.4 * withers_height(clip.skeleton)
    assert apart.max() > 1.1 * withers_height(clip.skeleton)
    assert 0.35 < apart.argmax() / len(clip) < 0.6


def test_hooves_fold_up_in_the_swing():
    clip = make_horse(cycles=1, fps=120)
    for name in clip.contacts.joints:
        assert joint(clip, name)[:, 1].max() > 0.3


def test_the_back_bends_and_the_head_nods():
    clip = make_horse(cycles=1)
    spine = angle_between(clip.rotations[:, clip.skeleton.index("Spine")], IDENTITY)
    assert np.degrees(np.ptp(spine)) > 6
    head = joint(clip, "Head") - joint(clip, "Chest")
    assert np.ptp(head[:, 1]) > 0.08
    # The head is low while the forelegs carry, high while the hind legs do.
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))
    fore, hind = (planted[f"Left{end}HoofTip"] | planted[f"Right{end}HoofTip"] for end in ("Fore", "Hind"))
    assert head[fore & ~hind, 1].mean() < head[hind & ~fore, 1].mean() - 0.04


def test_the_centre_of_mass_moves_as_gravity_and_hooves_push_it(clip):
    centres = center_of_mass(clip)
    airborne = ~clip.contacts.planted.any(axis=1)
    for start, stop in planted_runs(airborne):
        if stop - start < 3:
            continue
        time = np.arange(stop - start) / clip.fps
        path = centres[start:stop] + 0.5 * GRAVITY * time[:, None] ** 2 * np.array([0.0, 1.0, 0.0])
        for axis in range(3):
            line = np.polyval(np.polyfit(time, path[:, axis], 1), time)
            assert np.abs(path[:, axis] - line).max() < 0.005


def test_the_body_rises_and_falls_a_few_centimetres():
    assert 0.04 < np.ptp(center_of_mass(make_horse(cycles=1))[:, 1]) < 0.10


def test_the_ground_carries_the_weight_and_nothing_in_flight():
    phases = np.arange(2000) / 2000
    assert sum(WEIGHT.values()) == pytest.approx(1.0)
    assert bearing(phases).mean() == pytest.approx(1.0, abs=1e-6)
    last = FOOTFALLS["fore", "Right"] + GALLOP_DUTY["fore"]
    assert np.all(bearing(np.linspace(last, 1.0 + FOOTFALLS["hind", "Left"], 50)) == 0)
    acceleration = rise()(phases, 2) / GALLOP_PERIOD**2
    np.testing.assert_allclose(acceleration, GRAVITY * (bearing(phases) - 1.0), atol=0.3)


def test_a_way_turns_as_asked_and_goes_straight_in_flight():
    way = curved_way(9.0, 0.6, 2 * GALLOP_PERIOD, lambda times: bearing(times / GALLOP_PERIOD), GALLOP_PERIOD)
    assert way.heading(0.0) == pytest.approx(0.0, abs=1e-9)
    assert way.heading(2 * GALLOP_PERIOD) == pytest.approx(0.6, abs=1e-6)
    times = np.linspace(0.92, 1.08, 20) * GALLOP_PERIOD
    velocity = np.diff(way.point(times), axis=0)
    course = np.arctan2(velocity[:, 0], velocity[:, 2])
    assert np.ptp(course) < 1e-3
    np.testing.assert_allclose(np.linalg.norm(velocity, axis=1) / np.diff(times), 9.0, rtol=1e-3)
    # It leans to the left, which is negative, and not at the ends.
    assert way.lean(GALLOP_PERIOD) < -10
    assert way.lean(np.array([0.0, 2 * GALLOP_PERIOD])) == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("turn", [-30.0, 30.0])
def test_the_horse_leans_and_bends_into_a_turn(turn):
    clip = make_horse(turn=turn)
    middle = len(clip) // 2
    left = (joint(clip, "LeftArm") - joint(clip, "RightArm"))[middle]
    assert np.sign(left[1]) == -np.sign(turn)
    assert 8 < abs(np.degrees(np.arcsin(left[1] / np.linalg.norm(left)))) < 40
    back = (joint(clip, "Chest") - joint(clip, "Hips"))[middle]
    head = (joint(clip, "Head") - joint(clip, "Neck"))[middle]
    inward = np.cross([back[0], 0, back[2]], [head[0], 0, head[2]])[1]
    assert np.sign(inward) == np.sign(turn)


def test_a_straight_gallop_loops_without_a_seam():
    clip = make_horse(cycles=2)
    travelled = clip.root_positions[-1] - clip.root_positions[0]
    np.testing.assert_allclose(clip.positions[-1] - travelled, clip.positions[0], atol=1e-6)
    assert travelled[2] / clip.duration == pytest.approx(9.0)
    assert 2.2 < 2 / clip.duration < 2.5


def test_tall_horses_move_like_small_ones_but_farther():
    tall, small = (steady_gallop(horse_skeleton(height)) for height in (1.7, 1.3))
    assert tall.speed / small.speed == pytest.approx(1.7 / 1.3)


def test_the_same_call_gives_the_same_bytes():
    first, again = make_horse(turn=20.0), make_horse(horse_skeleton(), turn=20.0)
    assert first.rotations.tobytes() == again.rotations.tobytes()
    assert first.root_positions.tobytes() == again.root_positions.tobytes()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"skeleton": horse_skeleton(0.5)}, "height must be 1.20 to 1.90 m"),
        ({"turn": 90.0}, "turn must be -36.00 to 36.00 degrees, not 90"),
        ({"cycles": 0}, "one cycle or more"),
        ({"fps": 2}, "10 frames a second"),
    ],
)
def test_what_a_horse_cannot_do_is_refused(options, complaint):
    with pytest.raises(ClipError, match=complaint):
        make_horse(**options)
