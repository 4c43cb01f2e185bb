"""Places where people spend time: they queue and are served, or wait somewhere in an area, and go on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from zlib import crc32

import numpy as np

from walkon.basics import Array
from walkon.crowd.live.engine import Engine
from walkon.crowd.live.people import LivePerson, Roster
from walkon.world import NamedPlace, Scene
from walkon.world.placing import ClearGround, RectangleArea, place_apart

LOOK = 6
"""Frames between two looks at queues: a fifth of a second."""

SLOT = 0.7
"""[m] Between two people in a queue. With less, live crowds have no room to stand."""

JOIN = 1.5
"""[m] Whoever is this near to the end of a queue is in it. With more, people queue who are not there yet, in the
order in which they were seen and not in that in which they come."""

STAND = 0.3
"""[m] How near to its spot somebody stands."""

WAIT_APART, WAIT_ROOM = 0.8, 0.4
"""[m] Between people who wait in an area, and from them to walls."""

SPOTS = 400
"""Spots of a waiting area at most; who finds none takes one that is taken, as near as it gets."""


@dataclass
class _Desk:
    """A place, and who is there. line: numbers of those who queue, in order. served: who is at which spot, with
    the frame in which it is done; -1 before it has got there. coming: who is on its way to the end of the line."""

    place: NamedPlace
    number: int
    spots: Array
    slots: Array
    line: list[int] = field(default_factory=list)
    served: dict[int, tuple[int, int]] = field(default_factory=dict)
    coming: list[int] = field(default_factory=list)


class Services:
    """The waiting and service places of a live scene."""

    def __init__(self, scene: Scene, engine: Engine, roster: Roster, seed: int) -> None:
        self._engine, self._roster, self._seed, self._fps = engine, roster, seed, scene.fps
        self._desks = {
            place.name: self._desk(place, number)
            for number, place in enumerate(scene.places)
            if place.kind in ("waiting", "service")
        }

    def _desk(self, place: NamedPlace, number: int) -> _Desk:
        if place.kind == "service":
            return _Desk(place, number, _counters(place), _slots(place))
        ground = ClearGround(self._engine.surroundings.world.clearance)
        rng = np.random.default_rng([self._seed, number])
        area, none = RectangleArea(place.regions), np.empty((0, 2))
        spots = place_apart(rng, ground, area, SPOTS, spacing=WAIT_APART, room=WAIT_ROOM, taken=none)
        return _Desk(place, number, spots if len(spots) else _counters(place), none)

    def tick(self) -> None:
        """Whoever has come to make for a place is given a spot; whoever is done goes on."""
        while self._roster.bound_for_places:
            person = self._roster.bound_for_places.pop(0)
            desk = self._desks.get(person.agenda[0].place) if person.agenda else None
            if desk is not None and not person.held and person.number in self._roster.here:
                desk.coming.append(person.number)
        if self._engine.frame % LOOK == 0:
            for desk in self._desks.values():
                self._look(desk)

    def _look(self, desk: _Desk) -> None:
        self._clear(desk)
        self._release(desk)
        if desk.place.kind == "service":
            self._join(desk)
            self._call(desk)
            self._close_up(desk)
        else:
            for number in desk.coming:
                self._seat(desk, number, desk.spots)
            desk.coming.clear()

    def _clear(self, desk: _Desk) -> None:
        """Forget those who were taken away or sent elsewhere."""

        def still(number: int) -> bool:
            person = self._roster.here.get(number)
            return person is not None and bool(person.agenda) and person.agenda[0].place == desk.place.name

        desk.line = [number for number in desk.line if still(number)]
        desk.coming = [number for number in desk.coming if still(number)]
        desk.served = {number: seat for number, seat in desk.served.items() if still(number)}

    def _release(self, desk: _Desk) -> None:
        """Time runs for those who are at their spots; when it is over they go on."""
        frame = self._engine.frame
        for number, (spot, done) in list(desk.served.items()):
            person = self._roster.here[number]
            if done < 0:
                if self._engine.crew.settled[person.row]:
                    # Those of a group take as long as each other.
                    group = person.character.group.encode()
                    rng = np.random.default_rng([self._seed, desk.number, crc32(group) if group else number])
                    desk.served[number] = spot, frame + round(rng.uniform(*desk.place.time) * self._fps)
            elif frame >= done:
                del desk.served[number]
                self._roster.release(person)

    def _join(self, desk: _Desk) -> None:
        """Those who are near the end of the line queue; the others make for it."""
        for number in list(desk.coming):
            person, end = self._roster.here[number], _slot(desk, len(desk.line))
            x, z, _ = self._engine.place_of(person.row)
            if np.hypot(x - end[0], z - end[1]) <= JOIN:
                desk.coming.remove(number)
                desk.line.append(number)
            else:
                self._stand(person, end, only_if_far=True)

    def _call(self, desk: _Desk) -> None:
        """Whoever is first goes to a free spot."""
        while desk.line and len(desk.served) < len(desk.spots):
            self._seat(desk, desk.line.pop(0), desk.spots)

    def _seat(self, desk: _Desk, number: int, spots: Array) -> None:
        """Give somebody the first spot that nobody has, or any."""
        taken = {spot for spot, _ in desk.served.values()}
        free = [spot for spot in range(len(spots)) if spot not in taken]
        spot = free[0] if free else number % len(spots)
        desk.served[number] = spot, -1
        self._stand(self._roster.here[number], spots[spot])

    def _close_up(self, desk: _Desk) -> None:
        for position, number in enumerate(desk.line):
            self._stand(self._roster.here[number], _slot(desk, position))

    def _stand(self, person: LivePerson, spot: Array, *, only_if_far: bool = False) -> None:
        """Have somebody stand at a spot (2,) until it is told to go on."""
        old, (x, z) = person.agenda[0], spot.tolist()
        away = float(np.hypot(old.x - x, old.z - z))
        if person.held and away < (JOIN if only_if_far else 0.05):
            return
        person.held = True
        person.agenda[0] = replace(old, x=x, z=z, tolerance=STAND, heading=None)
        self._roster.aim(person)


def _counters(place: NamedPlace) -> Array:
    """Spots (servers, 2) at which people are served, along the middle of the region."""
    x0, z0, x1, z1 = place.regions[0]
    share = (np.arange(place.servers) + 0.5) / place.servers
    if x1 - x0 >= z1 - z0:
        return np.column_stack([x0 + share * (x1 - x0), np.full(place.servers, 0.5 * (z0 + z1))])
    return np.column_stack([np.full(place.servers, 0.5 * (x0 + x1)), z0 + share * (z1 - z0)])


def _slots(place: NamedPlace) -> Array:
    """Spots (K, 2) of a queue, SLOT apart along its line."""
    line = np.array(place.queue)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    wanted = np.arange(0.0, along[-1] + 1e-9, SLOT)
    return np.column_stack([np.interp(wanted, along, line[:, axis]) for axis in (0, 1)])


def _slot(desk: _Desk, position: int) -> Array:
    """The spot (2,) of a position in the line; the last one for all who do not fit on it."""
    return desk.slots[min(position, len(desk.slots) - 1)]
