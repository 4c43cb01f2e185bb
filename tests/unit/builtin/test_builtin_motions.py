"""What must hold for every motion we ship, and what makes each of them what it is called."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import (
    BUILTIN,
    dog_skeleton,
    human_skeleton,
    make,
    make_crawl,
    make_dog,
    make_jump,
    make_skateboarder,
    make_walk,
    skateboarder_skeleton,
)
from walkon.builtin.falling import GRAVITY
from walkon.builtin.skeletons import WHEEL_RADIUS
from walkon.errors import ClipError
from walkon.motion import Clip, center_of_mass, find_contacts, measure_gait
from walkon.rotations import angle_between, logarithm
from walkon.skeleton import build_body

VARIANTS = {
    "walk": make_walk,
    "slow walk": lambda: make_walk(speed=0.6),
    "fast walk": lambda: make_walk(speed=1.9),
    "short steps": lambda: make_walk(speed=1.2, step_length=0.5),
    "long steps": lambda: make_walk(speed=1.2, step_length=0.85),
    "child walks": lambda: make_walk(human_skeleton(1.2)),
    "walk at 120": lambda: make_walk(fps=120),
    "jump": make_jump,
    "long jump": lambda: make_jump(distance=2.2),
    "giant jumps": lambda: make_jump(human_skeleton(2.1)),
    "crawl": make_crawl,
    "fast crawl": lambda: make_crawl(speed=0.6),
    "child crawls": lambda: make_crawl(human_skeleton(1.2)),
    "skateboarder": make_skateboarder,
    "short skateboarder": lambda: make_skateboarder(skateboarder_skeleton(1.5)),
    "dog": make_dog,
    "small dog": lambda: make_dog(dog_skeleton(0.3)),
    "fast dog": lambda: make_dog(speed=2.4),
}
LOOPS = ["walk", "slow walk", "fast walk", "child walks", "crawl", "dog", "small dog"]


@pytest.fixture(scope="module", params=VARIANTS)
def clip(request) -> Clip:
    return VARIANTS[request.param]()


def heights(clip: Clip, joint: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.index(joint), 1]


def planted_runs(clip: Clip):
    """(joint, start, stop) of every stretch of frames in which a joint is planted."""
    assert clip.contacts is not None
    for joint, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            yield joint, start, stop


def test_planted_joints_slide_at_most_two_millimetres(clip):
    runs = list(planted_runs(clip))
    assert runs
    for joint, start, stop in runs:
        path = clip.positions[start:stop, clip.skeleton.index(joint)]
        assert np.linalg.norm(path - path[0], axis=1).max() <= 0.002, (joint, start, stop)


def test_no_flesh_goes_below_the_ground(clip):
    body = build_body(clip.skeleton)
    lowest = body.capsules(clip.positions)[..., 1].min(axis=-1) - body.radii
    frame, capsule = np.unravel_index(lowest.argmin(), lowest.shape)
    names = clip.skeleton.names
    assert lowest.min() >= -0.005, (frame, names[body.starts[capsule]], names[body.ends[capsule]])


def test_knees_and_elbows_are_hinges_that_fold_one_way(clip):
    skeleton = clip.skeleton
    quadruped = "Tail" in skeleton.names
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        knee, elbow = (logarithm(clip.rotations[:, skeleton.index(side + part)]) for part in ("Leg", "ForeArm"))
        folds = {"Leg": knee[:, 0], "ForeArm": -elbow[:, 0] if quadruped else sign * elbow[:, 1]}
        others = {"Leg": knee[:, 1:], "ForeArm": elbow[:, 1:] if quadruped else elbow[:, [0, 2]]}
        for part, angles in folds.items():
            joint = skeleton.index(side + part)
            child = skeleton.children[joint][0]
            bones = skeleton.offsets[joint], skeleton.offsets[child]
            at_rest = np.arccos(bones[0] @ bones[1] / np.prod(np.linalg.norm(bones, axis=1)))
            assert (angles + at_rest).min() > -1e-9, side + part
            np.testing.assert_allclose(others[part], 0.0, atol=1e-6)


def test_nothing_jerks(clip):
    """No joint turns by more than a whip-like arm or paw does, nor jumps from frame to frame."""
    turn_rate = angle_between(clip.rotations[1:], clip.rotations[:-1]) * clip.fps
    assert np.degrees(turn_rate).max() < 2000
    speed = np.linalg.norm(np.diff(clip.positions, axis=0), axis=2) * clip.fps
    assert speed.max() < 7 * clip.skeleton.size


def test_the_same_call_gives_the_same_bytes(clip, request):
    again = VARIANTS[request.node.callspec.params["clip"]]()
    assert clip.rotations.tobytes() == again.rotations.tobytes()
    assert clip.root_positions.tobytes() == again.root_positions.tobytes()
    assert clip.contacts.planted.tobytes() == again.contacts.planted.tobytes()


def test_clips_are_labelled(clip):
    assert clip.labels
    assert all(label.name for label in clip.labels)
    covered = np.zeros(len(clip), dtype=bool)
    for label in clip.labels:
        covered[label.start : label.stop] = True
    assert covered.all()


@pytest.mark.parametrize("name", LOOPS)
def test_loops_have_no_seam(name):
    clip = VARIANTS[name]()
    travelled = clip.root_positions[-1] - clip.root_positions[0]
    np.testing.assert_allclose(clip.positions[-1] - travelled, clip.positions[0], atol=1e-9)
    np.testing.assert_array_equal(clip.contacts.planted[-1], clip.contacts.planted[0])
    # The step across the seam is like the steps beside it: second differences stay as small as elsewhere.
    local = clip.positions - clip.root_positions[:, None]
    around = np.concatenate([local[:-1], local[:-1]])
    bends = np.linalg.norm(np.diff(around, 2, axis=0), axis=2).max(axis=1)
    seam = len(clip) - 3
    assert bends[seam : seam + 2].max() <= 1.2 * bends[: len(clip) - 3].max()


@pytest.mark.parametrize("name", BUILTIN)
def test_the_registry_makes_what_it_names(name):
    clip = make(name, fps=25)
    assert clip.name == name
    assert clip.fps == 25


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ClipError, match=r"'waltz'.*walk, run, jump, crawl, skateboarder, dog, horse"):
        make("waltz")


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("walk", {"speed": 5.0}, "walking speed must be 0.50 to 2.00 m/s, not 5.0"),
        ("walk", {"speed": float("nan")}, "walking speed"),
        ("walk", {"speed": 0.0}, "walking speed"),
        ("walk", {"step_length": 0.0}, "step length"),
        ("jump", {"distance": 0.0}, "jumping distance"),
        ("walk", {"step_length": 3.0}, "step length"),
        ("walk", {"cycles": 0}, "one cycle or more"),
        ("walk", {"fps": 0}, "10 frames a second"),
        ("walk", {"fps": float("inf")}, "10 frames a second"),
        ("jump", {"distance": 9.0}, "jumping distance"),
        ("crawl", {"speed": 3.0}, "crawling speed"),
        ("crawl", {"cycles": 1.5}, "one cycle or more"),
        ("dog", {"speed": 9.0}, "trotting speed"),
        ("skateboarder", {"skeleton": skateboarder_skeleton(1.0)}, "stature must be 1.40 to 2.10 m"),
    ],
)
def test_what_a_body_cannot_do_is_refused_with_what_it_can(name, options, complaint):
    with pytest.raises(ClipError, match=complaint):
        make(name, **options)


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.35, 1.9])
def test_a_walk_keeps_its_speed_and_steps_like_people_do(speed):
    clip = make_walk(speed=speed, cycles=3)
    travelled = clip.root_positions[-1, 2] - clip.root_positions[0, 2]
    assert travelled / clip.duration == pytest.approx(speed, rel=1e-9)
    cadence = 2 * 3 / clip.duration * 60
    # Step length over cadence is about 0.0065 m per step a minute in adults (Sekiya and Nagasaki 1998).
    assert travelled / 6 / cadence == pytest.approx(0.0065, rel=0.1)


def test_what_the_maker_calls_planted_the_contact_finder_finds():
    for clip in (make_walk(), make_jump(), make_dog()):
        found = find_contacts(clip)
        for k, joint in enumerate(clip.contacts.joints):
            if joint in found.joints:
                agree = clip.contacts.planted[:, k] == found.planted[:, found.joints.index(joint)]
                assert agree.mean() > 0.8, (clip.name, joint)


def test_gait_measured_on_the_walk_is_the_gait_that_was_asked_for():
    gait = measure_gait(make_walk(speed=1.35, step_length=0.72, cycles=4, fps=60))
    assert gait.stride_length == pytest.approx(1.44, rel=0.03)
    assert gait.cadence == pytest.approx(1.35 / 0.72 * 60, rel=0.05)
    assert gait.flight == 0


def test_a_walking_pelvis_is_highest_in_mid_stance_and_lowest_when_both_feet_carry():
    clip = make_walk(cycles=1)
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))
    left, right = (planted[f"{side}Heel"] | planted[f"{side}ToeTip"] for side in ("Left", "Right"))
    height = clip.root_positions[:, 1]
    assert (left & right)[height.argmin()]
    for alone in (left & ~right, right & ~left):
        middle = int(np.median(np.flatnonzero(alone)))
        assert height[middle] > height[left & right].max() + 0.005
        assert height[middle] > height.max() - 0.003
    assert 0.025 < np.ptp(height) < 0.055


def test_a_walking_foot_strikes_with_the_heel_and_leaves_with_the_toe():
    clip = make_walk(cycles=2)
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))
    for side in ("Left", "Right"):
        heel, tip = planted[f"{side}Heel"], planted[f"{side}ToeTip"]
        on_heel, on_toe = np.flatnonzero(heel & ~tip), np.flatnonzero(tip & ~heel)
        assert len(on_heel) >= 2
        assert len(on_toe) >= 6
        # Before a foot stands on its heel alone it is in the air; after its toe alone, too.
        assert all(not (heel | tip)[frame - 1] or (heel & ~tip)[frame - 1] for frame in on_heel if frame)
        assert all(
            not (heel | tip)[frame + 1] or (tip & ~heel)[frame + 1] for frame in on_toe if frame + 1 < len(clip)
        )


def test_walking_arms_swing_against_the_legs():
    clip = make_walk(cycles=1)
    joint = clip.skeleton.index
    hand = clip.positions[:, joint("LeftHand"), 2] - clip.root_positions[:, 2]
    foot = clip.positions[:, joint("LeftFoot"), 2] - clip.root_positions[:, 2]
    assert np.corrcoef(hand, foot)[0, 1] < -0.7


def normative(points: dict[float, float], phases: np.ndarray) -> np.ndarray:
    return np.interp(phases, list(points), list(points.values()))


def test_walking_hips_knees_and_ankles_follow_normative_curves():
    """Shapes over a cycle as in Winter's table of natural cadence, read at a few phases."""
    clip = make_walk(cycles=1, fps=120)
    phases = np.linspace(0, 1, len(clip))
    curves = {
        "LeftUpLeg": {0: 20, 0.2: 11, 0.4: -5, 0.52: -11, 0.6: -6, 0.74: 15, 0.87: 21.5, 1: 20},
        "LeftLeg": {0: 4, 0.15: 20, 0.4: 10, 0.5: 17, 0.6: 40, 0.72: 63, 0.82: 50, 0.93: 12, 1: 4},
        "LeftFoot": {0: 0, 0.08: -4, 0.2: 2, 0.44: 9.5, 0.54: -1, 0.63: -19, 0.76: -4, 0.86: 1, 1: 0},
    }
    for joint, points in curves.items():
        flexion = np.degrees(logarithm(clip.rotations[:, clip.skeleton.index(joint)]))[:, 0]
        sign = 1 if joint == "LeftLeg" else -1
        assert np.corrcoef(sign * flexion, normative(points, phases))[0, 1] > 0.93, joint


