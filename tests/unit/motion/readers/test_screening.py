from __future__ import annotations

import numpy as np
import pytest

from walkon.motion.clip import Clip
from walkon.motion.readers import find_problems, read_bvh, read_recording
from walkon.motion.readers.screening import _medians_around, has_added_t_pose
from walkon.rotations import from_euler
from walkon.skeleton import Skeleton


def swinging(frames: int = 240, fps: float = 120.0, speed: float = 1.5) -> Clip:
    """A figure 2.3 m along the bones that swings its limbs while it travels: nothing about it is wrong."""
    skeleton = Skeleton(
        ["hips", "leg", "foot", "spine", "arm", "hand"],
        [-1, 0, 1, 0, 3, 4],
        [[0, 0, 0], [0, 0, 0], [0, -0.9, 0], [0, 0.5, 0], [0.2, 0, 0], [0.7, 0, 0]],
        [False, False, True, False, False, True],
    )
    times = np.arange(frames) / fps
    rotations = np.zeros((frames, 6, 4))
    rotations[..., 0] = 1.0
    for joint, size, rate in ((0, 0.2, 3.0), (1, 0.6, 6.0), (3, 0.1, 4.0), (4, 1.2, 9.0)):
        angles = size * np.sin(rate * times)
        rotations[:, joint] = from_euler(np.stack([angles, 0.5 * angles + 0.1], axis=1), "XZ")
    roots = np.stack([0.02 * np.sin(times), np.full(frames, 0.9), speed * times], axis=1)
    return Clip("swinging", skeleton, fps, roots, rotations)


def moved(clip: Clip, frames: slice, by: float) -> Clip:
    positions = clip.root_positions.copy()
    positions[frames, 1] += by
    return clip.with_changes(root_positions=positions)


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_sound_motion_has_no_problems(fps):
    assert find_problems(swinging(int(2 * fps), fps)) == ()
    assert find_problems(swinging(int(2 * fps), fps, speed=10.0)) == ()


@pytest.mark.parametrize("fps", [30.0, 120.0])
@pytest.mark.parametrize("length", [1, 4, 7])
def test_bad_leading_rows_end_where_the_motion_starts(fps, length):
    clip = moved(swinging(fps=fps), slice(0, length), 1.0)
    (problem,) = find_problems(clip, first_row=1)
    assert (problem.kind, problem.row, problem.stop, problem.frame) == ("bad start", 1, length + 1, 0)
    assert problem.joint in clip.skeleton.names
    assert f"row {length + 1}" in problem.message


@pytest.mark.parametrize("length", [1, 2, 12])
def test_a_spike_in_the_middle_is_found(length):
    clip = moved(swinging(), slice(100, 100 + length), 0.5)
    (problem,) = find_problems(clip)
    assert (problem.kind, problem.row, problem.stop, problem.frame) == ("spike", 100, 100 + length, 100)


def test_a_spike_of_one_limb_names_it():
    clip = swinging()
    rotations = clip.rotations.copy()
    rotations[50, 4] = from_euler([np.pi], "Z")
    (problem,) = find_problems(clip.with_changes(rotations=rotations))
    assert (problem.kind, problem.row, problem.joint) == ("spike", 50, "hand")


def test_a_long_flickering_stretch_is_one_problem():
    clip = swinging()
    positions = clip.root_positions.copy()
    positions[100:120:2, 0] += 0.8
    problems = find_problems(clip.with_changes(root_positions=positions))
    assert [(p.kind, p.row, p.stop) for p in problems] == [("spike", 100, 119)]


def test_several_problems_come_in_order():
    clip = moved(moved(moved(swinging(), slice(0, 3), 1.0), slice(90, 91), -1.0), slice(235, None), 2.0)
    kinds = [(p.kind, p.row, p.stop) for p in find_problems(clip)]
    assert kinds == [("bad start", 0, 3), ("spike", 90, 91), ("bad end", 235, 240)]


def test_two_takes_in_one_file_are_a_cut():
    (problem,) = find_problems(moved(swinging(), slice(120, None), 3.0))
    assert (problem.kind, problem.row, problem.stop) == ("cut", 120, 120)


