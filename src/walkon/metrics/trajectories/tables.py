"""Tables of text with a row for everybody at every frame: ours, PedPy's and JuPedSim's, and most of others'.

Comments begin with #; one may name the rate (`framerate: 25 fps`), one the unit (`x/m`, `x/cm`, `in m`). Columns
are id, frame, x, y, separated by blanks, tabs, commas or semicolons; or in the order that a line of names gives,
with `time` [s] in place of `frame` if it says so. Their x, y is our x, z.
"""

from __future__ import annotations

import io
import re

import numpy as np

from walkon.basics import Array
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.gathering import gather
from walkon.metrics.trajectories.model import HIGHEST_RATE, Trajectories

UNITS = {"m": 1.0, "cm": 0.01}

RATE_COMMENT = re.compile(r"framerate\D*?([0-9][0-9.]*(?:[eE][+-]?[0-9]+)?)", re.IGNORECASE)
"""Where a comment says the frame rate."""

NAME_COMMENT = re.compile(r"#\s*character (\d{1,15}):\s*(.*)")
"""Where a comment says the name of somebody."""

COLUMN_NAMES = {
    "id": ("id", "person", "agent", "ped_id", "pedestrian", "pedestrian_id", "agent_id", "pid"),
    "frame": ("frame", "fr", "frame_id", "frame_number"),
    "time": ("time", "t", "time/s", "time_s", "seconds"),
    "x": ("x", "x/m", "x/cm", "pos_x", "x_m"),
    "y": ("y", "y/m", "y/cm", "pos_y", "y_m", "z"),
}
"""What each column may be called."""

LONGEST_NAME = 200

LARGEST_CELL = 1e15
"""Any number of a table beyond this is damage: times a unit, or a rate, it must stay finite."""

LATEST_TIME = 1e9
"""Nothing happens later [s]; a larger time is damage."""


def parse_table(data: bytes, *, fps: float | None = None, unit: float | None = None) -> Trajectories:
    """The people in a table; `fps` [Hz] and `unit` [m] go before what the table says."""
    text = data.decode("utf-8-sig", "replace")
    comments, header, first = _top(text)
    rate, metres, names = _facts(comments)
    delimiter = next((mark for mark in (";", ",") if mark in first), None)
    columns, timed = _columns(header, delimiter)
    rows = _numbers(text, columns, delimiter, skipped=bool(header))
    ids, frames, places = rows[:, 0], rows[:, 1], rows[:, 2:]
    fps = rate if fps is None else fps
    if timed:
        if np.abs(frames).max() > LATEST_TIME:
            raise TrajectoryError(f"times must be within {LATEST_TIME:g} s")
        fps = _rate_of(frames, ids) if fps is None else fps
        frames = np.rint(frames * fps)
    if fps is None:
        raise TrajectoryError(
            "the table does not say its rate: give fps, or a first line like  # framerate: 25 fps"
        )
    unit = metres if unit is None else unit
    if unit is None:
        raise TrajectoryError('the table does not say its unit: give unit="m", or a line like  # id frame x/m y/m')
    return gather(ids, frames, places * unit, fps, size=len(data), names=names)


def _top(text: str) -> tuple[list[str], str, str]:
    """Comment lines, the line of names or "", and the first line of numbers."""
    comments, header = [], ""
    for line in io.StringIO(text):
        if line.lstrip().startswith("#"):
            comments.append(line.strip()[: LONGEST_NAME + 40])
        elif line.strip():
            if not header and re.match(r"\s*\"?[A-Za-z_]", line):
                header = line
            else:
                return comments, header, line
    raise TrajectoryError("the table has no rows")


def _facts(comments: list[str]) -> tuple[float | None, float | None, dict[int, str]]:
    """Rate [Hz], unit [m] and names, as far as comments tell."""
    rate, unit, names = None, None, {}
    for line in comments:
        found = NAME_COMMENT.match(line)
        if found:
            names[int(found[1])] = found[2][:LONGEST_NAME]
            continue
        found = RATE_COMMENT.search(line)
        if found and rate is None:
            rate = _float(found[1])
        lower = line.lower()
        if "x/cm" in lower or "in cm" in lower:
            unit = UNITS["cm"]
        elif "x/m" in lower or "in m" in lower:
            unit = UNITS["m"]
    return rate, unit, names


def _columns(header: str, delimiter: str | None) -> tuple[list[int], bool]:
    """Where id, frame, x and y are, and whether the second is a time."""
    if not header:
        return [0, 1, 2, 3], False
    called = [name.strip().strip('"').lower() for name in header.split(delimiter)]
    places = {
        what: next((called.index(name) for name in names if name in called), None)
        for what, names in COLUMN_NAMES.items()
    }  # fmt: skip
    timed = places["frame"] is None
    wanted = ["id", "time" if timed else "frame", "x", "y"]
    found = [place for place in (places[what] for what in wanted) if place is not None]
    if len(found) < len(wanted):
        raise TrajectoryError(f"the table has columns {', '.join(called)[:200]}; needed: id, frame or time, x, y")
    return found, timed


def _numbers(text: str, columns: list[int], delimiter: str | None, *, skipped: bool) -> Array:
    """The columns (R, 4) of all rows."""
    lines = (line for line in io.StringIO(text) if line.strip() and not line.lstrip().startswith("#"))
    if skipped:
        next(lines)
    try:
        rows = np.loadtxt(lines, comments="#", delimiter=delimiter, usecols=columns, ndmin=2)
    except (ValueError, IndexError, OverflowError) as error:
        raise TrajectoryError(f"the table cannot be read: {str(error)[:200]}") from None
    if not (np.abs(rows) <= LARGEST_CELL).all():
        raise TrajectoryError(f"the numbers of a table must be finite, at most {LARGEST_CELL:g}")
    return rows


def _rate_of(times: Array, ids: Array) -> float:
    """Rows a second [Hz], from the times of rows of one person after another."""
    order = np.lexsort((times, ids))
    steps = np.diff(times[order])[np.diff(ids[order]) == 0]
    steps = steps[steps > 0.0]
    if not len(steps):
        raise TrajectoryError("nobody is in the table twice: times tell no rate; give fps")
    step = float(np.median(steps))
    if step * HIGHEST_RATE < 0.5:
        raise TrajectoryError(f"times {step:g} s apart are more than {HIGHEST_RATE:g} rows a second; give fps")
    return float(np.round(1.0 / step, 3))


def _float(token: str) -> float | None:
    try:
        return float(token)
    except ValueError:
        return None
