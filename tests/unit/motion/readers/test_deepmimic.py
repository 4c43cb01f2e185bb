from __future__ import annotations

import json

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion.readers import read_deepmimic, read_recording
from walkon.motion.readers.deepmimic_characters import DOG, HUMANOID, DeepMimicFigure
from walkon.rotations import angle_between, from_axis_angle


def frame(character: DeepMimicFigure, duration: float = 1 / 60, position=(0.0, 0.6, 0.0)) -> list[float]:
    """The character at rest."""
    numbers = [duration, *position]
    for joint in character.joints:
        numbers += {"ball": [1.0, 0.0, 0.0, 0.0], "hinge": [0.0], "fixed": []}[joint.kind]
    return numbers


def text(frames: list[list[float]]) -> str:
    return json.dumps({"Loop": "wrap", "Frames": frames})


def test_the_characters_have_the_published_frame_lengths():
    assert (DOG.frame_length, HUMANOID.frame_length) == (84, 44)


@pytest.mark.parametrize("character", [DOG, HUMANOID])
def test_a_character_at_rest_stands_symmetric_and_looks_along_z(write, character):
    clip = read_recording(write("rest.txt", text([frame(character)] * 3))).clip
    skeleton = clip.skeleton
    for name in skeleton.names:
        if name.startswith("left_"):
            left = clip.positions[0, skeleton.index(name)]
            right = clip.positions[0, skeleton.index(name.replace("left_", "right_"))]
            np.testing.assert_allclose(left, right * [-1, 1, 1], atol=1e-12)
            assert left[0] > 0.01  # facing +z with Y up, the left is at +x
    front = "head" if character is DOG else "left_ankle_end"
    assert clip.positions[0, skeleton.index(front), 2] > 0.1
    assert not any(name.endswith("_end") for name in np.array(skeleton.names)[~skeleton.tips])


def test_numbers_reach_the_right_joints_in_turned_axes(write):
    numbers = frame(DOG, position=(2.0, 0.6, 1.0))
    turn = from_axis_angle(np.array([1.0, 0, 0]), np.array(0.5))
    numbers[4:8] = turn.tolist()
    hinge = 4 + 4 * 6  # the root, two of the spine, neck, head and the left shoulder come before
    numbers[hinge] = 0.7
    clip = read_deepmimic(write("dog.txt", text([numbers, numbers]))).clip
    np.testing.assert_allclose(clip.root_positions[0], [-1.0, 0.6, 2.0])
    # What was a turn about +x, the dog's length, is one about +z; a hinge's +z is -x.
    assert angle_between(clip.rotations[0, 0], from_axis_angle(np.array([0, 0, 1.0]), np.array(0.5))) < 1e-9
    forearm = clip.rotations[0, clip.skeleton.index("left_forearm")]
    assert angle_between(forearm, from_axis_angle(np.array([-1.0, 0, 0]), np.array(0.7))) < 1e-9


def test_steady_frames_stay_as_they_are(write):
    frames = [frame(HUMANOID, 0.0166666992, (x, 1.0, 0.0)) for x in (0.0, 0.1, 0.3)]
    frames[-1][0] = 0.0
    recording = read_deepmimic(write("human.json", text(frames)))
    assert recording.clip.fps == 60.0
    assert recording.warnings == ()
    np.testing.assert_allclose(recording.clip.root_positions[:, 2], [0.0, 0.1, 0.3])


def test_uneven_frames_are_resampled(write):
    frames = [frame(HUMANOID, d, (x, 1.0, 0.0)) for d, x in ((0.1, 0.0), (0.2, 1.0), (0.1, 3.0), (0.1, 4.0))]
    frames.append(frame(HUMANOID, 0.0, (5.0, 1.0, 0.0)))
    recording = read_deepmimic(write("human.json", text(frames)))
    assert recording.clip.fps == 10.0
    np.testing.assert_allclose(recording.clip.root_positions[:, 2], [0, 1, 2, 3, 4, 5], atol=1e-9)
    assert len(recording.warnings) == 1


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[1, 2]",
        "{}",
        '{"Frames": []}',
        '{"Frames": [1]}',
        '{"Frames": [[1, 2], [1]]}',
        '{"Frames": [[1, 2]]}',
        '{"Frames": [["a"]]}',
        "[" * 100_000,
        '{"a":' * 100_000,
        text([frame(HUMANOID)]).replace("0.6", "NaN"),
        text([frame(HUMANOID)]).replace("0.6", "1e400"),
        text([frame(HUMANOID)]).replace("0.6", "1" * 5000),
        text([frame(HUMANOID)]).replace("0.6", "true"),
        text([frame(HUMANOID, -1.0)] * 2),
        text([frame(HUMANOID, 0.0)] * 2),
        text([frame(HUMANOID, 1e-5), *[frame(HUMANOID, 1e-5)] * 3, frame(HUMANOID, 1e8), frame(HUMANOID)]),
    ],
)
def test_broken_files_raise_a_clip_error(write, content):
    with pytest.raises(ClipError) as caught:
        read_deepmimic(write("broken.json", content))
    assert caught.value.path is not None
