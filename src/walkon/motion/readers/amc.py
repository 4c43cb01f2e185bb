"""AMC files: the motion of an ASF skeleton, some numbers per bone and frame.

Angles turn a bone about the fixed axes of its own frame, in the order its ASF lists them. The format states no
frame rate: 120 Hz, the CMU database's, is taken unless the file or the caller says otherwise.
"""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion.readers.asf import AsfSkeleton, Bone, joints_of, read_asf
from walkon.motion.readers.assembly import build_recording
from walkon.motion.readers.recording import RawMotion, Recording, Trim
from walkon.motion.readers.source import check_unfolding, load_bytes, parse_number, shown
from walkon.motion.readers.units import CMU_UNIT
from walkon.rotations import conjugate, continuous, from_euler, multiply, rotate

USUAL_RATE = 120.0
"""Frames a second [Hz] of an AMC file that does not say."""


def read_amc(
    path: Path | str,
    asf: Path | str | AsfSkeleton | None = None,
    *,
    fps: float | None = None,
    units: str | float = "auto",
    up: str = "auto",
    trim: Trim = "none",
    keep_t_pose: bool = False,
) -> Recording:
    """Read an AMC file; see `read_recording` for the other options.

    asf: its skeleton, as a path or already read; by default the ASF file beside it that goes with its name, or
    the only one in its folder. fps: frame rate [Hz], when the usual 120 is wrong.
    """
    path = Path(path)
    data = load_bytes(path)
    skeleton = asf if isinstance(asf, AsfSkeleton) else read_asf(find_asf(path) if asf is None else asf)
    raw = parse_amc(data, path, skeleton, fps=fps)
    return build_recording(raw, path, units=units, up=up, trim=trim, keep_t_pose=keep_t_pose)


def read_base_pose(
    path: Path | str,
    *,
    units: str | float = "auto",
    up: str = "auto",
    trim: Trim = "none",
    keep_t_pose: bool = False,
) -> Recording:
    """Read an ASF file alone: one frame, the skeleton in its base pose."""
    path = Path(path)
    return build_recording(joints_of(read_asf(path)), path, units=units, up=up, trim=trim, keep_t_pose=keep_t_pose)


def find_asf(path: Path) -> Path:
    """The ASF file that goes with an AMC file: of its name, its subject's (16_12: 16), or the only one there."""
    try:
        candidates = sorted(p for p in path.parent.iterdir() if p.suffix.lower() == ".asf")
    except OSError as error:
        raise ClipError(f"its folder cannot be searched for an ASF file: {error}", path=path) from error
    for wanted in (path.stem, path.stem.rpartition("_")[0]):
        for candidate in candidates:
            if candidate.stem.lower() == wanted.lower():
                return candidate
    if len(candidates) == 1:
        return candidates[0]
    found = ", ".join(candidate.name for candidate in candidates[:5]) or "none"
    raise ClipError(f"which ASF file is its skeleton? In its folder: {found}; give one", path=path)


def parse_amc(data: bytes, path: Path, asf: AsfSkeleton, *, fps: float | None = None) -> RawMotion:
    """The motion in the bytes of an AMC file on the skeleton `asf`, in file units; `path` is for messages."""
    raw = joints_of(asf)
    raw.format = "AMC"
    settings, values = _read_frames(data, path, asf, len(raw.names))
    degrees = asf.degrees if "degrees" not in settings and "radians" not in settings else "degrees" in settings
    raw.fps = fps or settings.get("samples-per-second", 0.0) or USUAL_RATE
    if fps is None and "samples-per-second" not in settings and asf.unit != CMU_UNIT:
        raw.warnings.append(f"no frame rate is stated; {USUAL_RATE:g} Hz assumed")
    _pose(raw, asf, values, np.pi / 180 if degrees else 1.0)
    return raw


