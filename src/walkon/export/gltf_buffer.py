"""The binary half of a GLB file: arrays become accessors, and equal arrays become the same accessor."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

ARRAY_BUFFER = 34962
ELEMENT_ARRAY_BUFFER = 34963

COMPONENT_TYPES = {"float32": 5126, "uint8": 5121, "uint16": 5123, "uint32": 5125}

ELEMENT_TYPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (16,): "MAT4"}

ALIGNMENT = 4


class GltfBuffer:
    """Collects arrays for one GLB file and describes them in glTF's terms.

    A crowd repeats itself: bodies, times and the limbs of characters that play the same clip. Arrays are found
    again by their content, so nothing has to be told what it shares with whom.
    """

    def __init__(self) -> None:
        self.accessors: list[dict[str, Any]] = []
        self._views: list[dict[str, Any]] = []
        self._contents: list[list[bytes]] = []
        self._known: dict[bytes, int] = {}
        self._shared_views: dict[str, int] = {}

    def add(
        self, array: NDArray[Any], *, target: int | None = None, bounds: bool = False, share: str | None = None
    ) -> int:
        """Index of the accessor for `array` (N, ...), one element per row.

        target: the vertex or index buffer the graphics card will want it in. bounds: state minimum and maximum.
        share: accessors with the same word lie in one buffer view; not for vertex data, which needs its own.
        """
        array = np.ascontiguousarray(array)
        data = array.tobytes()
        description = f"{array.dtype} {array.shape} {target} {bounds} {share}".encode()
        key = hashlib.blake2b(data, key=description[:64], digest_size=16).digest()
        if key not in self._known:
            self._known[key] = len(self.accessors)
            self.accessors.append(self._accessor(array, data, target, bounds, share))
        return self._known[key]

    def _accessor(
        self, array: NDArray[Any], data: bytes, target: int | None, bounds: bool, share: str | None
    ) -> dict[str, Any]:
        view, offset = self._append(data, target, share)
        accessor: dict[str, Any] = {
            "bufferView": view,
            "componentType": COMPONENT_TYPES[array.dtype.name],
            "count": len(array),
            "type": ELEMENT_TYPES[array.shape[1:]],
        }
        if offset:
            accessor["byteOffset"] = offset
        if bounds:
            rows = array.reshape(len(array), -1)
            accessor["min"], accessor["max"] = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()
        return accessor

    def _append(self, data: bytes, target: int | None, share: str | None) -> tuple[int, int]:
        """View and offset in it under which the bytes are stored, padded so that the next ones are aligned."""
        view = self._shared_views.get(share) if share else None
        if view is None:
            view = len(self._views)
            self._views.append({"buffer": 0, "byteLength": 0} | ({"target": target} if target else {}))
            self._contents.append([])
            if share:
                self._shared_views[share] = view
        padded = data + bytes(-len(data) % ALIGNMENT)
        offset = self._views[view]["byteLength"]
        self._contents[view].append(padded)
        self._views[view]["byteLength"] = offset + len(padded)
        return view, offset

    def finish(self) -> tuple[list[dict[str, Any]], bytes]:
        """The buffer views, and the bytes they look at."""
        offset, views = 0, []
        for view in self._views:
            views.append(view | {"byteOffset": offset})
            offset += view["byteLength"]
        return views, b"".join(data for contents in self._contents for data in contents)
