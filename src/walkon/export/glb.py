"""glTF binary: many characters in one file, each with an armature of its own and a generated skinned body.

Everything is metres, Y up, as glTF itself is. All characters move in one animation that starts at 0 s; one whose
clip is shorter holds its last pose. What does not move is stated once in its node and has no channel.

In a take, people come and go: glTF says that what is scaled to zero need not be drawn, so the armature of somebody
who is not there has scale 0, switched without interpolation.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ExportError
from walkon.export.cast import as_cast, character_colour, entrances, group_by_skeleton, unique_names
from walkon.export.gltf_buffer import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, GltfBuffer
from walkon.export.scenery import Prop
from walkon.export.skin import Skin, build_skin
from walkon.files import write_bytes
from walkon.motion import Clip
from walkon.rotations import conjugate, continuous, rotate, to_matrix

Json = dict[str, Any]

STILL = 1e-7
"""A track whose numbers vary less than this (quaternion parts, metres) does not move: float32 knows no better."""

MAX_BYTES = 2**32 - 1
FLOOR_MARGIN = 2.0
FLOOR_COLOUR = (0.35, 0.35, 0.37)


def write_glb(
    path: Path | str,
    clips: Clip | Sequence[Clip],
    *,
    body: bool = True,
    floor: bool = False,
    starts: Sequence[int] | None = None,
    frames: int | None = None,
    props: Sequence[Prop] = (),
) -> None:
    """Write characters, one per clip, as a GLB file.

    body: give every character a skinned mesh; without it a character is a tree of moving nodes.
    floor: lay a plane at height 0 under all of them. starts: frame in which each one appears. frames: of the
    whole; whoever's clip ends earlier disappears. Without it all hold their last pose. props: what else there is.
    """
    cast = as_cast(clips)
    begins = entrances(cast, starts)
    scene = _Scene()
    firsts, groups = group_by_skeleton(cast)
    skins = [build_skin(clip) if body else None for clip in firsts]
    names = unique_names(clip.name or "character" for clip in cast)
    for index, (clip, name) in enumerate(zip(cast, names, strict=True)):
        presence = _presence(clip, begins[index], frames)
        scene.add_character(clip, name, skins[groups[index]], character_colour(index), begins[index], presence)
    taken = set(names)
    for prop, name in zip(props, unique_names((prop.name for prop in props), taken), strict=True):
        scene.add_prop(prop, name, cast[0].fps)
    if floor:
        scene.add_floor(_floor_corners(cast))
    write_bytes(path, scene.to_bytes())


class _Scene:
    """A glTF document under construction."""

    def __init__(self) -> None:
        self.buffer = GltfBuffer()
        self.lists: dict[str, list[Json]] = {"nodes": [], "meshes": [], "skins": [], "materials": []}
        self.roots: list[int] = []
        self.channels: list[Json] = []
        self.samplers: list[Json] = []

    def append(self, kind: str, item: Json) -> int:
        """Add to one of the document's lists; the index is how glTF refers to it."""
        self.lists[kind].append(item)
        return len(self.lists[kind]) - 1

    def add_character(
        self,
        clip: Clip,
        name: str,
        skin: Skin | None,
        colour: Sequence[float],
        start: int,
        presence: list[tuple[int, float]],
    ) -> None:
        """An armature node above the joints, their tracks, and beside it the body that follows them.

        presence: frames in which the character comes (1.0) or goes (0.0).
        """
        # Without a node of its own above each skeleton, Blender makes one armature of all.
        armature = self.append("nodes", {"name": name})
        self.roots.append(armature)
        first_joint = self._add_joints(clip, start)
        if presence:
            times = np.array([frame / clip.fps for frame, _ in presence], dtype=np.float32)
            scales = np.repeat(np.array([[there] for _, there in presence], dtype=np.float32), 3, axis=1)
            self._add_channel(armature, "scale", times, scales, "STEP")
        self.lists["nodes"][armature]["children"] = [first_joint]
        if skin is None:
            return
        primitive = self._primitive(skin, self._add_material(name, colour))
        mesh = self.append("meshes", {"name": name, "primitives": [primitive]})
        binding = self._add_binding(skin, name, armature, first_joint)
        # A skinned mesh ignores the transforms above it, so glTF wants it at the top of the scene.
        self.roots.append(self.append("nodes", {"name": f"{name} body", "mesh": mesh, "skin": binding}))

    def _add_joints(self, clip: Clip, start: int) -> int:
        """A node per joint, in the first frame's pose, with tracks for what moves; the index of the root's."""
        skeleton, first = clip.skeleton, len(self.lists["nodes"])
        times = ((start + np.arange(len(clip))) / clip.fps).astype(np.float32)
        rotations = continuous(clip.rotations)[..., [1, 2, 3, 0]].astype(np.float32)
        for joint, joint_name in enumerate(skeleton.names):
            node = self.append("nodes", {"name": joint_name})
            self._add_track(node, "translation", times, _translations(clip, joint), np.zeros(3))
            self._add_track(node, "rotation", times, rotations[:, joint], np.array([0, 0, 0, 1]))
            if skeleton.children[joint]:
                self.lists["nodes"][node]["children"] = [first + child for child in skeleton.children[joint]]
        return first

    def _add_track(
        self, node: int, path: str, times: NDArray[np.float32], values: NDArray[np.float32], neutral: NDArray
    ) -> None:
        """State the first value in the node, unless neutral, and animate the values (F, ...) if they move."""
        moves = len(values) > 1 and bool((np.ptp(values, axis=0) > STILL).any())
        if moves or (np.abs(values[0] - neutral) > STILL).any():
            self.lists["nodes"][node][path] = [round(float(value), 8) for value in values[0]]
        if moves:
            self._add_channel(node, path, times, values)

    def _add_channel(
        self,
        node: int,
        path: str,
        times: NDArray[np.float32],
        values: NDArray[np.float32],
        interpolation: str | None = None,
    ) -> None:
        track: Json = {
            "input": self.buffer.add(times, bounds=True, share="animation"),
            "output": self.buffer.add(values, share="animation"),
        }
        if interpolation is not None:
            track["interpolation"] = interpolation
        self.channels.append({"sampler": len(self.samplers), "target": {"node": node, "path": path}})
        self.samplers.append(track)

    def _primitive(self, skin: Skin, material: int) -> Json:
        """The body's triangles and vertices; glTF wants four joints for each, most of which count nothing."""
        joints = np.zeros((len(skin), 4), dtype=np.uint8 if len(skin.bind_positions) <= 256 else np.uint16)
        joints[:, :2] = skin.joints
        weights = np.zeros((len(skin), 4), dtype=np.float32)
        weights[:, :2] = skin.weights
        index_type = np.uint16 if len(skin) < 2**16 else np.uint32
        vertices = {"POSITION": skin.positions, "NORMAL": skin.normals, "JOINTS_0": joints, "WEIGHTS_0": weights}
        return {
            "attributes": {
                what: self.buffer.add(array, target=ARRAY_BUFFER, bounds=what == "POSITION")
                for what, array in vertices.items()
            },
            "indices": self.buffer.add(skin.triangles.reshape(-1).astype(index_type), target=ELEMENT_ARRAY_BUFFER),
            "material": material,
        }

    def _add_binding(self, skin: Skin, name: str, armature: int, first_joint: int) -> int:
        """The skin object: the joints' nodes, and what takes the bind pose to each joint's own frame."""
        joints = len(skin.bind_positions)
        inverse = np.tile(np.eye(4, dtype=np.float32), (joints, 1, 1))
        # Rows here are glTF's columns: the inverse rotation stands transposed, the translation in the last row.
        inverse[:, :3, :3] = to_matrix(skin.bind_rotations)
        inverse[:, 3, :3] = -rotate(conjugate(skin.bind_rotations), skin.bind_positions)
        return self.append(
            "skins",
            {
                "name": name,
                "joints": list(range(first_joint, first_joint + joints)),
                "skeleton": armature,
                "inverseBindMatrices": self.buffer.add(inverse.reshape(-1, 16)),
            },
        )

    def _add_material(self, name: str, colour: Sequence[float]) -> int:
        factors = {
            "baseColorFactor": [*(round(channel, 4) for channel in colour), 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.8,
        }
        return self.append("materials", {"name": name, "pbrMetallicRoughness": factors})

    def add_prop(self, prop: Prop, name: str, fps: float) -> None:
        """A mesh of its own, that moves as one piece."""
        surface, count = prop.surface, len(prop.surface.points)
        index_type = np.uint16 if count < 2**16 else np.uint32
        primitive = {
            "attributes": {
                "POSITION": self.buffer.add(surface.points.astype(np.float32), target=ARRAY_BUFFER, bounds=True),
                "NORMAL": self.buffer.add(_units(surface.normals), target=ARRAY_BUFFER),
            },
            "indices": self.buffer.add(
                surface.triangles.reshape(-1).astype(index_type), target=ELEMENT_ARRAY_BUFFER
            ),
            "material": self._add_material(name, prop.colour),
        }
        mesh = self.append("meshes", {"name": name, "primitives": [primitive]})
        node = self.append("nodes", {"name": name, "mesh": mesh})
        self.roots.append(node)
        times = (np.arange(len(prop.positions)) / fps).astype(np.float32)
        rotations = continuous(prop.rotations[:, None])[:, 0, [1, 2, 3, 0]].astype(np.float32)
        self._add_track(node, "translation", times, prop.positions.astype(np.float32), np.zeros(3))
        self._add_track(node, "rotation", times, rotations, np.array([0, 0, 0, 1]))

    def add_floor(self, corners: NDArray[np.float32]) -> None:
        """A rectangle with these corners (4, 3) [m], counter-clockwise from above."""
        up = np.tile(np.array([0, 1, 0], dtype=np.float32), (4, 1))
        primitive = {
            "attributes": {
                "POSITION": self.buffer.add(corners, target=ARRAY_BUFFER, bounds=True),
                "NORMAL": self.buffer.add(up, target=ARRAY_BUFFER),
            },
            "indices": self.buffer.add(np.array([0, 1, 2, 0, 2, 3], np.uint16), target=ELEMENT_ARRAY_BUFFER),
            "material": self._add_material("floor", FLOOR_COLOUR),
        }
        mesh = self.append("meshes", {"name": "floor", "primitives": [primitive]})
        self.roots.append(self.append("nodes", {"name": "floor", "mesh": mesh}))

    def to_bytes(self) -> bytes:
        """The whole file: header, JSON chunk, binary chunk."""
        views, data = self.buffer.finish()
        document: Json = {
            "asset": {"version": "2.0", "generator": "walkon"},
            "scene": 0,
            "scenes": [{"nodes": self.roots}],
            **{kind: items for kind, items in self.lists.items() if items},
        }
        if self.channels:
            document["animations"] = [{"name": "take", "channels": self.channels, "samplers": self.samplers}]
        if data:
            document |= {"accessors": self.buffer.accessors, "bufferViews": views}
            document["buffers"] = [{"byteLength": len(data)}]
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
        chunks = _chunk(b"JSON", text, b" ") + (_chunk(b"BIN\0", data, b"\0") if data else b"")
        if 12 + len(chunks) > MAX_BYTES:
            raise ExportError(f"a GLB file holds at most 4 GiB, this one would take {len(chunks) / 2**30:.1f} GiB")
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _chunk(kind: bytes, data: bytes, padding: bytes) -> bytes:
    data += padding * (-len(data) % 4)
    return struct.pack("<I4s", len(data), kind) + data


def _translations(clip: Clip, joint: int) -> NDArray[np.float32]:
    """Positions (F, 3) [m] of a joint in its parent's frame, a single row where they cannot change."""
    if joint == 0:
        return clip.root_positions.astype(np.float32)
    if clip.bone_offsets is not None:
        return clip.bone_offsets[:, joint].astype(np.float32)
    return clip.skeleton.offsets[joint : joint + 1].astype(np.float32)


def _presence(clip: Clip, start: int, frames: int | None) -> list[tuple[int, float]]:
    """When a character comes and goes: nothing if it is there all the time."""
    changes = [(0, 0.0), (start, 1.0)] if start > 0 else []
    if frames is not None and start + len(clip) < frames:
        changes += [(start + len(clip), 0.0)] if changes else [(0, 1.0), (start + len(clip), 0.0)]
    return changes


def _units(normals: NDArray[np.float64]) -> NDArray[np.float32]:
    single = normals.astype(np.float32)
    return single / np.linalg.norm(single, axis=1, keepdims=True)


def _floor_corners(cast: Sequence[Clip]) -> NDArray[np.float32]:
    """Corners (4, 3) [m] of a rectangle under every path, with a margin."""
    low = np.min([clip.root_positions.min(axis=0) for clip in cast], axis=0) - FLOOR_MARGIN
    high = np.max([clip.root_positions.max(axis=0) for clip in cast], axis=0) + FLOOR_MARGIN
    x0, z0, x1, z1 = np.floor(low[0]), np.floor(low[2]), np.ceil(high[0]), np.ceil(high[2])
    return np.array([[x0, 0, z0], [x0, 0, z1], [x1, 0, z1], [x1, 0, z0]], dtype=np.float32)
