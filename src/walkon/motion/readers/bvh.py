"""BVH files: a hierarchy of joints with channels, then one row of numbers per frame.

Conventions followed, where the format leaves room:
- Rotation channels compose in the order given: "Zrotation Yrotation Xrotation" is the product Rz·Ry·Rx.
- Position channels replace the joint's OFFSET, axis by axis, as Blender does. Two kinds of file mean a
  displacement from the OFFSET instead, and are recognised: a joint whose position channels are zero
  throughout although its OFFSET is not, and a root that would sink into the ground where adding its OFFSET
  puts the feet on it.
- An End Site called after its parent, "LeftToe_end", becomes an ordinary joint at the end of the chain.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion.readers._kernels import DONE, HARD_TOKEN, SHORT_ROW, scan_rows, turn_by_channels
from walkon.motion.readers.assembly import build_recording
from walkon.motion.readers.bvh_hierarchy import Channel, Hierarchy, parse_hierarchy
from walkon.motion.readers.frame_rate import snap_rate
from walkon.motion.readers.recording import RawMotion, Recording, Trim
from walkon.motion.readers.source import (
    check_unfolding,
    count_line_ends,
    load_bytes,
    parse_count,
    parse_number,
    shown,
)
from walkon.skeleton import Skeleton, forward_kinematics

_MOTION = re.compile(rb"(?:^|[\r\n}])[ \t]*MOTION(?![^\s])", re.IGNORECASE)
_MOTION_HEADER = re.compile(rb"\s*Frames\s*:\s*(\S+)\s+Frame\s*Time\s*:\s*(\S+)", re.IGNORECASE)
_TOKEN = re.compile(rb"\S+")

_RATE_OF_A_POSE = 30.0
"""Frame rate [Hz] given to a single pose whose frame time is 0."""

_SUNK, _STANDING = 0.25, 0.1
"""Shares of the body's size: so deep is no stance, so near the ground is one."""


def read_bvh(
    path: Path | str,
    *,
    units: str | float = "auto",
    up: str = "auto",
    trim: Trim = "none",
    keep_t_pose: bool = False,
) -> Recording:
    """Read a BVH file; see `read_recording` for the options."""
    path = Path(path)
    raw = parse_bvh(load_bytes(path), path)
    return build_recording(raw, path, units=units, up=up, trim=trim, keep_t_pose=keep_t_pose)


def parse_bvh(data: bytes, path: Path) -> RawMotion:
    """The motion in the bytes of a BVH file, in the file's units and axes; `path` is for messages."""
    motion = _MOTION.search(data)
    hierarchy = parse_hierarchy(data[: motion.start() + 1] if motion else data, path)
    if motion is None:
        raise ClipError("there is no MOTION section", path=path, line=count_line_ends(data) + 1)
    warnings = hierarchy.warnings
    announced, fps, start, line = _read_motion_header(data, motion.end(), path)
    values = _read_rows(data, start, line, len(hierarchy.channels), path)
    if announced != len(values):
        warnings.append(f"Frames: says {announced}, but there are {len(values)} rows")
    if fps == 0:
        if len(values) > 1:
            raise ClipError("Frame Time must be positive", path=path, line=line)
        warnings.append(f"Frame Time is 0; {_RATE_OF_A_POSE:g} Hz assumed for the one pose")
        fps = _RATE_OF_A_POSE
    check_unfolding(len(values), len(hierarchy.names), len(data), path)
    return _pose(hierarchy, values, fps)


def _read_motion_header(data: bytes, start: int, path: Path) -> tuple[int, float, int, int]:
    """Frames announced, frame rate (0 for a frame time of 0), and byte and line where the rows begin."""
    match = _MOTION_HEADER.match(data, start)
    if match is None:
        line = count_line_ends(data[:start]) + 1
        raise ClipError("MOTION is not followed by Frames: and Frame Time:", path=path, line=line)
    announced = parse_count(match[1], path, count_line_ends(data[: match.start(1)]) + 1)
    line = count_line_ends(data[: match.end()]) + 1
    seconds = parse_number(match[2], path, line)
    if seconds < 0 or 0 < seconds < 1e-6:
        raise ClipError(f"Frame Time {shown(match[2])} is not a time a frame can last", path=path, line=line)
    fps = snap_rate(match[2].decode("ascii", "replace"), seconds) if seconds else 0.0
    return announced, fps, match.end(), line


