"""Real recordings as oracles: the CMU database in two conversions, and files with other conventions."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from walkon.motion.readers import find_problems, read_amc, read_asf, read_bvh, read_clip, read_recording
from walkon.motion.readers.units import CMU_UNIT

FIRST_GOOD_ROWS = {"07_12": 2, "09_10": 5, "16_15": 3, "16_23": 4, "16_28": 7}
"""The damaged starts that are known of."""

LEGS = {
    "Hips": "root",
    "LeftUpLeg": "lfemur",
    "LeftLeg": "ltibia",
    "LeftFoot": "lfoot",
    "LeftToeBase": "ltoes",
    "LeftToeBase_end": "ltoes_end",
    "RightUpLeg": "rfemur",
    "RightLeg": "rtibia",
    "RightFoot": "rfoot",
    "RightToeBase": "rtoes",
    "RightToeBase_end": "rtoes_end",
}
"""Joints of the BVH conversion and the same ones in the original."""


def test_all_bvh_files_are_read_and_exactly_the_bad_starts_flagged(mocap: Path):
    paths = sorted((mocap / "cmu" / "bvh").glob("*.bvh"))
    assert len(paths) == 187
    flagged = {}
    for path in paths:
        recording = read_recording(path)
        provenance = recording.provenance
        assert provenance.dropped_t_pose, path.name
        assert (provenance.unit_name, provenance.unit, provenance.up) == ("cmu", CMU_UNIT, "y"), path.name
        assert recording.clip.fps == 120.0
        assert recording.warnings == ()
        assert len(recording.clip.skeleton) == 38
        if recording.problems:
            assert [problem.kind for problem in recording.problems] == ["bad start"]
            flagged[path.stem] = recording.problems[0].stop
    assert flagged == FIRST_GOOD_ROWS


@pytest.mark.parametrize("name", FIRST_GOOD_ROWS)
def test_trimmed_recordings_are_sound(mocap: Path, name: str):
    recording = read_recording(mocap / "cmu" / "bvh" / f"{name}.bvh", trim="leading")
    assert recording.provenance.first_row == FIRST_GOOD_ROWS[name]
    assert find_problems(recording.clip) == ()


def both_conversions(folder: Path) -> list[tuple[Path, Path]]:
    """Trials present as AMC and BVH; eight spread over the subjects, or all when WALKON_FULL is set."""
    amcs = sorted((folder / "cmu" / "asfamc").glob("*/*.amc"))
    pairs = [(amc, folder / "cmu" / "bvh" / f"{amc.stem}.bvh") for amc in amcs]
    pairs = [pair for pair in pairs if pair[1].exists()]
    if os.environ.get("WALKON_FULL"):
        return pairs
    return [pairs[i] for i in np.linspace(0, len(pairs) - 1, 8).astype(int)]


def test_legs_of_both_conversions_agree_to_a_tenth_of_a_millimetre(mocap: Path):
    pairs = both_conversions(mocap)
    assert len(pairs) >= 8
    for amc, bvh in pairs:
        original, converted = read_amc(amc).clip, read_bvh(bvh).clip
        assert len(original) == len(converted), amc.stem
        theirs = original.positions[:, [original.skeleton.index(name) for name in LEGS.values()]]
        ours = converted.positions[:, [converted.skeleton.index(name) for name in LEGS]]
        assert np.linalg.norm(theirs - ours, axis=2).max() < 1e-4, amc.stem


def test_every_skeleton_file_reads_and_stands_for_a_pose(mocap: Path):
    paths = sorted((mocap / "cmu" / "asfamc").glob("*/*.asf"))
    assert len(paths) == 5
    for path in paths:
        assert len(read_asf(path).bones) == 31
        assert len(read_clip(path)) == 1


OTHERS = {
    # file: (frames, joints with tips, rate, unit, up)
    "anim_utils_mit/custom_skeleton_walk_example.bvh": (47, 95, 72.0, "cm", "y"),
    "anim_utils_mit/mh_cmu_skeleton_pose.bvh": (1, 38, 30.0, "cm", "y"),
    "bvh11_cmu_3dsmax/131_01.bvh": (994, 38, 120.0, "cmu", "y"),
    "bvh11_cmu_3dsmax/scaled_131_01.bvh": (995, 38, 120.0, "m", "y"),
    "deepmimic_mit/dog3d_canter.txt": (28, 29, 60.0, "m", "y"),
    "deepmimic_mit/dog3d_pace.txt": (39, 29, 60.0, "m", "y"),
    "deepmimic_mit/dog3d_spin.txt": (45, 29, 60.0, "m", "y"),
    "deepmimic_mit/dog3d_trot.txt": (32, 29, 60.0, "m", "y"),
    "pybvh_mit/bvh_test1.bvh": (75, 29, 30.0, "in", "z"),
    "pybvh_mit/bvh_test2.bvh": (61, 28, 120.0, "cm", "y"),
    "pybvh_mit/bvh_test3.bvh": (100, 73, 120.0, "in", "z"),
    "pybvh_mit/cmu_12_01_walk.bvh": (523, 38, 120.0, "cmu", "y"),
    "pymo_mit/AV_8Walk_Meredith_HVHA_Rep1.bvh": (1064, 30, 120.0, "in", "y"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_figures_of_other_conventions_stand_on_the_ground(mocap: Path, name: str):
    recording = read_recording(mocap / "other" / name)
    clip, provenance = recording.clip, recording.provenance
    found = (len(clip), len(clip.skeleton), clip.fps, provenance.unit_name, provenance.up)
    assert found == OTHERS[name]
    assert recording.problems == ()
    heights = clip.positions[..., 1]
    assert abs(np.median(heights.min(axis=1))) < 0.06
    tall = 0.5 if "dog" in name else 1.4
    assert tall < np.median(heights.max(axis=1)) < 1.9


def test_every_other_file_is_read(mocap: Path):
    for path in sorted(path for path in (mocap / "other").rglob("*") if path.is_file()):
        assert len(read_clip(path)) >= 1, path


def test_one_clip_in_two_units_is_one_clip(mocap: Path):
    folder = mocap / "other" / "bvh11_cmu_3dsmax"
    original, scaled = read_clip(folder / "131_01.bvh"), read_clip(folder / "scaled_131_01.bvh")
    shared = len(original)
    np.testing.assert_allclose(scaled.positions[:shared], original.positions, atol=2e-4)


def test_a_dog_puts_its_paws_where_the_ground_is_and_walks_where_it_looks(mocap: Path):
    for gait in ("canter", "pace", "trot"):
        clip = read_clip(mocap / "other" / "deepmimic_mit" / f"dog3d_{gait}.txt")
        lowest = {clip.skeleton.names[joint] for joint in clip.positions[..., 1].argmin(axis=1)}
        assert all("toe" in name or "finger" in name for name in lowest)
        travel = clip.root_positions[-1] - clip.root_positions[0]
        nose = clip.positions[0, clip.skeleton.index("head_end")] - clip.positions[0, 0]
        assert travel[2] > 0.5 > abs(travel[0])
        assert nose[2] > 0.4
