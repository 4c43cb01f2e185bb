"""Walks from above: the track in the colours of what is done, over the path that was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.builtin import make
from walkon.errors import RenderError
from walkon.graphs import Transitions, assemble_graph, gather_corpus
from walkon.graphs.performing.walks import Walk
from walkon.motion import Label
from walkon.render import draw_walks
from walkon.render.label_colours import KNOWN
from walkon.render.walk_plots import ASKED, MARK
from walkon.rotations import Placement
from walkon.world import Scene, flat_terrain

WINDOW = 5


@pytest.fixture(scope="module")
def walk():
    """From a walk into a run, along +x."""
    clips = [make(name, cycles=4) for name in ("walk", "run")]
    corpus = gather_corpus([clip.with_changes(labels=(Label(clip.name, 0, len(clip)),)) for clip in clips])
    first, second = corpus.library.starts
    ends = np.array([first + 60]), np.array([second + 30])
    graph = assemble_graph(corpus, Transitions(WINDOW, *ends, np.array([0.05]), np.array([[0.0, 4.0, 0.0]])))
    source = int(np.searchsorted(graph.nodes, first + 60))
    blend = int(graph.offsets[source + 1]) - 1
    last = int(graph.offsets[graph.heads[blend]])
    return Walk(graph, 0, np.array([graph.offsets[0], blend, last]), Placement(0.0, 0.0, 0.5 * np.pi))


def colours(path):
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def places(picture, colour):
    """Rows and columns of pixels that have a colour."""
    return np.argwhere(np.abs(picture - np.array(colour)).max(axis=2) < 6)


def test_the_track_has_the_colours_of_what_is_done_from_left_to_right(walk, tmp_path):
    draw_walks(walk, tmp_path / "a.png", width=900)
    picture = colours(tmp_path / "a.png")
    plan = picture[: len(picture) - 70]
    walked, run = places(plan, KNOWN["walk"]), places(plan, KNOWN["run"])
    assert len(walked) > 300
    assert len(run) > 300
    assert np.median(walked[:, 1]) < np.median(run[:, 1])


def test_the_path_to_follow_lies_below_and_everything_is_in_the_picture(walk, tmp_path):
    asked = np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 6.0]])
    draw_walks([walk, walk], tmp_path / "a.png", asked=asked, title="two", subtitle="as asked", width=900)
    picture = colours(tmp_path / "a.png")
    yellow = places(picture[64 : len(picture) - 70], ASKED)
    assert len(yellow) > 1000
    # It goes to the right, then down the page.
    assert np.ptp(yellow[:, 0]) > 100
    corner = yellow[yellow[:, 1] > np.quantile(yellow[:, 1], 0.6)]
    assert np.ptp(corner[:, 0]) > 100


def test_several_paths_and_places_can_be_marked(walk, tmp_path):
    lines = [np.array([[0.0, 0.0], [3.0, 0.0]]), np.array([[3.0, 4.0], [6.0, 4.0]])]
    draw_walks(walk, tmp_path / "a.png", asked=lines, marks=[(2.0, 7.0, "1 go")], width=900)
    picture = colours(tmp_path / "a.png")[64:-70]
    yellow = places(picture, ASKED)
    between = np.sort(yellow[:, 0])
    assert np.diff(between).max() > 50
    assert len(places(picture, MARK)) > 20
    # The ring is in the picture, though nobody goes there.
    assert places(picture, MARK)[:, 0].mean() > yellow[:, 0].max()


def test_a_scene_sets_the_bounds(walk, tmp_path):
    bounds = (-2.0, -6.0, 20.0, 6.0)
    draw_walks(walk, tmp_path / "a.png", scene=Scene("hall", bounds, flat_terrain(bounds)), width=900)
    draw_walks(walk, tmp_path / "b.png", width=900)
    large, small = (len(places(colours(tmp_path / f"{name}.png")[:-70], KNOWN["walk"])) for name in "ab")
    assert large < small


def test_no_walk_makes_no_picture(tmp_path):
    with pytest.raises(RenderError, match="no walk to draw"):
        draw_walks([], tmp_path / "a.png")
