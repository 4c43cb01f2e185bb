"""A body for any skeleton: one closed surface per capsule, rounded at both ends, that moves with the joints.

Bones that meet in a joint end in the same sphere there. However the joint bends, the spheres coincide, so the
surface never opens; that is why a bone can follow its joint rigidly and no weights need painting. Only what spans
several bones, such as the bar across the shoulders, follows two joints, one at each end, and blends with the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.export.fillets import soften
from walkon.export.round_cones import VERTICES, round_cone_triangles, round_cone_vertices, swallow
from walkon.motion import Clip
from walkon.rotations import IDENTITY, rotate
from walkon.skeleton import Body, Skeleton, build_body, forward_kinematics

BELIEVED_CHANGE = 1.0
"""A rest pose from which a capsule changes by more than its own length in the first frame is no pose of a body."""

FLAT = 1e-12
"""Triangles of less than this area [m²] are left out, such as the band between the two halves of a ball."""


@dataclass(frozen=True, eq=False)
class Skin:
    """A triangle mesh around a skeleton in its bind pose, root at the origin, and which joints move which vertex.

    bind_positions, bind_rotations: (J, 3) [m] and (J, 4), the bind pose of every joint in the world.
    positions: (V, 3) [m]. normals: (V, 3) unit, outward.
    joints, weights: (V, 2) joint indices and what each counts; a single joint is written (j, 0) and (1, 0).
    triangles: (T, 3) vertex indices, counter-clockwise seen from outside.
    reach: how far the surface gets from the bones at most [m], whatever the pose.
    """

    bind_positions: Array
    bind_rotations: Array
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    joints: NDArray[np.int64]
    weights: NDArray[np.float32]
    triangles: NDArray[np.int64]
    reach: float

    def __len__(self) -> int:
        """Number of vertices V."""
        return len(self.positions)


def build_skin(clip: Clip) -> Skin:
    """The generated body of the clip's skeleton as one mesh; it fits every clip of that skeleton."""
    body = build_body(clip.skeleton)
    bind_positions, bind_rotations = _bind_pose(clip, body)
    centres, radii = swallow(body.capsules(bind_positions), _end_radii(body))
    across = _across(body)
    mixing = across[:, None] | across | np.eye(len(body), dtype=bool)
    vertices = soften(*round_cone_vertices(centres, radii), centres, radii, mixing)
    points, normals = (each.reshape(-1, 3) for each in vertices)
    triangles = round_cone_triangles() + VERTICES * np.arange(len(body))[:, None, None]
    triangles = triangles.reshape(-1, 3)
    first, second, third = (points[corner] for corner in triangles.T)
    areas = 0.5 * np.linalg.norm(np.cross(second - first, third - first), axis=1)
    joints, weights = _influences(body)
    return Skin(
        bind_positions,
        bind_rotations,
        points.astype(np.float32),
        normals.astype(np.float32),
        joints,
        weights.astype(np.float32),
        triangles[areas > FLAT],
        _reach(clip.skeleton, bind_positions, points, joints, weights),
    )


def _bind_pose(clip: Clip, body: Body) -> tuple[Array, Array]:
    """World positions (J, 3) and rotations (J, 4) of the pose around which the body is built.

    That is the rest pose, which people expect to find, unless it is none: some rigs lay every bone along one axis.
    Then it is the first frame of the clip.
    """
    skeleton, origin = clip.skeleton, np.zeros((1, 3))
    rest = forward_kinematics(skeleton, origin, np.tile(IDENTITY, (1, len(skeleton), 1)))
    first = forward_kinematics(skeleton, origin, clip.rotations[:1])
    rest_axes, first_axes = (np.diff(body.capsules(pose[0][0]), axis=1)[:, 0] for pose in (rest, first))
    lengths = np.linalg.norm(first_axes, axis=1) + body.radii
    changes = [
        np.linalg.norm(rotate(first[1][0, carrier], rest_axes) - first_axes, axis=1) / lengths
        for carrier in _carriers(body).T
    ]
    positions, rotations = rest if np.max(changes) < BELIEVED_CHANGE else first
    return positions[0], rotations[0]


