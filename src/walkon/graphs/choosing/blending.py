"""Blends: the end of one piece of a recording mixed into the beginning of another, which is moved to meet it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Flags, Indices
from walkon.graphs.choosing import _kernels_blending as _kernels
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions, blend_weights


class Blends(NamedTuple):
    """T blends of `window` frames, where the recordings of their sources are.

    rotations: (T, window, J, 4) local. roots: (T, window, 3) [m]. planted: (T, window, K) the source's contacts in
    the first half, the target's in the second.
    """

    rotations: Array
    roots: Array
    planted: Flags


class Mixture(NamedTuple):
    """F frames, each a row of the corpus, carried to its place, mixed with another, carried to its own.

    rows_a, rows_b: (F,). shares: (F,) of row a. places_a, places_b: (F, 3) x, z [m] and heading [rad].
    """

    rows_a: Indices
    rows_b: Indices
    shares: Array
    places_a: Array
    places_b: Array

    @property
    def leading(self) -> Indices:
        """The row (F,) whose contacts count: a's in the first half of a blend, b's in the second."""
        return np.where(self.shares >= 0.5, self.rows_a, self.rows_b)


def blend(corpus: Corpus, transitions: Transitions, which: NDArray | None = None) -> Blends:
    """The blended frames of transitions, all or those with these numbers.

    Root positions go straight over, rotations along the shortest arc, by shares that begin and end gently
    (equations 5 to 7 of Kovar, Gleicher and Pighin 2002).
    """
    numbers = np.arange(len(transitions)) if which is None else np.arange(len(transitions))[which]
    window = transitions.window
    mixture = mixture_of(transitions, numbers)
    rotations, roots = mix(corpus, mixture)
    planted = corpus.contacts.planted[mixture.leading]
    return Blends(
        rotations.reshape(len(numbers), window, -1, 4),
        roots.reshape(len(numbers), window, 3),
        planted.reshape(len(numbers), window, -1),
    )


def mixture_of(transitions: Transitions, numbers: Indices) -> Mixture:
    """What the blended frames of transitions with these numbers (T,) are mixed of, one after another."""
    window = transitions.window
    steps = np.arange(window)
    return Mixture(
        rows_a=(transitions.sources[numbers, None] + 1 + steps).ravel(),
        rows_b=(transitions.targets[numbers, None] - window + 1 + steps).ravel(),
        shares=np.tile(blend_weights(window), len(numbers)),
        places_a=np.zeros((len(numbers) * window, 3)),
        places_b=np.repeat(transitions.alignments[numbers], window, axis=0),
    )


def mix(corpus: Corpus, mixture: Mixture) -> tuple[Array, Array]:
    """Local rotations (F, J, 4) and root positions (F, 3) [m] of a mixture."""
    library = corpus.library
    rotations = np.empty((len(mixture.shares), len(library.skeleton), 4))
    roots = np.empty((len(mixture.shares), 3))
    _kernels.mix_rows(library.rotations, library.root_positions, *mixture, rotations, roots)
    return rotations, roots
