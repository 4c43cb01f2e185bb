from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import walkon.export.glb
from walkon.errors import ExportError
from walkon.export import build_skin, write_glb
from walkon.rotations import slerp, to_matrix
from walkon.skeleton import Skeleton, forward_kinematics

COMPONENTS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    """A reader of GLB, just good enough to believe nothing the writer says."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json = json.loads(data[20 : 20 + size])
        self.binary = b""
        if 20 + size < len(data):
            length, kind = struct.unpack_from("<I4s", data, 20 + size)
            assert (kind, length) == (b"BIN\0", len(data) - 28 - size)
            self.binary = data[28 + size :]
            assert self.json["buffers"] == [{"byteLength": len(self.binary)}]

    def array(self, index: int) -> np.ndarray:
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        dtype, width = np.dtype(COMPONENTS[accessor["componentType"]]), WIDTHS[accessor["type"]]
        start = view["byteOffset"] + accessor.get("byteOffset", 0)
        assert start % dtype.itemsize == 0
        assert accessor.get("byteOffset", 0) + accessor["count"] * width * dtype.itemsize <= view["byteLength"]
        return np.frombuffer(self.binary, dtype, accessor["count"] * width, start).reshape(accessor["count"], -1)

    def tracks(self) -> dict[tuple[int, str], tuple[np.ndarray, np.ndarray]]:
        """Times [s] and values by node and path."""
        if "animations" not in self.json:
            return {}
        (animation,) = self.json["animations"]
        samplers = animation["samplers"]
        found = {}
        for channel in animation["channels"]:
            sampler = samplers[channel["sampler"]]
            key = channel["target"]["node"], channel["target"]["path"]
            assert key not in found
            found[key] = self.array(sampler["input"])[:, 0], self.array(sampler["output"])
        return found

    def positions(self, root: int, joints: int, times: np.ndarray) -> np.ndarray:
        """World positions (times, J, 3) of the joints that follow the node `root`, as a player would show them."""
        parents = np.full(joints, -1)
        nodes = self.json["nodes"][root : root + joints]
        for joint, node in enumerate(nodes):
            for child in node.get("children", []):
                parents[child - root] = joint
        tracks = self.tracks()
        local = np.zeros((len(times), joints, 3))
        turns = np.zeros((len(times), joints, 4))
        for joint, node in enumerate(nodes):
            local[:, joint] = node.get("translation", [0, 0, 0])
            turns[:, joint] = np.array(node.get("rotation", [0, 0, 0, 1]))[[3, 0, 1, 2]]
            if (root + joint, "translation") in tracks:
                seconds, values = tracks[root + joint, "translation"]
                local[:, joint] = [np.array([np.interp(t, seconds, column) for column in values.T]) for t in times]
            if (root + joint, "rotation") in tracks:
                seconds, values = tracks[root + joint, "rotation"]
                after = np.clip(np.searchsorted(seconds, times), 1, len(seconds) - 1)
                share = np.clip((times - seconds[after - 1]) / (seconds[after] - seconds[after - 1]), 0, 1)
                wxyz = values[:, [3, 0, 1, 2]].astype(float)
                turns[:, joint] = slerp(wxyz[after - 1], wxyz[after], share)
        skeleton = Skeleton([str(joint) for joint in range(joints)], parents, local[0])
        return forward_kinematics(skeleton, local[:, 0], turns, local)[0]


def armatures(gltf: Gltf) -> list[dict]:
    return [gltf.json["nodes"][i] for i in gltf.json["scenes"][0]["nodes"] if "children" in gltf.json["nodes"][i]]


def seconds(clip):
    return np.arange(len(clip)) / clip.fps


def test_joints_move_as_in_the_clip(tmp_path, clip):
    write_glb(tmp_path / "a.glb", clip)
    gltf = Gltf(tmp_path / "a.glb")
    (armature,) = armatures(gltf)
    found = gltf.positions(armature["children"][0], len(clip.skeleton), seconds(clip))
    np.testing.assert_allclose(found, clip.positions, atol=2e-6)
    names = [node["name"] for node in gltf.json["nodes"]]
    assert names == ["swing", *clip.skeleton.names, "swing body"]


def test_bones_that_stretch_have_translation_tracks(tmp_path, stretching):
    write_glb(tmp_path / "a.glb", stretching)
    gltf = Gltf(tmp_path / "a.glb")
    found = gltf.positions(1, len(stretching.skeleton), seconds(stretching))
    np.testing.assert_allclose(found, stretching.positions, atol=2e-6)
    moved = {gltf.json["nodes"][node]["name"] for node, path in gltf.tracks() if path == "translation"}
    assert moved == {"Hips", "LeftForeArm", "Head_end"}


def test_every_character_has_its_own_armature_and_time(tmp_path, clip, swing):
    other = swing(clip.skeleton.scaled(0.8), frames=25, seed=5)
    write_glb(tmp_path / "a.glb", [clip, other, clip])
    gltf = Gltf(tmp_path / "a.glb")
    assert [armature["name"] for armature in armatures(gltf)] == ["swing", "swing_2", "swing_3"]
    for armature, expected in zip(armatures(gltf), [clip, other, clip], strict=True):
        found = gltf.positions(armature["children"][0], len(clip.skeleton), seconds(clip))
        # The shorter one holds its last pose.
        frames = np.minimum(np.arange(len(clip)), len(expected) - 1)
        np.testing.assert_allclose(found, expected.positions[frames], atol=2e-6)
    assert len({skin["joints"][0] for skin in gltf.json["skins"]}) == 3
    colours = [m["pbrMetallicRoughness"]["baseColorFactor"] for m in gltf.json["materials"]]
    assert len({tuple(colour) for colour in colours}) == 3


def test_the_body_is_bound_as_it_was_built(tmp_path, clip):
    write_glb(tmp_path / "a.glb", clip)
    gltf, skin = Gltf(tmp_path / "a.glb"), build_skin(clip)
    (primitive,) = gltf.json["meshes"][0]["primitives"]
    attributes = {name: gltf.array(index) for name, index in primitive["attributes"].items()}
    np.testing.assert_array_equal(attributes["POSITION"], skin.positions)
    np.testing.assert_array_equal(attributes["JOINTS_0"], np.pad(skin.joints, ((0, 0), (0, 2))))
    np.testing.assert_allclose(attributes["WEIGHTS_0"].sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(gltf.array(primitive["indices"]).reshape(-1, 3), skin.triangles)
    # In the bind pose, inverse bind matrix times joint transform is the identity: columns are stored one by one.
    (binding,) = gltf.json["skins"]
    inverse = gltf.array(binding["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    at_joint = np.concatenate([skin.bind_positions, np.ones((len(inverse), 1))], axis=1)
    np.testing.assert_allclose(
        np.einsum("jab,jb->ja", inverse, at_joint), np.tile([0, 0, 0, 1], (len(inverse), 1)), atol=1e-6
    )
    accessor = gltf.json["accessors"][primitive["attributes"]["POSITION"]]
    np.testing.assert_allclose(accessor["min"], skin.positions.min(axis=0))
    np.testing.assert_allclose(accessor["max"], skin.positions.max(axis=0))


def test_inverse_bind_matrices_undo_a_turned_bind_pose(tmp_path, clip, monkeypatch):
    turned = build_skin(clip)
    object.__setattr__(turned, "bind_rotations", clip.world_rotations[7])
    monkeypatch.setattr(walkon.export.glb, "build_skin", lambda clip: turned)
    write_glb(tmp_path / "a.glb", clip)
    gltf = Gltf(tmp_path / "a.glb")
    inverse = gltf.array(gltf.json["skins"][0]["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    bind = np.tile(np.eye(4), (len(inverse), 1, 1))
    bind[:, :3, :3], bind[:, :3, 3] = to_matrix(turned.bind_rotations), turned.bind_positions
    np.testing.assert_allclose(inverse @ bind, np.tile(np.eye(4), (len(inverse), 1, 1)), atol=1e-6)


def test_quaternions_never_jump_to_their_opposite(tmp_path, clip):
    signs = np.where(np.arange(len(clip)) % 2, -1.0, 1.0)[:, None, None]
    write_glb(tmp_path / "a.glb", clip.with_changes(rotations=clip.rotations * signs))
    for (_, path), (_, values) in Gltf(tmp_path / "a.glb").tracks().items():
        if path == "rotation":
            assert (np.einsum("fk,fk->f", values[1:], values[:-1]) > 0.5).all()


def test_what_does_not_move_has_no_track(tmp_path, clip):
    still = clip.rotations.copy()
    arm = clip.skeleton.index("LeftArm")
    still[:, arm] = still[3, arm]
    quiet = clip.with_changes(rotations=still, root_positions=np.tile([1.0, 0.9, 2.0], (len(clip), 1)))
    write_glb(tmp_path / "a.glb", quiet)
    gltf = Gltf(tmp_path / "a.glb")
    moving = {gltf.json["nodes"][node]["name"] for node, _ in gltf.tracks()}
    assert moving == set(clip.skeleton.names) - {"LeftArm", "Head_end", "LeftFoot_end", "RightFoot_end"}
    assert all(path == "rotation" for _, path in gltf.tracks())
    np.testing.assert_allclose(gltf.positions(1, len(clip.skeleton), seconds(clip)), quiet.positions, atol=2e-6)


def test_a_tremble_is_motion(tmp_path, clip):
    trembling = np.tile(clip.root_positions[0], (len(clip), 1))
    trembling[::2, 1] += 1e-4
    still = np.tile(clip.rotations[:1], (len(clip), 1, 1))
    write_glb(tmp_path / "a.glb", clip.with_changes(root_positions=trembling, rotations=still))
    assert list(Gltf(tmp_path / "a.glb").tracks()) == [(1, "translation")]


def test_a_single_frame_is_a_pose_without_animation(tmp_path, person, swing):
    pose = swing(person, frames=1)
    write_glb(tmp_path / "a.glb", pose)
    gltf = Gltf(tmp_path / "a.glb")
    assert "animations" not in gltf.json
    np.testing.assert_allclose(gltf.positions(1, len(person), np.zeros(1)), pose.positions, atol=1e-6)


def test_a_crowd_of_one_skeleton_shares_its_body(tmp_path, clip):
    write_glb(tmp_path / "one.glb", clip)
    write_glb(tmp_path / "many.glb", [clip] * 20)
    one, many = Gltf(tmp_path / "one.glb"), Gltf(tmp_path / "many.glb")
    assert len(many.binary) == len(one.binary)
    attributes = [mesh["primitives"][0]["attributes"] for mesh in many.json["meshes"]]
    assert all(each == attributes[0] for each in attributes)
    assert len(many.json["skins"]) == 20


def test_without_bodies_there_are_only_nodes(tmp_path, clip):
    write_glb(tmp_path / "a.glb", clip, body=False)
    gltf = Gltf(tmp_path / "a.glb")
    assert not {"meshes", "skins", "materials"} & gltf.json.keys()
    np.testing.assert_allclose(gltf.positions(1, len(clip.skeleton), seconds(clip)), clip.positions, atol=2e-6)


def test_a_floor_lies_under_everyone_and_faces_up(tmp_path, clip):
    write_glb(tmp_path / "a.glb", clip, floor=True)
    gltf = Gltf(tmp_path / "a.glb")
    (primitive,) = gltf.json["meshes"][-1]["primitives"]
    corners = gltf.array(primitive["attributes"]["POSITION"]).astype(float)
    assert (corners[:, 1] == 0).all()
    assert (corners.min(axis=0)[[0, 2]] < clip.positions.min(axis=(0, 1))[[0, 2]]).all()
    assert (corners.max(axis=0)[[0, 2]] > clip.positions.max(axis=(0, 1))[[0, 2]]).all()
    for a, b, c in corners[gltf.array(primitive["indices"]).reshape(-1, 3)]:
        assert np.cross(b - a, c - a)[1] > 0


def test_more_than_256_joints_need_wider_indices(tmp_path, swing):
    count = 300
    offsets = np.full((count, 3), 1e-4)
    offsets[-1] = 0.5  # the one bone long enough for a capsule
    skeleton = Skeleton([f"j{i}" for i in range(count)], np.arange(-1, count - 1), offsets)
    write_glb(tmp_path / "a.glb", swing(skeleton, frames=2))
    gltf = Gltf(tmp_path / "a.glb")
    joints = gltf.array(gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"])
    assert joints.dtype == np.uint16
    assert joints.max() == count - 2


def test_clips_of_different_rates_are_refused(tmp_path, clip):
    with pytest.raises(ExportError, match="rate"):
        write_glb(tmp_path / "a.glb", [clip, clip.with_changes(fps=60.0)])
    assert list(tmp_path.iterdir()) == []