def _reach(skeleton: Skeleton, bind_positions: Array, points: Array, joints: NDArray, weights: Array) -> float:
    """How far the surface can get from the bones [m], whatever the pose.

    A joint carries its bones rigidly, and with them the vertices that follow it: these stay as far from the bones
    as they are in the bind pose. A vertex of two joints lies between where either would put it.
    """
    farthest = 0.0
    for joint in np.unique(joints[weights > 0]):
        followers = points[((joints == joint) & (weights > 0)).any(axis=1)] - bind_positions[joint]
        bones = [bind_positions[child] - bind_positions[joint] for child in skeleton.children[joint]]
        distances = [_distances_to_bone(followers, bone) for bone in bones or [np.zeros(3)]]
        farthest = max(farthest, float(np.min(distances, axis=0).max()))
    return farthest


def _distances_to_bone(points: Array, bone: Array) -> Array:
    """From points (N, 3) to the line from the origin to `bone` (3,) [m]."""
    share = np.clip(points @ bone / max(float(bone @ bone), np.finfo(float).tiny), 0.0, 1.0)
    return np.linalg.norm(points - share[:, None] * bone, axis=1)


def _end_radii(body: Body) -> Array:
    """Radii (C, 2) [m] of both ends of every capsule.

    Where bones meet they share one radius, the mean of the thickest two, so that a limb tapers smoothly. What does
    not run along a bone from joint to joint keeps its own.
    """
    parents = body.skeleton.parents
    along_bone = (parents[body.ends] == body.starts) & (body.spans == [0.0, 1.0]).all(axis=1)
    meeting: dict[int, list[float]] = {}
    for capsule in np.flatnonzero(along_bone):
        for joint in (int(body.starts[capsule]), int(body.ends[capsule])):
            meeting.setdefault(joint, []).append(float(body.radii[capsule]))
    shared = {joint: float(np.mean(sorted(radii)[-2:])) for joint, radii in meeting.items()}
    radii = np.repeat(body.radii[:, None], 2, axis=1)
    for capsule in np.flatnonzero(along_bone):
        radii[capsule] = shared[int(body.starts[capsule])], shared[int(body.ends[capsule])]
    return radii


def _across(body: Body) -> NDArray[np.bool_]:
    """Which capsules (C,) cross the body instead of running down a limb or the spine."""
    pairs = zip(body.starts.tolist(), body.ends.tolist(), strict=True)
    return np.array([start not in body.skeleton.chain(end) for start, end in pairs])


def _influences(body: Body) -> tuple[NDArray[np.int64], Array]:
    """Joints and weights (V, 2) of all vertices: each end of a capsule follows what carries it."""
    joints = np.zeros((len(body), 2, 2), dtype=np.int64)
    weights = np.zeros((len(body), 2, 2))
    for capsule, (carriers, span) in enumerate(zip(_carriers(body).tolist(), body.spans, strict=True)):
        for side, towards_end in enumerate(np.clip(span, 0.0, 1.0)):
            shares = dict.fromkeys(carriers, 0.0)
            shares[carriers[0]] += 1.0 - towards_end
            shares[carriers[1]] += towards_end
            # Joints that count nothing stay joint 0, as file formats want them.
            for slot, (joint, share) in enumerate((joint, share) for joint, share in shares.items() if share > 0):
                joints[capsule, side, slot], weights[capsule, side, slot] = joint, share
    half = VERTICES // 2
    return np.repeat(joints, half, axis=1).reshape(-1, 2), np.repeat(weights, half, axis=1).reshape(-1, 2)


def _carriers(body: Body) -> NDArray[np.int64]:
    """Joints (C, 2) that carry the two ends of every capsule.

    An end hangs on its own joint where the capsule runs on down the tree from there. Otherwise it hangs on the
    joint's parent: an arm that swings must not turn the shoulders with it.
    """

    def carrier(joint: int, other: int) -> int:
        runs_down = joint in body.skeleton.chain(other)
        return joint if runs_down or joint == 0 else int(body.skeleton.parents[joint])

    pairs = zip(body.starts.tolist(), body.ends.tolist(), strict=True)
    return np.array([(carrier(start, end), carrier(end, start)) for start, end in pairs])
