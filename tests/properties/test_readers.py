"""Readers on files nobody wrote by hand: what was put in comes out, and garbage is a ClipError."""

from __future__ import annotations

import importlib.util
import random
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.containers import zipped
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.readers._kernels import DONE, scan_rows
from walkon.motion.readers.bvh import parse_bvh
from walkon.motion.readers.clip_file import clip_file_members, parse_clip_file
from walkon.rotations import normalize, to_matrix
from walkon.skeleton import Skeleton

MUTATIONS = 4_000


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script."""
    path = Path(__file__).resolve().parents[2] / "fuzz" / "fuzz_readers.py"
    spec = importlib.util.spec_from_file_location("fuzz_readers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@st.composite
def figures(draw: st.DrawFn) -> dict:
    """A random tree of joints with random channels, and rows for it."""
    count = draw(st.integers(1, 8))
    parents = [-1] + [draw(st.integers(0, joint - 1)) for joint in range(1, count)]
    letters = st.lists(st.sampled_from("XYZ"), max_size=4)
    channels = [draw(letters) for _ in range(count)]
    frames = draw(st.integers(1, 4))
    angles = st.integers(-3_600_000, 3_600_000).map(lambda n: n / 10_000)
    width = 3 + sum(map(len, channels))
    rows = [[draw(angles) for _ in range(width)] for _ in range(frames)]
    offsets = [[draw(st.integers(-900, 900)) / 8 for _ in range(3)] for _ in range(count)]
    offsets[0] = [0.0, 0.0, 0.0]
    return {"parents": parents, "channels": channels, "rows": rows, "offsets": offsets}


def bvh_of(figure: dict, blank: str, end: str, number: str) -> tuple[bytes, list[int]]:
    """The figure as a BVH file, spaced as asked, and the joints in the order the file has them."""
    parents, order = figure["parents"], []
    lines = ["HIERARCHY"]

    def write_joint(joint: int) -> None:
        position = len(order)
        order.append(joint)
        axes = figure["channels"][joint]
        places = ["Xposition", "Yposition", "Zposition"] if joint == 0 else []
        lines.append(f"{'ROOT' if joint == 0 else 'JOINT'}{blank}joint {joint}")
        lines.extend(["{", f"OFFSET{blank}" + blank.join(map(repr, figure["offsets"][joint]))])
        names = places + [f"{axis}rotation" for axis in axes]
        lines.append(blank.join([f"CHANNELS{blank}{len(names)}", *names]))
        for child in range(position, len(parents)):
            if parents[child] == joint:
                write_joint(child)
        lines.append("}")

    write_joint(0)
    starts = np.cumsum([3] + [len(axes) for axes in figure["channels"]])
    columns = [0, 1, 2] + [c for joint in order for c in range(starts[joint], starts[joint + 1])]
    lines += ["MOTION", f"Frames:{blank}{len(figure['rows'])}", "Frame Time: 0.025"]
    lines += [blank + blank.join(number % row[c] for c in columns) for row in figure["rows"]]
    return end.join(lines).encode(), order


def matrix(axis: str, degrees: float) -> np.ndarray:
    """A rotation about one axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i = "XYZ".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    result = np.eye(3)
    result[j, j], result[j, k], result[k, j], result[k, k] = c, -s, s, c
    return result


