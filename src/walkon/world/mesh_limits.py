"""What a mesh file announces, weighed before anybody makes room for it: a hundred bytes can announce gigabytes."""

from __future__ import annotations

import json
import re
import struct
from typing import Any

from walkon.errors import SceneError

MOST_PARTS = 2_000
"""Nodes, primitives and groups of one mesh file. Each takes its reader milliseconds, and longer among many."""

MOST_UNPACKED = 8
"""How many times the size of a file its accessors may hold in all. Honest ones hold what the file does."""

MOST_CORNERS = 1_200_000
"""Vertices and corners of triangles in all nodes together: those of twice the triangles that a mesh may have."""

_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_OBJ_PART = re.compile(rb"^[ \t]*(?:g|o|usemtl)\b", re.MULTILINE)


def check_mesh_size(data: bytes, kind: str, name: str) -> None:
    """Raise SceneError if a file would unfold into more than it may. kind: its suffix, without the dot."""
    if kind == "obj":
        _limit(sum(1 for _ in _OBJ_PART.finditer(data)), MOST_PARTS, "groups", name)
    if kind != "glb":
        return
    try:
        _check_glb(data, _tree(data), name)
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, RecursionError, struct.error) as error:
        if isinstance(error, SceneError):
            raise
        raise SceneError(f"{name!r} is no readable mesh: {type(error).__name__}: {error}") from None


def _tree(data: bytes) -> dict[str, Any]:
    """What the first chunk of a GLB says."""
    magic, _, _ = _HEADER.unpack_from(data)
    length, what = _CHUNK.unpack_from(data, _HEADER.size)
    if magic != b"glTF" or what != b"JSON":
        raise ValueError("this is no GLB file of version 2")
    start = _HEADER.size + _CHUNK.size
    return json.loads(data[start : start + length])


def _check_glb(data: bytes, tree: dict[str, Any], name: str) -> None:
    counts = [_whole(accessor["count"]) for accessor in tree.get("accessors", [])]
    sizes = [_COMPONENTS[one["type"]] * _BYTES[one["componentType"]] for one in tree.get("accessors", [])]
    unpacked = sum(count * size for count, size in zip(counts, sizes, strict=True))
    _limit(unpacked, MOST_UNPACKED * len(data), "bytes in its accessors", name)
    meshes = [mesh["primitives"] for mesh in tree.get("meshes", [])]
    _limit(sum(map(len, meshes)), MOST_PARTS, "primitives", name)
    _limit(len(tree.get("nodes", [])), MOST_PARTS, "nodes", name)
    corners = [sum(_corners(one, counts) for one in primitives) for primitives in meshes]
    placed = [corners[node["mesh"]] for node in tree.get("nodes", []) if "mesh" in node]
    _limit(sum(placed), MOST_CORNERS, "vertices and corners", name)


def _corners(primitive: dict[str, Any], counts: list[int]) -> int:
    used = [primitive["attributes"].get("POSITION"), primitive.get("indices")]
    return sum(counts[accessor] for accessor in used if accessor is not None)


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{str(value)[:40]!r} is no count")
    return value


def _limit(value: int, most: int, what: str, name: str) -> None:
    if value > most:
        raise SceneError(f"{name!r} announces {value} {what}; at most {most} are read from it")
