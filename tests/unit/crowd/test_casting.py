"""Everyone gets the library they ask for, with their own tastes; whoever asks for what is not there is named."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

from walkon.behaviors import build_graph, write_library
from walkon.builtin.casts import fetch_library
from walkon.crowd import cast_character, load_library, load_performers, starting_pose
from walkon.errors import LibraryError, SceneError
from walkon.rotations import Placement
from walkon.world import Character, Goal, Scene, flat_terrain

BOUNDS = (-5.0, -5.0, 5.0, 5.0)
RIDER = Character("anna", Placement(), (Goal(0.0, 4.0),), library="skateboarder")


def scene(*characters, fps=30.0):
    return Scene("test", BOUNDS, flat_terrain(BOUNDS), (), characters, fps=fps)


def test_each_performer_is_made_once():
    graphs = load_performers(scene(RIDER, replace(RIDER, name="ben"), replace(RIDER, name="eva", library="horse")))
    assert set(graphs) == {("skateboarder", 0), ("horse", 0)}
    assert graphs["horse", 0].library.name == "horse"


def test_a_library_can_be_a_folder_beside_the_scene(tmp_path):
    write_library(tmp_path / "mine", fetch_library("horse", 0))
    assert len(load_library("mine", folder=tmp_path)) == 5
    with pytest.raises(LibraryError, match=r"'anna': no library 'other': neither a built-in cast \(human"):
        load_performers(scene(replace(RIDER, library="other")), folder=tmp_path)


def test_tastes_are_the_characters_own_and_mistakes_carry_its_name():
    graphs = load_performers(scene(RIDER))
    fussy = cast_character(replace(RIDER, weights={"carve_*": 5.0}), graphs)
    plain = cast_character(RIDER, graphs)
    index = plain.names.index("carve_left_45")
    assert fussy.costs[index] == pytest.approx(5.0 * plain.costs[index])
    with pytest.raises(LibraryError, match=r"character 'anna': .*no behavior 'fly'"):
        cast_character(replace(RIDER, weights={"fly": 2.0}), graphs)


def test_the_pose_to_start_in():
    graph = cast_character(RIDER, load_performers(scene(RIDER)))
    assert graph.poses[starting_pose(RIDER, graph)] == "stand"
    assert graph.poses[starting_pose(replace(RIDER, pose="glide"), graph)] == "glide"
    with pytest.raises(
        SceneError, match="'anna': no pose 'sit' in library 'skateboarder'; there are: glide, stand"
    ):
        starting_pose(replace(RIDER, pose="sit"), graph)


def test_a_library_at_another_rate_is_refused():
    with pytest.raises(SceneError, match="'anna': library 'skateboarder' has 30 Hz, the scene 60 Hz"):
        load_performers(scene(RIDER, fps=60.0))


def test_same_performer_and_tastes_share_a_graph_and_others_do_not():
    graphs = load_performers(scene(RIDER))
    plain = cast_character(RIDER, graphs)
    assert cast_character(replace(RIDER, name="ben", start=Placement(1.0, 1.0, 0.0)), graphs) is plain
    fussy = replace(RIDER, weights={"carve_left_45": 5.0, "carve_right_45": 2.0})
    careful = replace(RIDER, without=("carve_left_45",))
    cast = [cast_character(one, graphs) for one in (fussy, careful, replace(fussy, without=careful.without))]
    assert len({id(graph) for graph in (plain, *cast)}) == 4
    # Whatever the order in which tastes are written down.
    turned = replace(RIDER, weights={"carve_right_45": 2.0, "carve_left_45": 5.0})
    assert cast_character(turned, graphs) is cast[0]
    swapped = cast_character(replace(RIDER, weights={"carve_left_45": 2.0, "carve_right_45": 5.0}), graphs)
    left = plain.names.index("carve_left_45")
    assert swapped.costs[left] == pytest.approx(2.0 * plain.costs[left])
    assert cast[0].costs[left] == pytest.approx(5.0 * plain.costs[left])
    assert plain.allowed[left]
    assert not cast[1].allowed[left]


def test_other_performers_do_not_share_and_nobody_is_kept_for_good():
    library = fetch_library("skateboarder", 0)
    key = (RIDER.library, RIDER.performer)
    one, other = {key: build_graph(library)}, {key: build_graph(library)}
    assert cast_character(RIDER, one) is not cast_character(RIDER, other)
    gone = weakref.ref(cast_character(RIDER, one))
    one.clear()
    gc.collect()
    assert gone() is None
