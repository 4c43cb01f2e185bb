"""walkon's own clip file: one clip, lossless, metres and Y up, in a zip that is safe to open.

`clip.json` holds names and counts, the other members are bare little-endian arrays, so that any language reads
them: `numpy.frombuffer(member, "<f8").reshape(shape)`. Members are stored, not compressed: what a file can unfold
into is no larger than the file. The same clip gives the same bytes.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
HEADER = "clip.json"

_NOT_A_ZIP = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    KeyError,
    EOFError,
    OSError,
    OverflowError,
    struct.error,
)
"""What `zipfile` raises on bytes that are not quite a zip."""


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
        HEADER: json.dumps(header, indent=1).encode(),
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
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _NOT_A_ZIP as error:
        raise ClipError(f"not a clip file: {error}", path=path) from None
    members = _Members(archive, len(data), path)
    header = _read_header(members.read(HEADER), path)
    try:
        return _build(header, members)
    except ClipError as error:
        raise ClipError(error.what, path=path) from None
    except (ValueError, TypeError, OverflowError, KeyError) as error:
        raise ClipError(f"the header does not describe a clip: {error!r}", path=path) from None


def _packed(array: NDArray[Any], dtype: str) -> bytes:
    return np.ascontiguousarray(array, dtype=dtype).tobytes()


def zipped(members: dict[str, bytes]) -> bytes:
    """A zip of uncompressed members without dates, so that equal content gives equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return buffer.getvalue()


@dataclass(frozen=True)
class _Members:
    """The members of an archive, handed out only when they are as large as they say and as they should be."""

    archive: zipfile.ZipFile
    size: int
    path: Path

    def __contains__(self, name: str) -> bool:
        return name in self.archive.NameToInfo

    def read(self, name: str) -> bytes:
        info = self.archive.NameToInfo.get(name)
        if info is None:
            raise ClipError(f"not a clip file: it has no {name}", path=self.path)
        if info.compress_type != zipfile.ZIP_STORED or not info.file_size == info.compress_size <= self.size:
            raise ClipError(f"{name} is compressed or larger than the file", path=self.path)
        try:
            return self.archive.read(info)
        except _NOT_A_ZIP as error:
            raise ClipError(f"{name} is damaged: {error}", path=self.path) from None

    def array(self, name: str, shape: tuple[int, ...], dtype: str = "<f8") -> NDArray[Any]:
        content = self.read(name)
        wanted = int(np.dtype(dtype).itemsize)
        for length in shape:
            wanted *= length
        if len(content) != wanted:
            raise ClipError(f"{name} has {len(content)} bytes; {shape} needs {wanted}", path=self.path)
        return np.frombuffer(content, dtype).reshape(shape)


def _read_header(content: bytes, path: Path) -> dict[str, Any]:
    """The header, known to be one of ours and of a version we read."""
    try:
        header = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ClipError(f"{HEADER} is not JSON: {error}", path=path) from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ClipError(f"{HEADER} does not say it is a {FORMAT}", path=path)
    if header.get("version") != VERSION:
        raise ClipError(f"version {header.get('version')!r:.20}; this walkon reads {VERSION}", path=path)
    return header


def _build(header: dict[str, Any], members: _Members) -> Clip:
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
        contacts = Contacts(tuple(bearing), members.array("planted.u1", (frames, len(bearing)), "<u1") != 0)
    return Clip(
        name=str(header["name"]),
        skeleton=Skeleton(names, _indices(header["parents"]), members.array("offsets.f8", (joints, 3)), tips),
        fps=float(header["fps"]),
        root_positions=members.array("root_positions.f8", (frames, 3)),
        rotations=members.array("rotations.f8", (frames, joints, 4)),
        bone_offsets=members.array("bone_offsets.f8", (frames, joints, 3)) if stretching else None,
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


__all__ = ["HEADER", "clip_file_members", "parse_clip_file", "read_clip_file", "write_clip_file", "zipped"]
