"""Whole takes: a good one is clean, and every way to spoil it is found."""

from __future__ import annotations

import ast
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.metrics import VIOLATIONS, audit, audit_performances
from walkon.metrics.audit import motions
from walkon.metrics.audit import shown as shown_source
from walkon.metrics.audit.wording import PLANNED_WITH
from walkon.motion import Contacts
from walkon.rotations import Placement
from walkon.synthesis import perform_all
from walkon.take import Take
from walkon.world import BODY_LEVELS, Box, Goal, HeightField

from .conftest import Shown, thing

BEHAVIORS = ["start_walk", "walk_forward", "walk_left_20", "stop_walk", "idle", "jump_over_low", "walk_to_jog", "jog_to_walk", "sit_down", "sit"]  # fmt: skip # noqa: E501
ORDER = [0, 1, 2, 1, 3, 4]
STARTS = (Placement(0.0, 0.0, 0.3), Placement(-2.0, 0.5, 0.3))


@pytest.fixture(scope="module")
def good(workshop):
    return workshop.take(BEHAVIORS, ORDER, STARTS)


@pytest.fixture(scope="module")
def shown(good):
    return perform_all(good)


def kinds(take, performances=None):
    report = audit(take) if performances is None else audit_performances(take, performances)
    return {violation.kind for violation in report.violations}


def respell(take, role, **fields):
    return replace(take, roles=tuple(replace(role, **fields) if r is role else r for r in take.roles))


def recast(take, **fields):
    """The take with other facts about its first character."""
    first, *others = take.scene.characters
    return replace(take, scene=replace(take.scene, characters=(replace(first, **fields), *others)))


def changed(performance, **fields):
    return Shown(performance.character, performance.start_frame, performance.clip.with_changes(**fields))


def test_a_good_take_is_clean(good, shown):
    report = audit(good)
    assert report.clean, report.violations
    assert report.figures.people == 2
    assert report.figures.slide is not None
    assert report.figures.slide.gap < 0.02
    assert report.figures.bounds_gap.gap > 0
    assert "clean" in report.summary()


def test_reports_are_plain_data(good, shown):
    moved = [shown[0], changed(shown[1], root_positions=shown[1].clip.root_positions + np.array([1.9, 0, -0.5]))]
    report = audit_performances(good, moved)
    assert not report.clean
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert data["counts"]["bodies"] >= 1
    assert set(data["counts"]) <= set(VIOLATIONS)
    assert "violation" in report.summary()


def test_reports_say_what_was_planned_with_and_how_circles_overlapped(workshop, good):
    """Two who walk 60 cm apart, side by side: their circles overlap, their bodies do not touch."""
    beside = Placement(0.0, 0.0, 0.3) @ Placement(0.6, 0.0, 0.0)
    report = audit(workshop.take(BEHAVIORS, ORDER, (STARTS[0], beside)))
    assert report.clean, report.violations
    figures = report.to_json()["figures"]
    assert figures["overlap_pairs"] == 1
    assert figures["overlap_seconds"] > 0.5 * report.figures.seconds
    assert f"{figures['overlap_seconds']:.1f} person-seconds (1 pair)" in report.summary()
    for level, words in PLANNED_WITH.items():
        told = audit(replace(good, scene=replace(good.scene, bodies=level)))
        assert told.to_json()["figures"]["planned_with"] == level
        assert words in told.summary()
    assert set(PLANNED_WITH) == set(BODY_LEVELS)


@pytest.mark.parametrize("uneven", [False, True])
def test_windows_of_time_show_the_same_as_all_at_once(workshop, monkeypatch, uneven):
    """Somebody walks through somebody else for longer than a window; somebody comes late, and stays."""
    crash = workshop.take(BEHAVIORS, ORDER, (Placement(0.0, 0.0), Placement(0.1, 0.0), Placement(0.5, 3.0)))
    late = replace(crash.roles[2], frames=crash.roles[2].frames + 70)
    take = replace(crash, roles=(*crash.roles[:2], late), frames=crash.frames + 90)
    if uneven:
        slope = HeightField(-20.0, -20.0, 1.0, np.tile(0.1 * np.arange(41.0), (41, 1)))
        take = replace(take, scene=replace(take.scene, terrain=slope))
    for given in (None, perform_all(take)):
        monkeypatch.undo()
        whole = audit(take) if given is None else audit_performances(take, given)
        assert {"bodies", "start"} <= set(whole.counts())
        monkeypatch.setattr(shown_source, "MOST_POINTS", 1)
        monkeypatch.setattr(shown_source, "UNEVEN_POINTS", 1)
        assert len(shown_source.windows(shown_source.MadePoses(take))) > 4
        parts = audit(take) if given is None else audit_performances(take, given)
        assert parts.violations == whole.violations
        assert (parts.figures.overlap_seconds, parts.figures.overlap_pairs) == (
            whole.figures.overlap_seconds,
            whole.figures.overlap_pairs,
        )


