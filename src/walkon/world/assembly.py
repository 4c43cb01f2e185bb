"""Puts a scene together from its document: ground, obstacles, simulation, characters, crowds, in that order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world.arrivals import arrival_times
from walkon.world.checks import check_names, check_spots, check_together, find_spots
from walkon.world.destinations import Destinations
from walkon.world.document import SceneDocument
from walkon.world.document_characters import CharacterTable, CrowdTable, FlowTable, Traits
from walkon.world.document_draws import ends_of
from walkon.world.document_obstacles import ObstacleTable, Simulated
from walkon.world.document_parts import radians
from walkon.world.footprints import FreeGround, sweep
from walkon.world.generators import MOST_MATCHED, Grounds, Occupied, make_crowd, shared_traits
from walkon.world.grouping import in_groups, same_paces
from walkon.world.motions import MOST_FRAMES, sample_motion
from walkon.world.poses import make_poses
from walkon.world.problems import Problems
from walkon.world.scene import Character, Obstacle, Scene, flat_terrain
from walkon.world.script_tables import make_script
from walkon.world.shapes import SHAPES, Shape
from walkon.world.simulation import lift_out, simulate
from walkon.world.simulation_model import FallingBody
from walkon.world.terrain import make_terrain
from walkon.world.toml_lines import Place

MOST_CHARACTERS = 10_000
SET_OUT = 2.0
"""Time [s] after its start for which a crowd finds its places free of what moves: time to get away."""


class Assembly:
    """One scene in the making. origins: where in the file the elements of the document's lists are."""

    def __init__(
        self, document: SceneDocument, origins: dict[str, list[int]], folder: Path, seed: int, problems: Problems
    ) -> None:
        self.document = document
        self.origins = origins
        self.folder = folder
        self.seed = seed
        self.problems = problems
        self.terrain = flat_terrain(document.bounds)
        self.grounds: dict[tuple[int, int, int], FreeGround] = {}
        self.destinations = Destinations(document, origins, problems)

    def make_scene(self, name: str) -> Scene | None:
        """The scene, or None with problems collected."""
        document = self.document
        with self.problems.at("terrain"):
            self.terrain = make_terrain(document.terrain, document.bounds, self.folder)
        obstacles = self._obstacles()
        characters = self._characters(obstacles)
        if self.problems.found:
            return None
        return Scene(
            name=document.name or name,
            bounds=document.bounds,
            terrain=self.terrain,
            obstacles=tuple(obstacles),
            characters=tuple(characters),
            duration=document.duration,
            fps=document.fps,
            clearance=document.clearance,
            bodies=document.bodies,
            **self.destinations.parts(),
        )

    def _obstacles(self) -> list[Obstacle]:
        """All obstacles that can be made, in the order of the file."""
        made: dict[int, Obstacle] = {}
        bodies: dict[int, FallingBody] = {}
        frames = 0
        names = self._obstacle_names()
        for number, table in enumerate(self.document.obstacles):
            place = ("obstacles", self.origins["obstacles"][number])
            with self.problems.at(*place):
                shape = SHAPES[table.shape].from_table(table, self.folder)
                how = None if table.motion is None else table.motion.simulate
                if how is not None:
                    bodies[number] = self._body(table, names[number], shape, how)
                    continue
                made[number] = self._obstacle(table, names[number], shape)
                frames += len(made[number].positions)
                if frames > MOST_FRAMES:
                    raise SceneError(f"the moving obstacles have more than {MOST_FRAMES} frames together")
        if bodies:
            with self.problems.at("obstacles", self.origins["obstacles"][min(bodies)], "motion", "simulate"):
                self._simulate(bodies, made)
        return [made[number] for number in sorted(made)]

    def _obstacle_names(self) -> list[str]:
        """The names in the file; where there is none, the shape and a number that nobody has."""
        tables = self.document.obstacles
        places = [("obstacles", number) for number in self.origins.get("obstacles", [])]
        named = [
            (table.name, place) for table, place in zip(tables, places, strict=True) if table.name is not None
        ]
        check_names("obstacle", named, self.problems)
        used, counts, names = {name for name, _ in named}, Counter(), []
        for table in tables:
            name = table.name
            while name is None:
                counts[table.shape] += 1
                proposed = f"{table.shape}{counts[table.shape]}"
                name = None if proposed in used else proposed
            names.append(name)
        return names

    def _obstacle(self, table: ObstacleTable, name: str, shape: Shape) -> Obstacle:
        start = _start_of(table)
        if table.motion is None:
            poses = make_poses(shape, self.terrain, *start[:3], radians(start[3]), radians(start[4]))
        else:
            document = self.document
            rates = {"fps": document.fps, "duration": document.duration}
            poses = sample_motion(table.motion, start, shape, self.terrain, self.folder, **rates)
        known = table.motion is None or table.motion.known
        return Obstacle(name, shape, *poses, passes=tuple(dict.fromkeys(table.passes)), known=known)

    def _body(self, table: ObstacleTable, name: str, shape: Shape, how: Simulated) -> FallingBody:
        if not shape.falls:
            able = [kind for kind, other in SHAPES.items() if other.falls]
            raise SceneError(f"motion.simulate is for these shapes: {', '.join(able)}")
        x, z, bottom, heading, tilt = _start_of(table)
        positions, rotations = make_poses(shape, self.terrain, x, z, bottom, radians(heading), radians(tilt))
        raised = lift_out(shape, positions[0], rotations[0], self.terrain)
        position = positions[0] + np.array([0.0, raised, 0.0])
        return FallingBody(name, shape, position, rotations[0], bottom < 0.01, how)

    def _simulate(self, bodies: dict[int, FallingBody], made: dict[int, Obstacle]) -> None:
        """Let go of the bodies, and add what becomes of them to the obstacles."""
        others, document = list(made.values()), self.document
        rates = {"fps": document.fps, "duration": document.duration}
        results = simulate(list(bodies.values()), others, self.terrain, document.bounds, **rates)
        for (number, body), poses in zip(bodies.items(), results, strict=True):
            table = document.obstacles[number]
            known = table.motion is None or table.motion.known
            made[number] = Obstacle(body.name, body.shape, *poses, passes=table.passes, known=known)

    def _characters(self, obstacles: list[Obstacle]) -> list[Character]:
        """Those in the file, then the crowds; checked against everything."""
        places = [("characters", number) for number in self.origins.get("characters", [])]
        people = [
            self._character(table, place) for table, place in zip(self.document.characters, places, strict=True)
        ]
        spots = [find_spots(person, place) for person, place in zip(people, places, strict=True)]
        check_names("character", [(p.name, place) for p, place in zip(people, places, strict=True)], self.problems)
        self._check_times(places)
        everyone = [spot for found in spots for spot in found]
        bounds, fps = self.document.bounds, self.document.fps
        check_spots(everyone, obstacles, self.terrain, bounds, fps, self.problems)
        check_together([found[0] for found in spots], [found[-1] for found in spots], self.problems)
        return same_paces(people) + self._crowds(people, obstacles)

    def _check_times(self, places: list[tuple[str, int]]) -> None:
        late = "{} at {:g} s, when the scene of {:g} s is over"
        duration = self.document.duration
        for table, place in zip(self.document.characters, places, strict=True):
            off = table.start_time + table.premovement
            if off >= duration:
                key, verb, said = "premovement", "sets off", off
                if table.start_time >= duration:
                    key, verb, said = "start_time", "starts", table.start_time
                self.problems.add((*place, key), f"character {table.name!r} {late.format(verb, said, duration)}")
        for number, crowd in enumerate(self.document.crowds):
            place = ("crowds", self.origins["crowds"][number])
            last = crowd.start_time + getattr(crowd, "over", 0.0)
            if isinstance(crowd, FlowTable) and crowd.rate is not None:
                last = crowd.until or (crowd.rate[-1][0] if isinstance(crowd.rate, tuple) else 0.0)
                last = math.nextafter(last, 0.0)  # nobody comes just then
            off = last + ends_of(crowd.premovement)[1]
            if last >= duration:
                self.problems.add(place, f"the last of the crowd {late.format('starts', last, duration)}")
            elif off >= duration:
                self.problems.add(place, f"the last of the crowd {late.format('may set off', off, duration)}")

    def _character(self, table: CharacterTable, place: Place) -> Character:
        script = make_script(table)
        goals, exits = self.destinations.goals(table, script, place)
        stops = tuple((goal.x, goal.z) for goal in goals)
        heading = _towards(table.start, stops) if table.heading is None else radians(table.heading)
        return Character(
            name=table.name,
            start=Placement(*table.start, heading),
            goals=goals,
            script=script,
            library=self._library(table),
            performer=table.performer,
            start_time=table.start_time,
            speed=table.speed,
            premovement=table.premovement,
            exits=exits,
            choose=table.choose,
            group=table.group or "",
            **shared_traits(table, leaves=bool(exits)),
        )

    def _library(self, table: Traits) -> str:
        """A name stays a name; a folder, written with a slash, is sought beside the scene file."""
        is_folder = "/" in table.library or "\\" in table.library
        return str(self.folder / table.library) if is_folder else table.library

    def _crowds(self, people: list[Character], obstacles: list[Obstacle]) -> list[Character]:
        occupied, made, kinds = Occupied(), [], Counter()
        for person in people:
            occupied.add(person)
        names = {person.name for person in people}
        for number, said in enumerate(self.document.crowds):
            kinds[said.kind] += 1
            place = ("crowds", self.origins["crowds"][number])
            with self.problems.at(*place):
                table, times = self._counted(said, place[1])
                if len(people) + len(made) + table.count > MOST_CHARACTERS:
                    raise SceneError(f"count: more than {MOST_CHARACTERS} characters in all")
                prefix = table.name or f"{table.kind}{kinds[table.kind]}"
                table, exits = self.destinations.with_exits(table, place)
                if table is None:
                    continue
                crowd = self._crowd(table, place[1], prefix, obstacles, occupied, times)
                crowd = [self.destinations.sent(person, table, exits, place) for person in crowd]
                if isinstance(table, FlowTable) and table.groups:
                    # Random numbers apart: whoever adds groups leaves the places as they are.
                    own = np.random.default_rng([self.seed, place[1], 2])
                    crowd = in_groups(crowd, table.groups, prefix, own)
                twice = sorted(names & {person.name for person in crowd})
                if twice:
                    raise SceneError(
                        f"name: there is a character {twice[0]!r} already; give the crowd another name"
                    )
                names |= {person.name for person in crowd}
                made += crowd
                for person in crowd:
                    occupied.add(person)
        return made

    def _counted(self, table: CrowdTable, number: int) -> tuple[CrowdTable, Array | None]:
        """A crowd that comes at a rate with the number of people that makes, and when these come."""
        if not isinstance(table, FlowTable) or table.rate is None:
            return table, None
        times = arrival_times(table, MOST_MATCHED, np.random.default_rng([self.seed, number, 1]))
        return table.model_copy(update={"count": len(times), "over": float(times[-1]) - table.start_time}), times

    def _crowd(
        self,
        table: CrowdTable,
        number: int,
        prefix: str,
        obstacles: list[Obstacle],
        occupied: Occupied,
        times: Array | None,
    ) -> list[Character]:
        """A crowd that what moves leaves in peace, as far as there is room for that."""
        library = self._library(table)
        failure = SceneError()
        for grounds in self._grounds(table, obstacles):
            # A generator for each crowd: changing one leaves the others as they are.
            rng = np.random.default_rng([self.seed, number])
            try:
                return make_crowd(table, prefix, grounds, occupied, rng, library, times)
            except SceneError as error:
                failure = error
        raise failure

    def _grounds(self, table: CrowdTable, obstacles: list[Obstacle]) -> Iterator[Grounds]:
        """What is free, from what is best to what will do.

        Best is a start that nothing comes by soon, and a place to stay that nothing ever comes by; then one that
        nothing ends on; at least, nobody starts in anything and stays in anything that stands still.
        """
        fps = self.document.fps
        first, end = round(table.start_time * fps), math.ceil(self.document.duration * fps)
        last = first + round((getattr(table, "over", 0.0) + SET_OUT) * fps)
        standing = self._ground([obstacle for obstacle in obstacles if not obstacle.moves], 0, 0)
        moving = any(obstacle.moves for obstacle in obstacles)
        if moving:
            starts, stays = self._ground(obstacles, first, last), table.at_goal == "stay"
            if stays:
                yield Grounds(starts, self._ground(obstacles, first, end))
                yield Grounds(starts, self._ground(obstacles, end, end))
            yield Grounds(starts, standing)
        yield Grounds(self._ground(obstacles, first, first), standing)

    def _ground(self, obstacles: list[Obstacle], first: int, last: int) -> FreeGround:
        """What is free from frame `first` to `last`."""
        step = max(1, round(self.document.fps / 5))
        key = (len(obstacles), first, last)  # all of them, or those that stand still
        if key in self.grounds:
            return self.grounds[key]
        swept = [outline for obstacle in obstacles for outline in sweep(obstacle, self.terrain, first, last, step)]
        self.grounds[key] = FreeGround(self.document.bounds, swept)
        return self.grounds[key]


def _start_of(table: ObstacleTable) -> tuple[float, float, float, float, float]:
    """x, z, bottom [m], heading, tilt [degrees] of an obstacle."""
    x, z = table.at
    return x, z, table.bottom, table.heading, table.tilt


def _towards(start: tuple[float, float], stops: tuple[tuple[float, float], ...]) -> float:
    """Heading from the start to the first stop that is not there already."""
    for x, z in stops:
        if (x, z) != start:
            return math.atan2(x - start[0], z - start[1])
    return 0.0
