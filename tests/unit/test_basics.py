"""The few things every room uses: runs and stretches against loops, frozen arrays, results kept per object."""

from __future__ import annotations

import gc
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkon.basics import frozen, once_per_object, runs, stretches


@given(st.lists(st.booleans()))
def test_runs_are_where_flags_stay_true(flags):
    expected, at = [], 0
    for flag, group in groupby(flags):
        length = len(list(group))
        if flag:
            expected.append((at, at + length))
        at += length
    assert runs(np.array(flags, dtype=bool)) == expected


@given(st.lists(st.integers(0, 2)))
def test_stretches_cover_everything_and_change_at_their_ends(values):
    found = stretches(np.array(values, dtype=np.int64))
    assert [i for start, stop in found for i in range(start, stop)] == list(range(len(values)))
    assert all(len(set(values[start:stop])) == 1 for start, stop in found)
    assert all(values[start - 1] != values[start] for start, _ in found[1:])


def test_frozen_arrays_are_copies_that_nobody_can_change():
    values = np.arange(3.0)
    kept = frozen(values)
    values[0] = 9.0
    assert kept.tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 1.0
    assert frozen([1, 2], np.int64).dtype == np.int64


class _Thing:
    pass


def test_results_are_made_once_for_each_object_and_details_and_go_with_the_object():
    made = []

    @once_per_object
    def double(thing, factor=2):
        made.append(factor)
        return [factor]

    first, second = _Thing(), _Thing()
    assert double(first) is double(first)
    assert double(first) is not double(second)
    assert double(first, 3) is double(first, 3)
    assert made == [2, 2, 3]
    del first
    gc.collect()
    third = _Thing()
    double(third)
    assert made == [2, 2, 3, 2]
