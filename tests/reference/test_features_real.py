"""Roles, bodies and features on real recordings: physiology and physics as oracles."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.motion.features import (
    Support,
    bounding_circles,
    center_of_mass,
    ground_placements,
    measure_gait,
    measure_locomotion,
    support_phases,
)
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.readers import read_clip
from walkon.skeleton import ROLE_NAMES, Skeleton, build_body, find_roles, mirror_pairs

WALKS = ["07_01", "07_02", "07_06", "07_09", "35_01", "35_05", "35_11", "16_15", "16_16"]
RUNS = ["09_01", "09_04", "09_06", "16_35", "35_17"]
JUMPS = ["16_01", "16_02", "16_03", "16_04", "16_05", "13_11", "13_13", "13_39", "13_40", "13_41"]
GRAVITY = 9.81

_read: dict[Path, Clip] = {}


@pytest.fixture
def cmu(mocap):
    def read(name: str) -> Clip:
        path = mocap / "cmu" / "bvh" / f"{name}.bvh"
        if path not in _read:
            _read[path] = read_clip(path)
        return _read[path]

    return read


@pytest.mark.parametrize("name", WALKS)
def test_walks_have_the_gait_of_walks(cmu, name):
    clip = cmu(name)
    gait = measure_gait(clip)
    assert 0.95 < gait.cycle_duration < 1.3
    assert 0.57 < gait.duty < 0.67
    assert gait.flight == 0
    assert all(a.foot != b.foot for a, b in pairwise(gait.steps))
    speed = measure_locomotion(clip).mean_speed
    assert gait.stride_length / gait.cycle_duration == pytest.approx(speed, rel=0.08)


@pytest.mark.parametrize("name", RUNS)
def test_runs_fly(cmu, name):
    clip = cmu(name)
    gait = measure_gait(clip)
    assert gait.flight > 0.1
    assert 0.55 < gait.cycle_duration < 0.85
    assert gait.duty < 0.45
    assert all(a.foot != b.foot for a, b in pairwise(gait.steps))
    assert Support.DOUBLE not in support_phases(clip)


def flights(clip: Clip, shortest: float) -> list[tuple[int, int]]:
    """Stretches of frames of at least so many seconds without support."""
    edges = np.flatnonzero(np.diff(np.concatenate([[1], support_phases(clip), [1]]) == 0)).reshape(-1, 2)
    return [(int(a), int(b)) for a, b in edges if (b - a) / clip.fps >= shortest]


@pytest.mark.parametrize("name", JUMPS)
def test_jumps_fall_with_gravity(cmu, name):
    """In flight the centre of mass falls at 9.81 m/s²: that takes right contacts, masses, scale and frame rate."""
    clip = cmu(name)
    ((begin, end),) = flights(clip, 0.25)
    margin = round(0.15 * (end - begin))
    frames = np.arange(begin + margin, end - margin)
    curvature = np.polyfit(frames / clip.fps, center_of_mass(clip)[frames, 1], 2)[0]
    assert -2 * curvature == pytest.approx(GRAVITY, rel=0.15)


@pytest.mark.parametrize("name", [*WALKS, *JUMPS])
def test_planted_feet_stay_where_they_are(cmu, name):
    """In the middle of a plant the ball of the foot moves less than 2 cm in a tenth of a second."""
    clip = cmu(name)
    contacts = find_contacts(clip)
    reach = round(0.05 * clip.fps)
    for column, joint in enumerate(contacts.joints):
        if "Toe" not in joint:
            continue
        planted = contacts.planted[:, column]
        inner = np.flatnonzero(planted[: -4 * reach] & planted[4 * reach :]) + 2 * reach
        inner = inner[[planted[f - 2 * reach : f + 2 * reach].all() for f in inner]]
        ground = clip.positions[:, clip.skeleton.index(joint)][:, [0, 2]]
        slide = np.linalg.norm(ground[inner + reach] - ground[inner - reach], axis=1)
        assert len(slide) > 0
        assert np.median(slide) < 0.02


@pytest.mark.parametrize("name", ["111_03", "127_29", "49_06", "134_01", "16_17", "127_23", "49_02"])
def test_headings_are_continuous(cmu, name):
    """Crawl, duck, cartwheel, skateboard, turn, roll, jumps: nobody turns faster than three times a second."""
    clip = cmu(name)
    assert np.abs(np.diff(ground_placements(clip)[:, 2])).max() * clip.fps < 6 * np.pi


@pytest.mark.parametrize(("name", "turn"), [("16_17", np.pi / 2), ("16_19", -np.pi / 2), ("16_15", 0.0)])
def test_turns_of_a_quarter_are_quarters(cmu, name, turn):
    assert measure_locomotion(cmu(name)).total_turn == pytest.approx(turn, abs=0.3)


def test_skateboarders_feet_ride(cmu):
    gait = measure_gait(cmu("134_01"))
    assert gait.flight > 0.8


def test_room_of_a_walk_and_of_a_crawl(cmu):
    assert 0.2 < np.median(bounding_circles(cmu("07_01")).radii) < 0.55
    assert bounding_circles(cmu("111_03")).radii.max() > 0.6


def test_features_are_fast(cmu):
    """About 5 ms for all features of 1000 frames, warm; the bound leaves room for a busy machine."""
    clip = cmu("111_03")

    def all_features() -> None:
        contacts = find_contacts(clip)
        ground_placements(clip)
        bounding_circles(clip)
        measure_gait(clip, contacts)
        measure_locomotion(clip)
        center_of_mass(clip)

    all_features()
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        all_features()
        times.append(time.perf_counter() - begin)
    assert min(times) * 1000 / len(clip) < 0.030


HUMANS = [
    "cmu/bvh/02_01.bvh",
    "other/anim_utils_mit/custom_skeleton_walk_example.bvh",
    "other/anim_utils_mit/mh_cmu_skeleton_pose.bvh",
    "other/bvh11_cmu_3dsmax/131_01.bvh",
    "other/pybvh_mit/bvh_test1.bvh",
    "other/pybvh_mit/bvh_test2.bvh",
    "other/pybvh_mit/bvh_test3.bvh",
    "other/pymo_mit/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "cmu/asfamc/16/16_12.amc",
]
LIMBS = {
    role
    for role in ROLE_NAMES
    if role.startswith(("left", "right")) and not role.endswith(("_tip", "toe", "clavicle"))
}


@pytest.mark.parametrize("path", HUMANS)
def test_every_humans_limbs_are_found(mocap, path):
    skeleton = read_clip(mocap / path).skeleton
    roles = find_roles(skeleton)
    assert LIMBS | {"pelvis", "chest", "head"} <= set(roles.joints)
    assert roles.is_biped
    for role in LIMBS:
        assert skeleton.names[roles.joints[role]].lower().startswith(role[0])
    assert 1.4 < build_body(skeleton).height < 2.0


@pytest.mark.parametrize("path", HUMANS)
def test_shape_finds_the_same_limbs_without_names(mocap, path):
    skeleton = read_clip(mocap / path).skeleton
    nameless = Skeleton([f"n{i}" for i in range(len(skeleton))], skeleton.parents, skeleton.offsets, skeleton.tips)
    by_name, by_shape = find_roles(skeleton), find_roles(nameless)
    assert {role: by_shape.get(role) for role in LIMBS} == {role: by_name.get(role) for role in LIMBS}
    np.testing.assert_array_equal(mirror_pairs(nameless), mirror_pairs(skeleton))


@pytest.mark.parametrize(
    ("gait", "together"),
    [("pace", ("left_fore", "left_hind")), ("trot", ("left_fore", "right_hind"))],
)
def test_dogs_pace_and_trot(mocap, gait, together):
    """A pacing dog puts down the feet of one side together, a trotting one diagonal feet."""
    clip = read_clip(mocap / "other" / "deepmimic_mit" / f"dog3d_{gait}.txt")
    feet = [foot.name for foot in find_roles(clip.skeleton).feet]
    assert len(feet) == 4
    phases = support_phases(clip)
    down = {name: (phases & (1 << i)) > 0 for i, name in enumerate(feet)}
    apart = ({"left_hind", "right_hind"} - set(together)).pop()
    assert (down[together[0]] & down[together[1]]).sum() > 3 * (down[together[0]] & down[apart]).sum()
