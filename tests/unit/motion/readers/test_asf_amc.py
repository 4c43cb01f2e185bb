from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion.readers import read_amc, read_asf, read_recording
from walkon.motion.readers.units import CMU_UNIT
from walkon.rotations import angle_between, from_euler, multiply, rotate

ASF = """# a leg
:version 1.10
:name leg
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  anything: goes, here
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -2 0
    length 10
    axis 30 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0, 70.0)
           (-inf inf)
  end
  begin
    id 2
    name shin
    direction 1 0 0
    length 8
    axis 0 0 0 XYZ
    dof rz
    limits (-10.0 170.0)
  end
  begin
    id 3
    name spine
    direction 0 1 0
    length 20
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh spine
    thigh shin
  end
"""
AMC = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 10 20 30\nthigh 15 -25 35\nshin 90\n2\nroot 1 2 3 10 20 30\n"
AMC += "thigh 15 -25 35\nshin 80\n"


def fixed_axes(angles: list[float], order: str) -> np.ndarray:
    """Turn about fixed axes, the first letter first."""
    return from_euler(np.radians(angles[::-1]), order[::-1])


@pytest.fixture
def leg(write):
    """Read AMC text on ASF text."""

    def read(amc: str = AMC, asf: str = ASF, **options):
        write("leg.asf", asf)
        return read_amc(write("leg_01.amc", amc), **options)

    return read


def test_joints_sit_where_bones_start_and_tips_where_they_end(leg):
    recording = leg()
    skeleton = recording.clip.skeleton
    assert skeleton.names == ("root", "thigh", "shin", "spine", "shin_end", "spine_end")
    assert skeleton.parents.tolist() == [-1, 0, 1, 0, 2, 3]
    np.testing.assert_allclose(
        skeleton.offsets / CMU_UNIT, [[0] * 3, [0] * 3, [0, -10, 0], [0] * 3, [8, 0, 0], [0, 20, 0]], atol=1e-12
    )
    assert recording.clip.fps == 120.0
    assert recording.provenance.unit == pytest.approx(CMU_UNIT)
    assert recording.warnings == ()


def test_bones_turn_in_their_own_frames(leg):
    clip = leg().clip
    frame = fixed_axes([30, 0, 20], "XYZ")
    root, thigh = fixed_axes([10, 20, 30], "XYZ"), fixed_axes([15, -25, 35], "XYZ")
    # A point fixed to the thigh is turned by root · frame · motion · frame⁻¹.
    turned = multiply(root, multiply(frame, multiply(thigh, frame * [1, -1, -1, -1])))
    assert angle_between(clip.world_rotations[0, 1], turned) < 1e-9
    np.testing.assert_allclose(clip.root_positions[0], np.array([1, 2, 3]) * CMU_UNIT)
    knee = np.array([1, 2, 3]) + rotate(turned, [0, -10, 0])
    np.testing.assert_allclose(clip.positions[0, 2], knee * CMU_UNIT, atol=1e-12)
    toe = knee + rotate(multiply(turned, fixed_axes([90], "Z")), [8, 0, 0])
    np.testing.assert_allclose(clip.positions[0, 4], toe * CMU_UNIT, atol=1e-12)


def test_dofs_in_another_order_are_values_and_turns_in_that_order(leg):
    asf = ASF.replace("dof rx ry rz", "dof RZ rx ry").replace("order TX TY TZ RX RY RZ", "order RZ TZ RX TX RY TY")
    amc = AMC.replace("root 1 2 3 10 20 30", "root 30 3 10 1 20 2").replace("axis 30 0 20", "axis 0 0 0")
    clip = leg(amc, asf.replace("axis 30 0 20 XYZ", "axis 0 0 0 XYZ")).clip
    np.testing.assert_allclose(clip.root_positions[0], np.array([1, 2, 3]) * CMU_UNIT)
    assert angle_between(clip.rotations[0, 0], fixed_axes([30, 10, 20], "ZXY")) < 1e-9
    assert angle_between(clip.rotations[0, 1], fixed_axes([15, -25, 35], "ZXY")) < 1e-9


