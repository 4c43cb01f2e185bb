"""Whatever is done to a take file, a take or a TakeError comes out; whatever the take, it comes back whole."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from walkon.errors import TakeError
from walkon.take.arrays import ArrayWriter, parse_array
from walkon.take.file import parse_take, take_bytes
from walkon.world import Goal

MUTATIONS = 800

numbers = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(st.characters(codec="utf-8"), max_size=12)


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script."""
    path = Path(__file__).resolve().parents[2] / "fuzz" / "fuzz_takes.py"
    spec = importlib.util.spec_from_file_location("fuzz_takes", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_hundreds_of_damaged_files_give_nothing_but_takes_and_take_errors(fuzz):
    done, good = fuzz.fuzz(count=MUTATIONS, seed=4)
    assert done == MUTATIONS
    assert 0 < good < 0.1 * MUTATIONS


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_give_a_take_error(fuzz, data):
    assert not fuzz.read_one(data)
    assert not fuzz.read_one(b"PK\x03\x04" + data)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_byte_can_change_unnoticed(fuzz, data):
    whole = take_bytes(fuzz.seed_take())
    place = data.draw(st.integers(0, len(whole) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    with pytest.raises(TakeError):
        parse_take(whole[:place] + bytes([value]) + whole[place + 1 :])


@settings(max_examples=60, deadline=None)
@given(name=names, seed=st.integers(-(2**53), 2**53), x=numbers, heading=st.none() | numbers, weight=numbers)
def test_names_and_numbers_come_back_exactly(fuzz, name, seed, x, heading, weight):
    take = fuzz.seed_take()
    ann = replace(take.scene.characters[0], goals=(Goal(x, -x, heading=heading),), weights={name: weight})
    scene = replace(take.scene, name=name, characters=(ann, take.scene.characters[1]))
    again = parse_take(take_bytes(replace(take, scene=scene, seed=seed, planner=name)))
    assert again.scene.name == again.planner == name
    assert again.seed == seed
    assert again.scene.characters[0] == ann


@settings(max_examples=100, deadline=None)
@given(
    arrays(np.float64, st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple))
    | arrays(np.int64, st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple))
    | arrays(np.bool_, st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple))
)
def test_arrays_come_back_bit_for_bit(values):
    writer = ArrayWriter()
    name = writer.add(values, values.dtype.str)
    again = parse_array(writer.members[name], name)
    assert again.dtype == values.dtype
    assert again.shape == values.shape
    assert again.tobytes() == values.tobytes()
    assert not again.flags.writeable
