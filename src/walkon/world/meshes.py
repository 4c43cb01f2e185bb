"""Obstacles from mesh files, by way of trimesh (the extra `mesh`)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from walkon.errors import MissingExtraError, SceneError
from walkon.world.attachments import read_attachment
from walkon.world.shapes import Mesh

SUFFIXES = (".obj", ".stl", ".ply", ".off", ".glb")
MOST_FACES = 200_000
MOST_FILE_BYTES = 32_000_000


def read_mesh(folder: Path, name: str, *, scale: float = 1.0, up: str = "y") -> Mesh:
    """The mesh in a file, in metres, Y up, its lowest point at height 0."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise SceneError(f"{name!r}: meshes come from {', '.join(SUFFIXES)} files")
    data = read_attachment(folder, name, MOST_FILE_BYTES)
    vertices, faces = _load(data, suffix[1:], name)
    if not 1 <= len(faces) <= MOST_FACES:
        raise SceneError(f"{name!r} has {len(faces)} triangles; there must be 1 to {MOST_FACES}")
    if not np.isfinite(vertices).all():
        raise SceneError(f"{name!r} has vertices that are not finite")
    if up == "z":
        # The file's y goes to -z: a turn about x, which keeps outsides outside.
        vertices = np.column_stack([vertices[:, 0], vertices[:, 2], -vertices[:, 1]])
    vertices = vertices * scale
    used = vertices[np.unique(faces)]
    if np.ptp(used, axis=0).max() > 2000.0 or np.abs(used).max() > 10_000.0:
        size = " x ".join(f"{extent:g}" for extent in np.ptp(used, axis=0))
        raise SceneError(f"{name!r} is {size} m large or far from its origin; at most 2000 m: mind its scale")
    vertices[:, 1] -= used[:, 1].min()
    return Mesh(vertices, faces)


def _load(data: bytes, kind: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (V, 3) and faces (T, 3) as they stand in the file."""
    try:
        import trimesh
    except ImportError:
        raise MissingExtraError("trimesh", "mesh") from None
    # Materials would be further files, of names that the mesh file chooses.
    options: dict[str, Any] = {"skip_materials": True} if kind in ("obj", "glb") else {}
    try:
        loaded = trimesh.load_scene(io.BytesIO(data), file_type=kind, process=False, **options)
        mesh = loaded.to_mesh()
        vertices, faces = np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)
    except Exception as error:  # its parsers raise whatever they like on broken files
        raise SceneError(f"{name!r} is no readable mesh: {type(error).__name__}: {error}") from None
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise SceneError(f"{name!r} holds no triangles")
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise SceneError(f"{name!r} has faces of vertices that are not there")
    return vertices, faces
