"""Where planning leaves people out, a live crowd steps in: only then, only if it is better, and it says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from walkon.crowd import CrowdPlan, plan_crowd
from walkon.directing import planning, rehearse
from walkon.directing.live_takes import arrived_only, live_take
from walkon.directing.understudy import _weight, step_in
from walkon.metrics import audit
from walkon.world import read_scene

TWO = """
bounds = [-6, -6, 6, 6]
duration = 40
[[characters]]
name = "anna"
start = [-4, 0]
heading = 90
goal = [4, 0.5]
[[characters]]
name = "ben"
start = [4, 0]
heading = -90
start_time = 2.0
via = [[0, -3]]
goal = [-4, -1]
goal_heading = 180
"""
DOOR = """
[[doors]]
name = "gate"
from = [-1, 5]
to = [1, 5]
open = [[0, 30]]
"""
PEN = "".join(
    f'[[obstacles]]\nname = "fence {k}"\nshape = "box"\nat = [{x}, {z}]\nwidth = {w}\ndepth = {d}\nheight = 1.5\n'
    for k, (x, z, w, d) in enumerate(
        [(4, 2.4, 3.4, 0.4), (4, -1.4, 3.4, 0.4), (2.5, 0.5, 0.4, 4), (5.5, 0.5, 0.4, 4)]
    )
)


@pytest.fixture
def without_ben(monkeypatch):
    """Planners place everybody but ben; `hopeless` says whether that is because of the others."""

    def leave_out(*, hopeless):
        def plan(*given, **more):
            made = plan_crowd(*given, **more)
            who = frozenset({"ben"}) if hopeless else frozenset()
            reasons = {"ben": "crowded out by anna: no way"}
            return CrowdPlan((made.plans[0], None), reasons, 0, made.seconds, made.expanded, who)

        monkeypatch.setattr(planning, "plan_crowd", plan)

    return leave_out


def test_a_live_crowd_steps_in_and_does_all_that_the_scene_asks_for(without_ben):
    without_ben(hopeless=False)
    scene, told = read_scene(TWO), []
    made = rehearse(scene, seed=3, progress=lambda done, people: told.append((done, people)))
    assert made.live is not None
    assert made.take is made.live.take
    assert made.live.outcome == "left out 0, where planning left out 1"
    assert made.take.unplanned == ()
    assert made.take.scene.characters == scene.characters
    assert made.take.planner.startswith("live search, where ")
    assert made.take.seed == 3
    assert audit(made.take).clean, audit(made.take).summary()
    assert made.take.role("ben").start_frame == 60
    assert told[-1] == (2, 2)


def test_it_is_asked_only_if_others_are_to_blame_and_it_may_be(without_ben):
    without_ben(hopeless=True)
    made = rehearse(read_scene(TWO))
    assert made.live is None
    assert [name for name, _ in made.take.unplanned] == ["ben"]
    without_ben(hopeless=False)
    assert rehearse(read_scene(TWO), live=False).live is None


def test_it_says_what_it_cannot_do(without_ben):
    without_ben(hopeless=False)
    made = rehearse(read_scene(TWO + DOOR))
    assert made.live is not None
    assert made.live.take is None
    assert "doors shut when nobody is in them" in made.live.outcome
    assert made.take.unplanned == (("ben", "crowded out by anna: no way"),)


def test_whoever_does_not_arrive_is_left_out_and_the_take_ends_without_it():
    fenced = TWO.replace("start = [4, 0]", "start = [4, -3]") + PEN  # anna's goal is
    scene = replace(read_scene(fenced), duration=20.0)
    take = arrived_only(live_take(scene))
    assert take.unplanned == (("anna", "live, it has not arrived after 20 s"),)
    assert [role.character for role in take.roles] == ["ben"]
    assert (take.role("ben").arrival or 0) + 31 == take.frames < 20 * 30
    assert audit(take).clean


def test_the_better_take_leaves_out_fewer_or_ends_sooner_and_the_important_count_more():
    scene = read_scene(TWO)
    both = arrived_only(live_take(scene))
    kept = step_in(scene, both, frozenset())
    assert kept.take is None, "it is no better than itself"
    slower = replace(both, roles=tuple(replace(role, arrival=(role.arrival or 0) + 9) for role in both.roles))
    assert step_in(scene, slower, frozenset()).take is not None
    anna, ben = both.roles
    vip = tuple(replace(one, priority=int(one.name == "ben")) for one in scene.characters)
    ranked = replace(both, scene=replace(scene, characters=vip))
    without = [
        replace(ranked, roles=(role,), unplanned=((name, ""),)) for role, name in ((anna, "ben"), (ben, "anna"))
    ]
    assert _weight(without[1]) < _weight(without[0])
