"""The box a take is kept in: a zip with a manifest and a seal, that knows when it was cut short or altered.

`manifest.json` lists size and SHA-256 of every member. The zip's comment is the seal: the version, the SHA-256 of
the manifest, and the SHA-256 of every byte of the file before that last number. So no byte can change unnoticed,
and the manifest tells which member is to blame. Hashes guard against accidents, limits on sizes against malice.
"""

from __future__ import annotations

import hashlib
import re

from walkon.containers import ZipReader, most_unfolded, zipped
from walkon.errors import TakeError
from walkon.records import JsonObject, json_bytes, parse_record

FORMAT = 1
"""Version of the file format that is written, and the newest that is read."""

MANIFEST = "manifest.json"

_SEAL = re.compile(rb"walkon take (\d{1,6}) ([0-9a-f]{64}) ([0-9a-f]{64})")
_SEAL_BYTES = 200
_DIGEST = 64


def packed(members: dict[str, bytes]) -> bytes:
    """The bytes of a file that holds the members, in order; the same for the same members."""
    listing = {name: {"size": len(content), "sha256": _sha256(content)} for name, content in members.items()}
    manifest = json_bytes({"format": "walkon take", "version": FORMAT, "members": listing}, MANIFEST, TakeError)
    seal = f"walkon take {FORMAT} {_sha256(manifest)} "
    everything, comment = {MANIFEST: manifest, **members}, (seal + "0" * _DIGEST).encode()
    wrapped = zipped(everything, compressed=True, comment=comment)
    if sum(map(len, everything.values())) > most_unfolded(len(wrapped)):  # too good to be believed when it is read
        wrapped = zipped(everything, comment=comment)
    sealed = wrapped[:-_DIGEST]
    return sealed + _sha256(sealed).encode()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The members of a file, all of them checked; raises TakeError for anything but a whole, unaltered take."""
    version, manifest_digest, digest = _seal_of(data)
    if version > FORMAT:
        raise TakeError(
            f"the take was written by a newer walkon, in version {version} of the format; this one reads {FORMAT}"
        )
    intact = _sha256(memoryview(data)[:-_DIGEST]) == digest
    archive = ZipReader(data, damaged="the take is damaged", error=TakeError, compressed=True)
    manifest = archive.read(MANIFEST)
    if _sha256(manifest) != manifest_digest:
        raise TakeError(f"the take was altered: {MANIFEST} is not what was written")
    members = _read_members(archive, parse_record(manifest, MANIFEST, TakeError))
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


def _read_members(archive: ZipReader, manifest: JsonObject) -> dict[str, bytes]:
    if manifest.text("format") != "walkon take" or manifest.integer("version") != FORMAT:
        raise TakeError(f"{MANIFEST} does not say it is a walkon take of version {FORMAT}")
    listed = manifest.record("members")
    names = [name for name, _ in listed.items()]
    if sorted([MANIFEST, *names]) != sorted(archive.names()):
        raise TakeError("the take was altered: it does not hold the members that its manifest lists")
    archive.check_total()
    members = {}
    for name in names:
        entry = listed.record(name)
        content = archive.read(name)
        if len(content) != entry.integer("size") or _sha256(content) != entry.text("sha256"):
            raise TakeError(f"the take was altered: {name} is not what was written")
        members[name] = content
    return members


def _sha256(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()
