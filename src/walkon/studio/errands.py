"""What takes longer than a step: reading and writing files, exporting, auditing. Done beside the engine."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from walkon.confining import confined_to
from walkon.errors import SceneError, WalkonError
from walkon.studio.limits import MOST_BODY_FRAMES
from walkon.studio.live_show import LiveShow
from walkon.studio.playback import TakeShow, audit_marks
from walkon.studio.project import Project
from walkon.studio.protocol import Open, Save

if TYPE_CHECKING:
    from walkon.take import Take
    from walkon.world import Scene

log = logging.getLogger("walkon.studio")

Show = LiveShow | TakeShow
Outcome = tuple[dict[str, Any], Show | None]
"""What to reply, and what to show from then on; None: the same."""


@dataclass(frozen=True)
class Errand:
    """Something to do beside the engine. alone: not while another such errand is under way."""

    work: Callable[[], Outcome]
    alone: bool = True


class Errands:
    """Threads for what is slow. call: runs something in the engine's thread. opener: makes a show of a file."""

    def __init__(
        self, project: Project, opener: Callable[[Path], Show], call: Callable[[Callable[[], None]], None]
    ) -> None:
        self._project, self._opener, self._call = project, opener, call
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="walkon-errands")
        self._audits = ThreadPoolExecutor(1, thread_name_prefix="walkon-audit")
        self._busy = self._closed = False

    def close(self) -> None:
        """Begin nothing new."""
        self._closed = True
        for pool in (self._pool, self._audits):
            pool.shutdown(wait=False, cancel_futures=True)

    def list(self) -> Errand:
        """What is in the project."""
        return Errand(lambda: ({"files": self._project.list()}, None), alone=False)

    def save(self, show: Show, message: Save) -> Errand:
        """Write what is there now. The engine goes on while it is written."""
        self._check_free()
        path = self._project.to_write(message.path, message.what, overwrite=message.overwrite)
        if message.what == "scene":
            scene = show.live.scene if isinstance(show, LiveShow) else show.take.scene
            return Errand(lambda: self._saved(path, _write_scene(scene, path)))
        take = show.live.take() if isinstance(show, LiveShow) else show.take
        if message.what == "take":
            return Errand(lambda: self._saved(path, _write_take(take, path)))
        people, frames = len(take.roles), take.frames
        if people * frames > MOST_BODY_FRAMES:
            raise SceneError(
                f"{people} people in {frames} frames are too much for a {message.what.upper()} file made here; "
                f"save the take, and export that with  walkon export"
            )
        return Errand(lambda: self._saved(path, _export(take, path)))

    def open(self, message: Open) -> Errand:
        """Show another scene or take to everybody."""
        self._check_free()
        path = self._project.to_read(message.path)

        def work() -> Outcome:
            show = self._opener(path)
            self._project.own(path)
            return {"path": message.path}, show

        return Errand(work)

    def send_off(
        self, errand: Errand, answer: Callable[[dict[str, Any]], None], present: Callable[[Show], None]
    ) -> None:
        """Do it in another thread; answer and present are called in the engine's, when it is done."""
        self._busy |= errand.alone

        def run() -> None:
            # Paths were looked at a moment ago: nothing is read or written that lies elsewhere by now.
            with confined_to(self._project.folder):
                result, show = _outcome(errand.work)

            def back() -> None:
                if errand.alone:
                    self._busy = False
                if show is not None:
                    present(show)
                answer(result)

            self._call(back)

        self._pool.submit(run)

    def audit(self, show: TakeShow, done: Callable[[], None]) -> None:
        """Find the marks of a take; `done` is called in the engine's thread."""

        def work() -> None:
            try:
                marks = audit_marks(show.take)
            except Exception:
                # Who leaves while a take is audited ends the threads that do it.
                if not self._closed:
                    log.exception("the audit of %s failed", show.title)
                return

            def tell() -> None:
                show.marks = marks
                done()

            self._call(tell)

        self._audits.submit(work)

    def _check_free(self) -> None:
        if self._busy:
            raise SceneError("another file is being read or written; try again when that is done")

    def _saved(self, path: Path, written: list[Path]) -> Outcome:
        folders = {file.parent for file in written if file.parent != path.parent}
        for file in {path, *written, *folders}:
            self._project.own(file)
        shown = path if path in written else folders.pop()
        size = sum(file.stat().st_size for file in written)
        return {"path": shown.relative_to(self._project.folder).as_posix(), "bytes": size}, None


def _outcome(work: Callable[[], Outcome]) -> Outcome:
    try:
        return work()
    except (WalkonError, OSError) as error:
        return {"ok": False, "error": str(error)}, None
    except Exception:
        log.exception("a file could not be read or written")
        return {"ok": False, "error": "this failed inside the studio; see the log"}, None


def _write_scene(scene: Scene, path: Path) -> list[Path]:
    from walkon.world import mend_places, write_scene

    return list(write_scene(mend_places(scene), path))


def _write_take(take: Take, path: Path) -> list[Path]:
    from walkon.take import write_take

    write_take(take, path)
    return [path]


def _export(take: Take, path: Path) -> list[Path]:
    from walkon.export import export_take

    return export_take(take, path)
