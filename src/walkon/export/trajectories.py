"""Ground trajectories as a table of text, in the form of the Pedestrian Dynamics Data Archive that PedPy reads.

Columns are separated by tabs: id, frame, x/m, y/m, z/m, heading/rad. A character's id is its place in the cast,
counted from 0. The ground plane (x, z) becomes (x, y), and height becomes z; a heading of 0 looks along +y, π/2
along +x. A character is in the table from when it appears and for as long as its clip lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ExportError
from walkon.export.cast import as_cast, entrances
from walkon.files import write_text
from walkon.motion import Clip
from walkon.motion.features.placement import ground_placements

ROW = "%d\t%d\t%.5f\t%.5f\t%.5f\t%.5f"


def write_trajectories(
    path: Path | str,
    clips: Clip | Sequence[Clip],
    *,
    fps: float | None = None,
    starts: Sequence[int] | None = None,
) -> None:
    """Write where each character's root is over the ground, frame by frame.

    fps: rows a second for each character; the clips' own rate if not given. starts: frame, at the clips' rate, in
    which each character appears.
    """
    cast = as_cast(clips)
    begins = entrances(cast, starts)
    rate = cast[0].fps if fps is None else float(fps)
    if not (np.isfinite(rate) and rate > 0):
        raise ExportError(f"a frame rate is a positive number of frames a second, not {fps}")
    # PedPy takes the rate from the first line that has one and the unit from the last, so names stand in between.
    lines = [f"# framerate: {rate!r} fps"]
    lines += [f"# character {index}: {' '.join(clip.name.split())}" for index, clip in enumerate(cast)]
    lines += ["# id\tframe\tx/m\ty/m\tz/m\theading/rad"]
    for index, clip in enumerate(cast):
        first, rows = _ground_rows(clip, rate, begins[index])
        lines += [ROW % (index, frame, *row) for frame, row in enumerate(rows.tolist(), start=first)]
    write_text(path, "\n".join([*lines, ""]))


def _ground_rows(clip: Clip, rate: float, start: int) -> tuple[int, NDArray[np.float64]]:
    """First frame at `rate`, and from there x, z, height [m] and heading [rad] of the root (N, 4)."""
    # A hair of slack, or rounding could lose the first or the last row.
    ratio = rate / clip.fps
    first = int(np.ceil(start * ratio - 1e-6))
    last = int(np.floor((start + len(clip) - 1) * ratio + 1e-6))
    position = np.arange(first, last + 1) / ratio - start
    heading = ground_placements(clip)[:, 2]
    tracks = np.column_stack([clip.root_positions[:, [0, 2, 1]], heading])
    frames = np.arange(len(clip))
    rows = np.stack([np.interp(position, frames, track) for track in tracks.T], axis=1)
    rows[:, 3] = np.arctan2(np.sin(rows[:, 3]), np.cos(rows[:, 3]))
    return first, rows
