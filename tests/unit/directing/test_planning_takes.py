"""From a scene to a take: what cannot be foreseen is not foreseen, and the take says who does what."""

from __future__ import annotations

import pytest

from walkon.directing import explore, plan_scene
from walkon.errors import SceneError
from walkon.metrics import audit
from walkon.world import read_scene

CROSSING = """
bounds = [-8, -6, 8, 6]
duration = 40
[[obstacles]]
name = "cart"
shape = "sphere"
at = [0, -5]
radius = 0.5
[obstacles.motion]
known = {known}
ease = "linear"
keyframes = [
  {{ t = 0, at = [0, -5] }},
  {{ t = 5, at = [0, -1] }},
  {{ t = 12, at = [0, -1] }},
  {{ t = 16, at = [0, 5] }},
]
[[characters]]
name = "anna"
start = [-6, 0]
heading = 90
goal = [6, 0]
"""


@pytest.mark.parametrize("known", ["true", "false"])
def test_people_get_across_whether_or_not_they_know_what_moves(known):
    take = plan_scene(read_scene(CROSSING.format(known=known)), seed=2)
    assert take.unplanned == ()
    assert audit(take).clean
    assert ("Replanning" in take.planner) == (known == "false")


def test_the_last_segments_pass_the_time_at_the_goal():
    take = plan_scene(read_scene(CROSSING.format(known="true")))
    role = take.roles[0]
    behaviors = [take.clips[clip].behavior for clip in role.clips]
    waiting = role.frames >= role.arrival
    assert waiting.any()
    rests = {behavior for behavior, waits in zip(behaviors, waiting, strict=True) if waits}
    assert rests <= {"idle", "pause", "hold"}
    assert take.end_frame(role) >= take.frames - 1


def test_one_search_can_be_looked_into():
    scene = read_scene(CROSSING.format(known="true"))
    plan = explore(scene, "anna")
    assert plan.status == "found"
    assert plan.tree is not None
    assert len(plan.tree.parents) == plan.statistics.nodes
    with pytest.raises(SceneError, match="nobody called 'ben'"):
        explore(scene, "ben")


def test_planners_lead_somebody_with_a_script_by_its_places():
    text = CROSSING.format(known="true").replace("goal = [6, 0]", "")
    steps = '[[characters.script]]\nstyle = "run"\n[[characters.script]]\nvia = [-3, 3]\n'
    steps += '[[characters.script]]\ndo = "wave"\n[[characters.script]]\ngo = [6, 0]\ntolerance = 0.4\n'
    take = plan_scene(read_scene(text + steps), seed=2)
    assert take.unplanned == ()
    assert [(goal.x, goal.z) for goal in take.scene.characters[0].goals] == [(-3.0, 3.0), (6.0, 0.0)]
    assert audit(take).clean
