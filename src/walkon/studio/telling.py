"""What the engine's thread says to the browsers: changes as they come, and the rest from time to time."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from walkon.studio.changes import SceneChange
from walkon.studio.live_show import LiveShow
from walkon.studio.measuring import Rate
from walkon.studio.overlays import PERIODS, draw_overlay
from walkon.studio.pacing import Pacer
from walkon.studio.playback import TakeShow
from walkon.studio.scene_view import write_json

if TYPE_CHECKING:
    from walkon.studio.hub import Outlet

log = logging.getLogger("walkon.studio")

CLOCK_PERIOD, FIGURES_PERIOD = 0.25, 0.5
"""[s]."""


class Teller:
    """Says things through an outlet, and remembers who wants to see which overlay."""

    def __init__(self, outlet: Outlet) -> None:
        self.outlet = outlet
        self._bytes = Rate()
        self._overlays: dict[tuple[int, str], tuple[int | None, float]] = {}
        self._clock_due = self._figures_due = 0.0
        self._late = False

    def say(self, message: dict[str, Any]) -> None:
        """To everybody."""
        self.outlet.broadcast(write_json(message))

    def publish(self, show: LiveShow) -> None:
        """Who came and what was decided; in this order, as a browser must know whom a commit is about."""
        people = show.arrivals()
        if people is not None:
            self.outlet.broadcast(people)
        commits = show.commits(time.monotonic())
        if commits is not None:
            self.outlet.broadcast(commits)

    def tell_change(self, show: LiveShow, change: SceneChange, by: int) -> None:
        """The scene without its people, who are many; those who were touched come separately."""
        people = show.arrivals()
        if people is not None:
            self.outlet.broadcast(people)
        self.say(
            {
                "type": "scene",
                "scene": show.scene(people=False),
                "by": by,
                "undo": show.edits.can_undo,
                "redo": show.edits.can_redo,
            }
        )
        touched = [who for who, person in show.live.people.items() if person.name in change.people]
        if touched:
            self.say({"type": "people", "added": show.people(touched), "removed": []})
        if change.obstacles:
            self._redraw("gridmap")

    def tell(self, show: LiveShow | TakeShow, pacer: Pacer, now: float) -> None:
        """What is said from time to time, where its time has come."""
        late = pacer.is_late(now)
        if now >= self._clock_due or late != self._late:
            self._clock_due, self._late = now + CLOCK_PERIOD, late
            clock = {"frame": show.frame, "running": pacer.running, "speed": pacer.speed, "late": late}
            self.say({"type": "clock", **clock})
        if not isinstance(show, LiveShow):
            return
        if now >= self._figures_due:
            self._figures_due = now + FIGURES_PERIOD
            own = {
                "realtime": round(pacer.realtime(now), 3),
                "bytes_per_second": round(self._bytes(float(self.outlet.bytes_sent), now)),
            }
            self.say({"type": "figures", **show.figures(now), **own})
            redirected = show.redirections()
            if redirected is not None:
                self.outlet.broadcast(redirected)
        if self._overlays:
            self._draw(show, now)

    def clock_changed(self) -> None:
        """Say what time it is as soon as possible."""
        self._clock_due = 0.0

    def subscribe(self, client: int, kind: str, who: int | None) -> None:
        """A client wants to see an overlay."""
        self._overlays[client, kind] = (who, 0.0)

    def unsubscribe(self, client: int, kind: str | None = None) -> None:
        """A client does not any more; kind None: none of them."""
        for key in [key for key in self._overlays if key[0] == client and kind in (None, key[1])]:
            del self._overlays[key]

    def unsubscribe_all(self) -> None:
        """Nobody does: another show."""
        self._overlays.clear()

    def _redraw(self, kind: str) -> None:
        for key, (who, _) in self._overlays.items():
            if key[1] == kind:
                self._overlays[key] = (who, 0.0)

    def _draw(self, show: LiveShow, now: float) -> None:
        for (client, kind), (who, due) in list(self._overlays.items()):
            if now < due:
                continue
            try:
                message = draw_overlay(show.live, kind, who)
            except Exception:
                # What is only looked at must not stop what it looks at.
                log.exception("overlay %s failed", kind)
                self.unsubscribe(client, kind)
                problem = {"type": "problem", "error": f"{kind} cannot be shown; see the log"}
                self.outlet.send(client, write_json(problem))
                continue
            self._overlays[client, kind] = (who, time.monotonic() + PERIODS[kind])
            if message is not None:
                self.outlet.send(client, write_json(message))