@pytest.mark.parametrize("options", [{}, {"distance": 2.2}, {"distance": 0.9}, {"skeleton": human_skeleton(1.4)}])
def test_a_jump_flies_on_a_parabola_from_foot_to_foot(options):
    clip = make_jump(fps=120, **options)
    flight = next(label for label in clip.labels if label.name == "flight")
    assert not clip.contacts.planted[flight.start : flight.stop].any()
    assert clip.contacts.planted[flight.start - 1].any()
    assert clip.contacts.planted[flight.stop].any()
    centres = center_of_mass(clip)[flight.start : flight.stop]
    time = np.arange(len(centres)) / clip.fps
    fitted = np.stack([np.polyval(np.polyfit(time, centres[:, axis], 1), time) for axis in (0, 2)], axis=1)
    np.testing.assert_allclose(centres[:, [0, 2]], fitted, atol=0.003)
    fall = centres[:, 1] + 0.5 * GRAVITY * time**2
    np.testing.assert_allclose(fall, np.polyval(np.polyfit(time, fall, 1), time), atol=0.003)


def test_a_jump_lands_as_far_as_asked():
    clip = make_jump(distance=1.5)
    heel = clip.positions[:, clip.skeleton.index("LeftHeel"), 2]
    assert heel[-1] - heel[0] == pytest.approx(1.5, abs=1e-6)
    assert heights(clip, "LeftHeel").max() > 0.4


