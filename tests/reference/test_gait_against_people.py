"""The generated gait against recorded people: one measuring function, applied to both."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d
from scipy.signal import find_peaks

from walkon.builtin.casts.human_locomotion import locomotion_behaviors
from walkon.builtin.gait.engine import locomote, natural_period, steady
from walkon.builtin.performer import LEG, Performer
from walkon.builtin.score import play
from walkon.motion import Clip
from walkon.motion.readers import read_clip
from walkon.rotations import conjugate, logarithm, multiply

UP = np.array([0.0, 1.0, 0.0])
JOINTS = ("hip", "knee", "ankle")

# 07_04 and 07_05 were asked to walk slowly, which is not the same as walking at a low speed: they count for the
# shape of the curves, not for the cadence.
SLOW_ON_PURPOSE = ("07_04", "07_05")
WALKS = [f"07_{trial:02d}" for trial in range(1, 12)] + [f"35_{trial:02d}" for trial in range(1, 17)]
RUNS = [f"09_{trial:02d}" for trial in (1, 2, 3, 4, 5, 6, 7, 9, 11)] + ["16_35", "16_36", "16_46"]
CLASSES = {
    "slow walk": (WALKS, 0.9, 1.1, False),
    "walk": (WALKS, 1.1, 1.3, False),
    "quick walk": (WALKS, 1.3, 1.45, False),
    "brisk walk": (WALKS, 1.45, 1.75, False),
    "jog": (RUNS, 2.6, 3.0, True),
    "run": (RUNS, 3.4, 3.7, True),
}


@dataclass(frozen=True)
class Cycle:
    """One cycle of one leg, from where the ankle is farthest before the pelvis to where it is again.

    trial; seconds; length [m]; leg [m]: hip to ankle. curves: (101,) [degrees] by joint; height: of the pelvis.
    """

    trial: str
    seconds: float
    length: float
    leg: float
    curves: dict[str, np.ndarray]
    height: np.ndarray

    @property
    def speed(self) -> float:
        return self.length / self.seconds


def measure_cycles(clip: Clip) -> list[Cycle]:
    """Every full cycle of both legs, angles projected on the plane of travel."""
    place, index = clip.positions, clip.skeleton.index
    ahead = (place[-1, 0] - place[0, 0]) * (1.0 - UP)
    ahead /= np.linalg.norm(ahead)

    def from_vertical(bones: np.ndarray) -> np.ndarray:
        return np.degrees(np.arctan2(bones @ ahead, -(bones @ UP)))

    cycles = []
    for side in ("Left", "Right"):
        hip, knee, ankle, ball = (place[:, index(side + joint)] for joint in ("UpLeg", "Leg", "Foot", "ToeBase"))
        thigh, shank, foot = from_vertical(knee - hip), from_vertical(ankle - knee), from_vertical(ball - ankle)
        foot = np.degrees(np.unwrap(np.radians(foot)))
        curves = {"hip": thigh, "knee": thigh - shank, "ankle": foot - shank}
        reach = gaussian_filter1d((ankle - place[:, 0]) @ ahead, 0.02 * clip.fps, mode="nearest")
        peaks, _ = find_peaks(reach, distance=int(0.45 * clip.fps), prominence=0.1)
        leg = float(np.mean(np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)))
        for first, last in pairwise(peaks):
            frames = np.linspace(first, last, 101)
            sampled = {name: np.interp(frames, np.arange(len(clip)), curve) for name, curve in curves.items()}
            height = np.interp(frames, np.arange(len(clip)), place[:, 0, 1])
            length = float((place[last, 0] - place[first, 0]) @ ahead)
            cycles.append(Cycle(clip.name, (last - first) / clip.fps, length, leg, sampled, height))
    return cycles


_recorded: dict[str, list[Cycle]] = {}


def recorded_cycles(mocap: Path, trials: list[str]) -> list[Cycle]:
    for trial in trials:
        if trial not in _recorded:
            _recorded[trial] = measure_cycles(read_clip(mocap / "cmu" / "bvh" / f"{trial}.bvh"))
    return [cycle for trial in trials for cycle in _recorded[trial] if 0.5 < cycle.seconds < 1.7]


@pytest.fixture(params=CLASSES)
def pair(request, mocap) -> tuple[list[Cycle], list[Cycle], bool]:
    """Recorded cycles of a class of speeds, and generated ones of that mean speed and leg."""
    trials, slowest, fastest, running = CLASSES[request.param]
    people = [cycle for cycle in recorded_cycles(mocap, trials) if slowest <= cycle.speed < fastest]
    assert len(people) >= 3
    speed, leg = (float(np.mean([getattr(cycle, name) for cycle in people])) for name in ("speed", "leg"))
    return people, generated_cycles(speed, leg, running), running


def generated_cycles(speed: float, leg: float, running: bool) -> list[Cycle]:
    performer = Performer.average(leg / LEG)
    seconds = 2.5 * natural_period(performer, speed, running)
    course = steady(performer, speed, running, cycles=3)
    return measure_cycles(play(locomote(performer, course, np.arange(0.0, seconds, 1 / 120), 120.0), "made"))


def mean(cycles: list[Cycle], what: str) -> np.ndarray:
    return np.mean([cycle.height if what == "height" else cycle.curves[what] for cycle in cycles], axis=0)


def test_hip_knee_and_ankle_move_as_peoples_do(pair):
    people, made, _ = pair
    for joint in JOINTS:
        assert np.corrcoef(mean(people, joint), mean(made, joint))[0, 1] >= 0.9, joint


def test_steps_are_as_long_and_as_frequent_as_peoples(pair):
    people, made, _ = pair
    people = [cycle for cycle in people if cycle.trial not in SLOW_ON_PURPOSE]
    for what in ("seconds", "length"):
        of_people, ours = (np.mean([getattr(cycle, what) for cycle in cycles]) for cycles in (people, made))
        assert ours == pytest.approx(of_people, rel=0.1), what


def test_the_pelvis_rises_and_falls_when_peoples_does(pair):
    """Walking it is highest in mid-stance, running in flight: the same phase of the same curve."""
    people, made, running = pair
    ours, theirs = mean(made, "height"), mean(people, "height")
    assert np.corrcoef(ours, theirs)[0, 1] >= (0.95 if running else 0.7)
    waves = [np.fft.rfft(curve[:-1])[2] for curve in (ours, theirs)]
    assert abs(np.degrees(np.angle(waves[0] / waves[1]))) < 30.0


# Degrees a second, and a second squared: the 99.9th percentile at 30 Hz over the trials below, of walks or of
# runs, whichever is more.
LIMITS = {
    "Hips": (261, 11614),
    "UpLeg": (598, 18080),
    "Leg": (842, 27592),
    "Foot": (1063, 36745),
    "ToeBase": (1209, 55865),
    "Spine": (195, 7987),
    "Spine1": (288, 14326),
    "Neck": (289, 12127),
    "Head": (95, 4444),
    "Arm": (548, 17591),
    "ForeArm": (624, 15625),
    "Hand": (503, 19183),
}
SAMPLED_WALKS = [f"07_{trial:02d}" for trial in range(1, 13)] + [f"35_{trial:02d}" for trial in range(1, 17)]
SAMPLED_RUNS = [f"09_{trial:02d}" for trial in range(1, 12)] + [f"35_{trial}" for trial in range(17, 23)]
SAMPLED_RUNS += [f"16_{trial}" for trial in (35, 36, 45, 46, 55, 56, 57)]


def joint_rates(rotations: np.ndarray, fps: float) -> tuple[np.ndarray, np.ndarray]:
    """Speeds (F-1, J) [degrees/s] and accelerations (F-2, J) [degrees/s²] of local rotations (F, J, 4)."""
    speeds = logarithm(multiply(conjugate(rotations[:-1]), rotations[1:])) * fps
    bends = np.diff(speeds, axis=0) * fps
    return np.degrees(np.linalg.norm(speeds, axis=2)), np.degrees(np.linalg.norm(bends, axis=2))


def joint_name(name: str) -> str:
    return name.removeprefix("Left").removeprefix("Right")


def test_the_limits_are_those_of_people(mocap):
    found: dict[str, list[list[float]]] = {name: [] for name in LIMITS}
    for trials in (SAMPLED_WALKS, SAMPLED_RUNS):
        rates: dict[str, list[list[np.ndarray]]] = {name: [[], []] for name in LIMITS}
        for trial in trials:
            clip = read_clip(mocap / "cmu" / "bvh" / f"{trial}.bvh")
            # Every fourth frame, from each of the four: a percentile this high needs all the frames there are.
            for first in range(6, 10):
                measured = joint_rates(clip.rotations[first::4], 30.0)
                for joint, name in enumerate(clip.skeleton.names):
                    if joint_name(name) in LIMITS:
                        for values, rate in zip(rates[joint_name(name)], measured, strict=True):
                            values.append(rate[:, joint])
        for name, both in rates.items():
            found[name].append([float(np.percentile(np.concatenate(values), 99.9)) for values in both])
    for name, limit in LIMITS.items():
        np.testing.assert_allclose(np.max(found[name], axis=0), limit, rtol=0.02, err_msg=name)


@pytest.mark.parametrize("seed", [None, 3, 6])
def test_made_joints_move_within_the_range_of_people(seed):
    """Short legs swing faster: angular speeds go with one over the root of their length."""
    performer = Performer.average() if seed is None else Performer(seed)
    for behavior in locomotion_behaviors(performer):
        for clip in (shown.clip for shown in behavior.clips):
            speeds, bends = (rate.max(axis=0) for rate in joint_rates(clip.rotations, clip.fps))
            for joint, name in enumerate(clip.skeleton.names):
                # Our spine has three joints; the third is as free as the second.
                limit = LIMITS.get(joint_name(name).replace("Spine2", "Spine1"))
                if limit:
                    assert speeds[joint] * performer.scale**0.5 <= limit[0], (clip.name, name)
                    assert bends[joint] * performer.scale <= limit[1], (clip.name, name)
