"""Who comes when and how fast: drawn from the seed as the file says, refused where it says nonsense."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.records import JsonObject
from walkon.world import read_scene, scene_text
from walkon.world.document_draws import SPEED_BY_AGE
from walkon.world.scene_data import build_character, describe_character

HEAD = "bounds = [-20, -20, 20, 20]\nduration = 200\n"
FLOW = HEAD + '[[crowds]]\nkind = "flow"\nfrom = [-19, -19, -8, 19]\nto = [8, -19, 19, 19]\nat_goal = "leave"\n'


def crowd(more, seed=0):
    return read_scene(FLOW + more, seed=seed).characters


def test_speeds_are_drawn_from_what_is_said():
    assert {one.speed for one in crowd("count = 20")} == {None}
    assert {one.speed for one in crowd("count = 20\nspeed = 1.34")} == {1.34}
    even = np.array([one.speed for one in crowd("count = 300\nspeed = [0.5, 1.5]")])
    assert 0.5 <= even.min() < 0.52
    assert 1.48 < even.max() <= 1.5
    normal = "speed = { mean = 1.34, deviation = 0.26, least = 0.9, most = 1.9 }"
    speeds = np.array([one.speed for one in crowd(f"count = 300\n{normal}")])
    assert 0.9 <= speeds.min() < 1.0
    assert 1.8 < speeds.max() <= 1.9
    assert speeds.mean() == pytest.approx(1.36, abs=0.04)


def test_ages_make_speeds_after_weidmann():
    old = np.array([one.speed for one in crowd('count = 200\nages = { "69-71" = 1 }')])
    young = np.array([one.speed for one in crowd('count = 200\nages = { "19-21" = 1 }')])
    by_age = dict(SPEED_BY_AGE)
    assert old.mean() == pytest.approx(by_age[70], abs=0.05)
    assert young.mean() == pytest.approx(by_age[20], abs=0.05)
    both = np.array([one.speed for one in crowd('count = 300\nages = { "20-21" = 3, "75-80" = 1 }')])
    assert (both > 1.2).mean() == pytest.approx(0.75, abs=0.08)
    adults = np.array([one.speed for one in crowd('count = 300\nages = "adults"')])
    assert adults.std() == pytest.approx(0.26, abs=0.04)


def test_adding_speeds_and_premovement_leaves_people_where_they_were():
    plain, more = crowd("count = 30"), crowd("count = 30\nspeed = [1, 2]\npremovement = [3, 9]")
    assert [one.start for one in plain] == [one.start for one in more]
    assert [one.goals for one in plain] == [one.goals for one in more]
    waits = [one.premovement for one in more]
    assert 3.0 <= min(waits) < max(waits) <= 9.0
    assert waits != [one.premovement for one in crowd("count = 30\nspeed = [1, 2]\npremovement = [3, 9]", seed=1)]


def test_regular_flows_come_at_their_rate():
    times = np.array([one.start_time for one in crowd("rate = 2\nuntil = 60\nregular = true")])
    assert len(times) == 120
    assert np.allclose(np.diff(times), 0.5, atol=0.01)
    times = np.array(
        [one.start_time for one in crowd("rate = [[0, 0], [60, 2], [60, 0], [100, 0], [120, 1]]\nregular = true")]
    )
    assert len(times) == 70
    assert (times < 60.01).sum() == 60  # 60 s at 1 a second in the mean
    assert (times < 30.0).sum() == pytest.approx(15, abs=1)  # a quarter of them in the first half
    assert not ((times > 60.01) & (times < 99.9)).any()
    assert times.max() <= 120.0


def test_random_flows_are_poisson_and_seeded():
    counts = [len(crowd("rate = 1.0\nuntil = 50\nspacing = 0.5", seed)) for seed in range(30)]
    assert np.mean(counts) == pytest.approx(50, abs=4)
    assert 0.4 < np.var(counts) / 50 < 2.0
    pause = "rate = [[0, 2], [20, 2], [20, 0], [60, 0], [60, 2], [80, 2]]\nspacing = 0.5"
    times = np.concatenate([[one.start_time for one in crowd(pause, seed)] for seed in range(30)])
    assert not ((times > 20.06) & (times < 59.94)).any()
    again = [one.start_time for one in crowd("rate = 1.0\nuntil = 50", 3)]
    assert again == [one.start_time for one in crowd("rate = 1.0\nuntil = 50", 3)]
    assert again == sorted(again)


def test_a_start_is_not_used_again_while_somebody_stands_there():
    few = FLOW.replace("[-19, -19, -8, 19]", "[-19, -19, -17.5, -17.5]")
    assert len(read_scene(few + "rate = 0.2\nuntil = 100\nregular = true").characters) == 20
    with pytest.raises(SceneError, match="of 20 people can start in from"):
        read_scene(few + "rate = 0.2\nuntil = 100\nregular = true\npremovement = 60")


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("", "crowds.0..count: is missing"),
        ("rate = 2", "until: is missing: until when"),
        ("rate = 2\nuntil = 300", "the last of the crowd starts at 300 s, when the scene of 200 s is over"),
        ("rate = 2\nuntil = 60\ncount = 3", "count: how many come, and when, is said by rate"),
        ("count = 3\nuntil = 60", "until: is for a crowd with a rate"),
        ("count = 3\nregular = true", "regular: is for a crowd with a rate"),
        ("rate = [[5, 1], [4, 2]]", "rate: needs times from 0 to 3600 s that do not go back"),
        ("rate = [[0, -1], [4, 2]]", "rate: needs rates from 0 to 100 people a second"),
        ("rate = 90\nuntil = 100", "about 9000 people would come, and 3000 at most"),
        ("rate = 0.001\nuntil = 1", "nobody comes from 0 s to 1 s"),
        ("count = 3\nspeed = [2, 1]", r"speed: needs a number, a range \[low, high\]"),
        ("count = 3\nspeed = 0", "speed: must lie between 0.1 and 12"),
        ("count = 3\nspeed = { mean = 1 }", "speed.deviation: is missing"),
        ('count = 3\nages = { "20-300" = 1 }', "ages: '20-300' is no span of ages"),
        ('count = 3\nages = "adults"\nspeed = 1', "ages: says how fast people are, as speed does"),
        ("count = 3\npremovement = [0, 250]", "the last of the crowd may set off at 250 s"),
    ],
)
def test_nonsense_is_refused(said, complaint):
    with pytest.raises(SceneError, match=complaint):
        crowd(said)


def test_characters_say_it_as_well_and_it_comes_back_from_files():
    text = HEAD + '[[characters]]\nname = "a"\nstart = [0, 0]\ngoal = [4, 0]\nspeed = 0.9\npremovement = 12.5\n'
    scene = read_scene(text)
    (one,) = scene.characters
    assert (one.speed, one.premovement) == (0.9, 12.5)
    assert read_scene(scene_text(scene)).characters == scene.characters
    assert build_character(JsonObject(describe_character(one), "character", SceneError)) == one
    with pytest.raises(SceneError, match="premovement: character 'a' sets off at 300 s"):
        read_scene(text.replace("12.5", "300"))
    described = {**describe_character(one), "speed": -1.0}
    with pytest.raises(SceneError, match="speed must be positive"):
        build_character(JsonObject(described, "character", SceneError))
