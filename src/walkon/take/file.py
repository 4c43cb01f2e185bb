"""Take files: everything that was directed in one file, which is whole or absent, and tells if it was changed."""

from __future__ import annotations

from pathlib import Path

from walkon.confining import open_input
from walkon.containers import FREE_UNFOLDED
from walkon.errors import TakeError, WalkonError
from walkon.files import write_bytes
from walkon.records import json_bytes, parse_record
from walkon.take.arrays import ArrayReader, ArrayWriter
from walkon.take.cast_data import build_take, describe_cast
from walkon.take.container import FORMAT, packed, unpacked
from walkon.take.model import Take
from walkon.world.scene_data import build_scene, describe_scene

SCENE, CAST = "scene.json", "take.json"

MOST_GIVEN_OUT = 16
"""How many times the size of a file its arrays may be in all, counted as often as they are used, besides
`FREE_UNFOLDED`: twice what a take unfolds into. Honest takes use three times their size."""

FREE_RECORDS, MOST_RECORDS = 64 << 20, 8
"""[bytes] Memory that the JSON of a take may need, and how many times the file's size besides. Honest takes need
about their own size; in one of 15 000 people whom nobody planned, there is nothing else."""

FREE_PLAYED, MOST_PLAYED = 10_000_000, 100
"""Frames of all people together that any take may have, and how many more for each byte of it. Honest takes have
one or two; who stands to the end of a long take needs few bytes."""


def write_take(take: Take, path: Path | str) -> None:
    """Write a take, whole or not at all; by custom the file is called *.take. Equal takes give equal bytes."""
    write_bytes(path, take_bytes(take))


def read_take(path: Path | str) -> Take:
    """Read a take, exactly as it was written; raises TakeError if it was cut short, altered, or is too new."""
    try:
        with open_input(path) as stream:
            data = stream.read()
    except OSError as error:
        raise TakeError(f"{path}: {error.strerror or error}") from None
    try:
        return parse_take(data)
    except TakeError as error:
        raise TakeError(f"{path}: {error}") from None


def take_bytes(take: Take) -> bytes:
    """The bytes of a take file."""
    arrays = ArrayWriter()
    described = {
        SCENE: json_bytes(describe_scene(take.scene, arrays), SCENE, TakeError),
        CAST: json_bytes(describe_cast(take, arrays), CAST, TakeError),
    }
    return packed({**described, **arrays.members})


def parse_take(data: bytes) -> Take:
    """The take in the bytes of a take file."""
    members = unpacked(data)
    for name in (SCENE, CAST):
        if name not in members:
            raise TakeError(f"the take has no {name}")
    arrays = ArrayReader(members, FREE_UNFOLDED + MOST_GIVEN_OUT * len(data))
    most = FREE_RECORDS + MOST_RECORDS * len(data)
    try:
        scene = build_scene(parse_record(members[SCENE], SCENE, TakeError, most), arrays)
        take = build_take(parse_record(members[CAST], CAST, TakeError, most), scene, arrays)
    except TakeError:
        raise
    except WalkonError as error:
        raise TakeError(f"what the take holds does not fit together: {error}") from None
    if len(take.roles) * take.frames > FREE_PLAYED + MOST_PLAYED * len(data):
        raise TakeError(f"{len(take.roles)} people in {take.frames} frames from only {len(data)} bytes")
    return take


__all__ = ["FORMAT", "parse_take", "read_take", "take_bytes", "write_take"]