def test_the_order_of_an_axis_counts(leg):
    asf = ASF.replace("axis 30 0 20 XYZ", "axis 30 0 20 ZYX")
    frame = fixed_axes([20, 0, 30], "ZYX")
    motion = fixed_axes([15, -25, 35], "XYZ")
    expected = multiply(frame, multiply(motion, frame * [1, -1, -1, -1]))
    assert angle_between(leg(asf=asf).clip.rotations[0, 1], expected) < 1e-9


def test_radians_in_either_file(leg):
    degrees = leg().clip
    in_radians = {n: f"{np.radians(float(n)):.15f}" for n in ("10", "20", "30", "15", "-25", "35", "90", "80")}
    amc = ":RADIANS\n"
    for line in AMC.splitlines()[2:]:
        name, *numbers = line.split()
        keep = 3 if name == "root" else 0
        amc += " ".join([name, *numbers[:keep], *(in_radians[n] for n in numbers[keep:])]) + "\n"
    np.testing.assert_allclose(leg(amc).clip.rotations, degrees.rotations, atol=1e-12)
    asf = ASF.replace("angle deg", "angle rad").replace(
        "axis 30 0 20", "axis 0.5235987755982988 0 0.349065850398866"
    )
    np.testing.assert_allclose(leg(amc, asf).clip.rotations, degrees.rotations, atol=1e-12)
    np.testing.assert_allclose(
        leg(amc.replace(":RADIANS\n", ""), asf).clip.rotations, degrees.rotations, atol=1e-12
    )


