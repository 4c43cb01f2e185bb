"""Files of trajectories that nobody wrote by hand: what was put in comes out, and garbage is a TrajectoryError."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.metrics.trajectories.reading import parse_text

MUTATIONS = 1500


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script."""
    path = Path(__file__).resolve().parents[2] / "fuzz" / "fuzz_trajectories.py"
    spec = importlib.util.spec_from_file_location("fuzz_trajectories", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_seeds_are_good(fuzz):
    assert all(fuzz.read_one(seed) for seed in fuzz.seeds())


def test_damaged_files_give_nothing_but_trajectories_and_their_errors(fuzz):
    done, good = fuzz.fuzz(count=MUTATIONS, seed=8)
    assert done == MUTATIONS
    assert 0.05 * MUTATIONS < good < 0.95 * MUTATIONS


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_no_surprise(fuzz, data):
    fuzz.read_one(data)


rows = st.lists(st.tuples(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5)), min_size=1, max_size=8)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(rows, st.integers(-1000, 10**9)), min_size=1, max_size=5),
    st.sampled_from(["\t", " ", ",", ";"]),
    st.sampled_from(["\n", "\r\n"]),
    st.randoms(use_true_random=False),
)
def test_a_table_in_any_order_comes_back(people, mark, end, shuffle):
    lines = [
        mark.join([str(who), str(start + k), repr(x), repr(y), "0.5"])
        for who, (path, start) in enumerate(people)
        for k, (x, y) in enumerate(path)
    ]
    shuffle.shuffle(lines)
    text = end.join(["# framerate: 12.5 fps", "# id frame x/m y/m z/m", *lines, ""])
    found = parse_text(text.encode(), "table")
    # Nobody steps by more than one frame, so neither does the table, unless all have a single row.
    if max(len(path) for path, _ in people) > 1:
        assert found.fps == 12.5
        assert found.starts.tolist() == [start for _, start in people]
    assert found.names == tuple(map(str, range(len(people))))
    for person, (path, _) in enumerate(people):
        np.testing.assert_array_equal(found.path(person), path)
