"""The scene as planners see it: distances to what stands still, and solids for what moves or can be passed."""

from __future__ import annotations

from dataclasses import dataclass

from walkon.basics import Array, Indices
from walkon.world.scene import Scene
from walkon.world.slopes import ADULT, Footing, Slopes


@dataclass(frozen=True, eq=False)
class Gridmap:
    """Values at the vertices of a grid over the ground, bilinear in between.

    origin_x, origin_z [m]: the first vertex. cell [m]: spacing. values (Nz, Nx): rows along z.
    """

    origin_x: float
    origin_z: float
    cell: float
    values: Array


@dataclass(frozen=True, eq=False)
class Solids:
    """E(t): obstacles that move or that can be passed, as upright convex prisms with rounded outlines, in frames.

    K solids, S = sum of their frames. An obstacle that is not convex becomes several solids.

    obstacle: (K,) which obstacle of the scene it is of. passes: (K,) bit i is set where PASSES[i] may pass it.
    starts: (K + 1,) solid k has the frames starts[k] to starts[k + 1], one if it stands still; after the last of
        them it stays as it is.
    corners: (S, HULL_CORNERS, 2) x, z of the outline's convex hull, counter-clockwise (turning from x to z).
        sizes: (S,) how many count; 1 for a disc, 2 for a stadium. rounding: (S,) [m] around that hull.
        The outline holds the obstacle from half a frame before to half a frame after. Only what lies between the
        ground and 2.3 m above it counts; at frames when nothing does, it is a point a thousand kilometres away.
    bottom, top: (S,) [m] above the ground where it stands.
    discs: (S, 3) x, z, radius of a circle around it all.
    near: (K,) [m] how far from the outline a special behavior may begin. within: (K,) [m] how far from the outline
        the body may be when its action happens.
    """

    obstacle: Indices
    passes: Indices
    starts: Indices
    corners: Array
    sizes: Indices
    rounding: Array
    bottom: Array
    top: Array
    discs: Array
    near: Array
    within: Array


@dataclass(frozen=True, eq=False)
class World:
    """A scene compiled for planning.

    clearance: exact distance [m] at every vertex to the nearest obstacle that stands still and cannot be passed,
    or to the edge of the bounds; negative inside, and cut off at 3 m (`CLEARANCE_REACH`; at four cells where
    these are large). It is 1-Lipschitz, as distances are. Where obstacles overlap it is the depth in the deepest
    one. Sampled between vertices it exceeds the truth by `sampling_error` at most. Tilted cylinders are drawn
    around, balls count with their full radius, and on a slope heights count from the highest and the lowest
    ground around an obstacle: never less than there is. heights: of the ground [m]. solids: the rest of the
    obstacles. frames: from which on nothing moves any more.

    footing: what people there can do on slopes. slopes: on ground that is not level, what is too steep, and how
    much room bodies need besides their circles; None if it is level. Both are in clearance and in the outlines of
    solids; whoever keeps people apart asks `slope_room`.
    """

    scene: Scene
    clearance: Gridmap
    heights: Gridmap
    solids: Solids
    frames: int
    footing: Footing = ADULT
    slopes: Slopes | None = None

    @property
    def moves(self) -> bool:
        """Whether anything in it ever moves."""
        return self.frames > 1
