"""What an edit did, told so that it can be undone: everything it touched, before and after.

Not whole scenes: between an edit and its undo people walk on, come and leave. Only what was touched goes back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from walkon.errors import SceneError
from walkon.studio.limits import MOST_UNDO
from walkon.world import BodyLevel, Character, Obstacle

if TYPE_CHECKING:
    from walkon.studio.live_crowd import LiveCrowd


@dataclass
class SceneChange:
    """Names -> before and after; None: was not there. moved: people who were put elsewhere, by name.
    bodies: the level at which they are seen, before and after; None: as it was.

    who: numbers of the people whose way it changes at once; None: anybody's.
    """

    obstacles: dict[str, tuple[Obstacle | None, Obstacle | None]] = field(default_factory=dict)
    people: dict[str, tuple[Character | None, Character | None]] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    who: frozenset[int] | None = None
    bodies: tuple[BodyLevel, BodyLevel] | None = None

    def reversed(self) -> SceneChange:
        """The same, the other way round."""
        return SceneChange(
            {name: (after, before) for name, (before, after) in self.obstacles.items()},
            {name: (after, before) for name, (before, after) in self.people.items()},
            set(self.moved),
            bodies=None if self.bodies is None else (self.bodies[1], self.bodies[0]),
        )

    def follow(self, later: SceneChange) -> None:
        """Take a later change of the same drag in."""
        for mine, others in ((self.obstacles, later.obstacles), (self.people, later.people)):
            for name, (before, after) in others.items():
                first = mine[name][0] if name in mine else before
                mine[name] = (first, after)  # pyright: ignore[reportArgumentType]
        self.moved |= later.moved


class History:
    """What can be undone and redone; a drag is one step."""

    def __init__(self) -> None:
        self._done: list[SceneChange] = []
        self._undone: list[SceneChange] = []
        self._dragged: tuple[int, str] | None = None

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is anything to redo."""
        return bool(self._undone)

    def add(self, change: SceneChange, *, drag: tuple[int, str] | None = None, final: bool = True) -> None:
        """Remember an edit. drag: who drags what; the steps of one drag become one."""
        if drag is not None and drag == self._dragged and self._done:
            self._done[-1].follow(change)
        else:
            self._done = [*self._done[1 - MOST_UNDO :], change]
        self._undone.clear()
        self._dragged = None if final else drag

    def undo(self, live: LiveCrowd) -> tuple[SceneChange, SceneChange]:
        """Take the latest edit back; that edit, and the change that taking it back was."""
        if not self._done:
            raise SceneError("there is nothing to undo")
        self._dragged = None
        back = apply_change(live, self._done[-1].reversed())
        self._undone.append(self._done.pop())
        return self._undone[-1], back

    def redo(self, live: LiveCrowd) -> SceneChange:
        """Do again what was undone last."""
        if not self._undone:
            raise SceneError("there is nothing to redo")
        self._dragged = None
        apply_change(live, self._undone[-1])
        self._done.append(self._undone.pop())
        return self._done[-1]


def apply_change(live: LiveCrowd, change: SceneChange) -> SceneChange:
    """Make everything a change touched as it is after it; whoever has left meanwhile stays away.

    Someone whose place is taken cannot come back: the change returned has those who did.
    """
    if change.bodies is not None:
        live.bodies = change.bodies[1]
    for name, (_, after) in change.obstacles.items():
        live.set_obstacle(name, after)
    numbers = {person.name: who for who, person in live.people.items()} if change.people else {}
    touched: set[int] = set()
    for name, (before, after) in change.people.items():
        who = numbers.get(name)
        if who is None and (before is not None or after is None):
            continue
        if who is not None and (after is None or name in change.moved):
            live.remove(who)
            who = None
        if after is None:
            continue
        try:
            touched.add(live.add(after) if who is None else _aim(live, who, after))
        except SceneError:
            if name not in change.moved or before is None:
                continue
            touched.add(live.add(before))  # rather back where they were than nowhere
    change.who = None if change.obstacles or change.bodies else frozenset(touched)
    return change


def _aim(live: LiveCrowd, who: int, character: Character) -> int:
    live.set_goal(who, character.goals[-1] if character.goals else None)
    return who
