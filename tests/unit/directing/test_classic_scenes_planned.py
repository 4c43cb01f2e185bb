"""Classic scenes are planned: everybody arrives, and the audit finds nothing wrong.

`make test` plans a few that are quick, `make soak` all of them.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from walkon.directing import plan_scene
from walkon.metrics import audit, measure
from walkon.world import read_scene
from walkon.world.classics import classic_scene_text

QUICK = (
    "crossing-4",
    "crossing-multiple",
    "locking-8",
    "two-corners",
    "cluttered-grid",
    "squeeze-wall",
    "doorway-two-way",
    "confusion-4",
)


@pytest.mark.parametrize("name", QUICK)
def test_everybody_arrives_and_nobody_touches_anything(name) -> None:
    scene = read_scene(classic_scene_text(name, 0))
    take = plan_scene(scene, seed=0)
    assert not take.unplanned
    assert {role.character for role in take.roles} == {one.name for one in scene.characters}
    report = audit(take)
    assert report.clean, report.summary()


@pytest.mark.parametrize(("name", "most"), [("crossing-multiple", 0.045), ("locking-24", 0.215)])
def test_people_who_walk_already_walk_on_where_they_have_room(name, most) -> None:
    scene = read_scene(classic_scene_text(name, 0))
    walking = replace(scene, characters=tuple(replace(one, pose="walk") for one in scene.characters))
    assert measure(plan_scene(walking, seed=0), audited=False).summary()["resistance"] <= most
