from __future__ import annotations

import numpy as np

from walkon.export.gltf_buffer import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, GltfBuffer


def test_equal_arrays_for_equal_use_are_stored_once():
    buffer = GltfBuffer()
    ones = np.ones((5, 3), np.float32)
    first = buffer.add(ones, target=ARRAY_BUFFER)
    assert buffer.add(ones.copy(), target=ARRAY_BUFFER) == first
    assert buffer.add(ones) != first
    assert buffer.add(ones[:4], target=ARRAY_BUFFER) != first
    assert buffer.add(ones.view(np.uint32), target=ARRAY_BUFFER) != first
    assert buffer.add(ones, target=ARRAY_BUFFER, bounds=True) != first
    assert buffer.accessors[first] == {"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"}


def test_odd_lengths_are_padded_so_that_all_starts_are_aligned():
    buffer = GltfBuffer()
    buffer.add(np.arange(3, dtype=np.uint16), target=ELEMENT_ARRAY_BUFFER)
    buffer.add(np.arange(5, dtype=np.uint8), share="mixed")
    shared = buffer.add(np.arange(2, dtype=np.float32), share="mixed", bounds=True)
    last = buffer.add(np.arange(7, dtype=np.uint8))
    views, data = buffer.finish()
    assert [view["byteOffset"] for view in views] == [0, 8, 24]
    assert views[0]["target"] == ELEMENT_ARRAY_BUFFER
    assert len(data) == 32
    accessor = buffer.accessors[shared]
    assert (accessor["bufferView"], accessor["byteOffset"]) == (1, 8)
    assert (accessor["min"], accessor["max"]) == ([0.0], [1.0])
    assert np.frombuffer(data, np.float32, 2, 16).tolist() == [0.0, 1.0]
    start = views[buffer.accessors[last]["bufferView"]]["byteOffset"]
    assert data[start : start + 7] == bytes(range(7))
