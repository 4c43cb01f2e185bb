"""Is it all motion? Finds an added T pose, bad first rows, spikes and cuts.

A body moves continuously: from one frame to the next its fastest joint goes about as far as it went a frame
before. Where it goes much further, the rows on either side do not belong together.

The limits below were set on the 187 CMU recordings, as they are and thinned to 60, 30 and 24 Hz. Among steps
longer than MIN_JUMP, those of sound clips stay below 2.4 times the usual step. The jumps of the five damaged ones
lie above 10 times it at 120 Hz and, with one bad row kept before thinned motion, just above 3 times at 24 Hz.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, runs
from walkon.motion.clip import Clip
from walkon.motion.readers._kernels import longest_steps
from walkon.motion.readers.recording import MotionProblem
from walkon.rotations import IDENTITY, angle_between

SMALLEST_SIZE = 1e-9
"""[m] Of a skeleton: steps are not measured by a smaller one, they would be infinite."""

MIN_JUMP = 0.1
"""Shortest jump reported, as a share of the skeleton's size: 23 cm for an adult."""

JUMP_RATIO = 3.0
"""A jump is this many times longer than the usual step of the clip and of its surroundings."""

USUAL_NOISE = 0.01
"""Added to the usual step, as a share of size, so that someone who stands still may twitch."""

SHORT_PIECE = 0.3
"""Seconds of continuous motion below which a piece between jumps is damage rather than a take of its own."""

_WINDOW = 15
_T_POSE_ANGLE = np.radians(15.0)
_T_POSE_MIN_FRAMES = 4


def has_added_t_pose(clip: Clip) -> bool:
    """Whether frame 0 was put before the motion: a pose made of rest rotations that nothing leads out of.

    Such a pose faces along the axes (its root is not turned) and leaves most joints at rest, or all of them. The
    CMU conversion stands it where the motion starts; a pose that is set elsewhere must be the whole rest pose.
    """
    if len(clip) < _T_POSE_MIN_FRAMES:
        return False
    joints = ~clip.skeleton.tips
    at_rest = angle_between(clip.rotations[0, joints], IDENTITY) < 1e-6
    in_place = bool(np.abs(clip.root_positions[1] - clip.root_positions[0]).max() < 1e-9)
    if not at_rest[0] or at_rest.mean() < (0.5 if in_place else 1.0):
        return False
    steps = angle_between(clip.rotations[1:, joints], clip.rotations[:-1, joints]).max(axis=1)
    return bool(steps[0] > _T_POSE_ANGLE and steps[0] > 1.5 * np.median(steps[1:]))


def find_problems(clip: Clip, *, first_row: int = 0) -> tuple[MotionProblem, ...]:
    """Jumps of the clip, in order, told as bad starts, spikes, bad ends and cuts.

    first_row: row of the file that is frame 0, for the numbers in the records.
    """
    steps = _longest_steps(clip)
    jumps = np.flatnonzero(_is_jump(steps))
    if len(jumps) == 0:
        return ()
    starts = np.concatenate([[0], jumps + 1])
    stops = np.concatenate([jumps + 1, [len(clip)]])
    bad = stops - starts < min(SHORT_PIECE * clip.fps, (stops - starts).max())
    problems = [_describe(clip, "cut", stop, stop, first_row) for stop in _cuts(stops, bad)]
    for first, last in runs(bad):
        start, stop = int(starts[first]), int(stops[last - 1])
        kind = "bad start" if start == 0 else "bad end" if stop == len(clip) else "spike"
        problems.append(_describe(clip, kind, start, stop, first_row))
    return tuple(sorted(problems, key=lambda problem: problem.row))


def _longest_steps(clip: Clip) -> Array:
    """How far the fastest joint goes in each step (F - 1,), as a share of the skeleton's size."""
    steps = np.zeros(len(clip) - 1)
    if clip.skeleton.size > SMALLEST_SIZE:
        longest_steps(clip.positions, steps)
        steps /= clip.skeleton.size
    return steps


def _is_jump(steps: Array) -> NDArray[np.bool_]:
    """Which steps (F - 1,) are jumps: far longer than most of the clip's and than most around them."""
    result = steps > MIN_JUMP
    candidates = np.flatnonzero(result)
    if len(candidates):
        usual = np.minimum(np.quantile(steps, 0.9), _medians_around(steps, candidates))
        result[candidates] = steps[candidates] > JUMP_RATIO * (usual + USUAL_NOISE)
    return result


def _medians_around(steps: Array, places: NDArray[np.int64]) -> Array:
    """Median (len(places),) of the steps in a window around each place; the ends have narrower windows."""
    padded = np.pad(steps, _WINDOW // 2, constant_values=np.nan)
    windows = np.sort(np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[places], axis=1)
    counts = np.sum(~np.isnan(windows), axis=1)  # NaN sorts last
    rows = np.arange(len(places))
    return 0.5 * (windows[rows, (counts - 1) // 2] + windows[rows, counts // 2])


def _cuts(stops: NDArray[np.int64], bad: NDArray[np.bool_]) -> list[int]:
    """Frames at which one sound piece follows another directly."""
    return [int(stops[i]) for i in range(len(bad) - 1) if not bad[i] and not bad[i + 1]]


def _describe(clip: Clip, kind: str, start: int, stop: int, first_row: int) -> MotionProblem:
    """The record of one problem over frames `start` to `stop`; a cut has equal ones."""
    step = stop - 1 if start in (0, stop) else start - 1
    distances = np.linalg.norm(clip.positions[step + 1] - clip.positions[step], axis=1)
    joint = clip.skeleton.names[int(distances.argmax())]
    rows = (
        f"row {start + first_row}" if stop <= start + 1 else f"rows {start + first_row} to {stop - 1 + first_row}"
    )
    meaning = {
        "bad start": f"{rows} not part of the motion, which starts at row {stop + first_row}",
        "bad end": f"{rows} not part of the motion before",
        "spike": f"{rows} out of the motion around",
        "cut": f"another motion begins at {rows}",
    }[kind]
    message = f"{meaning}: {joint} jumps {distances.max():.2f} m from row {step + first_row} to the next"
    return MotionProblem(kind, start + first_row, stop + first_row, start, joint, message)
