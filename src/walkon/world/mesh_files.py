"""Mesh files: read by way of trimesh (the extra `mesh`), written as PLY."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import MissingExtraError, SceneError
from walkon.formats import MESH_SUFFIXES
from walkon.world.attachments import read_attachment
from walkon.world.mesh_limits import check_mesh_size

if TYPE_CHECKING:
    from walkon.world.shapes import Mesh

MOST_FACES = 200_000
"""Of one mesh. More would make worlds slow to build, for detail that nobody walks around."""

MOST_MESH_BYTES = 32_000_000
"""Of a mesh file: ample for `MOST_FACES` triangles as text."""


def load_mesh(folder: Path, name: str, *, scale: float = 1.0, up: str = "y") -> tuple[Array, NDArray[np.int64]]:
    """Vertices (V, 3) [m] and faces (T, 3) of the mesh in a file, Y up, its lowest point at height 0."""
    suffix = Path(name).suffix.lower()
    if suffix not in MESH_SUFFIXES:
        raise SceneError(f"{name!r}: meshes come from {', '.join(MESH_SUFFIXES)} files")
    data = read_attachment(folder, name, MOST_MESH_BYTES)
    check_mesh_size(data, suffix[1:], name)
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
    return vertices, faces


def _load(data: bytes, kind: str, name: str) -> tuple[Array, NDArray[np.int64]]:
    """Vertices (V, 3) and faces (T, 3) as they stand in the file."""
    try:
        import trimesh
    except ImportError:
        raise MissingExtraError("trimesh", "mesh") from None
    # Materials would be further files, of names that the mesh file chooses.
    options: dict[str, Any] = {"skip_materials": True} if kind in ("obj", "glb", "ply") else {}
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


def ply_text(mesh: Mesh, name: str) -> bytes:
    """A mesh as a PLY file, which keeps all vertices and their order. name: of the obstacle, for complaints."""
    if len(mesh.faces) > MOST_FACES:
        raise SceneError(f"obstacle {name!r}: more than {MOST_FACES} triangles")
    lines = [
        "ply",
        "format ascii 1.0",
        f"element vertex {len(mesh.vertices)}",
        *(f"property double {axis}" for axis in "xyz"),
        f"element face {len(mesh.faces)}",
        "property list uchar int vertex_indices",
        "end_header",
        *(f"{x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()),
        *(f"3 {a} {b} {c}" for a, b, c in mesh.faces.tolist()),
    ]
    return ("\n".join(lines) + "\n").encode()