def _read_rows(data: bytes, start: int, line: int, columns: int, path: Path) -> Array:
    """Rows (F, columns) of numbers from byte `start` on; every row must be whole."""
    if columns == 0:
        raise ClipError("no joint has channels: there is no motion", path=path, line=line)
    # A number takes two bytes with its separator, so memory is bounded by the file, whatever it announces.
    values = np.empty(((len(data) - start) // (2 * columns) + 1, columns))
    codes = np.frombuffer(data, np.uint8)
    state = scan_rows(codes, start, line, columns, values, 0, 0)
    while state[0] == HARD_TOKEN:
        _, position, line, row, column = state
        token = _TOKEN.match(data, int(position))
        if token is None:
            raise ClipError("a control character among the numbers", path=path, line=line)
        values[row, column] = parse_number(token.group(), path, line)
        state = scan_rows(codes, token.end(), line, columns, values, row, column + 1)
    status, _, line, row, column = state
    if status != DONE:
        found = f"{column} numbers" if status == SHORT_ROW else f"more than {columns} numbers"
        raise ClipError(f"row {row} has {found}; the channels are {columns}", path=path, line=line)
    if row == 0:
        raise ClipError("there are no rows of motion", path=path, line=line)
    return values[:row]


def _pose(hierarchy: Hierarchy, values: Array, fps: float) -> RawMotion:
    """Rows become rotations, root positions and, where bones stretch, offsets."""
    joints = len(hierarchy.names)
    rotations = np.empty((len(values), joints, 4))
    turns = [(column, c.joint, c.axis) for column, c in enumerate(hierarchy.channels) if c.kind == "rotation"]
    columns, turned, axes = np.array(turns, np.int64).reshape(-1, 3).T.copy()
    turn_by_channels(values, columns, turned, axes, rotations)
    raw = RawMotion(
        format="BVH",
        names=hierarchy.names,
        parents=hierarchy.parents,
        offsets=np.array(hierarchy.offsets, np.float64),
        tips=hierarchy.tips,
        fps=fps,
        root_positions=np.empty((len(values), 3)),
        rotations=rotations,
        warnings=hierarchy.warnings,
    )
    _place(raw, hierarchy.channels, values)
    return raw


def _place(raw: RawMotion, channels: list[Channel], values: Array) -> None:
    """Let position channels move the root, reset offsets that stay constant, and stretch the others."""
    columns_of: dict[int, list[tuple[int, int]]] = {0: []}
    for column, channel in enumerate(channels):
        if channel.kind == "position":
            columns_of.setdefault(channel.joint, []).append((channel.axis, column))
    for joint, columns in columns_of.items():
        local = np.tile(raw.offsets[joint], (len(values), 1))
        for axis, column in columns:
            local[:, axis] = values[:, column]
        if joint == 0:
            raw.root_positions = local
        elif not local.any() and raw.offsets[joint].any():
            continue
        elif (local == local[0]).all():
            raw.offsets[joint] = local[0]
        else:
            if raw.bone_offsets is None:
                raw.bone_offsets = np.tile(raw.offsets, (len(values), 1, 1))
            raw.bone_offsets[:, joint] = local
    if columns_of[0] and raw.offsets[0].any():
        _settle_root(raw)


def _settle_root(raw: RawMotion) -> None:
    """Decide whether the root's position channels replace its OFFSET or add to it."""
    skeleton = Skeleton(raw.names, raw.parents, raw.offsets, raw.tips)
    pick = np.linspace(0, len(raw.rotations) - 1, min(60, len(raw.rotations))).astype(int)
    positions, _ = forward_kinematics(skeleton, raw.root_positions[pick], raw.rotations[pick])
    lowest = float(np.median(positions[..., 1].min(axis=1)))
    lifted = lowest + raw.offsets[0, 1]
    if lowest < -_SUNK * skeleton.size and abs(lifted) < _STANDING * skeleton.size:
        raw.root_positions = raw.root_positions + raw.offsets[0]
        raw.warnings.append(
            "the root's position channels are added to its OFFSET, which puts the feet on the ground"
        )


__all__ = ["parse_bvh", "read_bvh"]
