"""What is a message and what is none, whatever somebody sends."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.studio.protocol import AddFlow, MalformedError, MoveObstacle, SetGoal, parse_message

OPS = (
    *(
        "add_obstacle",
        "move_obstacle",
        "remove",
        "set_goal",
        "move_person",
        "add_people",
        "add_flow",
        "set_bodies",
        "undo",
        "redo",
    ),
    *("play", "pause", "step", "speed", "planner", "overlay", "save", "open", "files", "ping"),
)
FIELDS = (
    "id",
    "name",
    "x",
    "z",
    "heading",
    "final",
    "people",
    "who",
    "obstacle",
    "count",
    "goal",
    "path",
    "what",
    "on",
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), anything, max_size=5), st.sampled_from(OPS))
def test_anything_is_a_message_or_malformed(fields, op):
    with contextlib.suppress(MalformedError):
        assert parse_message(json.dumps({**fields, "op": op})).model_dump()["op"] == op


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_message_or_malformed(text):
    with pytest.raises(MalformedError):
        parse_message(text)


@settings(max_examples=100, deadline=None)
@given(
    x=st.floats(-1e4, 1e4), z=st.floats(-1e4, 1e4), heading=st.floats(-6.3, 6.3), final=st.booleans(),
    name=st.text(min_size=1, max_size=80, alphabet=st.characters(codec="utf-8")), number=st.integers(0, 2**53),
)  # fmt: skip
def test_what_is_sent_is_what_is_read(x, z, heading, final, name, number):
    fields = {
        "op": "move_obstacle",
        "id": number,
        "name": name,
        "x": x,
        "z": z,
        "heading": heading,
        "final": final,
    }
    message = parse_message(json.dumps(fields))
    assert isinstance(message, MoveObstacle)
    assert message.model_dump() == fields


def test_numbers_may_be_whole_and_aliases_are_the_wires():
    flow = parse_message('{"op": "add_flow", "from": [0, 0, 1, 1], "to": [2, 2, 3, 3], "count": 5}')
    assert isinstance(flow, AddFlow)
    assert flow.origin == (0.0, 0.0, 1.0, 1.0)
    stop = parse_message('{"op": "set_goal", "people": [3]}')
    assert isinstance(stop, SetGoal)
    assert stop.x is None


@pytest.mark.parametrize(
    "text",
    [
        '{"op": "set_goal", "people": [3], "x": 1}',
        '{"op": "set_goal", "people": [], "x": 1, "z": 1}',
        '{"op": "set_goal", "people": [true], "x": 1, "z": 1}',
        '{"op": "add_flow", "origin": [0, 0, 1, 1], "to": [2, 2, 3, 3], "count": 5}',
        '{"op": "add_people", "count": 1.5, "x": 0, "z": 0}',
        '{"op": "speed", "value": 0}',
        '{"op": "planner", "name": "magic"}',
        '{"op": "set_bodies", "level": "disc"}',
        '{"op": "set_bodies"}',
        '{"op": "save", "what": "exe", "path": "a"}',
        '{"op": "ping", "id": [1]}',
        '{"op": "ping", "id": 99999999999999999999999999}',
        '{"op": "add_obstacle", "obstacle": {"shape": {"kind": "sphere", "radius": 1}, "position": [0, 0]}}',
        '{"op": "add_obstacle", "obstacle": {"name": "../x", "shape": {"kind": "sphere", "radius": 1}, '
        '"position": [0, 0, 0]}}',
    ],
)
def test_what_is_nearly_right_is_wrong(text):
    with pytest.raises(MalformedError):
        parse_message(text)


def test_the_reason_says_where():
    with pytest.raises(MalformedError, match=r"move_obstacle\.x"):
        parse_message('{"op": "move_obstacle", "name": "a", "x": "here", "z": 0}')
