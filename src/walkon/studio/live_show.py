"""A live crowd on show: its engine, what was edited, and everything about it that the browsers are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from walkon.studio.cast_view import ShownCast, clips_of
from walkon.studio.changes import History, SceneChange
from walkon.studio.crowding import Crowding
from walkon.studio.edits import apply_edit
from walkon.studio.measuring import Latencies, Rate, milliseconds
from walkon.studio.packing import COMMITS, HISTORY, pack
from walkon.studio.protocol import Edit, MoveObstacle, MovePerson
from walkon.studio.scene_view import show_ground, show_obstacle, show_person, write_json

if TYPE_CHECKING:
    from walkon.studio.live_crowd import LiveCrowd
    from walkon.world import Obstacle


NOWHERE = 1e9
"""The goal of whoever has none, so that it equals itself."""


class LiveShow:
    """Owned by the engine's thread, all of it but `cast`."""

    readonly = False

    def __init__(self, live: LiveCrowd, seed: int = 0, *, wander: bool = False) -> None:
        """wander: everybody goes on to a new goal when the last one is reached."""
        from walkon.crowd.live.meetings import Meetings

        self.live = live
        self.crowding = Crowding(live, seed)
        self.edits = History()
        self.latencies = Latencies()
        self.cast = _cast_of(live)
        self.title = live.world.scene.name
        self._ground = show_ground(live.world.scene)
        self._shown: dict[str, tuple[Obstacle, int, dict[str, Any]]] = {}
        self._known: set[int] = set(live.people)
        self._aims = (np.zeros(0, dtype=np.int64), np.zeros((0, 2)))
        self._replans = Rate()
        self._meetings = Meetings()
        if wander:
            self.crowding.wanderers.update(live.people)

    @property
    def fps(self) -> float:
        """Frames per second."""
        return float(self.live.fps)

    @property
    def frame(self) -> int:
        """Now; an engine that has not begun yet is at 0 too."""
        return max(0, int(self.live.frame))

    @property
    def planner(self) -> str:
        """Who plans."""
        return str(self.live.planner)

    def scene(self, *, people: bool = True) -> dict[str, Any]:
        """The scene as it is, with or without the people."""
        shown = {
            **self._ground,
            "bodies": self.live.bodies,
            "obstacles": [self._show(name) for name in self.live.obstacles],
        }
        if people:
            shown["people"] = self.people(self.live.people)
        return shown

    def _show(self, name: str) -> dict[str, Any]:
        """An obstacle as the browser knows it; made anew only if it is not what it was."""
        obstacle, since = self.live.obstacles[name], self.live.obstacles.since(name)
        known = self._shown.get(name)
        if known is None or known[0] is not obstacle or known[1] != since:
            known = self._shown[name] = (obstacle, since, show_obstacle(obstacle, since))
        return known[2]

    def people(self, numbers: Iterable[int]) -> list[dict[str, Any]]:
        """Some of the people, as the browser knows them."""
        people = (self.live.people[who] for who in numbers)
        return [show_person(one.number, one.name, one.performer, one.goal) for one in people]

    def history(self) -> bytes:
        """Everything that those who are there have played and committed."""
        return pack(HISTORY, self.frame, self.live.history())

    def step(self) -> None:
        """One frame."""
        self.crowding.tick()
        self.live.step()

    @property
    def has_newcomers(self) -> bool:
        """Whether somebody came of whom the browsers know nothing yet."""
        return not self.live.people.keys() <= self._known

    def arrivals(self) -> str | None:
        """A message about who came and left since the last time; None if nobody did."""
        now = self.live.people.keys()
        if now == self._known:
            return None
        added, removed = now - self._known, self._known - now
        self._known = set(now)
        return write_json({"type": "people", "added": self.people(sorted(added)), "removed": sorted(removed)})

    def redirections(self) -> str | None:
        """A message about those who have had another goal since the last time, by themselves or by an edit."""
        state = self.live.state()
        order = np.argsort(state.who)
        who, goals = state.who[order], np.nan_to_num(state.goals[order], nan=NOWHERE)
        (known, before), self._aims = self._aims, (who, goals)
        _, now, then = np.intersect1d(who, known, assume_unique=True, return_indices=True)
        changed = who[now][(goals[now] != before[then]).any(axis=1)].tolist()
        if not changed:
            return None
        return write_json({"type": "people", "added": self.people(changed), "removed": []})

    def recast(self) -> bool:
        """Whether somebody came whose clips the browsers do not know: then they must be told everything again."""
        if len(self.cast) == len(self.live.performers):
            return False
        self.cast = _cast_of(self.live)
        return True

    def commits(self, now: float) -> bytes | None:
        """The commits since the last time, as a packet; None if there are none."""
        drained = self.live.drain()
        if not len(drained.who):
            return None
        self.latencies.sent(drained.who, now)
        return pack(COMMITS, self.frame, drained)

    def edit(self, client: int, edit: Edit, received: float) -> SceneChange | None:
        """Do what a message asks for; raises SceneError if that cannot be."""
        change = apply_edit(self.live, self.crowding, edit)
        if change is None:
            return None
        drag, final = None, True
        if isinstance(edit, MoveObstacle):
            drag, final = (client, edit.name), edit.final
        elif isinstance(edit, MovePerson):
            drag = (client, f"person {edit.who}")
        self.edits.add(change, drag=drag, final=final)
        self._edited(change, received)
        return change

    def undo(self, received: float) -> SceneChange:
        """Take the latest edit back."""
        edit, change = self.edits.undo(self.live)
        self.crowding.cancel(edit)
        self._edited(change, received)
        return change

    def redo(self, received: float) -> SceneChange:
        """Do it again."""
        change = self.edits.redo(self.live)
        self._edited(change, received)
        return change

    def _edited(self, change: SceneChange, received: float) -> None:
        self.latencies.edited(received, change.who)

    def close(self) -> None:
        """End the engine's own threads."""
        self.live.close()

    def figures(self, now: float) -> dict[str, Any]:
        """What the engine says about itself."""
        found = self.live.figures()
        return {
            "people": int(found.people),
            "waiting": int(found.waiting),
            "longest_wait": round(float(found.longest_wait), 2),
            "replans_per_second": round(self._replans(float(found.replans), now), 1),
            "plan_ms": milliseconds(np.asarray(found.replan_seconds, dtype=np.float64)),
            "latency_ms": self.latencies.percentiles(),
            "collisions": self._meetings.look(self.live),
            "dropped": int(found.dropped),
            "stops": int(found.stops),
        }


def _cast_of(live: LiveCrowd) -> ShownCast:
    return ShownCast(
        (f"{one.library} {one.performer}", one.first_clip, clips_of(one.graph)) for one in live.performers
    )