def test_translating_and_stretching_bones(leg):
    asf = ASF.replace("dof rz", "dof tx rz l").replace("axis 0 0 0 XYZ\n    dof tx", "axis 0 0 90 XYZ\n    dof tx")
    clip = leg(AMC.replace("shin 90", "shin 2 0 1.5").replace("shin 80", "shin 0 0 0"), asf).clip
    assert clip.bone_offsets is not None
    # The shin's own x axis is the global y.
    np.testing.assert_allclose(clip.bone_offsets[0, 2] / CMU_UNIT, [0, -8, 0], atol=1e-12)
    np.testing.assert_allclose(clip.bone_offsets[0, 4] / CMU_UNIT, [9.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(clip.bone_offsets[1], clip.skeleton.offsets, atol=1e-12)


def test_a_root_set_elsewhere_and_turned(leg):
    asf = ASF.replace("position 0 0 0", "position 0 5 0").replace("orientation 0 0 0", "orientation 0 90 0")
    clip = leg(asf=asf).clip
    np.testing.assert_allclose(clip.root_positions[0], np.array([1, 7, 3]) * CMU_UNIT)
    expected = multiply(fixed_axes([10, 20, 30], "XYZ"), fixed_axes([90], "Y"))
    assert angle_between(clip.rotations[0, 0], expected) < 1e-9


def test_a_bone_left_out_stays_as_it_was(leg):
    clip = leg(AMC.replace("thigh 15 -25 35\nshin 80", "shin 80")).clip
    np.testing.assert_array_equal(clip.rotations[0, 1], clip.rotations[1, 1])


def test_an_unset_length_unit_gives_way_to_the_skeletons_size(leg):
    asf = ASF.replace("length 0.45", "length 1.0").replace("length 10\n", "length 90\n")
    asf = asf.replace("length 8\n", "length 80\n").replace("length 20\n", "length 60\n")
    recording = leg(asf=asf)
    assert recording.provenance.unit_name == "cm"
    assert any("120" in warning for warning in recording.warnings)
    assert leg(asf=ASF.replace("length 0.45", "length 0.4")).provenance.unit == pytest.approx(0.0254 / 0.4)


def test_the_frame_rate_may_be_given_or_stated(leg):
    assert leg(fps=60).clip.fps == 60.0
    assert leg(":SAMPLES-PER-SECOND 30\n" + AMC).clip.fps == 30.0


def test_the_skeleton_is_found_beside_the_motion(write, tmp_path):
    amc = write("16_12.amc", AMC)
    with pytest.raises(ClipError, match="which ASF"):
        read_amc(amc)
    write("any.asf", ASF)
    assert len(read_recording(amc).clip) == 2
    write("other.ASF", "broken")
    with pytest.raises(ClipError, match="which ASF"):
        read_amc(amc)
    write("16.asf", ASF.replace("thigh", "femur"))
    with pytest.raises(ClipError, match="thigh"):
        read_amc(amc)
    assert len(read_amc(amc, tmp_path / "any.asf").clip) == 2
    assert len(read_amc(amc, read_asf(tmp_path / "any.asf")).clip) == 2


def test_a_skeleton_alone_is_one_pose(write):
    clip = read_recording(write("leg.asf", ASF)).clip
    assert len(clip) == 1
    np.testing.assert_allclose(clip.positions[0] - clip.positions[0, 0], clip.skeleton.rest_positions, atol=1e-12)


BROKEN_ASF = {
    "no hierarchy": (":hierarchy", ":hierarchies", None),
    "a cycle": ("thigh shin\n", "thigh shin\n    shin thigh\n", 1),
    "two parents": ("thigh shin\n", "thigh shin\n    spine shin\n", 1),
    "a bone its own parent": ("root thigh spine", "root spine\n    thigh thigh", None),
    "a bone on nothing": ("root thigh spine", "root thigh", None),
    "an unknown bone": ("thigh shin\n", "thigh chin\n", 0),
    "a bone twice": ("name shin", "name thigh", None),
    "no direction": ("direction 1 0 0", "", None),
    "half a direction": ("direction 1 0 0", "direction 1 0", 0),
    "a length of nan": ("length 8", "length nan", 0),
    "a huge length": ("length 8", "length 1e400", 0),
    "an odd order of axes": ("axis 30 0 20 XYZ", "axis 30 0 20 XXZ", 0),
    "an odd dof": ("dof rz", "dof rw", 0),
    "a dof twice": ("dof rx ry rz", "dof rx ry rx", 0),
    "no end": ("  end\n:hierarchy", ":hierarchy", None),
    "text before any keyword": ("# a leg", "a leg", 0),
}


@pytest.mark.parametrize("case", BROKEN_ASF)
def test_broken_skeletons_raise_a_clip_error_with_file_and_line(write, case):
    old, new, further = BROKEN_ASF[case]
    before, found, _ = ASF.partition(old)
    assert found
    path = write("broken.asf", ASF.replace(old, new, 1))
    with pytest.raises(ClipError) as caught:
        read_asf(path)
    assert caught.value.path == path
    if further is not None:
        assert caught.value.line == before.count("\n") + 1 + further


BROKEN_AMC = {
    "too few numbers": ("thigh 15 -25 35", "thigh 15 -25", 0),
    "too many numbers": ("shin 90", "shin 90 1", 0),
    "an unknown bone": ("shin 90", "chin 90", 0),
    "nan": ("shin 90", "shin nan", 0),
    "an infinite number": ("shin 90", "shin 1e400", 0),
    "no number": ("shin 90", "shin x", 0),
    "a bone before any frame": ("1\nroot", "root", 0),
    "no frames": (AMC[AMC.index("1\n") :], "", None),
}


@pytest.mark.parametrize("case", BROKEN_AMC)
def test_broken_motion_raises_a_clip_error_with_file_and_line(leg, case):
    old, new, further = BROKEN_AMC[case]
    before, found, _ = AMC.partition(old)
    assert found
    with pytest.raises(ClipError) as caught:
        leg(AMC.replace(old, new, 1))
    assert caught.value.path is not None
    if further is not None:
        assert caught.value.line == before.count("\n") + 1 + further
