"""What every room needs and none owns: array types, progress, frozen arrays, runs, results kept per object."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import pairwise
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
Picture = NDArray[np.uint8]

Progress = Callable[[int, int], None]
"""Called with how many parts are done, and how many there are."""

StageProgress = Callable[[str, int, int], None]
"""Called with the name of a stage, how many of its parts are done, and how many there are."""

Given = ParamSpec("Given")
Made = TypeVar("Made")


def frozen(values: ArrayLike, dtype: type = np.float64) -> NDArray[Any]:
    """A read-only, contiguous copy of `values`."""
    array = np.array(values, dtype=dtype, order="C")
    array.flags.writeable = False
    return array


def runs(flags: ArrayLike) -> list[tuple[int, int]]:
    """Where `flags` (F,) stay True: (start, stop) of every stretch, without the stop."""
    padded = np.concatenate([[False], np.asarray(flags, dtype=bool), [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def stretches(values: ArrayLike) -> list[tuple[int, int]]:
    """All of `values` (F,), cut where they change: (start, stop) of every stretch, without the stop."""
    values = np.asarray(values)
    edges = [0, *(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    return list(pairwise(edges)) if len(values) else []


def once_per_object(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Let `make(thing, *details)` run once for each thing and details, and keep what it made as long as the thing.

    Things need a weak reference and identity as their hash, as our frozen classes with `eq=False` have; details
    are hashable. What is made must not refer to its thing, or both are kept for good.
    """
    known: WeakKeyDictionary[Any, dict[tuple, Made]] = WeakKeyDictionary()

    @wraps(make)
    def remembered(*args: Given.args, **options: Given.kwargs) -> Made:
        details = (*args[1:], *sorted(options.items()))
        own = known.setdefault(args[0], {})
        if details not in own:
            own[details] = make(*args, **options)
        return own[details]

    return remembered
