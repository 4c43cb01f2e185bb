"""Which format is this file? Told by its suffix or, failing that, by how it begins."""

from __future__ import annotations

import re
from pathlib import Path

from walkon.errors import ClipError
from walkon.motion.readers.source import load_bytes

SUFFIXES = {".bvh": "bvh", ".amc": "amc", ".asf": "asf", ".clip": "clip"}

NO_FBX = (
    "FBX is not read: its format is closed. Convert it first, for example in Blender: "
    "File > Import > FBX, then File > Export > Motion Capture (.bvh)"
)

_OPENINGS = (
    ("bvh", re.compile(rb"HIERARCHY\b", re.IGNORECASE)),
    ("clip", re.compile(rb"PK\x03\x04")),
    ("deepmimic", re.compile(rb"\{")),
    ("fbx", re.compile(rb"Kaydara FBX|; FBX", re.IGNORECASE)),
    ("asf", re.compile(rb"(?:#[^\r\n]*[\r\n]\s*)*:(?:version|name|units|root)\b", re.IGNORECASE)),
    ("amc", re.compile(rb"(?:#[^\r\n]*[\r\n]\s*)*(?::(?:fully|degrees|radians)|1\s+root\b)", re.IGNORECASE)),
)


def recognise_format(path: Path) -> str:
    """One of "bvh", "amc", "asf", "deepmimic", "clip"; a ClipError for anything else."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    head = load_bytes(path).removeprefix(b"\xef\xbb\xbf").lstrip()[:4096]
    found = next((name for name, opening in _OPENINGS if opening.match(head)), "fbx" if suffix == ".fbx" else None)
    if found == "fbx":
        raise ClipError(NO_FBX, path=path)
    if found is None:
        raise ClipError("not a motion file walkon reads; those are BVH, AMC, ASF, DeepMimic and clip", path=path)
    return found
