"""People who were seen on their way, saved so that the file can be read again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.rotations import Placement
from walkon.world import Goal, SceneFileError, mend_places, read_scene, scene_text

HALL = """
bounds = [-10, -10, 10, 10]

[[obstacles]]
name = "crate"
shape = "box"
at = [4, 4]
width = 2
depth = 2
height = 1.5

[[obstacles]]
name = "bar"
shape = "box"
at = [-5, 0]
width = 2.5
depth = 0.15
height = 0.3
passes = ["step_over"]
"""
PEOPLE = "".join(
    f'[[characters]]\nname = "{name}"\nstart = [{x}, -8]\ngoal = [{x}, 8]\n'
    for name, x in (("anna", -8), ("ben", 0), ("cleo", 8))
)


def hall(**changes):
    """The hall; changes: start or goal of somebody, by name."""
    scene = read_scene(HALL + PEOPLE)
    people = tuple(replace(one, **changes.get(one.name, {})) for one in scene.characters)
    return replace(scene, characters=people)


WRONG = {
    "in a crate": {"anna": {"start": Placement(4.2, 4.1, 1.0)}},
    "over a hurdle": {"anna": {"start": Placement(-5.0, 0.02, 1.0)}},
    "in each other": {"anna": {"start": Placement(1.0, 1.0)}, "ben": {"start": Placement(1.3, 1.0)}},
    "all in a crate": {name: {"start": Placement(4.0, 4.0)} for name in ("anna", "ben", "cleo")},
    "to a crate": {"cleo": {"goals": (Goal(0.0, 0.0), Goal(4.0, 4.0))}},
    "out of the hall": {"ben": {"goals": (Goal(30.0, 0.0),)}},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG.keys())
def test_what_no_file_may_say_is_put_right_beside_it(changes):
    scene = hall(**changes)
    with pytest.raises(SceneFileError):
        read_scene(scene_text(scene))
    mended = mend_places(scene)
    read_scene(scene_text(mended))
    for before, after in zip(scene.characters, mended.characters, strict=True):
        assert np.hypot(after.start.x - before.start.x, after.start.z - before.start.z) < 3.0
        assert after.start.heading == before.start.heading
        if before.name not in changes:
            assert after == before


def test_what_is_right_stays():
    scene = hall(anna={"goals": (Goal(-5.0, 0.0),)})  # one can stand astride a hurdle
    assert mend_places(scene).characters == scene.characters
    assert mend_places(replace(scene, characters=())).characters == ()


def test_where_there_is_no_room_nobody_is_moved():
    scene = hall(anna={"start": Placement(4.0, 4.0)})
    full = replace(scene, bounds=(3.5, 3.5, 4.5, 4.5))
    assert mend_places(full).characters[0].start == scene.characters[0].start
