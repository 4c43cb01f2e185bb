"""Take files: everything that was directed in one file, which is whole or absent, and tells if it was changed."""

from __future__ import annotations

from pathlib import Path

from walkon.confining import open_input
from walkon.errors import TakeError, WalkonError
from walkon.files import write_bytes
from walkon.records import json_bytes, parse_record
from walkon.take.arrays import ArrayReader, ArrayWriter
from walkon.take.cast_data import build_take, describe_cast
from walkon.take.container import FORMAT, packed, unpacked
from walkon.take.model import Take
from walkon.world.scene_data import build_scene, describe_scene

SCENE, CAST = "scene.json", "take.json"


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
    arrays = ArrayReader(members)
    try:
        scene = build_scene(parse_record(members[SCENE], SCENE, TakeError), arrays)
        return build_take(parse_record(members[CAST], CAST, TakeError), scene, arrays)
    except TakeError:
        raise
    except WalkonError as error:
        raise TakeError(f"what the take holds does not fit together: {error}") from None


__all__ = ["FORMAT", "parse_take", "read_take", "take_bytes", "write_take"]
