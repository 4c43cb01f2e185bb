"""The exception tree: `WalkonError` is the root, and every child is a builtin as well.

Code that knows walkon catches `WalkonError`; code that does not still catches `ValueError` or `ImportError`.
A failed search is a result with a status, never one of these.
"""

from __future__ import annotations

import errno
from pathlib import Path


class WalkonError(Exception):
    """Root of everything walkon raises on purpose."""


class ClipError(WalkonError, ValueError):
    """A clip, a skeleton or a motion file is not what it should be.

    The message says what is wrong; `path` and `line` say where, when a file is to blame.
    """

    def __init__(self, what: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        self.what = what
        self.path = None if path is None else Path(path)
        self.line = line
        where = "" if path is None else f"{path}:" if line is None else f"{path}:{line}:"
        super().__init__(f"{where} {what}".strip())


class SkeletonError(ClipError):
    """A hierarchy is not a tree of named joints, or lacks a joint that was asked for."""


class LibraryError(WalkonError, ValueError):
    """A behavior library, or the file that describes it, does not hold together."""


class GraphError(WalkonError, ValueError):
    """A motion graph, its file or what is asked of it does not hold together."""


class VariationError(WalkonError, ValueError):
    """Clips that no model of their variation can be learned from, or a model's file, do not hold together."""


class SceneError(WalkonError, ValueError):
    """A scene, or the file that describes it, cannot be; the message lists everything wrong at once."""


class PlanError(WalkonError, ValueError):
    """A planning problem is not well posed. A search that finds nothing is a result, not one of these."""


class TreeError(WalkonError, ValueError):
    """A forest of search trees, or its file, is damaged, altered, from a newer version, or of another graph."""


class TakeError(WalkonError, ValueError):
    """A take, or its file, is damaged, altered, from a newer version, or does not hold together."""


class TrajectoryError(WalkonError, ValueError):
    """Trajectories, or the file that holds them, are not paths of people on the ground."""


class OutputError(WalkonError, OSError):
    """Something could not be written to the disk; what was there before is still there.

    why: the reason in words, `path`: of what should have been written.
    """

    def __init__(self, path: Path | str, why: OSError | str) -> None:
        self.path = Path(path)
        self.why = why if isinstance(why, str) else getattr(why, "why", None) or why.strerror or str(why)
        super().__init__(f"{path}: cannot be written: {self.why}")
        self.errno = None if isinstance(why, str) else why.errno


class OutsideError(WalkonError, OSError):
    """A file that may not be read or written, as it does not lie where files are confined to."""

    def __init__(self, path: Path | str, why: str = "lies outside the project folder") -> None:
        super().__init__(errno.EACCES, why, str(path))

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class ExportError(WalkonError, ValueError):
    """What was asked to be written cannot be written in that format."""


class RenderError(WalkonError, ValueError):
    """A camera, a piece of scenery or a picture's settings make no picture."""


class MissingExtraError(WalkonError, ImportError):
    """An optional dependency is needed; the message says which extra installs it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs {package}: install it with  pip install 'walkon[{extra}]'")
