"""Reads GLB files of people who move, from the format's own definition: nothing of walkon is used here.

`check_glb.py` judges with it what the exporter wrote; whoever shares code with that could share its mistakes.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class GlbError(ValueError):
    """A file that is no GLB, or whose parts do not fit together."""


@dataclass(frozen=True)
class Walker:
    """Somebody with bones. nodes: of the joints, parents before children. parents: (J,) indices, -1 for the first.

    leaves: joints that have no others behind them: tips of toes, fingers and heads, and heels.
    """

    name: str
    nodes: list[int]
    parents: list[int]

    @property
    def leaves(self) -> list[int]:
        """Joints that are nobody's parent."""
        return [joint for joint in range(len(self.nodes)) if joint not in self.parents]


@dataclass(frozen=True)
class Track:
    """One channel. times: (K,) [s]. values: (K, C)."""

    times: Array
    values: Array
    steps: bool


class GlbScene:
    """A file: who is in it, where their joints are at any time, and what the ground is like."""

    def __init__(self, path: Path | str) -> None:
        self.document, self.binary = _chunks(Path(path).read_bytes(), path)
        self.nodes: list[dict[str, Any]] = self.document.get("nodes", [])
        self.above = {child: node for node, one in enumerate(self.nodes) for child in one.get("children", [])}
        self.tracks: dict[tuple[int, str], Track] = {}
        for animation in self.document.get("animations", [])[:1]:
            for channel in animation["channels"]:
                sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
                how = sampler.get("interpolation", "LINEAR")
                if how not in ("LINEAR", "STEP"):
                    raise GlbError(f"interpolation {how} is not known here; LINEAR and STEP are")
                times, values = self.array(sampler["input"])[:, 0], self.array(sampler["output"])
                self.tracks[target["node"], target["path"]] = Track(times, values, how == "STEP")

    def array(self, number: int) -> Array:
        """An accessor's numbers (N, C)."""
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind, width = np.dtype(COMPONENTS[accessor["componentType"]]), WIDTHS[accessor["type"]]
        count = accessor["count"]
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        if count < 1 or begin + (count - 1) * stride + kind.itemsize * width > len(self.binary):
            raise GlbError(f"accessor {number} reaches beyond the end of the file")
        rows = np.ndarray((count, width), kind, self.binary, begin, (stride, kind.itemsize))
        scale = np.iinfo(kind).max if accessor.get("normalized") else 1
        return rows.astype(np.float64) / scale

    def walkers(self) -> list[Walker]:
        """Everybody: a skin each, or a tree of nodes without meshes where there are no skins."""
        skins = self.document.get("skins", [])
        sets = [(skin.get("name", f"skin {k}"), skin["joints"]) for k, skin in enumerate(skins)]
        if not sets:
            roots = [node for node in self.document["scenes"][0]["nodes"] if "mesh" not in self.nodes[node]]
            sets = [(self.nodes[root].get("name", f"node {root}"), self._below(root)[1:]) for root in roots]
        found = []
        for name, joints in sets:
            order = sorted(joints, key=self._depth)
            places = {node: place for place, node in enumerate(order)}
            found.append(Walker(name, order, [places.get(self.above.get(node, -1), -1) for node in order]))
        return [one for one in found if len(one.nodes) > 1]

    def _below(self, node: int) -> list[int]:
        return [node, *(deeper for child in self.nodes[node].get("children", []) for deeper in self._below(child))]

    def _depth(self, node: int) -> int:
        return 0 if node not in self.above else 1 + self._depth(self.above[node])

    def times(self) -> Array:
        """(T,) [s] of all frames, each moment once."""
        found = [track.times for track in self.tracks.values() if not track.steps]
        moments = np.unique(np.round(np.concatenate([np.zeros(1), *found]), 5))
        return moments[np.concatenate([[True], np.diff(moments) > 1e-4])]

    def positions(self, walker: Walker, times: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Of all joints (T, J, 3) [m], and (T,) whether the walker is there: what is scaled to nothing is not."""
        chain, top = [], self.above.get(walker.nodes[0])
        while top is not None:
            chain, top = [top, *chain], self.above.get(top)
        there = np.ones(len(times), dtype=bool)
        turn, place = np.tile([0.0, 0.0, 0.0, 1.0], (len(times), 1)), np.zeros((len(times), 3))
        for node in chain:
            there &= (np.abs(self._value(node, "scale", times, (1.0, 1.0, 1.0))) > 1e-6).all(axis=1)
            place = place + _turned(turn, self._value(node, "translation", times, (0.0, 0.0, 0.0)))
            turn = _product(turn, self._value(node, "rotation", times, (0.0, 0.0, 0.0, 1.0)))
        turns, places = [], []
        for node, parent in zip(walker.nodes, walker.parents, strict=True):
            base_turn, base = (turn, place) if parent < 0 else (turns[parent], places[parent])
            places.append(base + _turned(base_turn, self._value(node, "translation", times, (0.0, 0.0, 0.0))))
            turns.append(_product(base_turn, self._value(node, "rotation", times, (0.0, 0.0, 0.0, 1.0))))
        return np.stack(places, axis=1), there

    def _value(self, node: int, what: str, times: Array, neutral: tuple[float, ...]) -> Array:
        """A node's translation, rotation or scale at these times."""
        track = self.tracks.get((node, what))
        if track is None:
            return np.tile(np.asarray(self.nodes[node].get(what, neutral), dtype=np.float64), (len(times), 1))
        if len(track.times) == 1:
            return np.tile(track.values[0], (len(times), 1))
        if track.steps:
            return track.values[np.clip(np.searchsorted(track.times, times + 1e-6, "right") - 1, 0, None)]
        left = np.clip(np.searchsorted(track.times, times, "right") - 1, 0, len(track.times) - 2)
        span = track.times[left + 1] - track.times[left]
        share = np.clip((times - track.times[left]) / span, 0.0, 1.0)[:, None]
        mix = _slerped if what == "rotation" else _mixed
        return mix(track.values[left], track.values[left + 1], share)

    def ground(self) -> tuple[Array, NDArray[np.int64]] | None:
        """Points (V, 3) and triangles (N, 3) of the mesh called ground or floor, if there is one."""
        for node in self.nodes:
            if "mesh" in node and "skin" not in node and node.get("name") in ("ground", "floor"):
                part = self.document["meshes"][node["mesh"]]["primitives"][0]
                points, corners = self.array(part["attributes"]["POSITION"]), self.array(part["indices"])
                return points, corners.astype(np.int64).reshape(-1, 3)
        return None


def _chunks(data: bytes, path: Path | str) -> tuple[dict[str, Any], bytes]:
    if len(data) < 20 or data[:4] != b"glTF" or struct.unpack("<II", data[4:12]) != (2, len(data)):
        raise GlbError(f"{path}: not a whole GLB file of version 2")
    found, at = {}, 12
    while at + 8 <= len(data):
        length, kind = struct.unpack("<I4s", data[at : at + 8])
        found[kind] = data[at + 8 : at + 8 + length]
        at += 8 + length
    try:
        return json.loads(found[b"JSON"]), found.get(b"BIN\0", b"")
    except (KeyError, ValueError) as error:
        raise GlbError(f"{path}: no JSON in it: {error}") from None


def _product(a: Array, b: Array) -> Array:
    """Of quaternions (T, 4), x, y, z, w."""
    ax, ay, az, aw = a.T
    bx, by, bz, bw = b.T
    return np.stack([
        aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
    ], axis=1)  # fmt: skip


def _turned(turn: Array, vector: Array) -> Array:
    """Vectors (T, 3) rotated by quaternions (T, 4)."""
    axis = turn[:, :3]
    twice = 2.0 * np.cross(axis, vector)
    return vector + turn[:, 3:] * twice + np.cross(axis, twice)


def _mixed(a: Array, b: Array, share: Array) -> Array:
    return a + share * (b - a)


def _slerped(a: Array, b: Array, share: Array) -> Array:
    """Along the shorter arc, as the format says."""
    cosine = (a * b).sum(axis=1, keepdims=True)
    b, cosine = np.where(cosine < 0.0, -b, b), np.minimum(np.abs(cosine), 1.0)
    angle = np.arccos(cosine)
    sine = np.where(angle > 1e-4, np.sin(angle), 1.0)
    weights = [np.where(angle > 1e-4, np.sin(part * angle) / sine, part) for part in (1.0 - share, share)]
    mixed = weights[0] * a + weights[1] * b
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
