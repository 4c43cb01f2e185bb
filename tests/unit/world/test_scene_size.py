"""Reading a scene takes time in proportion to its size, also where everything in it is wrong."""

from __future__ import annotations

import pytest

from walkon.errors import SceneError
from walkon.world import read_scene
from walkon.world.problems import Problems, SceneProblem
from walkon.world.reading import DEEPEST, LONG_KEY

HEAD = 'name = "x"\nbounds = [0, 0, 9, 9]\n'


def test_thousands_of_problems_are_not_compared_with_each_other(monkeypatch):
    compared = 0
    equal = SceneProblem.__eq__

    def counted(self, other):
        nonlocal compared
        compared += 1
        return equal(self, other)

    monkeypatch.setattr(SceneProblem, "__eq__", counted)
    with pytest.raises(SceneError, match="1200 problems"):
        read_scene(HEAD + "[[characters]]\n" * 400)
    assert compared < 4000


def test_what_is_said_twice_counts_once():
    problems = Problems("here")
    for _ in range(3):
        problems.add(("a", 1), "is wrong")
    assert len(problems.found) == 1


@pytest.mark.parametrize(
    "line",
    [".".join("a" * 3000) + " = 1", f"[{'. '.join('a' * 300)}]", "x = {" + " .'b.c'" * 30 + " = 1}"],
    ids=["key", "table", "inline"],
)
def test_keys_of_too_many_parts_are_refused_before_they_are_parsed(line, monkeypatch):
    monkeypatch.setattr("tomllib.loads", lambda text: pytest.fail("parsed"))
    with pytest.raises(SceneError, match=rf"scene:3: a key of more than {DEEPEST} parts"):
        read_scene(HEAD + line.replace("{ .", "{"))


def test_points_in_texts_and_numbers_are_no_keys():
    text = "x = 'And so ... it goes. On. And on.'\ny = [" + "1.5, " * 100 + "]\nz = 1.2.3.4\n"
    assert LONG_KEY.search(text) is None
    assert LONG_KEY.search("a." * 5000) is not None
    assert LONG_KEY.search("-" * 200_000 + "'" * 200_000) is None