def _read_frames(data: bytes, path: Path, asf: AsfSkeleton, joints: int) -> tuple[dict[str, float], Array]:
    """The :keywords with their numbers, and the channels (F, C) of all bones in skeleton order.

    A bone a frame leaves out stays as it was.
    """
    columns: dict[str, slice] = {}
    row: list[float] = []
    for bone in asf.bones:
        columns[bone.name] = slice(len(row), len(row) + len(bone.dofs))
        row += [0.0] * len(bone.dofs)
    settings: dict[str, float] = {}
    values, frames = array("d"), 0
    for line, text in enumerate(data.splitlines(), start=1):
        words = text.partition(b"#")[0].split()
        if len(words) == 1 and words[0].isdigit():
            if frames:
                values.extend(row)
            frames += 1
            check_unfolding(frames, joints, len(data), path)
        elif words and frames:
            _fill(row, columns, words, path, line)
        elif words and words[0].startswith(b":"):
            keyword = words[0][1:].decode("ascii", "replace").lower()
            settings[keyword] = parse_number(words[1], path, line) if len(words) > 1 else 1.0
        elif words:
            raise ClipError(f"{shown(words[0])} before the first frame", path=path, line=line)
    values.extend(row)
    if not frames or not row:
        raise ClipError("there are no frames, or no bone of the skeleton moves", path=path)
    return settings, np.frombuffer(values).reshape(frames, len(row))


def _fill(row: list[float], columns: dict[str, slice], words: list[bytes], path: Path, line: int) -> None:
    """Put one line, a bone's name and its numbers, into its columns of `row`."""
    name = words[0].decode("utf-8", "replace")
    if name not in columns:
        raise ClipError(f"the skeleton has no bone {shown(name)}", path=path, line=line)
    place = columns[name]
    given, wanted = len(words) - 1, place.stop - place.start
    if given != wanted:
        raise ClipError(
            f"{shown(name)} has {given} numbers; its degrees of freedom are {wanted}", path=path, line=line
        )
    row[place] = [parse_number(word, path, line) for word in words[1:]]


def _pose(raw: RawMotion, asf: AsfSkeleton, values: Array, to_radians: float) -> None:
    """Let the channels (F, C) turn, shift and stretch the joints of `raw`."""
    raw.rotations = np.tile(raw.rotations, (len(values), 1, 1))
    offsets = np.broadcast_to(raw.offsets, (len(values), *raw.offsets.shape))
    column = 0
    for joint, bone in enumerate(asf.bones):
        channels = dict(zip(bone.dofs, values[:, column : column + len(bone.dofs)].T, strict=True))
        column += len(bone.dofs)
        raw.rotations[:, joint] = _turn(bone, channels, to_radians, is_root=joint == 0)
        shift = np.stack([channels.get(dof, np.zeros(len(values))) for dof in ("tx", "ty", "tz")], axis=1)
        if joint == 0:
            raw.root_positions = raw.root_positions + shift
        elif shift.any():
            offsets = offsets.copy()
            offsets[:, joint] += rotate(bone.axis, shift)
        if "l" in channels and channels["l"].any():
            offsets = offsets.copy()
            offsets[:, np.array(raw.parents) == joint] += (channels["l"][:, None] * bone.direction)[:, None]
    raw.rotations = continuous(raw.rotations)
    if offsets.flags.owndata:
        raw.bone_offsets = offsets


def _turn(bone: Bone, channels: dict[str, Array], to_radians: float, *, is_root: bool) -> Array:
    """Local rotations (F, 4) of a bone's joint in the global axes of the base pose."""
    turns = [dof for dof in bone.dofs if dof.startswith("r")][::-1]
    if not turns:
        return bone.axis if is_root else np.array([1.0, 0.0, 0.0, 0.0])
    angles = np.stack([channels[dof] for dof in turns], axis=1) * to_radians
    motion = from_euler(angles, "".join(dof[1] for dof in turns))
    if is_root:
        return multiply(motion, bone.axis)
    return multiply(multiply(bone.axis, motion), conjugate(bone.axis))


__all__ = ["find_asf", "parse_amc", "read_amc", "read_base_pose"]
