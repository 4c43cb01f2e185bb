from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion.readers import read_bvh
from walkon.rotations import angle_between, from_euler

ROW = [1.0, 95.0, 3.0, *(0.0 for _ in range(12))]


def turned(**columns: float) -> list[float]:
    row = list(ROW)
    for name, value in columns.items():
        row[int(name[1:])] = value
    return row


def read_text(write, text, **options):
    return read_bvh(write("clip.bvh", text), **options)


def test_a_plain_file_becomes_metres_joints_and_tips(write, bvh_text):
    recording = read_text(write, bvh_text([turned(c3=90.0), turned(c3=80.0)]))
    clip = recording.clip
    assert clip.skeleton.names == ("Hips", "LeftUpLeg", "LeftLeg", "LeftLeg_end", "Spine", "Spine_end")
    assert clip.skeleton.parents.tolist() == [-1, 0, 1, 2, 0, 4]
    assert clip.skeleton.tips.tolist() == [False, False, False, True, False, True]
    assert clip.fps == 100.0
    assert clip.name == "clip"
    assert recording.warnings == ()
    assert recording.provenance.unit_name == "cm"
    np.testing.assert_allclose(clip.root_positions[0], [0.01, 0.95, 0.03])
    # A quarter turn about z takes +x (the thigh) to +y and -y (the leg) to +x.
    np.testing.assert_allclose(clip.positions[0, 1], [0.01, 1.05, 0.03], atol=1e-12)
    np.testing.assert_allclose(clip.positions[0, 3], [0.91, 1.05, 0.13], atol=1e-12)


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "ZYZ", "YX", "Z", ""])
def test_rotation_channels_compose_in_the_order_given(write, bvh_text, order):
    channels = f"CHANNELS {len(order)} " + " ".join(f"{axis}rotation" for axis in order)
    hierarchy = "HIERARCHY\nROOT r\n{ OFFSET 0 0 0\n CHANNELS 1 Yposition\nJOINT j\n{ OFFSET 0 90 0\n"
    hierarchy += f"{channels}\nEnd Site\n{{ OFFSET 0 90 0 }} }} }}\n"
    angles = [37.0, -80.0, 145.0][: len(order)]
    clip = read_text(write, bvh_text([[1.0, *angles]], hierarchy=hierarchy)).clip
    expected = from_euler(np.radians(angles), order) if order else [1.0, 0.0, 0.0, 0.0]
    assert angle_between(clip.rotations[0, 1], expected) < 1e-9


def test_rotations_before_positions_and_mixed_orders(write, bvh_text):
    hierarchy = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 6 Yrotation Xrotation Zrotation Zposition Xposition "
    hierarchy += "Yposition\nJOINT j\n{\nOFFSET 0 170 0\nCHANNELS 3 Xrotation Zrotation Yrotation\n}\n}\n"
    row = [10.0, 20.0, 30.0, 3.0, 1.0, 2.0, -40.0, 50.0, 60.0]
    clip = read_text(write, bvh_text([row], hierarchy=hierarchy), units="cm").clip
    np.testing.assert_allclose(clip.root_positions[0], [0.01, 0.02, 0.03])
    assert angle_between(clip.rotations[0, 0], from_euler(np.radians([10, 20, 30]), "YXZ")) < 1e-9
    assert angle_between(clip.rotations[0, 1], from_euler(np.radians([-40, 50, 60]), "XZY")) < 1e-9


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\n\n", " \t \r\n"])
def test_any_line_ends_and_blank_lines(write, bvh_text, ending):
    text = bvh_text([turned(c3=5.0), turned(c4=6.0)])
    plain = read_text(write, text).clip
    other = read_text(write, text.replace("\n", ending)).clip
    np.testing.assert_array_equal(other.rotations, plain.rotations)


def test_mixed_line_ends_tabs_case_names_with_spaces_and_a_byte_order_mark(write, bvh_text):
    text = bvh_text([ROW, ROW]).replace("LeftUpLeg", "Left  Upper Leg").replace("  ", "\t")
    text = (
        text.replace("Frames:", "FRAMES :").replace("Frame Time:", "frame time:").replace("End Site", "END SITE")
    )
    text = text.replace("Zrotation", "zrotation").replace("OFFSET", "Offset").replace("{\n", "{\r\n")
    recording = read_text(write, b"\xef\xbb\xbf" + text.encode())
    assert recording.clip.skeleton.names[1] == "Left\tUpper Leg"
    assert len(recording.clip) == 2


