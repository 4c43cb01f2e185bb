"""Zips of members: the same bytes for the same members, and nothing that unfolds into more than it may."""

from __future__ import annotations

import io
import zipfile

import pytest

from walkon import containers
from walkon.containers import ZipReader, zipped
from walkon.errors import TakeError

MEMBERS = {"b.json": b"{}", "a/0.npy": bytes(1000), "ü": b""}


def reader(data: bytes, *, compressed: bool = False) -> ZipReader:
    return ZipReader(data, damaged="it is damaged", error=TakeError, compressed=compressed)


@pytest.mark.parametrize("compressed", [False, True])
def test_members_come_back_in_order(compressed):
    data = zipped(MEMBERS, compressed=compressed, comment=b"sealed")
    assert data == zipped(MEMBERS, compressed=compressed, comment=b"sealed")
    assert data.endswith(b"sealed")
    archive = reader(data, compressed=compressed)
    assert archive.names() == list(MEMBERS)
    assert {name: archive.read(name) for name in archive.names()} == MEMBERS
    archive.check_total()
    assert "b.json" in archive
    assert "c" not in archive


def test_what_is_no_zip_or_lacks_a_member_is_told():
    with pytest.raises(TakeError, match="it is damaged: File is not a zip"):
        reader(b"nothing")
    with pytest.raises(TakeError, match="it is damaged: it has no c"):
        reader(zipped(MEMBERS)).read("c")
    altered = bytearray(zipped(MEMBERS))
    altered[altered.index(b"{}")] ^= 1
    with pytest.raises(TakeError, match=r"it is damaged: b\.json: Bad CRC"):
        reader(bytes(altered)).read("b.json")


def test_only_some_ways_of_packing_are_ours():
    with pytest.raises(TakeError, match="packed as nothing of ours"):
        reader(zipped(MEMBERS, compressed=True)).read("a/0.npy")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", b"0" * 100)
    with pytest.raises(TakeError, match="packed as nothing of ours"):
        reader(buffer.getvalue(), compressed=True).read("a")


def test_a_member_and_all_together_have_a_limit(monkeypatch):
    monkeypatch.setattr(containers, "FREE_UNFOLDED", 1 << 16)
    bomb = reader(zipped({"a": bytes(1 << 20)}, compressed=True), compressed=True)
    with pytest.raises(TakeError, match="1048576 bytes for a: too many for its size"):
        bomb.read("a")
    halves = reader(zipped({name: bytes(1 << 16) for name in "abcd"}, compressed=True), compressed=True)
    halves.read("a")
    with pytest.raises(TakeError, match="4 members of 262144 bytes together: too many"):
        halves.check_total()
    monkeypatch.setattr(containers, "MOST_MEMBERS", 2)
    with pytest.raises(TakeError, match="3 members"):
        reader(zipped(MEMBERS)).check_total()
