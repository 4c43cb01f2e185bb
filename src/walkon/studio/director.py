"""The engine's thread: it alone touches the live crowd. Messages come in through a queue, packets go out.

Between two steps it does what was asked for; steps come in real time, and when they cannot, they come as fast as
they can and the rest is let go. After an edit the next step comes at once: it is the one that answers.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from walkon.errors import SceneError, WalkonError
from walkon.studio.changes import SceneChange
from walkon.studio.errands import Errand, Errands
from walkon.studio.live_show import LiveShow
from walkon.studio.pacing import Pacer
from walkon.studio.playback import TakeShow
from walkon.studio.project import Project
from walkon.studio.protocol import (
    ChoosePlanner,
    Edit,
    Files,
    Message,
    MoveObstacle,
    Open,
    Overlay,
    Pause,
    Ping,
    Play,
    Redo,
    Save,
    Speed,
    StepFrames,
    Undo,
)
from walkon.studio.scene_view import write_json
from walkon.studio.telling import Teller
from walkon.studio.welcome import welcome

if TYPE_CHECKING:
    from walkon.studio.hub import Outlet

log = logging.getLogger("walkon.studio")

Show = LiveShow | TakeShow

LONGEST_NAP = 0.1
"""Time [s] after which the thread looks around even if nothing happens."""

MOST_AT_ONCE = 256
"""Messages dealt with before the next step."""


class Heard(NamedTuple):
    """A message, who sent it, and when it came [s]."""

    client: int
    message: Message
    received: float


class Director:
    """Runs a show. project: where files are. opener: makes a show of a file."""

    def __init__(self, show: Show, project: Project, opener: Callable[[Path], Show]) -> None:
        self.show = show
        self._errands = Errands(project, opener, self.call)
        self._inbox: queue.SimpleQueue[Heard | Callable[[], None]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._pacer = Pacer(show.fps, time.monotonic(), running=not show.readonly)
        self._clients: set[int] = set()
        self._teller: Teller
        self._thread: threading.Thread | None = None

    # From other threads ---------------------------------------------------------------------------------------

    def start(self, outlet: Outlet) -> None:
        """Begin. outlet: where to say things."""
        self._teller = Teller(outlet)
        self._thread = threading.Thread(target=self._run, name="walkon-director", daemon=True)
        self._thread.start()
        if isinstance(self.show, TakeShow):
            self._have_audited(self.show)

    def stop(self, timeout: float = 5.0) -> None:
        """End, after the step that is being made."""
        self._stopping.set()
        self.call(lambda: None)
        if self._thread is not None:
            self._thread.join(timeout)
        self._errands.close()
        self.show.close()

    def hear(self, client: int, message: Message, received: float) -> None:
        """A message of a client."""
        self._inbox.put(Heard(client, message, received))

    def join(self, client: int) -> None:
        """Someone is there."""
        self.call(lambda: self._greet(client))

    def leave(self, client: int) -> None:
        """Someone is gone."""
        self.call(lambda: self._forget(client))

    def call(self, work: Callable[[], None]) -> None:
        """Do something in the engine's thread."""
        self._inbox.put(work)

    # In the engine's thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
                if self._pacer.is_due(time.monotonic()):
                    self._step()
                    self._pacer.stepped(time.monotonic())
                self._teller.tell(self.show, self._pacer, time.monotonic())
            except Exception:
                log.exception("the engine stumbled at frame %d", self.show.frame)
                self._pacer.resume(time.monotonic(), running=False)
                self._teller.say({"type": "problem", "error": "the engine stumbled and was paused; see the log"})

    def _listen(self) -> None:
        """Deal with what came; wait for it no longer than until the next step is due."""
        nap = min(self._pacer.wait(time.monotonic()), LONGEST_NAP)
        waiting: list[Heard | Callable[[], None]] = []
        try:
            waiting.append(self._inbox.get(timeout=nap) if nap > 0.0 else self._inbox.get_nowait())
            while len(waiting) < MOST_AT_ONCE:
                waiting.append(self._inbox.get_nowait())
        except queue.Empty:
            pass
        overtaken = _overtaken(waiting)
        for number, item in enumerate(waiting):
            if not isinstance(item, Heard):
                item()
            elif number in overtaken:
                self._reply(item)
            else:
                self._answer(item)

    def _step(self) -> None:
        if isinstance(self.show, LiveShow):
            self.show.step()
            self._publish(self.show)

    def _publish(self, show: LiveShow) -> None:
        if show.recast():
            for client in self._clients:
                self._greet(client)
        self._teller.publish(show)

    def _answer(self, heard: Heard) -> None:
        """Do what a message asks for and say how it went. What cannot be done is an answer too."""
        try:
            result = self._obey(heard)
        except WalkonError as error:
            self._reply(heard, ok=False, error=str(error))
            return
        except Exception:
            log.exception("message %s failed", type(heard.message).__name__)
            self._reply(heard, ok=False, error="this failed inside the studio; see the log")
            return
        if isinstance(result, Errand):
            self._errands.send_off(result, lambda answer: self._reply(heard, **answer), self._change_show)
            return
        self._reply(heard, **result)
        if isinstance(self.show, LiveShow):
            self._publish(self.show)

    def _obey(self, heard: Heard) -> dict[str, Any] | Errand:
        """What a message asks for; more for its reply, or an errand that will reply later."""
        message = heard.message
        match message:
            case Edit() | Undo() | Redo():
                return self._edit(heard)
            case Play() | Pause() | Speed() | StepFrames():
                self._transport(message)
            case ChoosePlanner():
                self._live().live.planner = message.name
                self._teller.say({"type": "planner", "name": message.name})
            case Overlay():
                self._live()
                if message.on:
                    self._teller.subscribe(heard.client, message.kind, message.who)
                else:
                    self._teller.unsubscribe(heard.client, message.kind)
            case Files():
                return self._errands.list()
            case Save():
                return self._errands.save(self.show, message)
            case Open():
                return self._errands.open(message)
            case Ping():
                return {"t": message.t, "frame": self.show.frame}
        return {}

    def _live(self) -> LiveShow:
        if not isinstance(self.show, LiveShow):
            raise SceneError("this is a finished take; open a scene to change anything")
        return self.show

    def _edit(self, heard: Heard) -> dict[str, Any]:
        show, message = self._live(), heard.message
        change: SceneChange | None
        if isinstance(message, Edit):
            change = show.edit(heard.client, message, heard.received)
        else:
            change = (show.undo if isinstance(message, Undo) else show.redo)(heard.received)
        if self._pacer.running:
            self._pacer.hasten(time.monotonic())
        else:
            show.latencies.forget()
        if change is None:
            return {}
        if not self._pacer.running and show.has_newcomers:
            # What they play is decided in the next step, and until then there is nothing of them to be seen.
            show.step()
        self._teller.tell_change(show, change, heard.client)
        return {"obstacles": list(change.obstacles), "people": sorted(change.who or ())[:1000]}

    def _transport(self, message: Message) -> None:
        self._live()
        now = time.monotonic()
        match message:
            case Play():
                self._pacer.resume(now, running=True)
            case Pause():
                self._pacer.resume(now, running=False)
            case Speed():
                self._pacer.resume(now, speed=message.value)
            case StepFrames():
                self._pacer.resume(now, running=False)
                for _ in range(message.frames):
                    self._step()
        self._teller.clock_changed()

    def _greet(self, client: int) -> None:
        """Tell a newcomer everything; what the others get from here on, it gets too."""
        if isinstance(self.show, LiveShow):
            self._teller.publish(self.show)
        self._clients.add(client)
        self._teller.outlet.admit(client, welcome(self.show, client, self._pacer.running, self._pacer.speed))

    def _forget(self, client: int) -> None:
        self._clients.discard(client)
        self._teller.unsubscribe(client)

    def _change_show(self, show: Show) -> None:
        """Another scene or take for everybody."""
        self.show.close()
        self.show = show
        self._teller.unsubscribe_all()
        self._pacer = Pacer(show.fps, time.monotonic(), running=not show.readonly)
        for client in self._clients:
            self._greet(client)
        if isinstance(show, TakeShow):
            self._have_audited(show)

    def _have_audited(self, show: TakeShow) -> None:
        """Find a take's marks in the background, and tell those who look at it."""
        self._errands.audit(show, lambda: self._teller.say(show.message()) if self.show is show else None)

    def _reply(self, heard: Heard, **more: Any) -> None:
        if heard.message.id is not None:
            reply = {"type": "reply", "id": heard.message.id, "ok": True, **more}
            self._teller.outlet.send(heard.client, write_json(reply))


def _overtaken(waiting: list[Heard | Callable[[], None]]) -> set[int]:
    """Steps of a drag that a later one, waiting as well, makes pointless: a slow engine need not do them."""
    latest: set[tuple[int, str]] = set()
    found: set[int] = set()
    for number in range(len(waiting) - 1, -1, -1):
        item = waiting[number]
        if isinstance(item, Heard) and isinstance(item.message, MoveObstacle):
            key = (item.client, item.message.name)
            if key in latest and not item.message.final:
                found.add(number)
            latest.add(key)
    return found
