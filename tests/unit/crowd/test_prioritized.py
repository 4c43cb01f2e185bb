"""A crowd planned one by one: nobody comes near anybody, those in the way give way, and what cannot be is said."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
import shapely

from walkon.crowd import CrowdPlan, cast_character, load_performers, patient, plan_crowd, prioritized
from walkon.crowd.patient import _in_order, _locks_in, plan_patiently
from walkon.crowd.stage import DEFAULT_BUDGET, set_up
from walkon.motion import placement_at
from walkon.motion.features.outlines import outline_corners
from walkon.planning import AStar, footing_of, plan_circles, rest_circle
from walkon.rotations import Placement
from walkon.skeleton import build_body
from walkon.world import Box, Character, Goal, HeightField, Obstacle, Scene, build_world, flat_terrain

COARSE = AStar(inflation=2.0, max_expansions=100_000, cell=0.5, headings=16, time_bin=2.0)
BOUNDS = (-15.0, -6.0, 15.0, 6.0)


def block(name, x, z, width, depth):
    return Obstacle(name, Box(width, 2.0, depth), [[x, 0.0, z]], [[1.0, 0.0, 0.0, 0.0]])


def walker(name, start, goal, heading=0.0, **more):
    return Character(name, Placement(*start, heading), (Goal(*goal),), **more)


def crowd(characters, obstacles=(), planner=None, bounds=BOUNDS, seed=0, **more):
    scene = Scene("test", bounds, flat_terrain(bounds), tuple(obstacles), tuple(characters), duration=60.0)
    performers = load_performers(scene)
    graphs = [cast_character(character, performers) for character in scene.characters]
    made = plan_crowd(build_world(scene), graphs, planner or AStar(inflation=2.0), seed=seed, **more)
    return made, graphs


def tracks(made, graphs, frames=1800):
    """Circles (A, frames, 3) of everybody at every frame, NaN where somebody is not there: the naive way."""
    everyone = np.full((len(graphs), frames, 3), np.nan)
    for index, (plan, graph) in enumerate(zip(made.plans, graphs, strict=True)):
        if plan is None:
            continue
        circles = plan_circles(graph, plan)
        first = int(plan.frames[0])
        everyone[index, first : first + len(circles)] = circles
        resting = rest_circle(graph, int(graph.exit[plan.behaviors[-1]]), plan.placements[-1])
        everyone[index, first + len(circles) :] = resting
    return everyone


def outline_at(graph, plan, frame):
    """The convex hull of what a body covers of the ground, from its capsules alone; None once it rests."""
    step = int(np.searchsorted(plan.frames, frame, side="right")) - 1
    if not 0 <= step < len(plan):
        return None
    shown = graph.clip(int(plan.clips[step]))
    body, seen = build_body(shown.clip.skeleton), placement_at(shown.clip, shown.first).inverse()
    row = shown.first + frame - int(plan.frames[step])
    ends = (Placement(*plan.placements[step]) @ seen).points(body.capsules(shown.clip.positions[row]))
    discs = [
        shapely.Point(x, z).buffer(radius)
        for pair, radius in zip(ends, body.radii, strict=True)
        for x, _, z in pair
    ]
    return shapely.MultiPolygon(discs).convex_hull


def rest_figure_of(graph, place):
    """The polygon of somebody who stands at a place."""
    pose = graph.poses.index("stand")
    supports = graph.rest_figures.supports[pose].max(axis=0).astype(float)
    corners = outline_corners(supports) + graph.rest_figures.circles[pose, :2]
    return shapely.Polygon(np.column_stack(place.point(*corners.T)))


def least_gap(made, graphs, near=0.05):
    """Least distance [m] on the ground between two bodies while both walk, where their circles come near."""
    everyone, least = tracks(made, graphs), np.inf
    for i, a in enumerate(everyone):
        for j, b in enumerate(everyone[:i]):
            circles = np.hypot(*(a - b)[:, :2].T) - a[:, 2] - b[:, 2]
            for frame in np.flatnonzero(circles < near):
                own, other = (outline_at(graphs[k], made.plans[k], int(frame)) for k in (i, j))
                if own is not None and other is not None:
                    least = min(least, own.distance(other))
            least = min(least, float(np.nanmin(np.maximum(circles, near))))
    return least


def test_people_on_a_circle_change_places_without_touching():
    angles = np.linspace(0.0, 2 * math.pi, 8, endpoint=False)
    people = [
        walker(f"p{i}", (5 * math.sin(a), 5 * math.cos(a)), (-5 * math.sin(a), -5 * math.cos(a)), a + math.pi)
        for i, a in enumerate(angles)
    ]
    made, graphs = crowd(people, bounds=(-8.0, -8.0, 8.0, 8.0))
    assert made.reasons == {}
    assert all(plan is not None and plan.status == "found" for plan in made.plans)
    assert least_gap(made, graphs) >= 0.05 - 1e-9
    for person, plan in zip(people, made.plans, strict=True):
        goal = person.goals[-1]
        assert math.hypot(plan.placements[-1][0] - goal.x, plan.placements[-1][1] - goal.z) <= goal.tolerance


def test_whoever_would_stand_in_the_way_for_good_comes_later():
    """The first to be planned parks in the only corridor; the second, who starts later, must get through."""
    walls = [block("upper", 1.0, 3.4, 8.0, 5.2), block("lower", 1.0, -3.4, 8.0, 5.2)]
    parks = walker("parks", (-12.0, 0.0), (2.0, 0.0), math.pi / 2)
    passes = walker("passes", (-5.0, 3.0), (7.5, 0.0), math.pi / 2, start_time=13.0)
    made, graphs = crowd([parks, passes], walls, planner=COARSE)
    assert made.reasons == {}
    assert made.replanned == 1
    assert least_gap(made, graphs) >= 0.05 - 1e-9
    assert made.plans[0].frames[-1] > made.plans[1].frames[0]


def test_what_is_impossible_is_said_and_the_others_are_planned():
    walls = [block("north", 10, 2, 4, 0.4), block("south", 10, -2, 4, 0.4), block("west", 8, 0, 0.4, 4),
             block("east", 12, 0, 0.4, 4)]  # fmt: skip
    shut_out = walker("shut out", (0.0, 0.0), (10.0, 0.0), math.pi / 2)
    free = walker("free", (-10.0, 0.0), (-4.0, 2.0), math.pi / 2)
    made, _ = crowd([shut_out, free], walls)
    assert made.plans[0] is None
    assert made.plans[1].status == "found"
    assert set(made.reasons) == {"shut out"}


def test_the_more_important_are_never_sent_away():
    """A corridor in which nobody can even sidle past, and whoever parks there has the higher priority."""
    walls = [block("upper", 1.0, 3.275, 8.0, 5.45), block("lower", 1.0, -3.275, 8.0, 5.45)]
    parks = walker("parks", (-12.0, 0.0), (2.0, 0.0), math.pi / 2, priority=1)
    passes = walker("passes", (-5.0, 3.0), (7.5, 0.0), math.pi / 2, start_time=13.0)
    made, _ = crowd([parks, passes], walls, planner=replace(COARSE, max_expansions=20_000))
    assert made.plans[0] is not None
    assert made.plans[1] is None
    assert "crowded out by parks" in made.reasons["passes"]


@dataclass
class Impatient:
    """A planner whose user presses Ctrl-C after some plans."""

    inner: AStar
    left: int

    def plan(self, problem):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return self.inner.plan(problem)


def test_an_interruption_keeps_what_is_finished():
    people = [walker(f"p{z}", (-8.0, z), (8.0, z), math.pi / 2) for z in (-4.0, 0.0, 4.0)]
    seen = []
    made, _ = crowd(people, planner=Impatient(AStar(inflation=2.0), 2), progress=lambda *done: seen.append(done))
    assert [plan is not None for plan in made.plans] == [True, True, False]
    assert made.reasons == {"p4.0": "interrupted before it was planned"}
    assert seen == [(1, 3), (2, 3)]


def test_whoever_gave_way_has_no_plan_until_it_has_another():
    """Interrupted after somebody was sent out of the corridor, before it was planned again."""
    walls = [block("upper", 1.0, 3.4, 8.0, 5.2), block("lower", 1.0, -3.4, 8.0, 5.2)]
    parks = walker("parks", (-12.0, 0.0), (2.0, 0.0), math.pi / 2)
    passes = walker("passes", (-5.0, 3.0), (7.5, 0.0), math.pi / 2, start_time=13.0)
    made, _ = crowd([parks, passes], walls, planner=Impatient(replace(COARSE, max_expansions=20_000), 5))
    assert made.replanned == 1
    assert made.plans[0] is None
    assert made.plans[1].status == "found"


@dataclass
class Noting:
    """A planner that notes where whoever it plans for starts."""

    inner: AStar
    asked: list[float]

    def plan(self, problem):
        self.asked.append(problem.start.z)
        return self.inner.plan(problem)


def test_first_come_the_important_then_the_early_then_those_with_a_long_way():
    people = [
        walker("near", (-2.0, -4.0), (2.0, -4.0), math.pi / 2),
        walker("late", (-8.0, -2.0), (8.0, -2.0), math.pi / 2, start_time=5.0),
        walker("far", (-8.0, 0.0), (8.0, 0.0), math.pi / 2),
        walker("important", (-2.0, 2.0), (2.0, 2.0), math.pi / 2, start_time=9.0, priority=1),
    ]
    planner = Noting(AStar(inflation=2.0), [])
    made, _ = crowd(people, planner=planner)
    assert made.reasons == {}
    assert list(dict.fromkeys(planner.asked)) == [2.0, 0.0, -4.0, -2.0]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_seed_gives_the_same_plans(seed):
    people = [walker(f"p{z}", (-8.0, z), (8.0, -z), math.pi / 2) for z in (-3.0, 0.5, 3.0)]
    one, other = (crowd(people, seed=seed)[0] for _ in range(2))
    for a, b in zip(one.plans, other.plans, strict=True):
        assert a.clips.tolist() == b.clips.tolist()
        assert a.placements.tobytes() == b.placements.tobytes()
    another = crowd(people, seed=seed + 7)[0]
    assert any(a.clips.tolist() != b.clips.tolist() for a, b in zip(one.plans, another.plans, strict=True))


def test_nobody_crosses_the_place_where_someone_is_about_to_begin():
    """The first to be planned walks straight at somebody who stands there and is planned after it."""
    passer = walker("passer", (-8.0, 0.0), (8.0, 0.0), math.pi / 2)
    stander = walker("stander", (-6.2, 0.0), (-6.2, 3.5), 0.0)
    made, graphs = crowd([passer, stander])
    assert made.reasons == {}
    assert made.replanned == 0
    assert least_gap(made, graphs) >= 0.05 - 1e-9
    stands = rest_figure_of(graphs[1], stander.start)
    early = [outline_at(graphs[0], made.plans[0], frame) for frame in range(round(2.9 * 30))]
    assert min(outline.distance(stands) for outline in early if outline is not None) >= 0.05 - 1e-9


def test_whoever_is_there_already_and_leaves_has_nothing_to_play():
    made, _ = crowd(
        [walker("there", (0.0, 0.0), (0.1, 0.0), at_goal="leave"), walker("rests", (4.0, 0.0), (4.0, 0.1))]
    )
    assert made.plans[0] is None
    assert "is at its goal" in made.reasons["there"]
    assert len(made.plans[1]) == 0


def test_whoever_leaves_where_it_appears_may_do_so_in_somebody_elses_way():
    stays = walker("stays", (-5.0, 0.0), (0.0, 0.0, 0.2), heading=math.pi / 2)
    gone = walker("gone", (0.0, 0.0), (0.0, 0.0), at_goal="leave", start_time=58.0)
    made, _ = crowd([stays, gone])
    assert made.plans[0] is not None
    assert made.plans[1] is None
    assert made.reasons["gone"] == "is at its goal when it appears, and leaves at once"


def test_people_on_a_slope_keep_the_room_that_both_bodies_need():
    rise = HeightField(-15.0, -6.0, 30.0, np.array([[-4.5, 4.5], [-4.5, 4.5]]))
    people = [
        walker("up", (-5.0, 0.0), (5.0, 0.0), math.pi / 2), walker("down", (5, 0.7), (-5, 0.7), -math.pi / 2)
    ]  # fmt: skip
    gaps = []
    for terrain in (flat_terrain(BOUNDS), rise):
        scene = Scene("test", BOUNDS, terrain, (), tuple(people), duration=60.0)
        performers = load_performers(scene)
        graphs = [cast_character(character, performers) for character in people]
        world = build_world(scene, footing=footing_of(graphs))
        gaps.append(least_gap(plan_crowd(world, graphs, AStar(inflation=2.0)), graphs, near=0.4))
    room = 2.0 * float(footing_of(graphs).room(0.3))
    assert gaps[0] < 0.05 + room
    assert gaps[1] >= 0.05 + room - 1e-6


def patient_stage(people, obstacles=(), duration=60.0):
    """People who have not set out yet, and have patience."""
    scene = Scene("row", BOUNDS, flat_terrain(BOUNDS), tuple(obstacles), tuple(people), duration=duration)
    graphs = [cast_character(character, load_performers(scene)) for character in people]
    return set_up(build_world(scene), graphs, COARSE, 0, DEFAULT_BUDGET, math.inf, True)


def test_the_patient_are_put_off_while_somebody_stands_where_they_are_to_go():
    """Each wants to where the next one begins: planned in the wrong order, and nobody gives up a plan for it."""
    people = [walker(f"p{k}", (2.0 * k, 0.0), (2.0 * k + 2.0, 0.0), math.pi / 2) for k in range(3)]
    stage = patient_stage(people)
    graphs = stage.graphs
    plan_patiently(stage, None)
    assert [plan is not None and plan.status == "found" for plan in stage.plans] == [True] * 3
    assert stage.replanned == 0
    assert sum(stage.tries) == 0, "nobody pushed"
    made = CrowdPlan(tuple(stage.plans), {}, 0, 0.0)
    assert least_gap(made, graphs) > 0.04


def test_whoever_stands_in_the_way_sets_out_first():
    """The one behind has the shorter way, but through the one in front."""
    behind = walker("behind", (0.0, 0.0), (5.0, 0.0), math.pi / 2)
    front = walker("front", (2.0, 0.0), (14.0, 0.0), math.pi / 2)
    aside = walker("aside", (0.0, 4.0), (9.0, 4.0), math.pi / 2)
    assert _in_order(patient_stage([behind, front, aside])) == [1, 0, 2]


def test_whoever_will_stay_in_the_way_sets_out_last():
    """The one that parks has the shorter way, but it ends where another one has yet to pass."""
    parks = walker("parks", (0.0, 3.0), (2.0, 0.0), math.pi)
    passes = walker("passes", (-6.0, 0.0), (8.0, 0.0), math.pi / 2)
    assert _in_order(patient_stage([parks, passes])) == [1, 0]


def test_nobody_stays_where_another_could_not_set_out_any_more():
    stage = patient_stage([walker("comes", (-6.0, 0.0), (0.0, 0.0)), walker("stands", (0.0, 0.0), (6.0, 0.0))])
    stage.release(0)
    plan = stage.alone(0)
    assert _locks_in(stage, 0, plan)
    stage.plans[1] = plan
    assert not _locks_in(stage, 0, plan), "who has set out is locked in by nobody"


def test_those_who_stand_close_together_wait_quietly():
    """Two so close that they would touch if they looked around, before a gap that another one blocks for long."""
    walls = [block("left", 6.0, 3.45, 0.4, 6.1), block("right", 6.0, -3.45, 0.4, 6.1)]
    near = [walker(f"p{z}", (0.0, z), (9.0, 4.0 * z), math.pi / 2) for z in (-0.34, 0.34)]
    stage = patient_stage(near, walls)
    plan_patiently(stage, None)
    assert stage.quiet == {0, 1}
    assert stage.planned() == 2
    assert sum(stage.tries) == 0, "nobody pushed"
    made = CrowdPlan(tuple(stage.plans), {}, 0, 0.0)
    assert least_gap(made, stage.graphs) > 0.04


def test_a_queue_flows_through_a_door():
    """Eight people and a door of 0.9 m: they follow each other about as closely as walking bodies can."""
    walls = [block("left", 6.0, 3.225, 0.2, 5.55), block("right", 6.0, -3.225, 0.2, 5.55)]
    people = [
        walker(f"p{k}", (4.8 - 0.9 * (k // 4), 1.0 * (k % 4) - 1.5), (12.0, 1.0 * (k % 4) - 1.5), math.pi / 2,
               at_goal="leave")
        for k in range(8)
    ]  # fmt: skip
    stage = patient_stage(people, walls)
    plan_patiently(stage, None)
    assert stage.planned() == 8
    passed = sorted(float(np.interp(6.0, plan.placements[:, 0], plan.frames)) / 30.0 for plan in stage.plans)
    assert 7.0 / (passed[-1] - passed[0]) > 0.8, "people a second"
    assert all((plan.behaviors != stage.graphs[0].names.index("jog_forward")).all() for plan in stage.plans)


def test_where_patience_is_in_vain_everybody_is_planned_to_the_end(monkeypatch):
    """Two who meet where only one fits, and no patience at all: the last round must do, and its search."""
    walls = [block("upper", 0.0, 3.4, 8.0, 5.2), block("lower", 0.0, -3.4, 8.0, 5.2)]
    people = [walker(f"p{k}", (-6.0 - k, 0.7 * k), (6.0 + k, 0.0), math.pi / 2, at_goal="leave") for k in range(4)]
    people += [
        walker(f"q{k}", (6.0 + k, 0.7 * k), (-6.0 - k, 0.0), -math.pi / 2, at_goal="leave") for k in range(4)
    ]
    monkeypatch.setattr(patient, "MOST_PUT_OFF", -1)
    made, _ = crowd(people, walls, planner=COARSE)
    assert made.reasons == {}
    assert made.hopeless == frozenset()
    monkeypatch.setattr(prioritized, "plan_next", _crowded_out)
    made, graphs = crowd(people, walls, planner=COARSE)
    assert made.reasons == {}, "who is left is looked for once more"
    assert least_gap(made, graphs) >= 0.05 - 1e-9


def _crowded_out(stage, index):
    """Nobody finds a way as long as others are to be planned."""
    stage.reasons[stage.scene.characters[index].name] = "crowded out by others: no way"
    return []


def test_who_has_no_way_even_alone_is_told_apart():
    walls = [
        block(f"w{k}", *at)
        for k, at in enumerate([(8, 2, 4.4, 0.4), (8, -2, 4.4, 0.4), (6, 0, 0.4, 4), (10, 0, 0.4, 4)])
    ]
    made, _ = crowd([walker("free", (-5.0, 0.0), (0.0, 0.0)), walker("fenced", (-5.0, 3.0), (8.0, 0.0))], walls)
    assert set(made.reasons) == made.hopeless == {"fenced"}
