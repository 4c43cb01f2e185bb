"""The motion file, read as the browser reads it, puts every joint where the clip has it."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import ExportError
from walkon.export import build_skin
from walkon.motion import placement_at
from walkon.rotations import Placement, normalize, rotate
from walkon.studio.cast_view import ShownCast, ShownClip, clips_of
from walkon.studio.motion_bytes import BONES, MAGIC, PlayedPart, bake, matrices


def read(data: bytes) -> dict:
    """Everything in a motion file; nothing is left over."""
    magic, joints, rows, vertices, triangles, bones, *zeros = struct.unpack_from("<8I", data)
    assert (magic, bones, zeros) == (MAGIC, BONES, [0, 0])
    at, parts = 32, {}
    for name, kind, shape in (
        ("matrices", "<f4", (rows, joints, 3, 4)),
        ("positions", "<f4", (vertices, 3)),
        ("normals", "<f4", (vertices, 3)),
        ("bones", "u1", (vertices, bones)),
        ("weights", "u1", (vertices, bones)),
        ("triangles", "<u4", (triangles, 3)),
    ):
        count = int(np.prod(shape))
        parts[name] = np.frombuffer(data, kind, count, at).reshape(shape)
        at += count * np.dtype(kind).itemsize
    assert at == len(data)
    return parts


@pytest.fixture(scope="module")
def walk():
    return make("walk")


def test_joints_come_to_where_the_clip_has_them(walk):
    core = PlayedPart(walk, 5, 30)
    parts = read(bake([core, PlayedPart(walk, 0, 3)]))
    assert len(parts["matrices"]) == core.rows + 4
    skin = build_skin(walk)
    bind = np.column_stack([skin.bind_positions, np.ones(len(walk.skeleton))])
    segment = Placement(3.0, -2.0, 0.8)
    entry = placement_at(walk, 5)
    for row in (0, 7, core.rows - 1):
        # What the page does: the matrix, then turned and moved to where the segment begins.
        local = np.einsum("jab,jb->ja", parts["matrices"][row], bind)
        sine, cosine = np.sin(segment.heading), np.cos(segment.heading)
        x = local[:, 0] * cosine + local[:, 2] * sine + segment.x
        z = -local[:, 0] * sine + local[:, 2] * cosine + segment.z
        wanted = segment.points(entry.inverse().points(walk.positions[5 + row]))
        assert np.allclose(np.column_stack([x, local[:, 1], z]), wanted, atol=1e-5)


def test_a_bind_pose_that_is_turned_is_taken_back_first(walk):
    """Some rigs are bound in their first frame: a point on a bone must stay on it."""
    joints, rng = len(walk.skeleton), np.random.default_rng(4)
    turned = normalize(rng.normal(size=(joints, 4)))
    skin = replace(build_skin(walk), bind_rotations=turned, bind_positions=rng.normal(size=(joints, 3)))
    made = matrices(PlayedPart(walk, 0, 2), skin)
    on_bone = rng.normal(size=(joints, 3))
    bound = np.column_stack([skin.bind_positions + rotate(turned, on_bone), np.ones(joints)])
    home = placement_at(walk, 0).inverse()
    wanted = home.points(walk.positions[2] + rotate(walk.world_rotations[2], on_bone))
    assert np.allclose(np.einsum("jab,jb->ja", made[2], bound), wanted, atol=1e-9)


def test_the_entry_stands_at_the_origin(walk):
    parts = read(bake([PlayedPart(walk, 5, 30)]))
    skin = build_skin(walk)
    bind = np.column_stack([skin.bind_positions, np.ones(len(walk.skeleton))])
    local = np.einsum("jab,jb->ja", parts["matrices"][0], bind)
    assert np.abs(local[:, [0, 2]]).max() < 1.0
    rotations = parts["matrices"][..., :3]
    assert np.allclose(np.linalg.det(rotations), 1.0, atol=1e-5), "a mirrored body would have -1"


def test_weights_sum_to_a_whole_and_bones_are_there(walk):
    parts = read(bake([PlayedPart(walk, 0, 1)]))
    assert (parts["weights"].sum(axis=1, dtype=int) == 255).all()
    assert parts["bones"].max() < len(walk.skeleton)
    assert parts["triangles"].max() < len(parts["positions"])


def test_a_cast_numbers_clips_and_bakes_once(walk, fake):
    shown = ShownClip(PlayedPart(walk, 0, 9), "walk", "locomotion")
    cast = ShownCast([("a", 0, [shown]), ("b", 1, [shown, shown])])
    assert [one["first_clip"] for one in cast.view] == [0, 1]
    assert [clip["first_row"] for clip in cast.view[1]["clips"]] == [0, 10]
    assert cast.view[1]["frames"] == 20
    assert cast.motion(1) is cast.motion(1)
    assert cast.motion(2) is None
    graph = fake.walking_graph()
    assert [clip.core.rows for clip in clips_of(graph)] == (graph.durations + 1).tolist()


def test_what_is_too_much_for_a_browser_is_refused(walk, monkeypatch):
    monkeypatch.setattr("walkon.studio.motion_bytes.MOST_BYTES", 1000)
    with pytest.raises(ExportError, match="too much"):
        bake([PlayedPart(walk, 0, 9)])
