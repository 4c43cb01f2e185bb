from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion.readers import read_bvh
from walkon.motion.readers.units import CMU_UNIT, UNITS, resolve_units
from walkon.rotations import angle_between, from_euler
from walkon.skeleton import Skeleton

HUMAN = 2.3
"""Fingers to toes along the bones of an adult [m]."""


def stick(size: float, names: tuple[str, ...] = ("a", "b")) -> Skeleton:
    offsets = np.zeros((len(names), 3))
    offsets[1:, 1] = size / (len(names) - 1)
    return Skeleton(names, range(-1, len(names) - 1), offsets)


@pytest.mark.parametrize("unit", ["m", "cm", "mm", "in", "ft"])
@pytest.mark.parametrize("stature", [0.7, 1.0, 1.2])
def test_children_and_giants_are_recognised_in_every_unit(unit, stature):
    name, metres = resolve_units("auto", stick(stature * HUMAN / UNITS[unit]), None)
    assert (name, metres) == (unit, UNITS[unit])


def test_the_cmu_unit_is_exact_for_cmu_skeletons_and_a_last_resort_for_others():
    cmu = stick(HUMAN / CMU_UNIT, ("root", "LHipJoint", "RHipJoint", "LThumb", "RThumb"))
    assert resolve_units("auto", cmu, None) == ("cmu", 0.0254 / 0.45)
    in_metres = stick(HUMAN, ("root", "LHipJoint", "RHipJoint", "LThumb", "RThumb"))
    assert resolve_units("auto", in_metres, None)[0] == "m"
    assert resolve_units("auto", stick(HUMAN / CMU_UNIT), None)[0] == "cmu"


def test_what_is_given_wins_over_what_is_stated_and_that_over_the_size():
    assert resolve_units("mm", stick(180.0), ("m", 1.0)) == ("mm", 0.001)
    assert resolve_units(0.5, stick(180.0), ("m", 1.0)) == ("given", 0.5)
    assert resolve_units("auto", stick(180.0), ("m", 1.0)) == ("m", 1.0)
    assert resolve_units("auto", stick(0.0), None) == ("m", 1.0)


@pytest.mark.parametrize("units", ["yard", "", 0.0, -1.0, float("nan"), float("inf")])
def test_other_units_are_refused(units):
    with pytest.raises(ClipError, match="units"):
        resolve_units(units, stick(1.0), None)


def z_up(text: str) -> str:
    """The same file of unturned poses with the whole world, rest pose included, turned from Y up to Z up."""
    lines = []
    for line in text.splitlines():
        match line.split():
            case ["OFFSET", x, y, z]:
                lines.append(f"OFFSET {x} {-float(z)} {y}")
            case _:
                lines.append(line.replace("Xposition Yposition Zposition", "Xposition Zposition Yposition"))
    return "\n".join(lines)


ROW = [1.0, 95.0, 0.0, *([0.0] * 12)]


def test_a_file_that_stands_along_z_is_turned_upright(write, bvh_text):
    upright = read_bvh(write("y.bvh", bvh_text([ROW, ROW])))
    lying = read_bvh(write("z.bvh", z_up(bvh_text([ROW, ROW]))))
    assert (upright.provenance.up, lying.provenance.up) == ("y", "z")
    np.testing.assert_allclose(lying.clip.positions, upright.clip.positions, atol=1e-12)
    np.testing.assert_allclose(lying.clip.skeleton.offsets, upright.clip.skeleton.offsets, atol=1e-12)
    assert angle_between(lying.clip.rotations, upright.clip.rotations).max() < 1e-9


def test_a_rest_pose_along_y_in_a_world_along_z_stays_upright(write, bvh_text):
    # Channels Z X Y: a quarter turn about X stands the Y-up figure along z.
    row = [1.0, 40.0, 95.0, 0.0, 90.0, 0.0, *([0.0] * 9)]
    recording = read_bvh(write("z.bvh", bvh_text([row, row])))
    assert recording.provenance.up == "z"
    assert angle_between(recording.clip.rotations[0, 0], [1.0, 0, 0, 0]) < 1e-9
    np.testing.assert_allclose(recording.clip.root_positions[0], [0.01, 0.95, -0.4])
    assert recording.clip.skeleton.rest_positions[:, 1].max() > 0.7


def test_a_swimmer_in_a_world_along_y_stays_one(write, bvh_text):
    rows = [[0.0, 100.0, 50.0 + 20 * f, 0.0, 90.0, 0.0, *([0.0] * 9)] for f in range(40)]
    assert read_bvh(write("swim.bvh", bvh_text(rows))).provenance.up == "y"


def test_the_up_axis_may_be_given(write, bvh_text):
    path = write("y.bvh", bvh_text([ROW, ROW]))
    given = read_bvh(path, up="z").clip
    np.testing.assert_allclose(given.root_positions[0], [0.01, 0.0, -0.95], atol=1e-12)
    assert angle_between(given.rotations[0, 0], from_euler([-np.pi / 2], "X")) < 1e-9
    with pytest.raises(ClipError, match="up axis"):
        read_bvh(path, up="x")
    with pytest.raises(ClipError, match="trim"):
        read_bvh(path, trim="everything")  # type: ignore[arg-type]


def test_stretching_bones_turn_with_the_rest_pose(write, bvh_text):
    hierarchy = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT j\n{\n"
    hierarchy += "OFFSET 0 0 90\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 0 90\n}\n}\n}\n"
    rows = [[0.0, 0.0, 0.0, 0.0, 0.0, 90.0 + f] for f in range(3)]
    recording = read_bvh(write("z.bvh", bvh_text(rows, hierarchy=hierarchy)))
    assert recording.provenance.up == "z"
    np.testing.assert_allclose(recording.clip.positions[2, 2], [0.0, 1.82, 0.0], atol=1e-12)


def test_a_long_animal_is_not_taken_for_one_that_stands_on_end(tmp_path):
    from walkon.builtin import make
    from walkon.export import write_bvh

    dog = make("dog")
    write_bvh(tmp_path / "dog.bvh", dog)
    back = read_bvh(tmp_path / "dog.bvh", units="m")
    assert back.provenance.up == "y"
    np.testing.assert_allclose(back.clip.positions[:, 0], dog.positions[:, 0], atol=1e-5)
