"""Which contacts hold a joint still: a foot also rolls on and off the ground, and is then not to be held."""

from __future__ import annotations

from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from walkon.basics import Array, Flags, runs
from walkon.graphs.corpus import Corpus

STEADY = 0.15
"""Speed [m/s] up to which a joint on the ground stands; beyond it rolls, as an ankle does over its heel."""

SHAKE = 0.1
"""Seconds for which a standing joint may be faster than that without having rolled on …"""

SHIFT = 0.015
"""… if it gets no further [m] meanwhile: markers shake."""


def standing_joints(corpus: Corpus) -> Flags:
    """Joints (N, K), of those that `corpus.contacts` names, that stand still on the ground; computed once.

    A subset of the contacts: frames in which the joint rolls on or off the ground are left out.
    """
    known = _known.get(corpus)
    if known is None:
        known = _known[corpus] = _find_standing(corpus)
        known.flags.writeable = False
    return known


_known: WeakKeyDictionary[Corpus, Flags] = WeakKeyDictionary()


def _find_standing(corpus: Corpus) -> Flags:
    library, contacts = corpus.library, corpus.contacts
    standing = np.zeros_like(contacts.planted)
    for column, name in enumerate(contacts.joints):
        joint = library.skeleton.index(name)
        for start, stop in zip(library.starts, library.stops, strict=True):
            path = library.positions[start:stop, joint]
            standing[start:stop, column] = steady_frames(path, contacts.planted[start:stop, column], corpus.fps)
    return standing


def steady_frames(path: Array, planted: Flags, fps: float) -> Flags:
    """Frames (F,) of those `planted` (F,) in which a joint on a path (F, 3) [m] stands."""
    if len(path) == 1:
        return planted.copy()
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    slow = steps * fps <= STEADY
    # A frame stands if the joint is slow on its way to it or from it: it has come to rest, or not yet left.
    steady = planted & (np.append(slow, False) | np.insert(slow, 0, False))
    steady[1:][steady[1:] & steady[:-1] & (steps > SHIFT)] = False
    for start, stop in runs(planted):
        _fill_shakes(path[start:stop], steady[start:stop], round(SHAKE * fps))
    return steady


def _fill_shakes(path: Array, steady: Flags, longest: int) -> None:
    """Set gaps of at most `longest` frames within one contact in which the joint got nowhere."""
    stands = runs(steady)
    for (_, leave), (back, _) in pairwise(stands):
        if back - leave <= longest and np.linalg.norm(path[back] - path[leave - 1]) <= SHIFT:
            steady[leave:back] = True
