"""Scenes nobody wrote by hand: valid ones are read as they stand, damaged ones are a SceneError."""

from __future__ import annotations

import importlib.util
import json
import random
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.errors import SceneError
from walkon.world import BODY_LEVELS, Scene, read_scene
from walkon.world.footprints import FreeGround, make_footprint
from walkon.world.script import verb_of
from walkon.world.toml_lines import find_lines

MUTATIONS = 600

coordinates = st.integers(-900, 900).map(lambda n: n / 100)
places = st.tuples(coordinates, coordinates).map(list)
sizes = st.integers(10, 300).map(lambda n: n / 100)
angles = st.integers(-360, 360)


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script."""
    path = Path(__file__).resolve().parents[2] / "fuzz" / "fuzz_scenes.py"
    spec = importlib.util.spec_from_file_location("fuzz_scenes", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def toml_of(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml_of(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    return json.dumps(value)


@st.composite
def obstacles(draw: st.DrawFn) -> dict:
    """An obstacle that can be."""
    shape = draw(st.sampled_from(["box", "cylinder", "sphere", "capsule", "polygon"]))
    table: dict = {"shape": shape, "at": draw(places), "heading": draw(angles), "bottom": draw(sizes)}
    keys = {
        "box": ("width", "depth", "height"),
        "cylinder": ("radius", "height"),
        "sphere": ("radius",),
        "capsule": ("radius", "length"),
        "polygon": ("height",),
    }
    table |= {key: draw(sizes) for key in keys[shape]}
    if shape == "polygon":
        count = draw(st.integers(3, 9))
        radii = [draw(sizes) for _ in range(count)]  # a star around its middle never crosses itself
        table["corners"] = [
            [float(r * np.sin(2 * np.pi * i / count)), float(r * np.cos(2 * np.pi * i / count))]
            for i, r in enumerate(radii)
        ]
    if draw(st.booleans()):
        times = sorted(draw(st.sets(st.integers(0, 9), min_size=1, max_size=4)))
        table["motion"] = {
            "keyframes": [{"t": time, "at": draw(places), "tilt": draw(angles)} for time in times],
            "ease": draw(st.sampled_from(["linear", "smooth", "glide", "fall"])),
            "repeat": draw(st.sampled_from(["once", "back"])),
            "known": draw(st.booleans()),
        }
    if draw(st.booleans()):
        table["passes"] = [draw(st.sampled_from(["jump_over", "duck_under"]))]
    return table


@st.composite
def steps(draw: st.DrawFn) -> dict:
    """A step of a script that can be."""
    verb = draw(st.sampled_from(["go", "via", "path", "do", "face", "style", "wait"]))
    table: dict = {}
    if verb in ("go", "via"):
        table |= {verb: draw(places)}
    elif verb == "path":
        table |= {verb: draw(st.lists(places, min_size=2, max_size=5))}
    elif verb == "face":
        table |= {verb: draw(angles)}
    else:
        table |= {verb: draw(sizes) if verb == "wait" else draw(st.sampled_from(["run", "jump"]))}
    if verb in ("go", "via", "path", "face") and draw(st.booleans()):
        table["tolerance"] = draw(sizes)
    if verb == "do" and draw(st.booleans()):
        table |= draw(st.sampled_from([{"times": 2}, {"seconds": 1.5}]))
    if draw(st.booleans()):
        table |= {"soft": True, "weight": draw(sizes)}
    return table


@st.composite
def documents(draw: st.DrawFn) -> dict:
    """A scene in which everybody starts and ends on the free strips beside the obstacles."""
    people = [
        {"name": f"p{i}", "start": [-18 + i, -15], "goal": [-18 + i, 15], "heading": draw(angles)}
        for i in range(draw(st.integers(0, 6)))
    ]
    standing = [draw(obstacles()) for _ in range(draw(st.integers(0, 4)))]
    if people and draw(st.booleans()):
        people[0]["script"] = [draw(steps()) for _ in range(draw(st.integers(1, 5)))]
        # Where steps lead is anywhere among the obstacles: they must be none that one can be inside of.
        standing = [{**obstacle, "passes": ["jump_over"]} for obstacle in standing]
        if draw(st.booleans()):
            del people[0]["goal"]
    crowds = []
    if draw(st.booleans()):
        crowds.append({"kind": "flow", "count": draw(st.integers(1, 12)), "from": [-19, -19, 19, -17],
                       "to": [[-19, 17, 0, 19], [0, 17, 19, 19]], "over": draw(st.integers(0, 9))})  # fmt: skip
    return {
        "bounds": [-20, -20, 20, 20],
        "duration": draw(st.integers(20, 60)),
        "bodies": draw(st.sampled_from(BODY_LEVELS)),
        "terrain": {"hills": [{"at": draw(places), "height": draw(sizes), "radius": draw(sizes)}], "cell": 0.5},
        "obstacles": standing,
        "characters": people,
        "crowds": crowds,
    }


def text_of(document: dict) -> str:
    return "".join(f"{key} = {toml_of(value)}\n" for key, value in document.items())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), st.integers(0, 1000))
def test_valid_documents_are_read_as_they_stand(document, seed):
    text = text_of(document)
    scene = read_scene(text, seed=seed)
    assert scene.bodies == document["bodies"]
    assert [type(o.shape).__name__.lower() for o in scene.obstacles] == [o["shape"] for o in document["obstacles"]]
    for made, said in zip(scene.obstacles, document["obstacles"], strict=True):
        first = said["motion"]["keyframes"][0]["at"] if "motion" in said else said["at"]
        assert made.positions[0, [0, 2]] == pytest.approx(first)
        assert made.known == said.get("motion", {}).get("known", True)
    for made, said in zip(scene.characters, document["characters"], strict=False):
        assert [verb_of(step) for step in made.script] == [next(iter(step)) for step in said.get("script", [])]
    count = sum(crowd["count"] for crowd in document["crowds"])
    assert len(scene.characters) == len(document["characters"]) + count
    same(scene, read_scene(text, seed=seed))


def same(one: Scene, other: Scene) -> None:
    """Both scenes are equal to the last bit."""
    assert np.array_equal(one.terrain.heights, other.terrain.heights)
    assert one.characters == other.characters
    for a, b in zip(one.obstacles, other.obstacles, strict=True):
        assert a.name == b.name
        assert np.array_equal(a.positions, b.positions)
        assert np.array_equal(a.rotations, b.rotations)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(obstacles(), max_size=6), st.integers(0, 1000), st.integers(1, 25))
def test_crowds_have_room_wherever_they_are(standing, seed, count):
    table = {
        "bounds": [-10, -10, 10, 10],
        "obstacles": standing,
        "crowds": [{"kind": "pairs", "count": count, "region": [-10, -10, 10, 10], "distance": 2}],
    }
    try:
        scene = read_scene(text_of(table), seed=seed)
    except SceneError as error:
        assert "people" in str(error)  # noqa: PT017
        return
    ground = FreeGround(scene.bounds, [make_footprint(obstacle, scene.terrain) for obstacle in scene.obstacles])
    for places_of in ("start", "goal"):
        spots = np.array(
            [
                (p.start.x, p.start.z) if places_of == "start" else (p.goals[0].x, p.goals[0].z)
                for p in scene.characters
            ]
        )
        assert ground.is_free(spots, 0.5).all()
        apart = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1)) + 9 * np.eye(len(spots))
        assert apart.min() >= 0.9 - 1e-9


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), st.data())
def test_values_of_the_wrong_kind_are_a_scene_error(document, data):
    """Replace one value anywhere by something else: it is read, or refused with its place."""
    spots = [document]
    while True:
        inside = spots[-1]
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(inside[key], dict | list) and data.draw(st.booleans()):
            spots.append(inside[key])
            continue
        odd = [None, True, "", "x", -1, 0, 10**30, 1e300, [], [[]], {}, {"a": 1}, [1, 2, 3]]
        value = data.draw(st.sampled_from(odd))
        if value is None:
            del inside[key]
        else:
            inside[key] = value
        break
    try:
        read_scene(text_of(document))
    except SceneError as error:
        assert "scene:" in str(error)  # noqa: PT017


@settings(max_examples=100, deadline=None)
@given(documents())
def test_every_value_has_its_line(document):
    text = "\n\n".join(f"{key} = {toml_of(value)}" for key, value in document.items())
    lines = find_lines(text)

    def check(value: object, place: tuple, line: int) -> None:
        assert lines[place] == line
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in inner:
            check(part, (*place, key), line)

    for number, (key, value) in enumerate(tomllib.loads(text).items()):
        check(value, (key,), 2 * number + 1)


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=300).map(lambda text: text + "\n") | st.binary(max_size=300).map(lambda b: b.decode("latin1"))
)
def test_arbitrary_text_is_a_scene_error(text):
    with pytest.raises(SceneError):
        read_scene(text)


def test_seeds_of_the_fuzz_target_are_good_files(fuzz):
    assert all(fuzz.read_one(seed) for seed in fuzz.seeds())


def test_hundreds_of_damaged_files_give_nothing_but_scenes_and_scene_errors(fuzz):
    rng = random.Random(7)
    pool = fuzz.seeds()
    good = sum(fuzz.read_one(fuzz.mutated(rng.choice(pool), rng)) for _ in range(MUTATIONS))
    assert 0 < good < MUTATIONS
