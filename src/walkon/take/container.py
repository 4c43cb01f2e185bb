"""The box a take is kept in: a zip with a manifest and a seal, that knows when it was cut short or altered.

`manifest.json` lists size and SHA-256 of every member. The zip's comment is the seal: the version, the SHA-256 of
the manifest, and the SHA-256 of every byte of the file before that last number. So no byte can change unnoticed,
and the manifest tells which member is to blame. Hashes guard against accidents, limits on sizes against malice.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
import zlib

from walkon.errors import TakeError
from walkon.records import JsonObject, json_bytes, parse_record

FORMAT = 1
"""Version of the file format that is written, and the newest that is read."""

MANIFEST = "manifest.json"

MAX_TOTAL = 4 << 30
"""No take unfolds into more bytes than this."""

FREE_TOTAL, MAX_RATIO = 64 << 20, 100
"""Nor into more than the first number of bytes plus so many times its size."""

MAX_MEMBERS = 200_000

_SEAL = re.compile(rb"walkon take (\d{1,6}) ([0-9a-f]{64}) ([0-9a-f]{64})")
_SEAL_BYTES = 200
_DIGEST = 64

_NOT_A_ZIP = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    KeyError,
    EOFError,
    OSError,
    OverflowError,
    struct.error,
    zlib.error,
)
"""What `zipfile` raises on bytes that are not quite a zip."""


def packed(members: dict[str, bytes]) -> bytes:
    """The bytes of a file that holds the members, in order; the same for the same members."""
    listing = {name: {"size": len(content), "sha256": _sha256(content)} for name, content in members.items()}
    manifest = json_bytes({"format": "walkon take", "version": FORMAT, "members": listing}, MANIFEST, TakeError)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in {MANIFEST: manifest, **members}.items():
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
        seal = f"walkon take {FORMAT} {_sha256(manifest)} "
        archive.comment = (seal + "0" * _DIGEST).encode()
    sealed = buffer.getvalue()[:-_DIGEST]
    return sealed + _sha256(sealed).encode()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The members of a file, all of them checked; raises TakeError for anything but a whole, unaltered take."""
    version, manifest_digest, digest = _seal_of(data)
    if version > FORMAT:
        raise TakeError(
            f"the take was written by a newer walkon, in version {version} of the format; this one reads {FORMAT}"
        )
    intact = _sha256(memoryview(data)[:-_DIGEST]) == digest
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _NOT_A_ZIP as error:
        raise TakeError(f"the take is damaged: {error}") from None
    manifest = _read(archive, MANIFEST, len(data))
    if _sha256(manifest) != manifest_digest:
        raise TakeError(f"the take was altered: {MANIFEST} is not what was written")
    members = _read_members(archive, parse_record(manifest, MANIFEST, TakeError), len(data))
    if not intact:
        raise TakeError("the take was altered: its content agrees with its manifest, but its wrapping does not")
    return members


def _seal_of(data: bytes) -> tuple[int, str, str]:
    """Version and digests from the end of a file."""
    end = data[-_SEAL_BYTES:]
    found = _SEAL.search(end)
    if data[:4] != b"PK\x03\x04":
        raise TakeError("this is no take" if len(data) else "the file is empty")
    if found is None or found.end() != len(end):
        raise TakeError("the take was cut short, or is no take: the seal at the end of the file is missing")
    return int(found[1]), found[2].decode(), found[3].decode()


def _read_members(archive: zipfile.ZipFile, manifest: JsonObject, size: int) -> dict[str, bytes]:
    if manifest.text("format") != "walkon take" or manifest.integer("version") != FORMAT:
        raise TakeError(f"{MANIFEST} does not say it is a walkon take of version {FORMAT}")
    listed = manifest.record("members")
    names = [name for name, _ in listed.items()]
    if sorted([MANIFEST, *names]) != sorted(info.filename for info in archive.infolist()):
        raise TakeError("the take was altered: it does not hold the members that its manifest lists")
    _check_sizes(archive, size)
    members = {}
    for name in names:
        entry = listed.record(name)
        content = _read(archive, name, size)
        if len(content) != entry.integer("size") or _sha256(content) != entry.text("sha256"):
            raise TakeError(f"the take was altered: {name} is not what was written")
        members[name] = content
    return members


def _check_sizes(archive: zipfile.ZipFile, size: int) -> None:
    """Refuse what would unfold into more than a take of this size can, before it does."""
    infos = archive.infolist()
    total = sum(info.file_size for info in infos)
    if len(infos) > MAX_MEMBERS or total > min(MAX_TOTAL, FREE_TOTAL + MAX_RATIO * size):
        raise TakeError(f"the take claims {len(infos)} members of {total} bytes together: too many for its size")


def _read(archive: zipfile.ZipFile, name: str, size: int) -> bytes:
    info = archive.NameToInfo.get(name)
    if info is None:
        raise TakeError(f"the take is damaged: it has no {name}")
    if info.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED) or info.compress_size > size:
        raise TakeError(f"the take is damaged: {name} is packed in a way that no take is")
    if info.file_size > min(MAX_TOTAL, FREE_TOTAL + MAX_RATIO * size):
        raise TakeError(f"the take claims {info.file_size} bytes for {name}: too many for its size")
    try:
        return archive.read(info)
    except _NOT_A_ZIP as error:
        raise TakeError(f"the take is damaged: {name}: {error}") from None


def _sha256(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()
