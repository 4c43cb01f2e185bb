"""The one table of file formats: by which suffix a file is known, who reads it and who writes it.

Errors and help texts are made from it. Readers and writers stand here by name, `module:function`, so that the
command line can tell what there is without importing any of it. A new format is a file with its function, and its
line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

SCENE_SUFFIX, TAKE_SUFFIX = ".toml", ".take"
FILM_SUFFIXES = (".mp4", ".gif")
PICTURE_SUFFIXES = (".png",)
MESH_SUFFIXES = (".obj", ".stl", ".ply", ".off", ".glb")
"""Meshes of obstacles that scene files may name."""


@dataclass(frozen=True)
class MotionFormat:
    """A format that motion is read from.

    title: as people write it. opening: how such a file begins, a regular expression. shared: whether the suffix is
    also that of files which hold no motion. moves: whether it holds motion, and not a skeleton alone.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reader: str
    opening: bytes
    shared: bool = False
    moves: bool = True


MOTION_FORMATS = (
    MotionFormat("bvh", "BVH", (".bvh",), "walkon.motion.readers.bvh:read_bvh", rb"HIERARCHY\b"),
    MotionFormat("clip", "clip", (".clip",), "walkon.motion.readers.clip_file:read_clip_file", rb"PK\x03\x04"),
    MotionFormat(
        "deepmimic",
        "DeepMimic",
        (".txt", ".json"),
        "walkon.motion.readers.deepmimic:read_deepmimic",
        rb"\{",
        shared=True,
    ),
    MotionFormat(
        "asf",
        "ASF",
        (".asf",),
        "walkon.motion.readers.amc:read_base_pose",
        rb"(?:#[^\r\n]*[\r\n]\s*)*:(?:version|name|units|root)\b",
        moves=False,
    ),
    MotionFormat(
        "amc",
        "AMC",
        (".amc",),
        "walkon.motion.readers.amc:read_amc",
        rb"(?:#[^\r\n]*[\r\n]\s*)*(?::(?:fully|degrees|radians)|1\s+root\b)",
    ),
)
"""All formats that motion is read from, in the order in which the beginning of a file is compared with them."""


@dataclass(frozen=True)
class ExportFormat:
    """A format that people are written in.

    holds: `scene`, people and what is around them; its writer takes (path, clips, starts=, frames=, props=).
    `paths`, where everybody goes; its writer takes (path, clips, starts=). `one`, a single character; its writer
    takes (path, clip).
    """

    name: str
    suffixes: tuple[str, ...]
    writer: str
    holds: Literal["scene", "paths", "one"]


EXPORT_FORMATS = [
    ExportFormat("bvh", (".bvh",), "walkon.export.bvh:write_bvh", "one"),
    ExportFormat("glb", (".glb",), "walkon.export.glb:write_glb", "scene"),
    ExportFormat("usd", (".usd", ".usda", ".usdc"), "walkon.export.usd:write_usd", "scene"),
    ExportFormat("csv", (".csv", ".txt"), "walkon.export.trajectories:write_trajectories", "paths"),
    ExportFormat("clip", (".clip",), "walkon.motion.readers.clip_file:write_clip_file", "one"),
]


def export_format(path: Path | str) -> ExportFormat | None:
    """The format that the suffix of a path names."""
    suffix = Path(path).suffix.lower()
    return next((known for known in EXPORT_FORMATS if suffix in known.suffixes), None)


def export_suffixes(holds: str | None = None) -> tuple[str, ...]:
    """All that can be exported to, or only formats that hold this."""
    chosen = (known for known in EXPORT_FORMATS if holds in (None, known.holds))
    return tuple(suffix for known in chosen for suffix in known.suffixes)


def suffixes_of(name: str) -> tuple[str, ...]:
    """The suffixes of one format that is exported to."""
    return next(known.suffixes for known in EXPORT_FORMATS if known.name == name)


def found(place: str) -> Callable[..., Any]:
    """The reader or writer that a table names."""
    module, name = place.split(":")
    return getattr(import_module(module), name)


def either(suffixes: Iterable[str], word: str = "or") -> str:
    """Suffixes in a sentence: `.png, .mp4 or .gif`."""
    *most, last = suffixes
    return f"{', '.join(most)} {word} {last}" if most else last
