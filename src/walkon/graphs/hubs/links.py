"""Linked poses: where feet stay planted all the way from one hub to the next, both must stand on them alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.graphs.hubs.moments import BodyMoments, legs_of
from walkon.graphs.hubs.poses import foot_joints, pose_clip, put_feet
from walkon.rotations import Placement
from walkon.skeleton import Skeleton

LEAST_SPREAD = 0.01
"""[m] Points nearer than this to their middle do not tell a direction."""

Link = tuple[int, int, Sequence[int]]
"""Two hubs, and the feet that stay planted on the way from one to the other."""


def linked_classes(hubs: int, links: Sequence[Link]) -> list[tuple[list[int], list[int]]]:
    """Hubs that are linked by several feet, directly or through others, and those feet; classes of one left out.

    One foot is rigid, and fits wherever it stands; two have a distance between them.
    """
    class_of = list(range(hubs))
    firm = [link for link in links if len(link[2]) > 1 and link[0] != link[1]]
    for one, other, _ in firm:
        old, new = class_of[other], class_of[one]
        class_of = [new if found == old else found for found in class_of]
    classes = []
    for name in sorted(set(class_of)):
        members = [hub for hub in range(hubs) if class_of[hub] == name]
        if len(members) > 1:
            feet = sorted({foot for one, _, feet in firm if one in members for foot in feet})
            classes.append((members, feet))
    return classes


def match_feet(
    skeleton: Skeleton, fps: float, moments: Sequence[BodyMoments], feet: Sequence[int], heights: dict[int, float]
) -> list[BodyMoments]:
    """Moments that all stand on the same feet, with these in the same places as seen from each other.

    The places are seen along the line from the first foot to the last, with its middle as the origin: distances
    and directions there become the mean of all. heights: [m] of joints that rest on the ground, where known.
    """
    legs = [legs_of(skeleton)[foot][0] for foot in feet]
    seen = []
    for moment in moments:
        positions = pose_clip(skeleton, fps, moment).positions[0]
        ends = np.array([[positions[joint] for joint in foot_joints(foot)] for foot in legs])
        seen.append(_along_line(ends))
    centers = np.mean([found[1] for found in seen], axis=0)
    turns = np.angle(np.mean([np.exp(1j * found[2]) for found in seen], axis=0))
    adjusted = []
    for moment, (frame, _, _) in zip(moments, seen, strict=True):
        positions = pose_clip(skeleton, fps, moment).positions[0]
        goals = {}
        for foot, center, turn in zip(legs, centers, turns, strict=True):
            joints = foot_joints(foot)
            length = np.linalg.norm((positions[joints[1]] - positions[joints[0]])[[0, 2]])
            for joint, side in zip(joints, (-0.5, 0.5), strict=True):
                away = Placement(center[0], center[1], turn).point(0.0, side * length)
                x, z = frame.point(*away)
                goals[joint] = np.array([x, heights.get(joint, positions[joint, 1]), z])
        adjusted.append(put_feet(skeleton, fps, moment, goals))
    return adjusted


def _along_line(ends: Array) -> tuple[Placement, Array, Array]:
    """The frame of the line between feet, and in it centres (L, 2) [m] and directions (L,) [rad] of the feet.

    ends: (L, 2, 3) [m] heel and ball of every foot.
    """
    centers = ends.mean(axis=1)[:, [0, 2]]
    line, (x, z) = centers[-1] - centers[0], centers.mean(axis=0)
    frame = Placement(float(x), float(z), float(np.arctan2(line[0], line[1])))
    inside = np.stack(frame.inverse().point(centers[:, 0], centers[:, 1]), axis=1)
    forward = ends[:, 1] - ends[:, 0]
    return frame, inside, np.arctan2(forward[:, 0], forward[:, 2]) - frame.heading


def fit_points(fixed: Array, moving: Array, firm: Array, placement: Placement) -> Placement:
    """The placement that carries points `moving` (N, 2) [m] onto `fixed` as well as can be.

    firm: (N,) 0 to 1, how much each of them counts; if the firmest is not quite 1, the given `placement` counts
    for the rest. A single point, or several at one spot, leave its heading as it is there.
    """
    if not np.any(firm > 0):
        return placement
    weights = (firm / firm.sum())[:, None]
    middles = np.sum(weights * fixed, axis=0), np.sum(weights * moving, axis=0)
    a, b = fixed - middles[0], moving - middles[1]
    turn = 0.0
    if np.abs(b).max() > LEAST_SPREAD:
        sine = np.sum(weights[:, 0] * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
        heading = np.arctan2(sine, np.sum(weights * a * b))
        turn = float(np.angle(np.exp(1j * (heading - placement.heading)))) * float(firm.max())
    heading = placement.heading + turn
    # As far as it is not firm, the middle of the points stays where the given placement has it.
    loose = np.array(placement.point(*middles[1]))
    middle = loose + float(firm.max()) * (middles[0] - loose)
    x, z = Placement(0.0, 0.0, heading).point(*middles[1])
    return Placement(float(middle[0] - x), float(middle[1] - z), heading)
