"""Root fixing: the root is on the trajectory exactly, the body faces along it, and sliding feet are seen."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make_walk
from walkon.crowd import load_performers
from walkon.directing.clip_takes import take_of_clips
from walkon.errors import LibraryError, SceneError
from walkon.metrics import Trajectories, audit, measure, of_take
from walkon.motion import ground_placements
from walkon.rivals import fix_roots, simulate
from walkon.rivals.cycles import choose_cycle, cut_cycle
from walkon.rivals.root_fixing import face_along, warp_cycle
from walkon.take import read_take, write_take


@pytest.fixture(scope="module")
def cycle():
    walk = make_walk(speed=1.3, cycles=1)
    return cut_cycle(walk, 0, len(walk) - 1)


def line(speed: float, seconds: float = 4.0, heading: float = 0.7) -> np.ndarray:
    """A path (F, 2) at 30 Hz."""
    along = speed * np.arange(round(30 * seconds)) / 30.0
    return np.column_stack([along * np.sin(heading), along * np.cos(heading)])


def slide(clip) -> float:
    """Mean speed [m/s] of joints while they are planted."""
    joints = [clip.skeleton.index(joint) for joint in clip.contacts.joints]
    moved = np.hypot(*np.moveaxis(np.diff(clip.positions[:, joints][..., [0, 2]], axis=0), 2, 0)) * clip.fps
    both = clip.contacts.planted[1:] & clip.contacts.planted[:-1]
    return float(moved[both].mean())


def test_a_straight_walk_at_its_own_speed_comes_back_as_it_is(cycle) -> None:
    """The pose after whole strides is the same, the feet hardly slide, and the body faces the way it goes."""
    path = line(1.3, heading=0.0)
    clip = warp_cycle(cycle, path, 30.0)
    walk = make_walk(speed=1.3, cycles=4)
    frames = min(len(walk), len(clip))
    apart = np.abs(clip.rotations[:frames] * np.sign(clip.rotations[:frames, :, :1]) -
                   walk.rotations[:frames] * np.sign(walk.rotations[:frames, :, :1]))  # fmt: skip
    assert apart.max() < 0.02
    np.testing.assert_array_equal(clip.root_positions[:, [0, 2]], path)
    assert slide(clip) < 0.1


def test_the_root_is_where_the_trajectory_is_whatever_its_speed(cycle) -> None:
    """Feet slide more on a curve than straight on."""
    angles = np.linspace(0.0, 2.0 * np.pi, 200)
    curve = 1.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    clip = warp_cycle(cycle, curve, 30.0, phase=0.3)
    np.testing.assert_array_equal(clip.root_positions[:, [0, 2]], curve)
    facing = ground_placements(clip)[:, 2]
    along = np.unwrap(np.arctan2(*np.gradient(curve, axis=0).T))
    assert np.abs(np.angle(np.exp(1j * (facing - along)))).max() < 0.3
    assert slide(clip) > 1.5 * slide(warp_cycle(cycle, line(1.3), 30.0))


def test_whoever_stands_keeps_the_pose_and_the_heading(cycle) -> None:
    path = np.concatenate([line(1.0, 1.0), np.repeat(line(1.0, 1.0)[-1:], 40, axis=0)])
    clip = warp_cycle(cycle, path, 30.0)
    np.testing.assert_array_equal(clip.rotations[45, 1:], clip.rotations[-1, 1:])
    np.testing.assert_allclose(face_along(path, 30.0), 0.7, atol=1e-9)
    np.testing.assert_array_equal(face_along(np.zeros((5, 2)), 30.0, 0.4), np.full(5, 0.4))


def test_headings_do_not_jump_at_half_a_turn() -> None:
    angles = np.linspace(0.0, 4.0 * np.pi, 300)
    headings = face_along(np.column_stack([np.cos(angles), np.sin(angles)]), 30.0)
    assert np.abs(np.diff(headings)).max() < 0.1


def test_what_does_not_go_anywhere_is_no_cycle(cycle) -> None:
    walk = make_walk()
    for first, last in ((5, 5), (10, 5)):
        with pytest.raises(LibraryError, match="no walk cycle"):
            cut_cycle(walk, first, last)


def test_a_take_of_fixed_roots_is_audited_measured_and_kept(head_on, tmp_path) -> None:
    """The audit finds feet that slide and no jumps; the take's trajectories are those that were simulated."""
    played = simulate(head_on, "pairs")
    take = fix_roots(head_on, played, planner="pairs")
    np.testing.assert_allclose(of_take(take).places, played.places, atol=1e-9)
    report = audit(take)
    kinds = {found.kind for found in report.violations}
    assert kinds <= {"slide", "jump"}
    figures = measure(take, audited=report).summary()
    assert figures["arrived"] == 1.0
    assert figures["foot_slide"] > 0.0
    assert take.planner == "pairs"
    write_take(take, tmp_path / "rival.take")
    assert read_take(tmp_path / "rival.take").frames == take.frames


def test_other_rates_and_single_places_become_motion_too(make_scene) -> None:
    scene = make_scene({"a": (0.0, 0.0, 1.0, 0.0), "b": (3.0, 0.0, 4.0, 0.0), "c": (6.0, 0.0, 7.0, 0.0)})
    paths = [np.column_stack([np.linspace(0, 1, 11), np.zeros(11)]), np.array([[3.0, 0.0]])]
    take = fix_roots(scene, Trajectories.build(10.0, paths, names=["a", "b"], starts=[10, 0]))
    assert [len(shown.clip) for shown in take.clips] == [31, 2]
    assert take.roles[0].start_frame == 30
    assert take.roles[0].arrival is not None
    assert take.roles[1].arrival is None
    assert take.unplanned == (("c", "never appeared"),)


def test_strangers_are_refused(head_on) -> None:
    with pytest.raises(SceneError, match="nobody called zoe"):
        take_of_clips(head_on, {"zoe": make_walk()}, {"zoe": 0}, behavior="walk")


def test_the_straight_walk_of_a_library_is_found(head_on) -> None:
    graph = load_performers(head_on)["human", 0]
    found = choose_cycle(graph)
    forward = next(one for one in graph.library.behaviors if one.name == "walk_forward").clips
    assert any(len(found.heights) == shown.last - shown.first + 1 for shown in forward)
    np.testing.assert_allclose(found.rotations[0], found.rotations[-1], atol=0.05)