def test_braces_and_statements_may_share_a_line(write, bvh_text):
    hierarchy = "HIERARCHY ROOT my hips { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition "
    hierarchy += "JOINT the head { OFFSET 0 170 0 CHANNELS 0 End Site { OFFSET 0 9 0 } } }\n"
    clip = read_text(write, bvh_text([[1.0, 2.0, 3.0]], hierarchy=hierarchy)).clip
    assert clip.skeleton.names == ("my hips", "the head", "the head_end")


def test_a_wrong_frame_count_is_a_warning_with_both_numbers(write, bvh_text):
    for announced in ("7", "1000000000", "-1"):
        recording = read_text(write, bvh_text([ROW, ROW, ROW], frames=announced))
        assert len(recording.clip) == 3
        assert [announced in w and "3" in w for w in recording.warnings] == [True]


def test_repeated_names_are_made_unique_with_a_warning(write, bvh_text):
    recording = read_text(write, bvh_text([ROW]).replace("LeftLeg", "LeftUpLeg"))
    assert recording.clip.skeleton.names[:4] == ("Hips", "LeftUpLeg", "LeftUpLeg_2", "LeftUpLeg_2_end")
    assert any("LeftUpLeg_2" in warning for warning in recording.warnings)


def test_unknown_channels_hold_their_place(write, bvh_text):
    text = bvh_text([turned(c6=2.0, c7=20.0)]).replace(
        "CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 3 Xscale Xrotation Yrotation", 1
    )
    recording = read_text(write, text)
    assert angle_between(recording.clip.rotations[0, 1], from_euler([np.radians(20.0)], "X")) < 1e-9
    assert any("Xscale" in warning for warning in recording.warnings)


class TestPositionChannelsOfInnerJoints:
    HIERARCHY = (
        "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT j\n{\nOFFSET 0 50 0\n"
        "CHANNELS 2 Xposition Yposition\nEnd Site\n{\nOFFSET 0 100 0\n}\n}\n}\n"
    )

    def read(self, write, bvh_text, rows):
        return read_text(
            write, bvh_text([[0, 90, 0, *r] for r in rows], hierarchy=self.HIERARCHY), units="cm"
        ).clip

    def test_moving_ones_stretch_the_bone(self, write, bvh_text):
        clip = self.read(write, bvh_text, [[1, 60], [2, 70]])
        assert clip.bone_offsets is not None
        np.testing.assert_allclose(clip.bone_offsets[:, 1], [[0.01, 0.6, 0], [0.02, 0.7, 0]])
        np.testing.assert_allclose(clip.positions[1, 2], [0.02, 2.6, 0.0])

    def test_constant_ones_replace_the_offset(self, write, bvh_text):
        clip = self.read(write, bvh_text, [[1, 60], [1, 60]])
        assert clip.bone_offsets is None
        np.testing.assert_allclose(clip.skeleton.offsets[1], [0.01, 0.6, 0.0])

    def test_all_zero_ones_leave_it(self, write, bvh_text):
        clip = self.read(write, bvh_text, [[0, 0], [0, 0]])
        np.testing.assert_allclose(clip.skeleton.offsets[1], [0.0, 0.5, 0.0])


class TestOffsetOfTheRoot:
    def read(self, write, bvh_text, height):
        text = bvh_text([turned(c1=height), turned(c1=height)])
        return read_text(write, text.replace("OFFSET 0 0 0", "OFFSET 3 90 4", 1), units="cm")

    def test_positions_replace_it(self, write, bvh_text):
        recording = self.read(write, bvh_text, 91.0)
        np.testing.assert_allclose(recording.clip.root_positions[0], [0.01, 0.91, 0.03])
        assert recording.warnings == ()

    def test_unless_that_buries_the_figure(self, write, bvh_text):
        recording = self.read(write, bvh_text, 1.0)
        np.testing.assert_allclose(recording.clip.root_positions[0], [0.04, 0.91, 0.07])
        assert any("added" in warning for warning in recording.warnings)


def test_signs_of_quaternions_are_continuous(write, bvh_text):
    rows = [turned(c3=angle) for angle in range(0, 720, 30)]
    rotations = read_text(write, bvh_text(rows)).clip.rotations
    assert (np.einsum("fjk,fjk->fj", rotations[1:], rotations[:-1]) > 0).all()


