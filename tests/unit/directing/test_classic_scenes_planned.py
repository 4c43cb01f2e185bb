"""Classic scenes are planned: everybody arrives, and the audit finds nothing wrong.

`make test` plans a few that are quick, `make soak` all of them.
"""

from __future__ import annotations

import pytest

from walkon.directing import plan_scene
from walkon.metrics import audit
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