def test_a_crawler_stays_on_hands_and_knees():
    clip = make_crawl()
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))
    assert set(planted) == {"LeftLeg", "RightLeg", "LeftHand", "RightHand"}
    assert (planted["LeftLeg"] | planted["RightLeg"]).all()
    assert (planted["LeftHand"] | planted["RightHand"]).all()
    for joint, rests in planted.items():
        assert heights(clip, joint)[rests].max() < 0.08
        assert np.ptp(heights(clip, joint)[rests]) < 1e-5
        assert heights(clip, joint)[~rests].max() > heights(clip, joint)[rests].max() + 0.015
    assert heights(clip, "HeadTip").max() < 0.85
    assert np.all(heights(clip, "Neck") > heights(clip, "LeftLeg") + 0.3)


def test_a_crawling_hand_goes_down_just_before_the_opposite_knee():
    clip = make_crawl(cycles=3)
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))

    def landings(joint):
        return np.flatnonzero(np.diff(planted[joint].astype(int)) == 1)

    period = (len(clip) - 1) / 3
    for knee, hand in (("LeftLeg", "RightHand"), ("RightLeg", "LeftHand")):
        lead = (landings(knee)[0] - landings(hand)[0]) % period / period
        assert 0.0 < lead < 0.25


def test_a_trotting_dog_moves_diagonal_legs_together():
    clip = make_dog(cycles=4)
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))
    left_fore, right_fore = planted["LeftFingerTip"], planted["RightFingerTip"]
    left_hind, right_hind = planted["LeftToeTip"], planted["RightToeTip"]
    np.testing.assert_array_equal(left_fore, right_hind)
    np.testing.assert_array_equal(right_fore, left_hind)
    assert not (left_fore & right_fore).any()
    assert 0.38 < left_fore[:-1].mean() <= 0.5


