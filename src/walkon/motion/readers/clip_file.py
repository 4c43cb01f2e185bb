"""walkon's own clip file: one clip, lossless, metres and Y up, in a zip that is safe to open.

`clip.json` holds names and counts, the other members are bare little-endian arrays, so that any language reads
them: `numpy.frombuffer(member, "<f8").reshape(shape)`. Members are stored, not compressed: what a file can unfold
into is no larger than the file. The same clip gives the same bytes.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walkon.containers import ZipReader, zipped
from walkon.errors import ClipError
from walkon.files import write_bytes
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.readers.assembly import screen_recording
from walkon.motion.readers.recording import Provenance, Recording, Trim
from walkon.motion.readers.source import load_bytes
from walkon.skeleton import Skeleton
from walkon.skeleton.skeleton import MAX_JOINTS

FORMAT = "walkon clip"
VERSION = 1
CLIP_HEADER = "clip.json"


def write_clip_file(path: Path | str, clip: Clip) -> None:
    """Write `clip` to a clip file, whole or not at all; by custom it is called *.clip."""
    write_bytes(path, zipped(clip_file_members(clip)))


def clip_file_members(clip: Clip) -> dict[str, bytes]:
    """What a clip file holds, by name."""
    skeleton, contacts = clip.skeleton, clip.contacts
    header = {
        "format": FORMAT,
        "version": VERSION,
        "name": clip.name,
        "fps": float(clip.fps),
        "frames": len(clip),
        "joints": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "tips": np.flatnonzero(skeleton.tips).tolist(),
        "labels": [[label.name, int(label.start), int(label.stop)] for label in clip.labels],
        "contacts": None if contacts is None else list(contacts.joints),
    }
    members = {
        CLIP_HEADER: json.dumps(header, indent=1).encode(),
        "offsets.f8": _packed(skeleton.offsets, "<f8"),
        "root_positions.f8": _packed(clip.root_positions, "<f8"),
        "rotations.f8": _packed(clip.rotations, "<f8"),
    }
    if clip.bone_offsets is not None:
        members["bone_offsets.f8"] = _packed(clip.bone_offsets, "<f8")
    if contacts is not None:
        members["planted.u1"] = _packed(contacts.planted, "<u1")
    return members


def read_clip_file(path: Path | str, *, trim: Trim = "none") -> Recording:
    """Read a clip file. Its clip was put there on purpose, so that even a T pose in front stays."""
    path = Path(path)
    data = load_bytes(path)
    clip = parse_clip_file(data, path)
    provenance = Provenance(path, FORMAT, unit=1.0, unit_name="m", up="y", rows=len(clip))
    return screen_recording(clip, provenance, [], trim=trim, keep_t_pose=True)


def parse_clip_file(data: bytes, path: Path) -> Clip:
    """The clip in the bytes of a clip file; `path` is for messages."""
    members = ZipReader(data, damaged="not a clip file", error=lambda what: ClipError(what, path=path))
    header = _read_header(members.read(CLIP_HEADER), path)
    try:
        return _build(header, members)
    except ClipError as error:
        raise ClipError(error.what, path=path) from None
    except (ValueError, TypeError, OverflowError, KeyError) as error:
        raise ClipError(f"the header does not describe a clip: {error!r}", path=path) from None


def _packed(array: NDArray[Any], dtype: str) -> bytes:
    return np.ascontiguousarray(array, dtype=dtype).tobytes()


def _array(members: ZipReader, name: str, shape: tuple[int, ...], dtype: str = "<f8") -> NDArray[Any]:
    """An array that is exactly as large as it should be."""
    content, wanted = members.read(name), math.prod(shape) * int(np.dtype(dtype).itemsize)
    if len(content) != wanted:
        raise ClipError(f"{name} has {len(content)} bytes; {shape} needs {wanted}")
    return np.frombuffer(content, dtype).reshape(shape)


def _read_header(content: bytes, path: Path) -> dict[str, Any]:
    """The header, known to be one of ours and of a version we read."""
    try:
        header = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ClipError(f"{CLIP_HEADER} is not JSON: {error}", path=path) from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ClipError(f"{CLIP_HEADER} does not say it is a {FORMAT}", path=path)
    if header.get("version") != VERSION:
        raise ClipError(f"version {header.get('version')!r:.20}; this walkon reads {VERSION}", path=path)
    return header


def _build(header: dict[str, Any], members: ZipReader) -> Clip:
    """The clip a header describes. Wrong types raise what the caller turns into a ClipError."""
    names = _strings(header["joints"])
    joints, frames = len(names), header["frames"]
    if not 0 < joints <= MAX_JOINTS or len(set(names)) != joints or type(frames) is not int or frames < 1:
        raise ClipError(f"{joints} joints, which must be unique, and {frames!r:.20} frames")
    tips = np.isin(np.arange(joints), _indices(header["tips"]))
    stretching = "bone_offsets.f8" in members
    contacts = None
    if header["contacts"] is not None:
        bearing = _strings(header["contacts"])
        contacts = Contacts(tuple(bearing), _array(members, "planted.u1", (frames, len(bearing)), "<u1") != 0)
    return Clip(
        name=str(header["name"]),
        skeleton=Skeleton(names, _indices(header["parents"]), _array(members, "offsets.f8", (joints, 3)), tips),
        fps=float(header["fps"]),
        root_positions=_array(members, "root_positions.f8", (frames, 3)),
        rotations=_array(members, "rotations.f8", (frames, joints, 4)),
        bone_offsets=_array(members, "bone_offsets.f8", (frames, joints, 3)) if stretching else None,
        labels=tuple(Label(str(name), int(start), int(stop)) for name, start, stop in header["labels"]),
        contacts=contacts,
    )


def _indices(values: Any) -> list[int]:
    if not isinstance(values, list) or not all(
        type(value) is int and -1 <= value < MAX_JOINTS for value in values
    ):
        raise ClipError("parents and tips must be lists of joint numbers")
    return values


def _strings(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ClipError("joint names must be a list of strings")
    return values


__all__ = ["CLIP_HEADER", "clip_file_members", "parse_clip_file", "read_clip_file", "write_clip_file"]
