"""Which format is this file? Told by its suffix or, failing that, by how it begins."""

from __future__ import annotations

import re
from pathlib import Path

from walkon.errors import ClipError
from walkon.formats import MOTION_FORMATS, MotionFormat, either
from walkon.motion.readers.source import load_bytes

NO_FBX = (
    "FBX is not read: its format is closed. Convert it first, for example in Blender: "
    "File > Import > FBX, then File > Export > Motion Capture (.bvh)"
)

_FBX = re.compile(rb"Kaydara FBX|; FBX", re.IGNORECASE)


def recognise_format(path: Path) -> MotionFormat:
    """What a motion file is; a ClipError for anything else."""
    suffix = path.suffix.lower()
    named = [known for known in MOTION_FORMATS if suffix in known.suffixes and not known.shared]
    if named:
        return named[0]
    head = load_bytes(path).removeprefix(b"\xef\xbb\xbf").lstrip()[:4096]
    for known in MOTION_FORMATS:
        if re.match(known.opening, head, re.IGNORECASE):
            return known
    if suffix == ".fbx" or _FBX.match(head):
        raise ClipError(NO_FBX, path=path)
    titles = either((known.title for known in MOTION_FORMATS), "and")
    raise ClipError(f"not a motion file walkon reads; those are {titles}", path=path)
