"""The picture of a graph: well formed, complete, and nothing on top of something else."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from walkon.behaviors import BEHAVIOR_KINDS, BehaviorLibrary, build_graph
from walkon.builtin.casts import fetch_library
from walkon.render.behavior_graphs import HUB, draw_behavior_graph

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def graph():
    return build_graph(fetch_library("human", 0))


@pytest.fixture(scope="module")
def drawn(graph):
    return ElementTree.fromstring(draw_behavior_graph(graph))  # noqa: S314 - our own text


def test_every_kind_has_a_color_of_its_own():
    assert len({kind.color for kind in BEHAVIOR_KINDS.values()}) == len(BEHAVIOR_KINDS)


def test_names_every_behavior_and_pose_once(graph, drawn):
    words = [element.text for element in drawn.iter(f"{SVG}text")]
    for name in (*graph.names, *graph.poses):
        expected = (name in graph.names) + (name in graph.poses)
        assert words.count(name) == expected, name


def test_every_behavior_is_one_arrow_of_its_colour(graph, drawn):
    heads = [element.get("marker-end") for element in drawn.iter(f"{SVG}path") if element.get("marker-end")]
    expected = sorted(f"url(#to-{list(BEHAVIOR_KINDS)[kind]})" for kind in graph.kinds)
    assert sorted(str(head) for head in heads) == expected


def test_everything_is_inside_the_picture_and_hubs_are_apart(drawn):
    x, y, width, height = map(float, str(drawn.get("viewBox")).split())
    hubs = []
    for circle in drawn.iter(f"{SVG}circle"):
        cx, cy, radius = (float(str(circle.get(key))) for key in ("cx", "cy", "r"))
        assert x <= cx - radius < cx + radius <= x + width
        assert y <= cy - radius < cy + radius <= y + height
        if radius == HUB:
            hubs.append((cx, cy))
    apart = [np.hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(hubs) for b in hubs[:i]]
    assert min(apart) > 4 * HUB


def test_names_from_outside_cannot_break_the_picture(graph):
    library = graph.library
    odd = BehaviorLibrary("a<b>&\"c'", tuple(replace(b, exit="x<y", entry="x<y") for b in library.behaviors[:3]))
    root = ElementTree.fromstring(draw_behavior_graph(build_graph(odd)))  # noqa: S314 - our own text
    assert "x<y" in [element.text for element in root.iter(f"{SVG}text")]
