"""Trajectories from a file of any kind: the content tells which."""

from __future__ import annotations

from pathlib import Path

from numpy.typing import ArrayLike

from walkon.errors import TakeError, TrajectoryError
from walkon.metrics.trajectories.annotations import parse_obsmat, parse_splines
from walkon.metrics.trajectories.model import Trajectories
from walkon.metrics.trajectories.sqlite import SQLITE_MAGIC, read_sqlite
from walkon.metrics.trajectories.tables import UNITS, parse_table

FORMS = ("take", "table", "obsmat", "vsp", "sqlite")
"""Kinds of files: a take, a table of text, ETH's annotations, UCY's splines, JuPedSim's database."""

LARGEST_FILE = 2 * 1024**3
"""Larger files of text [bytes] are refused."""

HEAD_BYTES = 65_536
"""Bytes of a file that are looked at to tell what it is."""


def read_trajectories(
    path: Path | str,
    *,
    form: str | None = None,
    fps: float | None = None,
    unit: str | float | None = None,
    homography: ArrayLike | None = None,
) -> Trajectories:
    """The trajectories in a file; raises TrajectoryError if there are none.

    form: one of FORMS; else the content tells. fps [Hz]: rate of its frame numbers, where the file does not say or
    is wrong. unit: "m", "cm", or what one of its units is in metres. homography: (3, 3) from pixels to metres.
    """
    path = Path(path)
    metres = _metres(unit)
    head, size = _head(path)
    kind = sniff(head, path.name) if form is None else form
    if kind not in FORMS:
        raise TrajectoryError(f"no form {form!r}; there are: {', '.join(FORMS)}")
    try:
        if kind == "take":
            return _of_take_file(path)
        if kind == "sqlite":
            return read_sqlite(path, fps=fps)
        if size > LARGEST_FILE:
            raise TrajectoryError(f"{size} bytes are more than the {LARGEST_FILE} that are read")
        return parse_text(path.read_bytes(), kind, fps=fps, unit=metres, homography=homography)
    except TrajectoryError as error:
        raise TrajectoryError(f"{path}: {error}") from None
    except OSError as error:
        raise TrajectoryError(f"{path}: {error.strerror or error}") from None


def parse_text(
    data: bytes,
    form: str,
    *,
    fps: float | None = None,
    unit: float | None = None,
    homography: ArrayLike | None = None,
) -> Trajectories:
    """The trajectories in the bytes of a text file of the form "table", "obsmat" or "vsp"."""
    if form == "vsp":
        return parse_splines(data, fps=fps, unit=unit, homography=homography)
    if form == "obsmat":
        return parse_obsmat(data, fps=fps)
    return parse_table(data, fps=fps, unit=unit)


def sniff(head: bytes, name: str = "") -> str:
    """The form of a file, by how it begins and what it is called."""
    if head.startswith(b"PK"):
        return "take"
    if head.startswith(SQLITE_MAGIC):
        return "sqlite"
    lines = [line.strip() for line in head.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    if name.lower().endswith(".vsp") or (lines and "splines" in lines[0]):
        return "vsp"
    # Eight bare numbers a row and no word about rate or unit: nobody else writes that.
    if lines and not lines[0].startswith("#") and len(lines[0].split()) == 8 and _is_number(lines[0].split()[0]):
        return "obsmat"
    return "table"


def file_form(path: Path | str) -> str:
    """The form of a file, one of FORMS; raises TrajectoryError if it cannot be read."""
    path = Path(path)
    return sniff(_head(path)[0], path.name)


def _head(path: Path) -> tuple[bytes, int]:
    if not path.is_file():
        missing = "there is no such file" if not path.exists() else "this is not a file"
        raise TrajectoryError(f"{path}: {missing}")
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES), path.stat().st_size
    except OSError as error:
        raise TrajectoryError(f"{path}: {error.strerror or error}") from None


def _of_take_file(path: Path) -> Trajectories:
    from walkon.metrics.trajectories.takes import of_take
    from walkon.take import read_take

    try:
        return of_take(read_take(path))
    except TakeError as error:
        raise TrajectoryError(str(error).removeprefix(f"{path}: ")) from None


def _metres(unit: str | float | None) -> float | None:
    if unit is None:
        return None
    metres = UNITS.get(unit) if isinstance(unit, str) else float(unit)
    if metres is None or not 0.0 < metres < 1e6:
        raise TrajectoryError(f"unit {unit!r}: use {', '.join(map(repr, UNITS))} or a positive number of metres")
    return metres


def _is_number(token: str) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return True
