"""Poses as numbers and back: wherever they happened, however far a joint turns."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import VariationError
from walkon.motion import Clip, ground_placements, place
from walkon.rotations import Placement, conjugate, from_axis_angle, multiply, rotation_about_y
from walkon.skeleton import Skeleton
from walkon.variation.coordinates import LEAST_SCALE, fit_coordinates

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
several, swing, SKELETON = moving.several, moving.swing, moving.SKELETON

BUILTIN = ("walk", "run", "jump", "crawl", "dog", "horse", "skateboarder")


def angles_apart(one: Clip, other: Clip) -> float:
    """Largest angle [rad] between the local rotations of two clips."""
    return float(_angles(multiply(conjugate(one.rotations), other.rotations)).max())


def _angles(rotations: np.ndarray) -> np.ndarray:
    return 2.0 * np.arctan2(np.linalg.norm(rotations[..., 1:], axis=-1), np.abs(rotations[..., 0]))


def largest_step(clip: Clip) -> float:
    """Largest angle [rad] by which a local rotation changes in a frame."""
    return float(_angles(multiply(conjugate(clip.rotations[:-1]), clip.rotations[1:])).max())


def set_down(clip: Clip) -> tuple[float, float, float]:
    """Where `decode` has to begin to be where a clip was: the root's place, and the heading of its way."""
    from walkon.variation.coordinates import _headings

    return float(clip.root_positions[0, 0]), float(clip.root_positions[0, 2]), float(_headings(clip)[0])


def turning(frames: int = 150, rate: float = 2.0) -> Clip:
    """Legs that swing while the body turns round several times."""
    clip = swing(frames, lean=0.1)
    turns = rate * np.arange(frames) / clip.fps
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_y(turns), rotations[:, 0])
    roots = np.column_stack([2.0 * np.cos(turns), 1.0 + 0.1 * np.sin(3.0 * turns), 3.0 * np.sin(turns)])
    return clip.with_changes(rotations=rotations, root_positions=roots)


def circling(frames: int = 120, phase: float = 0.0, rate: float = 1.0) -> Clip:
    """A left leg that goes round and round, like an arm that circles."""
    clip = swing(frames)
    angles = 2.0 * np.pi * (rate * np.arange(frames) / clip.fps + phase)
    rotations = clip.rotations.copy()
    rotations[:, moving.LEFT] = from_axis_angle(moving.X_AXIS, angles)
    return clip.with_changes(rotations=rotations, name=f"circle {phase}")


@pytest.mark.parametrize("name", BUILTIN)
@pytest.mark.parametrize("where", [Placement(0.0, 0.0, 0.0), Placement(-7.0, 3.0, 2.5)])
def test_there_and_back(name, where):
    clip = place(make(name), where)
    told, (values,) = fit_coordinates([clip])
    assert values.shape == (len(clip), told.count) == (len(clip), len(told.names)) == (len(clip), len(told.joints))
    np.testing.assert_array_equal(told.encode(clip), values)
    back = told.decode(values, "back", start=set_down(clip))
    # What hardly moves at all is told as constant.
    np.testing.assert_allclose(back.root_positions, clip.root_positions, atol=0.02)
    assert angles_apart(back, clip) < 0.03
    assert (back.name, back.fps, back.skeleton) == ("back", clip.fps, clip.skeleton)


def test_there_and_back_while_turning_past_pi():
    clip = turning()
    assert np.ptp(ground_placements(clip)[:, 2]) > 2.5 * np.pi
    told, (values,) = fit_coordinates([clip])
    back = told.decode(values, "back", start=set_down(clip))
    np.testing.assert_allclose(back.root_positions, clip.root_positions, atol=0.01)
    assert angles_apart(back, clip) < 0.01
    assert np.abs(np.diff(values, axis=0)).max() < 1.0


def test_numbers_have_about_unit_spread_around_zero():
    told, encoded = fit_coordinates([make("walk", speed=speed) for speed in (1.1, 1.3, 1.5)], ends=False)
    everything = np.concatenate(encoded)
    np.testing.assert_allclose(everything.mean(axis=0), 0.0, atol=1e-9)
    spread = everything.std(axis=0)
    assert spread.max() < 1.0 + 1e-9
    np.testing.assert_allclose(spread[told.scale[told.moving] > LEAST_SCALE], 1.0, atol=1e-9)


@pytest.mark.parametrize("heading", [0.5, np.pi, -3.0, 40.0])
def test_numbers_do_not_depend_on_where_it_happened(heading):
    clips = [make("walk", speed=speed) for speed in (1.1, 1.4)]
    told, encoded = fit_coordinates(clips)
    moved = [place(clip, Placement(30.0 * index - 4.0, 8.0, heading + index)) for index, clip in enumerate(clips)]
    for clip, values in zip(moved, encoded, strict=True):
        np.testing.assert_allclose(told.encode(clip), values, atol=1e-8)
    again, anew = fit_coordinates(moved)
    assert again.names == told.names
    for one, other in zip(anew, encoded, strict=True):
        np.testing.assert_allclose(np.abs(one), np.abs(other), atol=1e-6)


def test_what_goes_ahead_goes_ahead():
    """Speeds are those of the character: ahead, and to its left."""
    ahead = several(2, leans=0.02)
    told, _ = fit_coordinates([ahead[0], swing(speed=2.0, name="fast")])
    values = told.encode(place(swing(speed=2.0), Placement(0.0, 0.0, 1.0)))
    column = told.names.index("root ahead")
    speeds = told.center[0] + values[:, column] * told.scale[0]
    np.testing.assert_allclose(speeds, 2.0, atol=1e-6)
    assert "root left" not in told.names
    sideways = swing(speed=0.0)
    roots = sideways.root_positions + np.outer(np.arange(120) / 30.0, [0.7, 0.0, 0.0])
    told, (values, _) = fit_coordinates([sideways.with_changes(root_positions=roots), swing(speed=0.0)])
    column = told.names.index("root left")
    # Facing +Z with Y up, left is +X.
    np.testing.assert_allclose(told.center[1] + values[:, column] * told.scale[1], 0.7, atol=1e-6)


