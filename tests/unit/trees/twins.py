"""A naive twin of looking ways up: every node of the tree, every clip of its way, one after another.

What stands still and what moves is asked of `step_is_free`; people are compared frame by frame, without leaps.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.planning import Problem
from walkon.planning.ground import compile_world, least_radius
from walkon.planning.kernels_collision import can_rest
from walkon.planning.kernels_moves import clip_chunks
from walkon.planning.kernels_tracks import others_along
from walkon.planning.moves import compile_moves
from walkon.planning.searching import others_of
from walkon.planning.steps import step_is_free
from walkon.rotations import Placement
from walkon.rotations.kernels_ground import standing


class Root(NamedTuple):
    """Where a tree was put, as `Lookup.begin` takes it."""

    world: object
    start: Placement
    pose: int
    frame: int = 0
    horizon: int = 2**40
    reservations: object = None


def off(one, other):
    """The angle between two headings, 0 to π."""
    return abs(math.atan2(math.sin(one - other), math.cos(one - other)))


class Twin:
    """All answers about one root; what was found out about a node is not asked again."""

    def __init__(self, forest, graph, root):
        self.forest, self.graph, self.root = forest, graph, root
        self.moves = compile_moves(graph, forest.seed, root.world.scene.bodies)
        self.crowded, self.people = others_of(root.reservations)
        # Everybody else is compared here, so that nothing is padded twice.
        self.problem = Problem(graph, root.world, root.start, root.pose, (), root.horizon, seed=forest.seed)
        self.known = {}
        self.nodes = range(int(forest.starts[root.pose]) + 1, int(forest.starts[root.pose + 1]))
        own = forest.placements.astype(float)
        self.places = np.column_stack([*root.start.point(own[:, 0], own[:, 1]), root.start.heading + own[:, 2]])

    def place(self, node):
        """x, z, heading of a node in the world."""
        return self.places[node]

    def frame(self, node):
        return self.root.frame + int(self.forest.frames[node])

    def met(self, clip, place, frame):
        """Whether a clip, begun at a place at a frame, comes too near to somebody: every frame is looked at."""
        moves = self.moves
        first, stop = moves.frame_starts[clip : clip + 2]
        rows = np.arange(first, stop - 1 if moves.outlined else stop)
        x, z = Placement(*place).point(*moves.circles[rows, :2].T)
        places = np.column_stack([x, z, moves.circles[rows, 2], np.full(len(rows), place[2]), np.zeros(len(rows))])
        _, around = clip_chunks(places, np.array([0, len(rows)]))
        found = np.zeros(len(self.people.alive), dtype=bool)
        tables = (rows if moves.outlined else np.full(len(rows), -1)).astype(np.int32)
        supports = moves.supports if moves.outlined else np.zeros((1, *moves.supports.shape[1:]), dtype=np.float32)
        others_along(places, tables, supports, moves.body_capsules, around, frame, self.people, found)
        return bool(found.any())

    def clip_is_free(self, node):
        forest, parent = self.forest, int(self.forest.parents[node])
        own, place, frame = int(forest.clips[node]), self.place(parent), self.frame(parent)
        clip, behavior = int(forest.numbers[own]), int(forest.behaviors[node])
        if self.moves.special[behavior] >= 0 and not len(self.root.world.solids.passes):
            return False  # nothing to be passed; step_is_free does not say so
        if not step_is_free(self.problem, self.root.world, behavior, clip, place, frame):
            return False
        return not (self.crowded and self.met(own, place, frame))

    def is_free(self, node):
        """Whether the whole way to a node is."""
        if self.forest.parents[node] < 0:
            return True
        if node not in self.known:
            self.known[node] = self.is_free(int(self.forest.parents[node])) and self.clip_is_free(node)
        return self.known[node]

    def can_stay(self, node):
        """Whether one can remain at a node until the horizon."""
        return self._remains(int(self.graph.exit[self.forest.behaviors[node]]), self.place(node), self.frame(node))

    def root_can_stay(self):
        """The same for the root."""
        x, z, heading = self.root.start.x, self.root.start.z, self.root.start.heading
        return self._remains(self.root.pose, np.array([x, z, heading]), self.root.frame)

    def _remains(self, pose, place, frame):
        if not self.graph.rests[pose]:
            return False
        ground, solids = compile_world(self.root.world, least_radius(self.moves))
        where, last = standing(*map(float, place)), min(self.root.horizon, frame + 5000)
        return can_rest(where, pose, frame, last, self.moves, ground, solids, self.people, self.crowded)

    def at_goal(self, goal):
        """The nodes where a goal is reached in time."""
        nodes = np.array(self.nodes)
        x, z, headings = self.places[nodes].T
        fits = (np.hypot(x - goal.x, z - goal.z) <= goal.tolerance) & (
            self.root.frame + self.forest.frames[nodes] <= self.root.horizon
        )
        if goal.heading is not None:
            turns = headings - goal.heading
            fits &= np.abs(np.arctan2(np.sin(turns), np.cos(turns))) <= goal.heading_tolerance
        return nodes[fits].tolist()

    def total(self, node, ahead=None, rate=1.0, turning=1.0):
        """What counts: the cost, and what is left to a place x, z ahead: metres, and radians off the direction."""
        cost = float(self.forest.costs[node])
        if ahead is None:
            return cost
        x, z, heading = self.place(node).tolist()
        left_x, left_z = ahead[0] - x, ahead[1] - z
        return cost + rate * math.hypot(left_x, left_z) + turning * off(heading, math.atan2(left_x, left_z))

    def least(self, goal, *, stays=False, among=None, **onward):
        """The least of all free nodes at the goal, or infinity."""
        return min(
            (
                self.total(node, **onward)
                for node in self.at_goal(goal)
                if (among is None or node in among) and self.is_free(node) and (not stays or self.can_stay(node))
            ),
            default=math.inf,
        )
