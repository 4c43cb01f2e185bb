"""Zip files of named members: the same members give the same bytes, and none unfolds into more than it may.

Takes and clip files are such zips, so that any language opens them. Files that are mapped into memory are another
matter: see `array_files`.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

from walkon.errors import WalkonError

MOST_UNFOLDED = 4 << 30
"""[bytes] No zip unfolds into more than this: what a machine with 8 GB of memory can still hold twice over."""

FREE_UNFOLDED = 48 << 20
"""[bytes] What even a tiny zip may unfold into: the largest ground a scene may have, level all over, and more."""

MOST_UNFOLDING = 8
"""How many times its own size a zip may unfold into, besides `FREE_UNFOLDED`. Arrays of motion fold to a third or
so; what folds to much less is the work of somebody who wants to fill our memory. Twice as much would break the
promise that reading takes at most forty times a file's size."""

MOST_MEMBERS = 200_000
"""Members of a zip: more would be slow to list."""

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


def most_unfolded(size: int) -> int:
    """[bytes] What a zip of `size` bytes may unfold into."""
    return min(MOST_UNFOLDED, FREE_UNFOLDED + MOST_UNFOLDING * size)


def zipped(members: Mapping[str, bytes], *, compressed: bool = False, comment: bytes = b"") -> bytes:
    """A zip of members, in order and without dates, so that equal content gives equal bytes."""
    buffer = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method, compresslevel=6 if compressed else None) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = method
            archive.writestr(info, content)
        archive.comment = comment
    return buffer.getvalue()


class ZipReader:
    """The members of a zip, handed out only if they are no larger than they should be.

    damaged: how complaints begin, such as `the take is damaged`. error: makes what is raised of a message.
    compressed: whether members may be; if not, none is larger than the zip.
    """

    def __init__(
        self, data: bytes, *, damaged: str, error: Callable[[str], WalkonError], compressed: bool = False
    ) -> None:
        self._size = len(data)
        self._damaged = damaged
        self._error = error
        self._methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) if compressed else (zipfile.ZIP_STORED,)
        self._most = most_unfolded(self._size)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _NOT_A_ZIP as problem:
            raise self._complaint(str(problem)) from None

    def __contains__(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    def names(self) -> list[str]:
        """Of all members; the same twice if there are two."""
        return [info.filename for info in self._archive.infolist()]

    def check_total(self) -> None:
        """Raise if all members together would unfold into more than a zip of this size can, before they do."""
        infos = self._archive.infolist()
        total = sum(info.file_size for info in infos)
        if len(infos) > MOST_MEMBERS or total > self._most:
            raise self._complaint(
                f"it claims {len(infos)} members of {total} bytes together: too many for its size"
            )

    def read(self, name: str) -> bytes:
        """One member."""
        info = self._archive.NameToInfo.get(name)
        if info is None:
            raise self._complaint(f"it has no {name}")
        stored = info.compress_type == zipfile.ZIP_STORED
        odd = info.compress_type not in self._methods or (stored and info.file_size != info.compress_size)
        if odd or info.compress_size > self._size:
            raise self._complaint(f"{name} is packed as nothing of ours is, or larger than the file")
        if info.file_size > self._most:
            raise self._complaint(f"it claims {info.file_size} bytes for {name}: too many for its size")
        try:
            return self._archive.read(info)
        except _NOT_A_ZIP as problem:
            raise self._complaint(f"{name}: {problem}") from None

    def _complaint(self, message: str) -> WalkonError:
        return self._error(f"{self._damaged}: {message}")