def test_progress_goes_from_nothing_to_everything(good):
    seen = []
    audit(good, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_walking_into_a_wall(good, shown):
    wall = thing(Box(4.0, 2.0, 0.1), (0.5, 0.0, 1.5))
    assert kinds(replace(good, scene=replace(good.scene, obstacles=(wall,))), shown) == {"obstacle"}


def test_leaving_the_scene(good, shown):
    small = replace(good, scene=replace(good.scene, bounds=(-3.0, -2.0, 1.0, 20.0)))
    assert kinds(small, shown) == {"bounds"}


def test_feet_in_the_ground_and_above_it(good, shown):
    for lift, kind in ((-0.02, "ground"), (0.05, "floating")):
        lifted = changed(shown[0], root_positions=shown[0].clip.root_positions + np.array([0, lift, 0]))
        assert kinds(good, [lifted, shown[1]]) == {kind}
    little = changed(shown[0], root_positions=shown[0].clip.root_positions + np.array([0, -0.003, 0]))
    assert kinds(good, [little, shown[1]]) == set()


def test_ground_that_rises(good, shown):
    slope = HeightField(-20.0, -20.0, 1.0, np.tile(0.1 * np.arange(41.0), (41, 1)))
    level = replace(good, scene=replace(good.scene, terrain=slope))
    assert "ground" in kinds(level, shown)


def test_real_flights_are_no_floating(workshop):
    log = thing(Box(0.4, 0.2, 0.2), (0.0, 0.0, 0.0), passes=("jump_over",))
    take = workshop.take(BEHAVIORS, [0, 6, 5, 7, 3, 4], [Placement(0.0, 0.0, 0.0)], [log])
    found = audit(take).violations
    assert "floating" not in {violation.kind for violation in found}, found


def test_goals(good, shown):
    character = good.scene.characters[0]
    goal = character.goals[-1]
    elsewhere = replace(goal, x=goal.x + 1.0)
    assert kinds(recast(good, goals=(elsewhere,)), shown) == {"goal"}
    assert kinds(recast(good, goals=(replace(goal, heading=3.0),)), shown) == {"goal"}
    heading = float(good.roles[0].placements[-1, 2])
    assert kinds(recast(good, goals=(replace(goal, heading=heading),)), shown) == set()
    assert kinds(respell(good, good.roles[0], arrival=None), shown) == {"goal"}
    assert kinds(respell(good, good.roles[0], arrival=40), shown) == {"goal"}


def test_way_points_in_order(good, shown):
    path = good.roles[0].placements
    one, two = (Goal(*path[index, :2], tolerance=0.3) for index in (1, 3))
    last = good.scene.characters[0].goals[-1]
    assert kinds(recast(good, goals=(one, two, last)), shown) == set()
    assert kinds(recast(good, goals=(two, one, last)), shown) == {"goal"}


def test_whoever_stays_must_stay(workshop):
    take = workshop.take(BEHAVIORS, [0, 1, 1, 1, 3, 4], [STARTS[0]], waits=4)
    assert kinds(take) == {"goal"}


def test_starts(good, shown):
    start = good.scene.characters[0].start
    assert kinds(recast(good, start=Placement(start.x + 0.1, start.z, start.heading)), shown) == {"start"}
    assert kinds(recast(good, start=Placement(start.x, start.z, start.heading + 0.3)), shown) == {"start"}
    assert kinds(recast(good, start_time=0.5), shown) == {"start"}
    assert kinds(recast(good, pose="walk"), shown) == {"start"}
    assert kinds(recast(good, pose="stand"), shown) == set()


def test_everybody_is_accounted_for(good, shown):
    alone = replace(good, roles=good.roles[:1])
    assert kinds(alone, shown[:1]) == {"presence"}
    assert kinds(replace(alone, unplanned=(("actor1", "no way"),)), shown[:1]) == set()
    assert kinds(replace(good, unplanned=(("actor1", "no way"),)), shown) == {"presence"}
    assert kinds(good, shown[:1]) == {"presence"}
    assert kinds(good, [*shown, shown[0]]) >= {"presence"}
    assert kinds(good, [*shown, Shown("stranger", 0, shown[0].clip)]) >= {"presence"}


def test_nobody_goes_too_early(good, shown):
    clip = shown[0].clip
    fields = {"root_positions": clip.root_positions[:-30], "rotations": clip.rotations[:-30], "labels": ()}
    short = changed(shown[0], contacts=None, **fields)
    assert kinds(good, [short, shown[1]]) == {"presence"}


def test_transitions(good):
    clips = list(good.clips)
    clips[1] = replace(clips[1], entry="jog")
    assert kinds(replace(good, clips=tuple(clips))) == {"transition"}
    clips[1] = replace(good.clips[1], library="somebody else's")
    assert kinds(replace(good, clips=tuple(clips))) == {"transition"}
    assert kinds(recast(good, without=("walk_l*",))) == {"transition"}
    assert kinds(recast(good, without=("wait",))) == {"transition"}


def test_segments_begin_where_the_last_one_ends(good):
    for change in ([0.004, 0.0, 0.0], [0.0, 0.0, 0.004]):
        placements = good.roles[0].placements.copy()
        placements[-1] += change  # the last one: nothing follows that could give a wrong heading away
        assert kinds(respell(good, good.roles[0], placements=placements)) == {"placement"}


def test_poses_are_where_the_role_says(good, shown):
    moved = changed(shown[0], root_positions=shown[0].clip.root_positions + np.array([0.0, 0.0, 0.2]))
    assert kinds(good, [moved, shown[1]]) >= {"placement", "start"}


def test_specials_need_something_to_pass(workshop):
    order, start = [0, 6, 5, 7, 3, 4], [Placement(0.0, 0.0, 0.0)]
    assert "special" in kinds(workshop.take(BEHAVIORS, order, start))
    for far, passes, wrong in ((50.0, "jump_over", True), (5.0, "duck_under", True), (5.0, "jump_over", False)):
        log = thing(Box(1.0, 0.02, 0.02), (0.0, -0.1, far), passes=(passes,))
        assert ("special" in kinds(workshop.take(BEHAVIORS, order, start, [log]))) == wrong


def test_feet_that_slide(good, shown):
    """Labelled contacts, and feet that nobody labels."""
    clip = shown[0].clip
    drift = np.zeros((len(clip), 3))
    drift[-150:, 0] = np.linspace(0.0, 0.09, 150)
    labels = clip.contacts
    for contacts in (labels, None, Contacts(labels.joints, np.zeros_like(labels.planted))):
        sliding = changed(shown[0], root_positions=clip.root_positions + drift, contacts=contacts)
        assert kinds(good, [sliding, shown[1]]) == {"slide"}


def test_clips_that_slide_far_are_no_excuse(good, shown, monkeypatch):
    """However far feet slide in the clips themselves, a take is excused for 4 cm of it and no more."""
    monkeypatch.setattr(motions._Seen, "slide", 0.5)
    clip = shown[0].clip
    for far, found in ((0.09, set()), (0.2, {"slide"})):
        drift = np.zeros((len(clip), 3))
        drift[-150:, 0] = np.linspace(0.0, far, 150)
        sliding = changed(shown[0], root_positions=clip.root_positions + drift, contacts=clip.contacts)
        assert kinds(good, [sliding, shown[1]]) == found


def test_joints_that_jump(good, shown):
    clip = shown[0].clip
    rotations = clip.rotations.copy()
    arm = clip.skeleton.index("LeftArm")
    rotations[60:, arm] = np.roll(rotations[60:, arm], 1, axis=-1)
    assert kinds(good, [changed(shown[0], rotations=rotations), shown[1]]) >= {"jump"}
    stutter = clip.root_positions.copy()
    stutter[60] += [0.0, 0.0, 0.15]
    assert "jump" in kinds(good, [changed(shown[0], root_positions=stutter), shown[1]])


def test_small_jumps_show_in_the_change_of_step(good, shown):
    """Six centimetres for one frame, while standing: no long step for one who walked before, but an abrupt one."""
    twitch = shown[0].clip.root_positions.copy()
    twitch[-60] += [0.06, 0.0, 0.0]
    report = audit_performances(good, [changed(shown[0], root_positions=twitch, contacts=None), shown[1]])
    found = [violation for violation in report.violations if violation.kind == "jump"]
    assert found
    assert all(0.02 < violation.amount < 0.15 for violation in found)


def test_seams_without_blending_jump(workshop):
    """Sitting does not follow walking: unblended, and by force, the seam is seen."""
    take = workshop.take(BEHAVIORS, [0, 1, 9], [STARTS[0]])
    assert kinds(take, perform_all(take, blend=0)) >= {"jump", "transition"}


def test_a_take_without_anybody(good):
    empty = Take(replace(good.scene, characters=()), 30.0, 0, (), ())
    assert audit(empty).clean


def test_the_audit_shares_no_code_with_what_it_checks():
    """Imports of every file of the package, by name and by path."""
    forbidden = ("walkon.planning", "walkon.crowd", "walkon.directing", "walkon.behaviors", "walkon.builtin")
    plain = {"walkon.world", "walkon.world.scene", "walkon.world.shapes"}
    data = {"PASSES", "Box", "Capsule", "Character", "Cylinder", "Goal", "HeightField", "Mesh", "Obstacle",
            "Polygon", "Scene", "Shape", "Sphere", "flat_terrain"}  # fmt: skip
    files = list(Path(str(sys.modules["walkon.metrics.audit"].__file__)).parent.glob("*.py"))
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            assert not (isinstance(node, ast.ImportFrom) and node.level), file
            assert not any(name.startswith(forbidden) for name in [module, *names]), (file, module, names)
            if module.startswith("walkon.world"):
                assert module in plain, (file, module)
                assert set(names) <= data, (file, names)
            assert not any(name.startswith("walkon.world") for name in names), file
            assert not {"bounding_circles", "find_contacts"} & set(names), file
