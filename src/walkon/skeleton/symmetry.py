"""Left and right: which joint is the mirror image of which."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from walkon.skeleton.naming import named_sides
from walkon.skeleton.skeleton import Skeleton

MAX_MISMATCH = 0.15
"""Two branches mirror each other when their bone lengths differ by less than this share."""

MIN_ALIGNMENT = 0.7
"""Cosine between a pair's left-to-right direction and the body's for the pair to count as left and right."""

MAX_SIBLINGS = 32
"""A joint with more nameless children than this is no body part, and its children stay unpaired."""


def mirror_pairs(skeleton: Skeleton) -> NDArray[np.int64]:
    """The mirror image (J,) of every joint: an involution; joints on the midline map to themselves.

    Names decide where they speak (LeftFoot and RightFoot, lfemur and rfemur, foot.L and foot.R); elsewhere two
    branches of one joint are a pair when they have the same shape, and lie on two sides of the rest pose.
    """
    twins = np.full(len(skeleton), -1, dtype=np.int64)
    for joint, (twin, _) in named_sides(skeleton.names).items():
        if joint and twin:  # a root has no mirror image, whatever its name
            twins[joint] = twin
    branches = _Branches(skeleton)
    axis = _lateral_axis(branches, twins)
    for joint in range(len(skeleton)):
        if twins[joint] < 0:
            twins[joint] = joint
        if joint <= twins[joint]:
            _pair_children(branches, twins, joint, axis)
    return twins


class _Branches:
    """Every joint's branch (itself and all below) as a slice of one ordering, alike branches ordered alike."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        count = len(skeleton)
        self._kinds = np.zeros(count, dtype=np.int64)
        sizes, reach = np.ones(count, dtype=np.int64), skeleton.lengths.copy()
        known: dict[tuple[int, ...], int] = {}
        for joint in range(count - 1, -1, -1):
            kids = skeleton.children[joint]
            kinds = tuple(sorted(int(self._kinds[kid]) for kid in kids))
            self._kinds[joint] = known.setdefault(kinds, len(known))
            sizes[joint] += sum(sizes[kid] for kid in kids)
            reach[joint] += sum(reach[kid] for kid in kids)
        self._starts = np.zeros(count, dtype=np.int64)
        for joint in range(count):
            place = self._starts[joint] + 1
            for kid in sorted(skeleton.children[joint], key=lambda kid: (self._kinds[kid], reach[kid])):
                self._starts[kid] = place
                place += sizes[kid]
        self._stops = self._starts + sizes
        self._lengths = skeleton.lengths[np.argsort(self._starts)]

    def mismatch(self, a: int, b: int) -> float:
        """Share by which the bone lengths of two branches differ; infinite when their trees do."""
        if self._kinds[a] != self._kinds[b]:
            return np.inf
        ours = self._lengths[self._starts[a] : self._stops[a]]
        theirs = self._lengths[self._starts[b] : self._stops[b]]
        total = 0.5 * float(ours.sum() + theirs.sum())
        return float(np.abs(ours - theirs).sum()) / total if total > 0 else 0.0

    def apart(self, a: int, b: int) -> NDArray[np.float64]:
        """Vector (3,) [m] from where branch b leaves the joint it shares with branch a to where a does.

        It is taken in the frame of the shared joint, the only one that rigs with odd local axes agree in.
        """
        return self._first_bone(a) - self._first_bone(b)

    def _first_bone(self, joint: int) -> NDArray[np.float64]:
        while not self.skeleton.offsets[joint].any() and self.skeleton.children[joint]:
            joint = self.skeleton.children[joint][0]
        return self.skeleton.offsets[joint]


def _pair_children(branches: _Branches, twins: NDArray[np.int64], joint: int, axis: NDArray[np.float64]) -> None:
    """Give the children of a joint and of its twin their own twins, cheapest pairs first."""
    twin = int(twins[joint])
    ours = [kid for kid in branches.skeleton.children[joint] if twins[kid] < 0]
    theirs = [kid for kid in branches.skeleton.children[twin] if twins[kid] < 0]
    if max(len(ours), len(theirs)) > MAX_SIBLINGS:
        return
    if twin == joint:
        candidates = [(a, b) for a, b in combinations(ours, 2) if _lies_across(branches, a, b, axis)]
        limit = MAX_MISMATCH
    else:
        # Within limbs that are twins already only the tree must agree: measured fingers differ by a third.
        candidates = list(product(ours, theirs))
        limit = np.inf
    for mismatch, a, b in sorted((branches.mismatch(a, b), a, b) for a, b in candidates):
        if mismatch < limit and twins[a] < 0 and twins[b] < 0:
            twins[a], twins[b] = b, a


def _lies_across(branches: _Branches, a: int, b: int, axis: NDArray[np.float64]) -> bool:
    """Whether two branches lie on either side of the midline, or the rest pose cannot tell."""
    apart = branches.apart(a, b)
    distance = float(np.linalg.norm(apart))
    cannot_tell = distance < 1e-3 * branches.skeleton.size or not axis.any()
    return cannot_tell or abs(float(apart @ axis)) > MIN_ALIGNMENT * distance


def _lateral_axis(branches: _Branches, twins: NDArray[np.int64]) -> NDArray[np.float64]:
    """The unit direction (3,) from one side of the rest pose to the other; zero when nothing tells it.

    Every pair of like branches votes with its distance; where names speak, only named pairs do.
    """
    named, shaped = np.zeros((3, 3)), np.zeros((3, 3))
    for kids in branches.skeleton.children:
        for a, b in combinations(kids[:MAX_SIBLINGS], 2):
            apart = branches.apart(a, b)
            if twins[a] == b:
                named += np.outer(apart, apart)
            elif twins[a] < 0 and twins[b] < 0 and branches.mismatch(a, b) < MAX_MISMATCH:
                shaped += np.outer(apart, apart)
    votes = named if named.any() else shaped
    return np.linalg.eigh(votes)[1][:, -1] if votes.any() else np.zeros(3)