def test_signs_of_quaternions_do_not_matter():
    clips = several(2, leans=0.05)
    flipped = clips[1].rotations * np.random.default_rng(0).choice([-1.0, 1.0], (*clips[1].rotations.shape[:2], 1))
    told, encoded = fit_coordinates(clips)
    np.testing.assert_allclose(told.encode(clips[1].with_changes(rotations=flipped)), encoded[1], atol=1e-12)
    _, again = fit_coordinates([clips[0], clips[1].with_changes(rotations=flipped)])
    np.testing.assert_allclose(np.abs(again[1]), np.abs(encoded[1]), atol=1e-9)


@pytest.mark.parametrize("rate", [0.4, 1.0])
def test_a_joint_that_goes_round_is_told_by_axes(rate):
    clips = [circling(phase=phase, rate=rate) for phase in (0.0, 0.3)]
    told, encoded = fit_coordinates(clips)
    assert told.wide.tolist() == [joint == moving.LEFT for joint in range(len(SKELETON))]
    assert max(np.abs(np.diff(values, axis=0)).max() for values in encoded) < 1.0
    back = told.decode(encoded[1], "back", start=set_down(clips[1]))
    assert angles_apart(back, clips[1]) < 0.01
    # Somewhere between two poses: still a rotation, and near.
    between = told.decode(0.5 * (encoded[0][1:] + encoded[0][:-1]), "between")
    assert largest_step(between) < 2.0 * largest_step(clips[0]) + 0.1


def test_a_vector_longer_than_pi_does_not_jump():
    """Variants go farther than inputs do: past half a turn the rotation goes on."""
    told, encoded = fit_coordinates([swing(height=2.2, rate=0.5), swing(height=2.0, rate=0.5)])
    assert not told.wide.any()
    farther = told.decode(1.7 * encoded[0], "farther")
    assert np.pi < 1.7 * 2.2
    assert largest_step(farther) < 1.8 * largest_step(swing(height=2.2, rate=0.5))
    assert np.abs(np.diff(farther.rotations, axis=0)).max() < 0.5


def test_what_does_not_move_is_not_told_and_stays():
    told, _ = fit_coordinates(several(3, lean=0.2))
    assert set(told.names) == {"left_hip x", "right_hip x", "root ahead"} - {"root ahead"}
    back = told.decode(np.random.default_rng(0).standard_normal((9, told.count)), "back")
    np.testing.assert_allclose(back.root_positions[:, 1], 1.0)
    np.testing.assert_allclose(np.diff(back.root_positions[:, 2]), 1.0 / 30.0)
    np.testing.assert_allclose(_angles(back.rotations[:, 0]), 0.2, atol=1e-6)
    np.testing.assert_allclose(back.rotations[:, moving.CHEST], np.tile([1.0, 0, 0, 0], (9, 1)), atol=1e-9)


def test_tips_stay_as_they_are():
    clips = [make("walk", speed=speed) for speed in (1.2, 1.4)]
    told, encoded = fit_coordinates(clips)
    back = told.decode(encoded[0] + 0.1, "back")
    tips = clips[0].skeleton.tips
    assert tips.any()
    np.testing.assert_allclose(back.rotations[:, tips], clips[0].rotations[:, tips], atol=1e-9)


def test_a_motion_that_ends_tells_how_much_is_done():
    jumps = [make("jump", distance=distance) for distance in (0.8, 1.0)]
    told, encoded = fit_coordinates(jumps)
    assert told.ends
    assert told.names[-1] == "progress"
    assert (np.diff(encoded[0][:, -1]) > 0.0).all()
    assert encoded[0][0, -1] == -encoded[0][-1, -1] == encoded[1][0, -1]
    back = told.decode(encoded[0], "back", start=set_down(jumps[0]))
    assert angles_apart(back, jumps[0]) < 0.03
    assert not fit_coordinates(jumps, ends=False)[0].ends


def test_nothing_moves():
    stiff = swing(height=0.0)
    with pytest.raises(VariationError, match="nothing moves"):
        fit_coordinates([stiff, stiff])


def test_clips_that_cannot_be_told_are_refused_by_name():
    clips = several(2)
    told, _ = fit_coordinates(clips)
    longer = Skeleton(SKELETON.names, SKELETON.parents, 1.1 * SKELETON.offsets)
    other = Clip("other", longer, 30.0, clips[0].root_positions, clips[0].rotations)
    with pytest.raises(VariationError, match=r"'other' has another skeleton than 'swing 0'; retarget"):
        fit_coordinates([clips[0], other])
    with pytest.raises(VariationError, match="'other' has another skeleton"):
        told.encode(other)
    with pytest.raises(VariationError, match="60 Hz, the model 30 Hz"):
        told.encode(clips[0].with_changes(fps=60.0))
    offsets = np.tile(SKELETON.offsets, (len(clips[0]), 1, 1))
    stretched = clips[0].with_changes(bone_offsets=offsets, name="rubber")
    with pytest.raises(VariationError, match="'rubber' stretches its bones"):
        fit_coordinates([clips[1], stretched])
    with pytest.raises(VariationError, match="'rubber' stretches its bones"):
        told.encode(stretched)
