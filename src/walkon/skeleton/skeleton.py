"""The tree of joints every clip moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import frozen
from walkon.errors import SkeletonError

MAX_JOINTS = 10_000
"""More joints than any rig has; a file that names more is broken."""

LARGEST_LENGTH = 1e12
"""[m] Of bones, and of ways: larger ones are damage. Squared and summed over all joints they must stay finite."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A tree of joints, parents before children, the root first.

    names:   J unique names.
    parents: (J,) index of each parent; -1 for the root, which is joint 0.
    offsets: (J, 3) [m] each joint in its parent's frame; the root's is where it rests.
    tips:    (J,) True for the end of a bone that has no rotation of its own (BVH's "End Site").
    """

    names: tuple[str, ...]
    parents: NDArray[np.int64]
    offsets: NDArray[np.float64]
    tips: NDArray[np.bool_]

    def __init__(
        self,
        names: Sequence[str],
        parents: ArrayLike,
        offsets: ArrayLike,
        tips: ArrayLike | None = None,
    ) -> None:
        count = len(names)
        set_field = object.__setattr__
        set_field(self, "names", tuple(names))
        set_field(self, "parents", frozen(parents, np.int64))
        set_field(self, "offsets", frozen(offsets, np.float64))
        set_field(self, "tips", frozen(np.zeros(count, bool) if tips is None else tips, np.bool_))
        self._validate()

    def _validate(self) -> None:
        count = len(self.names)
        if not 0 < count <= MAX_JOINTS:
            raise SkeletonError(f"a skeleton has 1 to {MAX_JOINTS} joints, not {count}")
        if len(set(self.names)) != count:
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise SkeletonError(f"joint names must be unique; repeated: {', '.join(twice[:5])}")
        if self.parents.shape != (count,) or self.offsets.shape != (count, 3) or self.tips.shape != (count,):
            raise SkeletonError(
                f"{count} names, but parents {self.parents.shape}, offsets {self.offsets.shape}, "
                f"tips {self.tips.shape}; expected ({count},), ({count}, 3), ({count},)"
            )
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0):
            raise SkeletonError("exactly one root, and it comes first")
        late = np.flatnonzero(self.parents >= np.arange(count))
        if len(late):
            raise SkeletonError(f"joint {self.names[late[0]]!r} comes before its parent")
        if not np.all(np.abs(self.offsets) <= LARGEST_LENGTH):
            raise SkeletonError(f"offsets must be finite, and at most {LARGEST_LENGTH:g} m")
        if np.any(self.tips[self.parents[1:]]):
            raise SkeletonError("a tip ends its chain: it has no children")

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Skeleton({len(self)} joints, root {self.names[0]!r})"

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For every joint the indices of its children, in order."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents[1:], start=1):
            lists[parent].append(joint)
        return tuple(tuple(kids) for kids in lists)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Index of the joint called `name`."""
        try:
            return self._index[name]
        except KeyError:
            raise SkeletonError(f"no joint {name!r}; there are: {', '.join(self.names)}") from None

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Bone length (J,) [m] from each joint's parent to it; 0 for the root."""
        lengths = np.linalg.norm(self.offsets, axis=1)
        lengths[0] = 0.0
        return lengths

    @cached_property
    def rest_positions(self) -> NDArray[np.float64]:
        """Joint positions (J, 3) [m] with every rotation zero and the root at the origin."""
        positions = np.zeros((len(self), 3))
        for joint in range(1, len(self)):
            positions[joint] = positions[self.parents[joint]] + self.offsets[joint]
        return positions

    @cached_property
    def size(self) -> float:
        """Longest path between two joints along the bones [m]: a pose-free measure of stature."""
        down = np.zeros(len(self))
        longest = 0.0
        for joint in range(len(self) - 1, 0, -1):
            parent, reach = self.parents[joint], down[joint] + self.lengths[joint]
            longest = max(longest, down[parent] + reach)
            down[parent] = max(down[parent], reach)
        return float(longest)

    def chain(self, joint: int) -> list[int]:
        """Indices from the root down to `joint`, both included."""
        path = [joint]
        while self.parents[path[-1]] >= 0:
            path.append(int(self.parents[path[-1]]))
        return path[::-1]

    def scaled(self, factor: float) -> Skeleton:
        """The same skeleton with every offset multiplied by `factor`."""
        return Skeleton(self.names, self.parents, self.offsets * factor, self.tips)

    def same_topology(self, other: Skeleton) -> bool:
        """Whether names and parents agree, whatever the proportions."""
        return self.names == other.names and np.array_equal(self.parents, other.parents)

    def matches(self, other: Skeleton, tolerance: float = 1e-6) -> bool:
        """Whether topology agrees, and the offsets do to `tolerance` [m]."""
        return self is other or (
            self.same_topology(other) and bool(np.allclose(self.offsets, other.offsets, rtol=0, atol=tolerance))
        )