def test_short_and_shapeless_clips_are_left_alone():
    assert find_problems(swinging(1)) == ()
    assert find_problems(swinging(2)) == ()
    point = Skeleton(["point"], [-1], [[0, 0, 0]])
    rotations = np.tile([1.0, 0, 0, 0], (9, 1, 1))
    assert find_problems(Clip("point", point, 30.0, np.random.default_rng(0).normal(size=(9, 3)), rotations)) == ()


class TestAddedTPose:
    @staticmethod
    def in_front(clip: Clip, *, arm: float = 0.0, root: float = 0.0, place: float = 0.0) -> Clip:
        pose = np.tile([1.0, 0, 0, 0], (1, len(clip.skeleton), 1))
        pose[0, 4] = from_euler([arm], "Z")
        pose[0, 0] = from_euler([root], "Y")
        return clip.with_changes(
            rotations=np.concatenate([pose, clip.rotations]),
            root_positions=np.concatenate([clip.root_positions[:1] + place, clip.root_positions]),
        )

    @staticmethod
    def bent() -> Clip:
        """Motion whose first frame is far from the rest pose."""
        clip = swinging()
        rotations = clip.rotations.copy()
        rotations[:, 1] = from_euler(np.tile([0.9], (len(clip), 1)), "X")
        return clip.with_changes(rotations=rotations)

    def test_standing_where_the_motion_starts(self):
        assert has_added_t_pose(self.in_front(self.bent(), arm=0.36))

    def test_a_whole_rest_pose_elsewhere(self):
        assert has_added_t_pose(self.in_front(self.bent(), place=0.7))

    def test_not_without_it(self):
        assert not has_added_t_pose(swinging())
        assert not has_added_t_pose(self.bent())

    def test_not_when_it_is_turned_or_posed_elsewhere(self):
        assert not has_added_t_pose(self.in_front(self.bent(), root=0.5))
        assert not has_added_t_pose(self.in_front(self.bent(), arm=0.36, place=0.7))

    def test_not_when_motion_starts_from_rest(self):
        clip = swinging(fps=60.0)
        rotations = clip.rotations.copy()
        rotations[0] = [1.0, 0, 0, 0]
        rotations[1:, 1] = from_euler(np.linspace(0.02, 1.5, len(clip) - 1)[:, None], "X")
        assert not has_added_t_pose(clip.with_changes(rotations=rotations))

    def test_not_in_a_handful_of_poses(self):
        assert not has_added_t_pose(
            self.in_front(
                TestAddedTPose.bent().with_changes(
                    rotations=self.bent().rotations[:2], root_positions=self.bent().root_positions[:2]
                )
            )
        )


def test_reading_drops_the_t_pose_and_trims_on_request(write, bvh_text):
    def row(frame: int, lift: float) -> list[float]:
        return [0.0, 95.0 + lift, 2.0 * frame, *([40.0 + frame, 20.0, 10.0] * 4)]

    rows = [row(0, 0.0)] + [row(f, 150.0 if f < 3 else 0.0) for f in range(60)]
    rows[0] = [*rows[1][:3], *([0.0] * 12)]
    path = write("clip.bvh", bvh_text(rows))

    plain = read_recording(path)
    assert (len(plain.clip), plain.provenance.rows, plain.provenance.first_row) == (60, 61, 1)
    (problem,) = plain.problems
    assert (problem.kind, problem.row, problem.stop, problem.frame) == ("bad start", 1, 4, 0)

    kept = read_recording(path, keep_t_pose=True)
    assert len(kept.clip) == 61
    assert kept.problems[0].stop == 4

    trimmed = read_bvh(path, trim="leading")
    assert (len(trimmed.clip), trimmed.provenance.trimmed, trimmed.provenance.first_row) == (57, 3, 4)
    assert [p.frame for p in trimmed.problems] == [None]
    np.testing.assert_array_equal(trimmed.clip.rotations, plain.clip.rotations[3:])


def test_the_median_around_a_step_is_the_plain_one():
    steps = np.random.default_rng(5).random(30)
    places = np.array([0, 1, 7, 15, 28, 29])
    plain = [np.median(steps[max(place - 7, 0) : place + 8]) for place in places]
    np.testing.assert_allclose(_medians_around(steps, places), plain)