def plain_kinematics(figure: dict, row: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Positions and rotation matrices of all joints by textbook matrices: the oracle."""
    count = len(figure["parents"])
    positions, rotations = np.zeros((count, 3)), np.zeros((count, 3, 3))
    column = 3
    for joint, parent in enumerate(figure["parents"]):
        local = np.eye(3)
        for axis in figure["channels"][joint]:
            local = local @ matrix(axis, row[column])
            column += 1
        if parent < 0:
            positions[0], rotations[0] = row[:3], local
        else:
            positions[joint] = positions[parent] + rotations[parent] @ figure["offsets"][joint]
            rotations[joint] = rotations[parent] @ local
    return positions, rotations


@settings(max_examples=60, deadline=None)
@given(
    figure=figures(),
    blank=st.sampled_from([" ", "\t", "  \t"]),
    end=st.sampled_from(["\n", "\r\n", "\r", "\n\n"]),
    number=st.sampled_from(["%.4f", "%r", "%.12g", "%.17e"]),
)
def test_random_figures_are_posed_as_the_textbook_says(figure, blank, end, number):
    data, order = bvh_of(figure, blank, end, number)
    raw = parse_bvh(data, Path("random.bvh"))
    assert raw.names == [f"joint {joint}" for joint in order]
    assert raw.fps == 40.0
    clip = Clip(
        "random",
        Skeleton(raw.names, raw.parents, raw.offsets, raw.tips),
        raw.fps,
        raw.root_positions,
        raw.rotations,
    )
    for frame, row in enumerate(figure["rows"]):
        positions, rotations = plain_kinematics(figure, row)
        np.testing.assert_allclose(clip.positions[frame], positions[order], atol=1e-6)
        np.testing.assert_allclose(to_matrix(clip.world_rotations[frame]), rotations[order], atol=1e-9)


@settings(max_examples=300, deadline=None)
@given(
    value=st.floats(-1e8, 1e8, allow_subnormal=False),
    form=st.sampled_from(["%r", "%.6f", "%.17g", "%.25f", "%.3e", "%+.10f", "%d"]),
)
def test_numbers_are_read_to_the_last_bit(value, form):
    token = form % value
    data = np.frombuffer(token.encode(), np.uint8)
    values = np.full((1 + len(token) // 2, 1), np.nan)
    status, *_ = scan_rows(data, 0, 1, 1, values, 0, 0)
    assert status != DONE or values[0, 0] == float(token)


@settings(max_examples=40, deadline=None)
@given(
    frames=st.integers(1, 5),
    joints=st.integers(1, 6),
    seed=st.integers(0, 2**32),
    stretching=st.booleans(),
    planted=st.integers(0, 3),
    name=st.text(max_size=20),
    fps=st.floats(1e-3, 1e4),
)
def test_clip_files_give_back_what_was_written(frames, joints, seed, stretching, planted, name, fps):
    rng = np.random.default_rng(seed)
    parents = [-1] + [int(rng.integers(0, joint)) for joint in range(1, joints)]
    tips = [joint > 0 and joint not in parents for joint in range(joints)]
    skeleton = Skeleton([f"{name}{i}" for i in range(joints)], parents, rng.normal(size=(joints, 3)), tips)
    clip = Clip(
        name,
        skeleton,
        fps,
        rng.normal(size=(frames, 3)),
        normalize(rng.normal(size=(frames, joints, 4))),
        bone_offsets=rng.normal(size=(frames, joints, 3)) if stretching else None,
        labels=(Label(name, 0, frames),),
        contacts=Contacts(tuple("abc"[:planted]), rng.random((frames, planted)) < 0.5) if planted else None,
    )
    data = zipped(clip_file_members(clip))
    back = parse_clip_file(data, Path("a.clip"))
    assert zipped(clip_file_members(back)) == data
    np.testing.assert_array_equal(back.rotations, clip.rotations)
    assert (back.name, back.fps, back.labels) == (name, fps, clip.labels)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_arbitrary_bytes_give_a_clip_error(fuzz, data):
    for number in range(len(fuzz.TARGETS)):
        fuzz.read_one(bytes([number]) + data)


def test_seeds_of_the_fuzz_target_are_good_files(fuzz):
    assert all(fuzz.read_one(seed) for seed in fuzz.seeds())


def test_thousands_of_damaged_files_give_nothing_but_clips_and_clip_errors(fuzz):
    rng = random.Random(20)
    pool = fuzz.seeds()
    read = sum(fuzz.read_one(fuzz.mutated(rng.choice(pool), rng)) for _ in range(MUTATIONS))
    # Both outcomes must be common, or the mutations are too tame or too wild to find anything.
    assert 0.03 * MUTATIONS < read < 0.9 * MUTATIONS


def test_reading_never_writes(fuzz, monkeypatch):
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.chdir(folder)
        for seed in fuzz.seeds():
            fuzz.read_one(seed)
        assert list(Path(folder).iterdir()) == []
