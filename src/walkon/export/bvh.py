"""Biovision hierarchy: one character a file, hierarchy and motion as text.

Position channels replace a joint's OFFSET, as Blender and most recordings have it; some readers add the two, so
the root's OFFSET is written as zero, which suits both. Joints come in depth-first order, as the format demands. A
tip is an End Site and so loses its name, and one whose bone stretches becomes a joint. A leaf that is no tip is
written without an End Site: reading the file back gives the same joints, none of them made up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ExportError
from walkon.export._kernels import continuous_euler
from walkon.export.cast import the_only, unique_names
from walkon.files import write_text
from walkon.motion import Clip
from walkon.motion.readers.units import UNITS
from walkon.skeleton import Skeleton

STRETCH_TOLERANCE = 1e-7
"""A bone whose offset varies less than this [m] needs no position channels."""

MAX_PRECISION = 15


def write_bvh(
    path: Path | str, clips: Clip | Sequence[Clip], *, units: str = "m", order: str = "ZYX", precision: int = 6
) -> None:
    """Write one character as BVH text; a sequence of clips must hold just one.

    units: what one unit of the file is, by name: "m", "cm", "in" and what else the reader knows.
    order: the axes of the rotation channels, "ZYX" being the matrix product Rz·Ry·Rx.
    precision: decimals of every number; 6 keeps joints within 1e-5 m.
    """
    clip = the_only(clips, "bvh")
    if units not in UNITS:
        raise ExportError(f"unknown unit {units!r}; valid are: {', '.join(UNITS)}")
    if sorted(order.upper()) != ["X", "Y", "Z"]:
        raise ExportError(f"a rotation order names X, Y and Z once each, like 'ZYX', not {order!r}")
    if not 1 <= precision <= MAX_PRECISION:
        raise ExportError(f"precision is 1 to {MAX_PRECISION} decimals, not {precision}")
    scale, order = 1.0 / UNITS[units], order.upper()
    joints = depth_first(clip.skeleton)
    offsets, moved = _rest_offsets(clip)
    hierarchy = _hierarchy(clip.skeleton, joints, offsets * scale, moved, order, precision)
    rows = _rows(_channel_values(clip, joints, moved, scale, order), precision)
    motion = ["MOTION", f"Frames: {len(clip)}", f"Frame Time: {1.0 / clip.fps!r}"]
    write_text(path, "\n".join([*hierarchy, *motion, *rows, ""]))


def depth_first(skeleton: Skeleton) -> list[int]:
    """Joint indices in the order in which a BVH file lists them: each followed by all that hangs from it."""
    order, waiting = [], [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(skeleton.children[joint]))
    return order


def _rest_offsets(clip: Clip) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """OFFSET (J, 3) [m] of every joint, and which joints (J,) need position channels besides.

    Those are the root and the ends of bones that stretch; a bone of another length that keeps it needs none.
    """
    offsets, moved = clip.skeleton.offsets.copy(), np.zeros(len(clip.skeleton), dtype=bool)
    if clip.bone_offsets is not None:
        moved = np.ptp(clip.bone_offsets, axis=0).max(axis=1) > STRETCH_TOLERANCE
        offsets = np.where(moved[:, None], offsets, clip.bone_offsets[0])
    offsets[0], moved[0] = 0.0, True
    return offsets, moved


def _hierarchy(
    skeleton: Skeleton,
    joints: list[int],
    offsets: NDArray[np.float64],
    moved: NDArray[np.bool_],
    order: str,
    precision: int,
) -> list[str]:
    """Lines of the HIERARCHY block; offsets (J, 3) are in file units."""
    names = _file_names(skeleton)
    depths = np.zeros(len(skeleton), dtype=int)
    lines = ["HIERARCHY"]
    depth = 0
    for joint in joints:
        depths[joint] = 0 if joint == 0 else depths[skeleton.parents[joint]] + 1
        lines.extend("\t" * level + "}" for level in range(depth - 1, depths[joint] - 1, -1))
        indent, depth = "\t" * depths[joint], depths[joint] + 1
        rotates = not skeleton.tips[joint]
        title = f"{'JOINT' if joint else 'ROOT'} {names[joint]}" if rotates or moved[joint] else "End Site"
        offset = " ".join(f"{value:.{precision}f}" for value in offsets[joint])
        lines += [f"{indent}{title}", f"{indent}{{", f"{indent}\tOFFSET {offset}"]
        channels = [f"{axis}position" for axis in "XYZ" if moved[joint]]
        channels += [f"{axis}rotation" for axis in order if rotates]
        if channels:
            lines.append(f"{indent}\tCHANNELS {len(channels)} {' '.join(channels)}")
    lines.extend("\t" * level + "}" for level in range(depth - 1, -1, -1))
    return lines


def _file_names(skeleton: Skeleton) -> list[str]:
    """Joint names that survive a line-based text file: no line breaks, no braces, never empty, still unique."""
    cleaned = (re.sub(r"[{}\x00-\x1f\x7f-\x9f]", " ", name).strip() for name in skeleton.names)
    return unique_names(name or "joint" for name in cleaned)


def _channel_values(
    clip: Clip, joints: list[int], moved: NDArray[np.bool_], scale: float, order: str
) -> NDArray[np.float64]:
    """Every channel (F, channels) in file order: file units and degrees."""
    offsets = clip.skeleton.offsets if clip.bone_offsets is None else clip.bone_offsets
    offsets = np.broadcast_to(offsets, (len(clip), len(clip.skeleton), 3))
    angles = np.degrees(euler_curves(clip.rotations, order))
    columns = []
    for joint in joints:
        if moved[joint]:
            columns.append(scale * (offsets[:, joint] if joint else clip.root_positions))
        if not clip.skeleton.tips[joint]:
            columns.append(angles[:, joint])
    return np.concatenate(columns, axis=1)


def euler_curves(rotations: NDArray[np.float64], order: str) -> NDArray[np.float64]:
    """Angles (F, J, 3) [rad] of rotations (F, J, 4) about the axes in `order`, continuous over the frames."""
    i, j, k = ("XYZ".index(letter) for letter in order)
    angles = np.empty((*rotations.shape[:2], 3))
    continuous_euler(rotations, i, j, k, 1.0 if (j - i) % 3 == 1 else -1.0, angles)
    return angles


def _rows(values: NDArray[np.float64], precision: int) -> list[str]:
    """One line of text per frame."""
    row_format = " ".join([f"%.{precision}f"] * values.shape[1])
    # Adding 0.0 turns the -0.0 that rounding leaves into 0.0.
    return [row_format % tuple(row) for row in (np.round(values, precision) + 0.0).tolist()]
