"""The inputs of a model: frames of all clips, one after another, in the coordinates of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Indices
from walkon.variation._kernels_regression import BARRED

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Examples:
    """L clips of N frames in all.

    rows: (n, N) numbers of all frames. starts: (L + 1,) first frames of the clips, and N. names: (L) of the
    clips.
    """

    rows: Floats
    starts: Indices
    names: tuple[str, ...]

    @classmethod
    def of(cls, encoded: Sequence[NDArray[np.floating]], names: Sequence[str]) -> Examples:
        """Examples of clips in coordinates: (F, n) each."""
        starts = np.concatenate([[0], np.cumsum([len(values) for values in encoded])])
        rows = np.ascontiguousarray(np.concatenate(encoded).T, dtype=np.float32)
        return cls(rows, starts.astype(np.int64), tuple(names))

    def __len__(self) -> int:
        """Number of clips L."""
        return len(self.names)

    @property
    def frames(self) -> int:
        """Number of frames N."""
        return self.rows.shape[1]

    @cached_property
    def poses(self) -> Floats:
        """(N, n) the same numbers, frame by frame."""
        return np.ascontiguousarray(self.rows.T)

    def clip(self, index: int) -> Floats:
        """Poses (F, n) of one clip."""
        return self.poses[self.starts[index] : self.starts[index + 1]]

    @cached_property
    def lengths(self) -> Indices:
        """(L,) frames of the clips."""
        return np.diff(self.starts)

    @cached_property
    def bars(self) -> Floats:
        """(N,) 0, or a distance beyond all others for frames that have none before or after them."""
        bars = np.zeros(self.frames, np.float32)
        bars[self.starts[:-1]] = BARRED
        bars[self.starts[1:] - 1] = BARRED
        return bars

    @cached_property
    def bars_without(self) -> Floats:
        """(L, N) the same, each time with all of one clip barred; the only clip bars no more than its ends."""
        bars = np.tile(self.bars, (len(self), 1))
        if len(self) > 1:
            for clip in range(len(self)):
                bars[clip, self.starts[clip] : self.starts[clip + 1]] = BARRED
        return bars

    @cached_property
    def tempos(self) -> Floats:
        """(n,) what a squared difference of changes counts beside one of values: as if both spread alike."""
        changes = np.concatenate([np.diff(self.clip(clip), axis=0) for clip in range(len(self))])
        return (1.0 / np.maximum(changes.std(axis=0), 1e-2) ** 2).astype(np.float32)
