"""Where people of a scene file are sent: by points, by names of places, through way-points; doors and stairs.

All of it is checked here: names that nobody has, places of another kind, what lies outside the bounds.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from walkon.rotations import Placement
from walkon.world.checks import check_names
from walkon.world.document import SceneDocument
from walkon.world.document_characters import CharacterTable, CrowdTable, FlowTable, WaypointTable
from walkon.world.document_messages import did_you_mean
from walkon.world.document_parts import radians
from walkon.world.document_places import make_door, make_place, make_stairs, names_in
from walkon.world.places import NamedPlace, Rectangle
from walkon.world.problems import Problems
from walkon.world.scene import Character, Goal
from walkon.world.script import ScriptStep
from walkon.world.script_goals import goals_of_script
from walkon.world.toml_lines import Place


class Destinations:
    """The places, doors and stairs of a scene in the making. origins: where in the file the tables are."""

    def __init__(self, document: SceneDocument, origins: dict[str, list[int]], problems: Problems) -> None:
        self.document, self.origins, self.problems = document, origins, problems
        self.places = self._places()

    def _places(self) -> dict[str, NamedPlace]:
        """Places by name; checked against the bounds."""
        tables = self.document.places
        where = [("places", number) for number in self.origins.get("places", [])]
        check_names("place", [(table.name, at) for table, at in zip(tables, where, strict=True)], self.problems)
        for table, at in zip(tables, where, strict=True):
            self._check_inside(table.region, (*at, "region"), f"place {table.name!r}")
            self._check_inside(
                tuple((x, z, x, z) for x, z in table.queue), (*at, "queue"), f"place {table.name!r}"
            )
        return {table.name: make_place(table) for table in tables}

    def parts(self) -> dict[str, Any]:
        """Places, doors and stairs; checked."""
        document, places = self.document, {}
        for key in ("doors", "stairs"):
            places[key] = [(key, number) for number in self.origins.get(key, [])]
        named = [(table.name, at) for table, at in zip(document.doors, places["doors"], strict=True)]
        check_names("door", named, self.problems)
        for table, at in zip(document.doors, places["doors"], strict=True):
            ends = (*table.start, *table.start), (*table.end, *table.end)
            self._check_inside(ends, at, f"door {table.name!r}")
        stairs = [make_stairs(table, f"stairs{number + 1}") for number, table in enumerate(document.stairs)]
        check_names(
            "stairs", [(s.name, at) for s, at in zip(stairs, places["stairs"], strict=True)], self.problems
        )
        for one, at in zip(stairs, places["stairs"], strict=True):
            self._check_inside(one.regions, (*at, "region"), f"stairs {one.name!r}")
        doors = tuple(make_door(table) for table in document.doors)
        return {"places": tuple(self.places.values()), "doors": doors, "stairs": tuple(stairs)}

    def _check_inside(self, regions: tuple[Rectangle, ...], at: Place, what: str) -> None:
        left, near, right, far = self.document.bounds
        for x0, z0, x1, z1 in regions:
            if not (left <= x0 and near <= z0 and x1 <= right and z1 <= far):
                shown = ", ".join(f"{value:g}" for value in self.document.bounds)
                self.problems.add(at, f"{what} lies outside the bounds [{shown}]")
                return

    def _find_places(self, names: tuple[str, ...], kinds: tuple[str, ...], at: Place) -> list[NamedPlace]:
        """The places of these names; those that are not there, or of another kind, are problems."""
        found = []
        for name in names:
            place = self.places.get(name)
            if place is not None and place.kind in kinds:
                found.append(place)
                continue
            known = [other for other, place in self.places.items() if place.kind in kinds]
            if place is not None:
                self.problems.add(at, f"place {name!r} is of kind {place.kind!r}; {' or '.join(kinds)} is needed")
            else:
                there = (
                    f"there are: {', '.join(known[:20])}" if known else f"no {' or '.join(kinds)} place is there"
                )
                self.problems.add(at, f"no place {name!r:.40}{did_you_mean(name, known)} {there}")
        return found

    def goals(
        self, table: CharacterTable, script: tuple[ScriptStep, ...], at: Place
    ) -> tuple[tuple[Goal, ...], tuple[str, ...]]:
        """The way-points and the goal that a character's table names, or those of its script if it names none; and
        the exits that it may leave by. The goal is in the nearest of these by air, until somebody knows better."""
        exits = () if table.to is None else names_in(table.to)
        places = self._find_places(exits, ("exit",), (*at, "to"))
        via = tuple(self._waypoint(stop, table.tolerance, (*at, "via", n)) for n, stop in enumerate(table.via))
        goal, name = table.goal, ""
        if places:
            x, z = goal or ((via[-1].x, via[-1].z) if via else table.start)
            holding = [place for place in places if goal is not None and place.holds(*goal)]
            chosen = (holding or places[:1]) if table.choose == "first" or holding else places
            best = min(chosen, key=lambda place: math.dist((x, z), place.nearest(x, z)))
            goal, name = goal if holding else best.nearest(x, z), best.name
        if goal is None:
            if table.to is not None:
                goal = table.start  # what is wrong with the exits was said
            else:
                return goals_of_script(script, Placement(*table.start), table.tolerance), ()
        look = None if table.goal_heading is None else radians(table.goal_heading)
        return (*via, Goal(*goal, table.tolerance, look, radians(table.heading_tolerance), name)), exits

    def _waypoint(self, stop: tuple[float, float] | WaypointTable, tolerance: float, at: Place) -> Goal:
        """A place on the way; tolerance [m]: unless it says otherwise."""
        if not isinstance(stop, WaypointTable):
            return Goal(*stop, tolerance)
        look = None if stop.heading is None else radians(stop.heading)
        near = tolerance if stop.tolerance is None else stop.tolerance
        x, z = stop.at or (0.0, 0.0)
        if stop.place is not None:
            for place in self._find_places((stop.place,), ("waiting", "service"), (*at, "place")):
                x, z = stop.at or (place.queue[0] if place.queue else _middle(place))
        return Goal(x, z, near, look, radians(stop.heading_tolerance), stop.place or "")

    def with_exits(self, table: CrowdTable, at: Place) -> tuple[CrowdTable | None, tuple[str, ...]]:
        """A flow to exits as one to their regions, where its people leave, or None if there are no such exits; and
        the names of the exits."""
        to: Any = table.to if isinstance(table, FlowTable) else ()
        if not to or not (isinstance(to, str) or isinstance(to[0], str)):
            return table, ()
        names = names_in(to)
        places = self._find_places(names, ("exit",), (*at, "to"))
        if len(places) < len(names):
            return None, names
        regions = tuple(region for place in places for region in place.regions)
        return table.model_copy(update={"to": regions, "at_goal": "leave"}), names

    def sent(self, person: Character, table: CrowdTable, exits: tuple[str, ...], at: Place) -> Character:
        """Somebody of a flow with the way-points of it, and the exits it may leave by."""
        if not isinstance(table, FlowTable) or not (exits or table.via):
            return person
        via = (self._waypoint(stop, table.tolerance, (*at, "via", n)) for n, stop in enumerate(table.via))
        goal = person.goals[-1]
        name = next((name for name in exits if self.places[name].holds(goal.x, goal.z)), "")
        return replace(person, goals=(*via, replace(goal, place=name)), exits=exits, choose=table.choose)


def _middle(place: NamedPlace) -> tuple[float, float]:
    """The middle of the first region of a place."""
    x0, z0, x1, z1 = place.regions[0]
    return 0.5 * (x0 + x1), 0.5 * (z0 + z1)
