"""A crowd that plans while it plays: people, goals and obstacles may change at any time.

    live = Live(scene)
    while watching:
        live.step(1 / 30)
        send(live.drain())

Nobody ever commits to anything that could meet what others have committed to, and every commitment ends in a stop
that is reserved for good. The audit of `live.take()` is the proof; see docs/live.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors import BehaviorClip, BehaviorLibrary
from walkon.crowd.casting import starting_pose
from walkon.crowd.live.commits import Commits, join_commits
from walkon.crowd.live.engine import Engine
from walkon.crowd.live.guides import Guides
from walkon.crowd.live.logbook import Log, character_data, goal_data, obstacle_data
from walkon.crowd.live.people import Person, Wardrobe
from walkon.crowd.live.recording import write_take
from walkon.crowd.live.repertoire import LivePerformer, Repertoire
from walkon.crowd.live.stagehands import Stagehands
from walkon.crowd.live.surroundings import surround
from walkon.errors import PlanError, SceneError
from walkon.rotations import Placement, rotation_about_y
from walkon.take import Take
from walkon.trees import Forest
from walkon.world import Character, Goal, Gridmap, Obstacle, Scene, World

PLANNERS = ("search", "quick", "tree")
"""Look well ahead, or only as far as a very large crowd has time for; or look ways up in precomputed trees, and
search where these have none."""

MOST_PEOPLE = 50_000
"""In one live crowd: about 20 kB are kept for each."""


@dataclass(frozen=True, eq=False)
class State:
    """Everybody at a frame: numbers (N,), places (N, 3) x, z, heading where their clips began, circles (N, 3)
    around them now, goals (N, 2) or nan, seconds they have been waiting (N,), whether they have arrived (N,)."""

    frame: int
    who: NDArray[np.int64]
    places: NDArray[np.float64]
    circles: NDArray[np.float64]
    goals: NDArray[np.float64]
    waiting: NDArray[np.float64]
    arrived: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Figures:
    """How it goes. waiting: people who have not got on for two seconds. longest_wait [s]: of anybody so far.
    replans: decisions so far; replan_seconds: of the latest. dropped: people onto whom an obstacle was put.
    stops: how often nothing better was found than to come to a stand. led: decisions that followed a precomputed
    tree."""

    people: int
    waiting: int
    longest_wait: float
    replans: int
    replan_seconds: NDArray[np.float64]
    dropped: int
    stops: int
    led: int


class Live:
    """A live crowd. Not to be used by two threads at once.

    scene: who and what is there in the beginning. library: for everybody, instead of those the scene names. tree:
    forests of those who take part, for the planner "tree"; who has none here gets one from the shelf, where it is
    put once it is grown: that takes some seconds, here or when that planner is chosen. planner: see PLANNERS;
    "tree" if there is a tree, else "search". folder: where relative library names are looked for. workers: threads
    that plan. Raises TreeError for a tree of somebody else.
    """

    def __init__(
        self,
        scene: Scene,
        library: BehaviorLibrary | None = None,
        tree: Forest | Sequence[Forest] | None = None,
        *,
        seed: int = 0,
        planner: str | None = None,
        workers: int = 2,
        folder: Path | None = None,
    ) -> None:
        self.seed, self.fps = seed, float(scene.fps)
        self._base = replace(scene, obstacles=(), characters=())
        self._obstacles: dict[str, Obstacle] = {}
        self._since: dict[str, int] = {}
        self._hands = Stagehands()
        for obstacle in scene.obstacles:
            self._obstacles[obstacle.name], self._since[obstacle.name] = obstacle, 0
            self._hands.put(0, obstacle)
        self._wardrobe = Wardrobe(library, folder)
        fitted = self._wardrobe.fit(scene.characters or (_STAND_IN,), scene)
        around = surround(self._planners_scene(), self.repertoire.moves)
        self._engine = Engine(self.repertoire, around, fps=self.fps, gap=scene.clearance, workers=workers)
        self._guides = Guides(() if tree is None else (tree,) if isinstance(tree, Forest) else tree, workers)
        self._guides.check(self.performers)
        self.planner = planner or ("search" if tree is None else "tree")
        self.people: dict[int, Person] = {}
        self._gone: list[Person] = []
        self._rows: dict[int, Person] = {}
        self._names: set[str] = set()
        self._later: list[tuple[int, Character, int]] = []
        self._next_number, self._pending_time = 0, 0.0
        self._longest_wait = 0.0
        self._dropped: dict[int, list[int]] = {}
        self.log = Log(seed, self.planner)
        for character, performer in zip(scene.characters, fitted, strict=False):
            self._schedule(character, performer)
        self._admit()

    # What there is --------------------------------------------------------------------------------------------

    @property
    def repertoire(self) -> Repertoire:
        """What everybody can do."""
        assert self._wardrobe.repertoire is not None  # noqa: S101 - set by the first `fit`
        return self._wardrobe.repertoire

    @property
    def frame(self) -> int:
        """The latest frame that was played; -1 before the first step."""
        return self._engine.frame

    @property
    def time(self) -> float:
        """[s] played so far."""
        return (self.frame + 1) / self.fps

    @property
    def planner(self) -> str:
        """How ways are looked for: see PLANNERS. Trees that are not on the shelf yet are grown when "tree" is
        chosen (some seconds for each performer), and for whoever comes later when it comes."""
        return self._planner

    @planner.setter
    def planner(self, name: str) -> None:
        if name not in PLANNERS:
            raise PlanError(f"no live planner {name!r}; there are: {', '.join(PLANNERS)}")
        if name == "tree":
            self._guides.learn(self.repertoire)
        self._planner = name
        self._engine.guides = self._guides if name == "tree" else None
        self._engine.quick = name == "quick"
        if hasattr(self, "log"):
            self.log.note(self.frame, "planner", name=name)

    @property
    def performers(self) -> tuple[LivePerformer, ...]:
        """Whose clips are played."""
        return self.repertoire.performers

    @property
    def world(self) -> World:
        """As planners see it now."""
        return self._engine.surroundings.world

    @property
    def scene(self) -> Scene:
        """As it is now: obstacles where they are, people where they stand with the goals they have."""
        people = [self._as_character(person) for person in self.people.values()]
        waiting = [character for _, character, _ in self._later]
        return replace(self._base, obstacles=tuple(self._obstacles.values()), characters=(*people, *waiting))

    def clip(self, number: int) -> BehaviorClip:
        """A clip of somebody."""
        performer = self.repertoire.performer_of(number)
        return performer.graph.clip(number - performer.first_clip)

    def _as_character(self, person: Person) -> Character:
        x, z, heading = self._place(person.row)
        goals = tuple(person.agenda) or tuple(goal for _, goal in person.reached[-1:])
        return replace(person.character, start=Placement(x, z, heading), goals=goals, start_time=0.0, pose=None)

    def _goals_of(self, person: Person) -> tuple[Goal, ...]:
        """What somebody has still to reach, or has reached last."""
        return tuple(person.agenda) or tuple(goal for _, goal in person.reached[-1:])

    def _place(self, row: int) -> tuple[float, float, float]:
        """Where somebody's body is now, and which way its clip began or ends, whichever is nearer."""
        crew, moves = self._engine.crew, self.repertoire.moves
        if crew.count[row] == 0:
            x, z, heading = crew.end[row]
            return float(x), float(z), float(heading)
        clip = crew.clips[row, 0]
        done = min(max(self.frame - crew.frames[row, 0], 0), moves.durations[clip])
        px, pz = moves.paths[moves.frame_starts[clip] + done]
        x, z, heading = crew.places[row, 0]
        sine, cosine = math.sin(heading), math.cos(heading)
        turned = heading + moves.displacements[clip, 2] * done / moves.durations[clip]
        return float(x + px * cosine + pz * sine), float(z - px * sine + pz * cosine), float(turned)

    # Time -----------------------------------------------------------------------------------------------------

    def step(self, dt: float | None = None) -> int:
        """Go on by `dt` seconds, by default one frame; what is less than a frame is kept for the next time. How
        many frames were played."""
        if dt is None:
            frames = 1
        else:
            if not (0.0 <= dt <= 3600.0):
                raise PlanError(f"a live crowd can be stepped by 0 s to 3600 s at a time, not {dt}")
            self._pending_time += dt * self.fps
            frames = int(self._pending_time + 1e-9)
            self._pending_time -= frames
        for _ in range(frames):
            self._tick()
        return frames

    def _tick(self) -> None:
        engine = self._engine
        for row in engine.tick():
            self._arrive(self._rows[int(row)])
        engine.plan()
        self._note_dropped()
        if engine.frame % 10 == 0:
            self._longest_wait = max(self._longest_wait, float(self.state().waiting.max(initial=0.0)))
        self.log.frames = engine.frame + 1
        self._admit()

    def _arrive(self, person: Person) -> None:
        """Somebody is at its goal: on to the next, or stay, or leave."""
        crew, row = self._engine.crew, person.row
        person.reached.append((self.frame, person.agenda.pop(0)))
        if person.agenda:
            self._aim(person)
        elif person.character.at_goal == "leave":
            self._remove(person)
        else:
            crew.settled[row], crew.home[row] = True, self.frame

    def _aim(self, person: Person) -> None:
        """Tell the engine what somebody wants."""
        crew, row = self._engine.crew, person.row
        crew.settled[row] = False
        crew.corner_count[row], crew.chain_count[row], crew.routed[row] = 0, 0, -(10**6)
        crew.since[row] = max(self.frame, 0)
        if not person.agenda:
            crew.goal[row] = math.nan
            return
        goal = person.agenda[0]
        heading = math.nan if goal.heading is None else goal.heading
        crew.goal[row] = goal.x, goal.z, goal.tolerance, heading
        crew.spread[row] = goal.heading_tolerance
        crew.passing[row] = len(person.agenda) > 1 or person.character.at_goal == "leave"
        # Who stands looks for a way as soon as it can.
        crew.tries[row] = 0

    def _note_dropped(self) -> None:
        for row in self._engine.caught():
            frames = self._dropped.setdefault(self._rows[int(row)].number, [])
            if not frames or frames[-1] != self.frame:
                frames.append(self.frame)

    # People ---------------------------------------------------------------------------------------------------

    def add(self, character: Character) -> int:
        """Somebody comes; its number. Raises SceneError if somebody or something is where it starts."""
        (performer,) = self._wardrobe.fit((character,), self._base)
        self._engine.learn(self.repertoire)
        if character.name in self._names:
            raise SceneError(f"there is somebody called {character.name!r} already")
        self.log.note(self.frame, "add", character=character_data(character))
        number = self._enter(character, performer)
        if number < 0:
            self.log.entries.pop()
            start = character.start
            raise SceneError(f"character {character.name!r}: ({start.x:.2f}, {start.z:.2f}) is not free")
        return number

    def remove(self, who: int) -> None:
        """Somebody is gone at once."""
        person = self._person(who)
        self.log.note(self.frame, "remove", who=who)
        self._remove(person)

    def set_goal(self, who: int, goal: Goal | None) -> None:
        """Somebody wants to be elsewhere; None: it stops and stays."""
        self.set_agenda(who, () if goal is None else (goal,))

    def set_agenda(self, who: int, goals: Sequence[Goal]) -> None:
        """Somebody wants to be at several places, one after the other."""
        person = self._person(who)
        self.log.note(self.frame, "set_agenda", who=who, goals=[goal_data(goal) for goal in goals])
        person.agenda = list(goals)
        if not goals:
            person.reached.clear()
        self._aim(person)

    def set_goals(self, who: Sequence[int], goals: Sequence[Goal | None]) -> None:
        """`set_goal` for several."""
        for number, goal in zip(who, goals, strict=True):
            self.set_goal(number, goal)

    def _person(self, who: int) -> Person:
        if who not in self.people:
            raise SceneError(f"nobody here has the number {who}")
        return self.people[who]

    def _schedule(self, character: Character, performer: int) -> None:
        self._names.add(character.name)
        self._later.append((round(character.start_time * self.fps), character, performer))

    def _admit(self) -> None:
        """Those whose time has come appear, as soon as their place is free."""
        waiting = []
        for entry in self._later:
            frame, character, performer = entry
            if frame > self.frame + 1 or self._enter(character, performer) < 0:
                waiting.append(entry)
        self._later = waiting

    def _enter(self, character: Character, performer: int) -> int:
        if len(self.people) >= MOST_PEOPLE:
            raise SceneError(f"a live crowd has {MOST_PEOPLE} people at most")
        whose = self.performers[performer]
        pose = whose.first_pose + starting_pose(character, whose.graph)
        start = np.array([character.start.x, character.start.z, character.start.heading])
        row = self._engine.enter(self._next_number, start, pose)
        if row < 0:
            return -1
        person = Person(self._next_number, character, performer, self.frame + 1, row, list(character.goals))
        self._next_number += 1
        self.people[person.number] = self._rows[row] = person
        self._names.add(person.name)
        self._aim(person)
        return person.number

    def _remove(self, person: Person) -> None:
        person.left = self.frame
        del self.people[person.number], self._rows[person.row]
        self._names.discard(person.name)
        self._gone.append(person)
        self._engine.leave(person.row)

    # Obstacles ------------------------------------------------------------------------------------------------

    def add_obstacle(self, obstacle: Obstacle) -> None:
        """Something comes; what moves begins to move now."""
        if obstacle.name in self._obstacles:
            raise SceneError(f"there is an obstacle {obstacle.name!r} already")
        self.log.note(self.frame, "add_obstacle", obstacle=obstacle_data(obstacle))
        self._put(obstacle)
        self._change_world()

    def move_obstacle(self, name: str, x: float, z: float, heading: float | None = None) -> None:
        """Something is put elsewhere, upright with a heading [rad] if one is given; what moves goes on from
        there."""
        obstacle = self._obstacle(name)
        if not (math.isfinite(x) and math.isfinite(z)):
            raise SceneError(f"obstacle {name!r} cannot be put to ({x}, {z})")
        self.log.note(self.frame, "move_obstacle", name=name, x=x, z=z, heading=heading)
        begun = min(max(self.frame + 1 - self._since[name], 0), len(obstacle.positions) - 1)
        old = obstacle.positions[begun]
        positions = obstacle.positions[begun:] + np.array([x - old[0], 0.0, z - old[2]])
        rotations = obstacle.rotations[begun:]
        if heading is not None and not obstacle.moves:
            rotations = rotation_about_y(np.array([heading]))
        self._put(replace(obstacle, positions=positions, rotations=rotations))
        self._change_world()

    def remove_obstacle(self, name: str) -> None:
        """Something is gone."""
        self._obstacle(name)
        self.log.note(self.frame, "remove_obstacle", name=name)
        del self._obstacles[name], self._since[name]
        self._hands.strike(self.frame + 1, name)
        self._change_world()

    def _obstacle(self, name: str) -> Obstacle:
        if name not in self._obstacles:
            raise SceneError(f"no obstacle is called {name!r}")
        return self._obstacles[name]

    def _put(self, obstacle: Obstacle) -> None:
        self._obstacles[obstacle.name], self._since[obstacle.name] = obstacle, self.frame + 1
        self._hands.put(self.frame + 1, obstacle)

    def _planners_scene(self) -> Scene:
        """The scene with all motions counted from frame 0."""
        return replace(
            self._base, obstacles=tuple(_from_the_start(o, self._since[o.name]) for o in self._obstacles.values())
        )

    def _change_world(self) -> None:
        """Let everybody know; those whose way is blocked look for another in the next step."""
        around = self._engine.surroundings
        for row in self._engine.change(around.changed(self._planners_scene(), self.repertoire.moves)):
            if self._engine.crew.settled[row]:
                # Who cannot stay where it has arrived goes there again once it is free.
                person = self._rows[int(row)]
                person.agenda.insert(0, person.reached.pop()[1])
                self._aim(person)
        self._note_dropped()

    # Everything at once ---------------------------------------------------------------------------------------

    def adopt(self, scene: Scene) -> None:
        """Whatever is different in a scene becomes so here: obstacles by name, people by name and goal.

        People who are in both go on from where they are. Bounds and terrain stay as they were. Raises SceneError
        when all that is possible is done, naming those for whom there was no room.
        """
        wanted = {obstacle.name: obstacle for obstacle in scene.obstacles}
        for name in [name for name in self._obstacles if name not in wanted]:
            self.remove_obstacle(name)
        for name, obstacle in wanted.items():
            if name in self._obstacles and self._obstacles[name] is not obstacle:
                self.remove_obstacle(name)
            if name not in self._obstacles:
                self.add_obstacle(obstacle)
        characters = {character.name: character for character in scene.characters}
        for person in list(self.people.values()):
            if person.name not in characters:
                self.remove(person.number)
                continue
            goals = characters.pop(person.name).goals
            if goals != self._goals_of(person):
                self.set_agenda(person.number, goals)
        for _, character, _ in self._later:
            characters.pop(character.name, None)
        refused = []
        for character in characters.values():
            try:
                self.add(character)
            except SceneError as error:
                refused.append(str(error))
        if refused:
            raise SceneError("; ".join(refused[:5]))

    # What came of it ------------------------------------------------------------------------------------------

    def drain(self) -> Commits:
        """All that was decided since the last time."""
        return self._engine.commits.take()

    def history(self) -> Commits:
        """All that was played and is decided, one entry per person."""
        crew, engine = self._engine.crew, self._engine
        who, clips, frames, places = engine.diary.read()
        order = np.argsort(who, kind="stable")
        who, clips, frames, places = who[order], clips[order], frames[order], places[order]
        parts = []
        for person in self.people.values():
            first, stop = np.searchsorted(who, [person.number, person.number + 1])
            ahead = slice(1, int(crew.count[person.row]))
            row = person.row
            parts.append(
                Commits(
                    np.array([person.number]),
                    np.array([0, stop - first + max(int(crew.count[row]) - 1, 0)]),
                    np.concatenate([clips[first:stop], crew.clips[row, ahead]]),
                    np.concatenate([frames[first:stop], crew.frames[row, ahead]]),
                    np.concatenate([places[first:stop], crew.places[row, ahead]]),
                )
            )
        return join_commits([part for part in parts if len(part.clips)])

    def state(self) -> State:
        """Everybody now, in order of numbers."""
        crew = self._engine.crew
        people = list(self.people.values())
        rows = np.array([person.row for person in people], dtype=np.int64)
        inside = np.clip(self.frame - crew.first[rows], 0, crew.length[rows] - 1)
        aimless = crew.settled[rows] | np.isnan(crew.goal[rows, 0])
        return State(
            self.frame,
            np.array([person.number for person in people], dtype=np.int64),
            crew.places[rows, 0],
            self._engine.tracks[rows, inside],
            crew.goal[rows, :2],
            np.where(aimless, 0.0, (self.frame - crew.since[rows]) / self.fps),
            crew.settled[rows],
        )

    def figures(self) -> Figures:
        """How it goes."""
        waiting, engine = self.state().waiting, self._engine
        return Figures(
            len(self.people),
            int((waiting > 2.0).sum()),
            max(self._longest_wait, float(waiting.max(initial=0.0))),
            engine.replans,
            engine.replan_seconds(),
            len(self._dropped),
            engine.stops,
            engine.led,
        )

    @property
    def dropped(self) -> dict[int, list[int]]:
        """People onto whom an obstacle was put, or who could not stop before it, and the frames when that was
        so."""
        return self._dropped

    def route(self, who: int) -> NDArray[np.float64]:
        """Corners (P, 2) of somebody's way to its goal, from where it is."""
        person, crew = self._person(who), self._engine.crew
        row, (x, z, _) = person.row, self._place(person.row)
        corners = crew.corners[row, crew.aim[row] : crew.corner_count[row]]
        if np.isnan(crew.goal[row, 0]):
            corners = corners[:0]
        return np.concatenate([[(x, z)], corners])

    def reserved(self, who: int) -> tuple[int, NDArray[np.float64]]:
        """The frame of the first and the circles (F, 3) that belong to somebody; the last one for good."""
        row, crew = self._person(who).row, self._engine.crew
        done = min(max(self.frame - int(crew.first[row]), 0), int(crew.length[row]) - 1)
        return int(crew.first[row]) + done, self._engine.tracks[row, done : crew.length[row]].copy()

    def density(self) -> Gridmap:
        """People per square metre who stand or are slow, in cells."""
        land = self._engine.surroundings.land
        return Gridmap(
            land.origin_x + 0.5 * land.cell, land.origin_z + 0.5 * land.cell, land.cell, land.density.copy()
        )

    def explored(self, who: int) -> NDArray[np.float64]:
        """Segments (K, 4) x0, z0, x1, z1 of a search that somebody would do now."""
        return self._engine.explore(self._person(who).row)

    def take(self) -> Take:
        """Everything that was played, as a take: to be audited, rendered or handed on."""
        return write_take(
            self._base,
            self._hands.obstacles(self.frame + 1),
            [*self._gone, *self.people.values()],
            self._engine.diary,
            self.repertoire,
            frames=self.frame + 1,
            seed=self.seed,
            planner=f"live {self.planner}",
        )

    def close(self) -> None:
        """End the threads that plan."""
        self._engine.close()


_STAND_IN = Character("nobody", Placement(0.0, 0.0, 0.0), ())


def _from_the_start(obstacle: Obstacle, since: int) -> Obstacle:
    """What moves from a later frame on, as if it had stood there before."""
    if since == 0 or not obstacle.moves:
        return obstacle
    positions = np.concatenate([np.repeat(obstacle.positions[:1], since, axis=0), obstacle.positions])
    rotations = np.concatenate([np.repeat(obstacle.rotations[:1], since, axis=0), obstacle.rotations])
    return replace(obstacle, positions=positions, rotations=rotations)
