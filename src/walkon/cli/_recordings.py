"""Recordings on the command line: the options that say how to read them, for `scene from` and `compare`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from walkon.metrics import Trajectories

FPS: Any = typer.Option(None, help="Frames a second of the recording, where it does not say.")
"""The option `--fps`."""

UNIT: Any = typer.Option(None, help="m, cm, or what one unit of the recording is in metres.")
"""The option `--unit`."""

HOMOGRAPHY: Any = typer.Option(None, help="Text file of 3 x 3 numbers, from pixels of the recording to metres.")
"""The option `--homography`."""

FORM: Any = typer.Option(
    None, help="Of the recording: take, table, obsmat, vsp or sqlite; by its content if not said."
)
"""The option `--form`."""

SINCE: Any = typer.Option(0.0, min=0.0, help="Only who appears from this time [s] of the recording on.")
"""The option `--since`."""

UNTIL: Any = typer.Option(None, min=0.0, help="Only who appears before this time [s] of the recording.")
"""The option `--until`; see `ends`."""


def read_recording(
    file: Path, fps: float | None, unit: str | None, homography: Path | None, form: str | None
) -> Trajectories:
    """The trajectories in a file, read as the options say."""
    from walkon.metrics import read_trajectories

    matrix = None if homography is None else _homography(homography)
    return read_trajectories(file, form=form, fps=fps, unit=_unit(unit), homography=matrix)


def ends(until: float | None) -> float:
    """When a part of a recording ends [s]: never, if `--until` is not given."""
    return math.inf if until is None else until


def _unit(text: str | None) -> str | float | None:
    """A unit by name, or in metres."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _homography(path: Path) -> list[list[float]]:
    """Three rows of three numbers."""
    try:
        rows = [[float(token) for token in line.split()] for line in path.read_text().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{path}: {error}") from None
    if [len(row) for row in rows] != [3, 3, 3]:
        raise typer.BadParameter(f"{path}: a homography has 3 rows of 3 numbers")
    return rows
