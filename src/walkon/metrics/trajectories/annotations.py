"""What people drew on videos of real crowds: ETH's `obsmat.txt`, and UCY's splines (`.vsp`)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.gathering import check_unfolding, fill, gather
from walkon.metrics.trajectories.model import FARTHEST_PLACE, Trajectories

ETH_STEP = 0.4
"""Time [s] between the annotations of ETH, as its notes say (2.5 a second), unless its velocities say
otherwise."""

UCY_RATE = 25.0
"""Rate [Hz] of the videos of UCY, to whose frames the splines refer."""

TELLING_SPEED = 0.3
"""Only velocities above this [m/s] tell the time between two annotations; slower ones are rounded too much."""


LARGEST_ENTRY = 1e15
"""Of a homography: times the largest pixel it must stay finite."""

FEWEST_SPLINE_BYTES = 40
"""A spline takes that many bytes of a file, and more. Fewer would let a file fill the memory with short ones."""


TELLING_WAY = 1e-6
"""[m] Who moved less from one annotation to the next stood; a speed beside that is damage."""


def parse_obsmat(data: bytes, *, fps: float | None = None) -> Trajectories:
    """Rows of frame, person, x, height, y [m], and velocities: x, y is our x, z.

    fps [Hz]: of the video whose frames are numbered; else what the velocities in the file agree with.
    """
    lines = [line for line in data.decode("ascii", "replace").splitlines() if line.split("#")[0].strip()]
    if not lines:
        raise TrajectoryError("the annotations have no rows")
    try:
        rows = np.loadtxt(lines, ndmin=2)
    except (ValueError, IndexError) as error:
        raise TrajectoryError(f"the annotations cannot be read: {str(error)[:200]}") from None
    if rows.ndim != 2 or rows.shape[1] != 8:
        raise TrajectoryError("annotations of ETH have 8 columns: frame, id, x, z, y and three velocities")
    if not np.isfinite(rows).all() or np.abs(rows).max(initial=0.0) > 2.0**48:
        raise TrajectoryError("annotations must be finite numbers below 2^48")
    if (rows[:, :2] != np.rint(rows[:, :2])).any():
        raise TrajectoryError("frame numbers and numbers of people must be whole numbers below 2^48")
    rate = _video_rate(rows) if fps is None else fps
    return gather(rows[:, 1], rows[:, 0], rows[:, [2, 4]], rate, size=len(data))


def _video_rate(rows: Array) -> float:
    """Frames a second [Hz] of the video that was annotated."""
    rows = rows[np.lexsort((rows[:, 0], rows[:, 1]))]
    same = np.diff(rows[:, 1]) == 0
    frames = np.diff(rows[:, 0])[same]
    if not (frames > 0).any():
        raise TrajectoryError("nobody was annotated twice: give fps")
    speeds = np.hypot(rows[:-1, 5], rows[:-1, 7])[same]
    moved = np.hypot(*np.diff(rows[:, [2, 4]], axis=0)[same].T)
    told = (speeds > TELLING_SPEED) & (frames > 0) & (moved > TELLING_WAY)
    stride = float(np.median(frames[frames > 0]))
    step = ETH_STEP
    if told.any():
        measured = float(np.median(moved[told] / speeds[told] / frames[told])) * stride
        step = ETH_STEP if abs(measured / ETH_STEP - 1.0) < 0.1 else measured
    return float(np.round(stride / step, 3))


def parse_splines(
    data: bytes, *, fps: float | None = None, unit: float | None = None, homography: ArrayLike | None = None
) -> Trajectories:
    """Splines of UCY, each one person: points x, y [pixels from the middle of the picture] at frames of the video.

    unit: metres a pixel is wide; or homography: (3, 3) from pixels to metres. One of them is needed. Their x, y
    becomes our x, z.
    """
    ground = _ground_map(unit, homography)
    knots = [(frames, ground(points)) for frames, points in _splines(data)]
    check_unfolding(int(sum(frames[-1] - frames[0] + 1 for frames, _ in knots)), len(data))
    return Trajectories.build(
        UCY_RATE if fps is None else fps,
        [fill(frames, places) for frames, places in knots],
        starts=np.array([frames[0] for frames, _ in knots], dtype=np.int64),
    )


def _ground_map(unit: float | None, homography: ArrayLike | None) -> Callable[[Array], Array]:
    if homography is None:
        if unit is None:
            raise TrajectoryError(
                "splines of UCY are in pixels: give unit (metres a pixel is wide) or homography (3 x 3, to metres)"
            )
        return lambda points: points * unit
    matrix = np.asarray(homography, dtype=np.float64)
    if matrix.shape != (3, 3) or not (np.abs(matrix) < LARGEST_ENTRY).all():
        raise TrajectoryError(f"a homography is an array (3, 3) of numbers below 1e15, not {matrix.shape}")

    def ground(points: Array) -> Array:
        x, y, w = matrix @ np.vstack([points.T, np.ones(len(points))])
        if (np.abs(w) < 1e-9).any() or max(np.abs(x / w).max(), np.abs(y / w).max()) > FARTHEST_PLACE:
            raise TrajectoryError("the homography carries a point to infinity")
        return np.stack([x / w, y / w], axis=1)

    return ground


def _splines(data: bytes) -> Iterator[tuple[NDArray[np.int64], Array]]:
    """Rising frames (K,) and points (K, 2) of every spline that has any."""
    lines = data.decode("ascii", "replace").splitlines()
    at = 0

    def tokens(what: str, count: int) -> list[float]:
        nonlocal at
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at >= len(lines):
            raise TrajectoryError(f"line {at}: the file ends where {what} should be")
        at += 1
        # What follows a lonely dash is a comment.
        words = lines[at - 1].split(" - ")[0].split()[:count]
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = []
        if len(values) < count or not all(abs(value) < 2.0**48 for value in values):
            raise TrajectoryError(f"line {at}: {what} expected, not {lines[at - 1][:60]!r}")
        return values

    (splines,) = tokens("the number of splines", 1)
    people = 0
    for number in range(_count(splines, len(lines), at)):
        (points,) = tokens(f"the number of control points of spline {number}", 1)
        if not points:
            continue
        rows = array("d")
        for _ in range(_count(points, len(lines), at)):
            rows.extend(tokens("x, y and frame of a control point", 3))
        table = np.frombuffer(rows).reshape(-1, 3)
        # Some annotations hold a frame twice, or go back: the first word counts. Frames are whole.
        frames = np.rint(table[:, 2])
        rising = np.diff(np.maximum.accumulate(frames), prepend=-np.inf) > 0
        people += bool(rising.any())
        if people > len(data) // FEWEST_SPLINE_BYTES + 1000:
            raise TrajectoryError(f"{people} splines from only {len(data)} bytes: they are made up")
        if rising.any():
            yield frames[rising].astype(np.int64), table[rising, :2]


def _count(value: float, most: int, line: int) -> int:
    if value != int(value) or not 0 <= value <= most:
        raise TrajectoryError(f"line {line}: {value:g} is no number of things in a file of {most} lines")
    return int(value)
