"""A library from the shelf is the library that was put there; a bad shelf is no shelf."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import casts
from walkon.builtin.casts import fetch_library, make_library, shelf


@pytest.fixture(autouse=True)
def own_shelf(own_cache):
    return own_cache


@pytest.fixture(scope="module")
def horse():
    return make_library("horse", 3)


@pytest.fixture
def makings(horse, monkeypatch):
    """How often a library was made: a list with an entry each time. It is the horse whatever is asked for."""
    done = []
    monkeypatch.setattr(casts, "make_library", lambda *who: done.append(who) or horse)
    return done


def assert_same(one, other):
    assert [behavior.name for behavior in one] == [behavior.name for behavior in other]
    for ours, theirs in zip(one, other, strict=True):
        assert (ours.kind, ours.entry, ours.exit, ours.weight) == (
            theirs.kind, theirs.entry, theirs.exit, theirs.weight,
        )  # fmt: skip
        for a, b in zip(ours.clips, theirs.clips, strict=True):
            assert (a.clip.name, a.margin, a.action_time) == (b.clip.name, b.margin, b.action_time)
            assert a.clip.root_positions.tobytes() == b.clip.root_positions.tobytes()
            assert a.clip.rotations.tobytes() == b.clip.rotations.tobytes()
            np.testing.assert_array_equal(a.clip.contacts.planted, b.clip.contacts.planted)


def test_what_is_fetched_is_what_was_made_bit_for_bit(own_shelf, horse):
    made = fetch_library("horse", 3)
    assert [path.name for path in own_shelf.glob("casts-*/*")] == ["horse-3"]
    fetched = shelf.fetch("horse", 3)
    assert fetched is not None
    assert_same(fetched, made)
    assert_same(fetched, horse)
    assert shelf.fetch("horse", 4) is None


def test_a_damaged_shelf_is_made_again(own_shelf, makings):
    made = fetch_library("horse", 0)
    fetch_library("horse", 0)
    assert makings == [("horse", 0)]
    (next(own_shelf.glob("casts-*")) / "horse-0" / "library.toml").write_text("version = 99")
    assert shelf.fetch("horse", 0) is None
    assert_same(fetch_library("horse", 0), made)
    assert len(makings) == 2
    assert shelf.fetch("horse", 0) is not None


def test_a_shelf_that_cannot_be_written_or_is_off_is_no_error(tmp_path, monkeypatch, makings):
    (tmp_path / "file").write_text("a file where the folder should be")
    for cache in (str(tmp_path / "file"), "off"):
        monkeypatch.setenv("WALKON_CACHE", cache)
        assert len(fetch_library("horse", 0)) == 5
        assert shelf.fetch("horse", 0) is None
    assert len(makings) == 2


def test_the_longest_unused_goes_first(own_shelf, monkeypatch, horse):
    import os

    monkeypatch.setattr(shelf, "MOST_LIBRARIES", 2)
    for seed in range(3):
        shelf.keep(horse, "horse", seed)
        for path in own_shelf.glob(f"casts-*/horse-{seed}"):
            os.utime(path, (1000 + seed, 1000 + seed))
    assert sorted(path.name for path in own_shelf.glob("casts-*/*")) == ["horse-1", "horse-2"]
