"""A forest file gives back exactly what was written, shared and unchangeable, or says what is wrong with it."""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from walkon.errors import TreeError
from walkon.trees.builders.scalable import Scalable
from walkon.trees.checking import check_forest, check_origin
from walkon.trees.digest import DECISIVE, graph_digest
from walkon.trees.file import parse_forest, read_forest, write_forest
from walkon.trees.planting import plant
from walkon.trees.region import disc

MUTATIONS = 800


def load(*parts: str) -> ModuleType:
    path = Path(__file__).resolve().parents[3].joinpath(*parts)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script, and has a small forest."""
    return load("fuzz", "fuzz_trees.py")


@pytest.fixture(scope="module")
def forest(fuzz):
    return fuzz.seed_forest()


@pytest.fixture(scope="module")
def data(fuzz) -> bytes:
    return fuzz.seed_bytes()


@pytest.fixture(scope="module")
def toys() -> ModuleType:
    return load("tests", "unit", "planning", "toys.py")


@pytest.fixture(scope="module")
def walker(toys):
    return toys.walker()


def parsed(data: bytes):
    return parse_forest(np.frombuffer(data, dtype=np.uint8))


def assert_same(one, other):
    assert one.settings() == other.settings()
    for name, array in one.arrays().items():
        again = other.arrays()[name]
        assert (array.dtype, array.shape, array.tobytes()) == (again.dtype, again.shape, again.tobytes()), name


def test_everything_comes_back_bit_for_bit(forest, tmp_path):
    write_forest(forest, tmp_path / "a.tree")
    assert_same(read_forest(tmp_path / "a.tree"), forest)
    write_forest(read_forest(tmp_path / "a.tree"), tmp_path / "b.tree")
    assert (tmp_path / "b.tree").read_bytes() == (tmp_path / "a.tree").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tree", "b.tree"]


def test_wide_cells_and_settings_that_are_no_round_numbers_come_back(forest, tmp_path):
    other = replace(forest, cells=forest.cells.astype(np.uint32), origin_x=-0.1 - 0.2, seed=-(2**62), passes=())
    write_forest(replace(other, rows=np.int64(other.rows)), tmp_path / "a.tree")
    assert_same(read_forest(tmp_path / "a.tree"), other)


def test_messages_name_the_file(tmp_path):
    path = tmp_path / "gone.tree"
    with pytest.raises(TreeError, match=r"gone\.tree: No such file"):
        read_forest(path)
    for content, said in ((b"BVH" * 20, "this is no forest"), (b"walkon tree", "cut short")):
        path.write_bytes(content)
        with pytest.raises(TreeError, match=rf"gone\.tree: .*{said}"):
            read_forest(path)


def described(fuzz, data: bytes, change) -> bytes:
    """A file whose header was changed by someone who knows how to seal it; arrays stay where they are."""
    header, arrays = fuzz.parts(data)
    record = json.loads(header)
    change(record)
    return fuzz.sealed(json.dumps(record, indent=1).encode().ljust(len(header)), arrays)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r["arrays"]["cells"].update(dtype="<i2"), "cells holds '<i2', expected <u2 or <u4"),
        (lambda r: r["arrays"].pop("entries"), "the arrays should be starts"),
        (lambda r: r["arrays"]["entries"].update(shape=[1]), "entry_starts do not go from 0 up to 1"),
        (lambda r: r["settings"].pop("cell"), "the settings should be"),
        (lambda r: r["settings"].update(more=1), "the settings should be"),
        (lambda r: r["settings"].update(cell=1e300), "setting cell cannot be"),
        (lambda r: r["settings"].update(rows=2.5), "setting rows cannot be '2.5'"),
        (lambda r: r["settings"].update(rows=True), "setting rows cannot be"),
        (lambda r: r["settings"].update(passes=[3]), "setting passes cannot be"),
        (lambda r: r["settings"].update(cell=0), "cells of 0.0 and 1.5 m"),
        (lambda r: r["settings"].update(rows=10**9), "a grid of 1000000000 x 16 cells"),
        (lambda r: r["settings"].update(goal_rows=0), "a grid of 0 x 2 cells"),
        (lambda r: r["settings"].update(overlap=-0.5), "grids at"),
    ],
)
def test_headers_that_lie_are_found_out(fuzz, data, change, said):
    with pytest.raises(TreeError, match=said):
        parsed(described(fuzz, data, change))


@pytest.mark.parametrize(
    ("name", "place", "value", "said"),
    [
        ("starts", 1, 9, "starts do not go"),
        ("starts", 1, 4, "one root"),
        ("parents", 2, 7, "another tree"),
        ("parents", 7, 2, "another tree"),
        ("parents", 3, 4, "costs less than its parent"),
        ("parents", 1, 2, "no later than its parent"),
        ("parents", 2, -1, "one root"),
        ("parents", 0, -2, "a root has a parent"),
        ("placements", (3, 1), np.nan, "placements has numbers that are not finite"),
        ("placements", (5, 0), 1.0, "not at"),
        ("costs", 3, np.inf, "costs has numbers"),
        ("costs", 3, 0.5, "costs less than its parent"),
        ("costs", 0, 1.0, "costs of a root"),
        ("frames", 0, 1, "frames of a root"),
        ("frames", 3, 10, "no later than its parent"),
        ("clips", 1, 3, "none of 3"),
        ("clips", 1, -1, "none of 3"),
        ("clips", 5, 0, "a root has clips"),
        ("behaviors", 5, 0, "a root has behaviors"),
        ("behaviors", 4, -1, "no behavior"),
        ("behaviors", 4, 1, "two behaviors"),
        ("numbers", 0, -1, "out of order"),
        ("numbers", 1, 10, "out of order"),
        ("point_starts", 1, 3, "watched nowhere"),
        ("point_starts", 3, 7, "point_starts do not go"),
        ("points", (0, 1), np.nan, "not finite"),
        ("cell_starts", 2, 3, "other cells than its clip"),
        ("cell_starts", 2, 2**32 - 1, "cell_starts do not go"),
        ("cells", 4, 192, "none of the 192 cells"),
        ("entry_starts", (0, 1), 5, "entry_starts do not go"),
        ("entry_starts", (0, 4), 3, "do not go on"),
        ("entry_starts", (2, 4), 9, "entry_starts do not go"),
        ("entry_starts", (0, 1), -1, "entry_starts do not go"),
        ("entries", 0, 6, "another tree"),
        ("entries", 4, 4, "another tree"),
        ("entries", 5, 8, "another tree"),
    ],
)
def test_numbers_that_lead_nowhere_are_found_out(forest, tmp_path, name, place, value, said):
    wrong = getattr(forest, name).copy()
    wrong[place] = value
    altered = replace(forest, **{name: wrong})
    with pytest.raises(TreeError, match=f"does not hold together: .*{said}"):
        check_forest(altered)
    with pytest.raises(TreeError, match=said):
        write_forest(altered, tmp_path / "a.tree")
    assert not list(tmp_path.iterdir())


def test_nodes_of_a_goal_cell_must_be_sorted(forest):
    together = np.array([[0, 4, 4, 4, 4], [4, 4, 4, 4, 4], [4, 6, 6, 6, 6]])
    check_forest(replace(forest, entry_starts=together))
    mixed = forest.entries[[1, 0, 3, 2, 4, 5]]
    check_forest(replace(forest, entries=mixed))
    with pytest.raises(TreeError, match="not sorted by cost"):
        check_forest(replace(forest, entry_starts=together, entries=mixed))


def test_arrays_of_other_lengths_are_found_out(forest):
    for name, array in forest.arrays().items():
        with pytest.raises(TreeError, match="does not hold together"):
            check_forest(replace(forest, **{name: array[:-1]}))


def test_hundreds_of_damaged_files_give_nothing_but_tree_errors_and_forests_that_can_be_walked(fuzz):
    done, good = fuzz.fuzz(count=MUTATIONS, seed=4)
    assert done == MUTATIONS
    assert 0 < good < 0.3 * MUTATIONS


def test_the_walk_of_the_fuzz_target_notices_a_wrong_index(fuzz, forest):
    for name, place, value in (("clips", 1, 9), ("entries", 0, 7), ("cells", 0, 999), ("parents", 1, 4)):
        wrong = getattr(forest, name).copy()
        wrong[place] = value
        with pytest.raises((AssertionError, ValueError)):
            fuzz.walk(replace(forest, **{name: wrong}))


@pytest.mark.parametrize("name", DECISIVE)
def test_a_graph_with_one_other_number_has_another_digest(walker, name):
    array = np.array(getattr(walker, name))
    if not array.size:
        array = np.zeros((1, *array.shape[1:]), dtype=array.dtype)
    else:
        array.reshape(-1).view(np.uint8)[0] ^= 1
    assert graph_digest(replace(walker, **{name: array})) != graph_digest(walker)


def test_equal_graphs_have_equal_digests(walker):
    copies = {name: np.array(getattr(walker, name)) for name in DECISIVE}
    assert graph_digest(replace(walker, **copies)) == graph_digest(walker)
    assert re.fullmatch("[0-9a-f]{64}", graph_digest(walker))
    assert graph_digest(replace(walker, costs=walker.costs * 2.0)) != graph_digest(walker)
    flat = replace(walker, displacements=walker.displacements.reshape(-1))
    assert graph_digest(flat) != graph_digest(walker)


def test_a_forest_fits_only_the_graph_it_was_grown_from(walker):
    forest = plant(walker, Scalable(), nodes=60, region=disc(3.0))
    check_forest(forest)
    check_origin(forest, walker)
    with pytest.raises(TreeError, match="another library"):
        check_origin(forest, replace(walker, costs=walker.costs * 2.0))
    for name, said in (("behaviors", "disagree"), ("numbers", "other clips")):
        wrong = getattr(forest, name).copy()
        wrong[-1] += 1
        with pytest.raises(TreeError, match=said):
            check_origin(replace(forest, **{name: wrong}), walker)
    more = replace(forest, starts=np.append(forest.starts, len(forest)))
    with pytest.raises(TreeError, match="not one tree for each pose"):
        check_origin(more, walker)


def test_behaviors_must_begin_where_those_before_them_end(toys):
    """Those who stand can get up to walk, those who walk can walk on; nobody walks on from standing."""
    graph = toys.make_graph(
        [
            ("start", "locomotion", "stand", "walk", (0.0, 0.5, 0.0), 8, 1.0),
            ("walk", "locomotion", "walk", "walk", (0.2, 1.0, 0.3), 10, 1.0),
        ]
    )
    forest = plant(graph, Scalable(), nodes=30, region=disc(6.0))
    check_origin(forest, graph)
    swapped = forest.clips.copy()
    (first,) = np.flatnonzero(forest.parents == 0)
    swapped[first] = 1
    with pytest.raises(TreeError, match="poses they cannot begin in"):
        check_origin(replace(forest, clips=swapped, behaviors=swapped), graph)


def test_a_forest_without_nodes_is_found_out(forest):
    nothing = {
        name: array[:0]
        for name, array in forest.arrays().items()
        if len(array) == len(forest) and name != "points"
    }
    starts = np.zeros_like(forest.starts)
    empty = replace(forest, **nothing, starts=starts, cell_starts=forest.cell_starts[:1])
    with pytest.raises(TreeError, match="there are no trees"):
        check_forest(empty)
