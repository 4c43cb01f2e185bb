"""JuPedSim's own files: an SQLite database with a table `trajectory_data`."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from urllib.parse import quote

import numpy as np

from walkon.basics import Array
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.gathering import gather
from walkon.metrics.trajectories.model import Trajectories

SQLITE_MAGIC = b"SQLite format 3\0"
"""First bytes of a database of SQLite."""

FEWEST_BYTES = 4
"""Least bytes that a row takes in the file: whoever gives out more rows makes them up."""

LOOK_STEPS = 1_000_000
"""Virtual instructions between two looks at how far the database has come."""

MOST_LOOKS = 1_000
"""Looks after which a database is given up, and one more for every four kilobytes: a thousand million instructions
for the smallest file."""


def read_sqlite(path: Path, *, fps: float | None = None) -> Trajectories:
    """The people in a database of JuPedSim, in metres; its x, y is our x, z. It is opened for reading only."""
    size = path.stat().st_size
    name = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(name, uri=True)) as database:
            _distrust(database, size)
            table = _rows(database, size)
            fps = _rate(database) if fps is None else fps
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        raise TrajectoryError(f"the database cannot be read: {error}") from None
    if fps is None:
        raise TrajectoryError("the database does not say its rate: give fps")
    return gather(table[:, 0], table[:, 1], table[:, 2:], fps, size=size)


def _distrust(database: sqlite3.Connection, size: int) -> None:
    """No code from the file runs, and none runs for ever."""
    database.execute("pragma trusted_schema = off")
    looks = iter(range(MOST_LOOKS + size // 4096))
    database.set_progress_handler(lambda: next(looks, None) is None, LOOK_STEPS)


def _rows(database: sqlite3.Connection, size: int) -> Array:
    """Id, frame, x, y (R, 4) of all rows of a plain table; a view could make up rows without end."""
    found = database.execute("select type, sql from sqlite_master where name = 'trajectory_data'").fetchone()
    if found is None or found[0] != "table" or not str(found[1]).lstrip().lower().startswith("create table"):
        raise TrajectoryError("the database has no table trajectory_data: it is not one of JuPedSim's")
    cursor = database.execute("select id, frame, pos_x, pos_y from trajectory_data")
    parts, count = [np.empty((0, 4))], 0
    while chunk := cursor.fetchmany(10_000):
        if not all(isinstance(value, int | float) for row in chunk for value in row):
            raise TrajectoryError("trajectory_data must hold numbers only")
        parts.append(np.array(chunk, dtype=np.float64))
        count += len(chunk)
        if count > size // FEWEST_BYTES + 100:
            raise TrajectoryError(f"more than {count} rows from {size} bytes: the database makes them up")
    return np.concatenate(parts)


def _rate(database: sqlite3.Connection) -> float | None:
    """Frames a second [Hz], if the database tells."""
    found = database.execute("select value from metadata where key = 'fps' limit 1").fetchone()
    if found is None:
        return None
    try:
        return float(found[0])
    except (TypeError, ValueError):
        raise TrajectoryError(f"the database's fps is {str(found[0])[:40]!r}, not a number") from None