def test_the_wheels_stay_on_the_ground_and_under_the_front_foot():
    clip = make_skateboarder()
    for name in clip.skeleton.names:
        if name.startswith("Wheel"):
            np.testing.assert_allclose(heights(clip, name), WHEEL_RADIUS, atol=0.001)
    ball = clip.positions[:, clip.skeleton.index("LeftToeBase")]
    board = clip.positions[:, clip.skeleton.index("Board")]
    assert np.linalg.norm(ball - board, axis=1).max() < 0.12


def test_the_board_rolls_along_its_length():
    clip = make_skateboarder(fps=120)
    front, rear = (clip.positions[:, clip.skeleton.index(joint)] for joint in ("Board", "BoardRear"))
    middle = 0.5 * (front + rear)
    velocity = np.diff(middle, axis=0)[:, [0, 2]] * clip.fps
    along = (front - rear)[:-1, [0, 2]]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    sideways = velocity[:, 0] * along[:, 1] - velocity[:, 1] * along[:, 0]
    assert np.abs(sideways).max() < 0.03
    assert np.all(np.einsum("fk,fk->f", velocity, along) > 1.0)


def test_the_skateboarder_leans_into_the_right_turn():
    clip = make_skateboarder()
    turn = next(label for label in clip.labels if label.name == "crouch turn")
    middle = (turn.start + turn.stop) // 2
    board, pelvis = (clip.positions[middle, clip.skeleton.index(joint)] for joint in ("BoardRear", "Hips"))
    front = clip.positions[middle, clip.skeleton.index("Board")]
    nose = (front - board)[[2, 0]] * [1, -1]
    rightwards = nose / np.linalg.norm(nose)
    towards = np.array([-(pelvis - board)[0], -(pelvis - board)[2]])
    assert towards @ rightwards > 0.05
