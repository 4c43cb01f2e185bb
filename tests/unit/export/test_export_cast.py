from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ExportError
from walkon.export.cast import as_cast, character_colour, group_by_skeleton, unique_names


def test_one_clip_is_a_cast_of_one(clip):
    assert as_cast(clip) == (clip,)
    assert as_cast([clip, clip]) == (clip, clip)


def test_nobody_is_no_cast():
    with pytest.raises(ExportError, match="no clip"):
        as_cast([])


def test_a_cast_shares_one_rate(clip):
    with pytest.raises(ExportError, match="24 Hz"):
        as_cast([clip, clip.with_changes(fps=24.0, name="slow")])


def test_names_become_unique_whatever_is_there_already():
    assert unique_names(["a", "a", "b", "a_2", "a"]) == ["a", "a_2", "b", "a_2_2", "a_3"]
    assert unique_names(["a"], taken=["a"], separator=".") == ["a.2"]


def test_clips_are_grouped_by_equal_skeletons(clip, swing):
    same = swing(clip.skeleton.scaled(1.0), seed=2)
    tall = swing(clip.skeleton.scaled(1.1), seed=3)
    firsts, groups = group_by_skeleton([clip, tall, same])
    assert firsts == [clip, tall]
    assert groups == [0, 1, 0]


def test_neighbours_differ_in_colour():
    colours = np.array([character_colour(index) for index in range(40)])
    assert ((colours >= 0) & (colours <= 1)).all()
    assert np.abs(np.diff(colours, axis=0)).max(axis=1).min() > 0.1
    assert len(np.unique(colours.round(4), axis=0)) == 40