def test_a_single_pose_may_last_no_time(write, bvh_text):
    recording = read_text(write, bvh_text([ROW], time="0.0"))
    assert recording.clip.fps == 30.0
    assert len(recording.warnings) == 1


BROKEN = {
    # name: (what is replaced, by what, lines from there to the one the error names, or None for any)
    "nothing moves": ("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation", "", None),
    "no root": ("ROOT Hips", "JOINT Hips", 0),
    "an end site first": ("ROOT Hips", "End Site", 0),
    "a second root": ("JOINT Spine", "ROOT Spine", 0),
    "no braces": ("ROOT Hips\n{", "ROOT Hips\n", 2),
    "an unknown word": ("OFFSET 10 0 0", "OFSET 10 0 0", 0),
    "a short offset": ("OFFSET 10 0 0", "OFFSET 10 0", 1),
    "no offset": ("OFFSET 0 30 0", "", 1),
    "an endless offset": ("OFFSET 10 0 0", "OFFSET 10 inf 0", 0),
    "a huge offset": ("OFFSET 10 0 0", "OFFSET 10 1e400 0", 0),
    "too few channels": ("CHANNELS 6", "CHANNELS 9", 1),
    "channels without number": ("CHANNELS 6", "CHANNELS many", 0),
    "too many channels": ("CHANNELS 6", "CHANNELS 1000000000", 0),
    "a closing brace too many": ("MOTION", "}\nMOTION", 0),
    "a brace left open": ("}\nMOTION", "\nMOTION", None),
    "no motion": ("MOTION", "MOTHS", None),
    "no frame time": ("Frame Time:", "Frame Tim:", -2),
    "a time that stands still": ("Frame Time: 0.01", "Frame Time: 0", 0),
    "a time that runs backwards": ("Frame Time: 0.01", "Frame Time: -0.01", 0),
    "a count that is none": ("Frames: 2", "Frames: two", 0),
    "a row too short": ("95.000000 3.000000", "95.000000", 0),
    "a row too long": ("95.000000", "95.000000 7", 0),
    "not a number": ("95.000000", "nan", 0),
    "an infinite number": ("95.000000", "1e400", 0),
    "no number at all": ("95.000000", "9x5", 0),
    "a decimal comma": ("95.000000", "95,000000", 0),
    "a control character": ("95.000000", "95.0\x01", 0),
    "an exponent without digits": ("95.000000", "0e", 0),
    "a lone point": ("95.000000", ".", 0),
    "a nameless joint": ("JOINT Spine", "JOINT", 0),
    "a joint in an end site": ("OFFSET 0 30 0", "OFFSET 0 30 0 JOINT x { OFFSET 0 0 0 }", 0),
    "channels in an end site": ("OFFSET 0 30 0", "OFFSET 0 30 0 CHANNELS 1 Xrotation", 0),
    "end of nothing": ("End Site", "End Game", 0),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_raise_a_clip_error_with_file_and_line(write, bvh_text, case):
    old, new, further = BROKEN[case]
    text = bvh_text([ROW, ROW])
    before, found, _ = text.partition(old)
    assert found
    path = write("broken.bvh", text.replace(old, new, 1))
    with pytest.raises(ClipError) as caught:
        read_bvh(path)
    assert caught.value.path == path
    if further is not None:
        assert caught.value.line == before.count("\n") + 1 + further


def test_every_truncation_is_a_clip_error_or_a_shorter_clip(write, bvh_text):
    data = bvh_text([ROW, ROW]).encode()
    for stop in range(1, len(data), 7):
        try:
            recording = read_bvh(write("cut.bvh", data[:stop]))
        except ClipError:
            continue
        assert len(recording.clip) in (1, 2)


def test_absurdly_deep_nesting_does_not_recurse(write):
    deep = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\n" + "JOINT j\n{\nOFFSET 0 0 0\n" * 100_000
    with pytest.raises(ClipError, match="more than"):
        read_bvh(write("deep.bvh", deep))


def test_nine_thousand_nested_joints_are_read(write, bvh_text):
    joints = 9_000
    hierarchy = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n"
    hierarchy += "JOINT j\n{\nOFFSET 0 0.0003 0\n" * joints + "}\n" * (joints + 1)
    clip = read_text(write, bvh_text([[1.0]], hierarchy=hierarchy), units="m").clip
    assert len(clip.skeleton) == joints + 1
    assert clip.skeleton.names[-1] == f"j_{joints}"
    np.testing.assert_allclose(clip.positions[0, -1], [0, 1 + joints * 0.0003, 0])
