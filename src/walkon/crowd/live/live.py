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
from dataclasses import replace
from pathlib import Path

from walkon.behaviors import BehaviorClip, BehaviorLibrary
from walkon.crowd.live.adopting import adopt_scene
from walkon.crowd.live.demand import Demand
from walkon.crowd.live.door_hours import shut_at_first
from walkon.crowd.live.engine import Engine
from walkon.crowd.live.guides import Guides
from walkon.crowd.live.logbook import Log
from walkon.crowd.live.obstacles import LiveObstacles
from walkon.crowd.live.people import Roster
from walkon.crowd.live.recording import write_take
from walkon.crowd.live.repertoire import LivePerformer, Repertoire
from walkon.crowd.live.surroundings import surround
from walkon.crowd.live.views import LiveViews
from walkon.crowd.live.wardrobe import Wardrobe
from walkon.errors import PlanError, SceneError
from walkon.take import Take
from walkon.trees import Forest
from walkon.world import BodyLevel, Character, Goal, Obstacle, Scene, World
from walkon.world.exits import choose_exits
from walkon.world.scene_data import INLINE, describe_character, describe_goal, describe_obstacle
from walkon.world.timed_doors import door_obstacle

PLANNERS = ("search", "quick", "tree")
"""Look well ahead, or only as far as a very large crowd has time for; or look ways up in precomputed trees, and
search where these have none."""

SEE_AGAIN = 30
"""Frames between two tries to see bodies at a level for which they were too near to each other."""

LONGEST_STEP = 3600.0
"""[s] The most that a live crowd is stepped by at once: more is a mistake of the caller's."""


class Live(LiveViews):
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
        self._base, self._doors = replace(scene, obstacles=(), characters=(), doors=()), scene.doors
        shut = [door_obstacle(door, scene.terrain) for door in shut_at_first(scene)]
        self._obstacles = LiveObstacles((*scene.obstacles, *shut))
        self._wardrobe = Wardrobe(library, folder)
        fitted = self._wardrobe.fit(scene.characters, scene)
        around = surround(self._planners_scene(), self.repertoire)
        self._engine = Engine(self.repertoire, around, fps=self.fps, gap=around.gap, workers=workers)
        scene = choose_exits(scene, around.world)
        self._guides = Guides(() if tree is None else (tree,) if isinstance(tree, Forest) else tree, workers)
        self._guides.check(self.performers)
        self._choose(planner or ("search" if tree is None else "tree"))
        self._roster = Roster(self._engine, self.fps)
        self._demand = Demand(scene, self._engine, self._roster, seed, self._put, self._strike)
        self._pending_time = self._longest_wait = 0.0
        self._dropped = {}
        self.log = Log(seed, self.planner)
        for character, performer in zip(scene.characters, fitted, strict=True):
            self._roster.schedule(character, performer)
        self._roster.admit()

    # What there is --------------------------------------------------------------------------------------------

    @property
    def repertoire(self) -> Repertoire:
        """What everybody can do."""
        return self._wardrobe.repertoire

    @property
    def planner(self) -> str:
        """How ways are looked for: see PLANNERS. Trees that are not on the shelf yet are grown when "tree" is
        chosen (some seconds for each performer), and for whoever comes later when it comes."""
        return self._planner

    @planner.setter
    def planner(self, name: str) -> None:
        self._choose(name)
        self.log.note(self.frame, "planner", name=name)

    @property
    def bodies(self) -> BodyLevel:
        """How exactly bodies are seen. A coarser level holds once nobody is too near to somebody else for it."""
        return self._base.bodies

    @bodies.setter
    def bodies(self, level: BodyLevel) -> None:
        self._base = replace(self._base, bodies=level)
        self.log.note(self.frame, "bodies", level=level)
        self._see()

    def _see(self) -> None:
        """See bodies at the level that was chosen, if they are far enough apart for it."""
        if self.repertoire.bodies != self.bodies and self._wardrobe.see(self.bodies, self._engine.see):
            self._change_world()

    def _choose(self, name: str) -> None:
        if name not in PLANNERS:
            raise PlanError(f"no live planner {name!r}; there are: {', '.join(PLANNERS)}")
        if name == "tree":
            self._guides.learn(self.repertoire)
        self._planner = name
        self._engine.guides = self._guides if name == "tree" else None
        self._engine.quick = name == "quick"

    @property
    def performers(self) -> tuple[LivePerformer, ...]:
        """Whose clips are played."""
        return self.repertoire.performers

    @property
    def world(self) -> World:
        """As planners see it now."""
        return self._engine.surroundings.world

    @property
    def obstacles(self) -> LiveObstacles:
        """What stands and moves here now, by name; `obstacles.since(name)` tells from which frame on."""
        return self._obstacles

    @property
    def scene(self) -> Scene:
        """As it is now: obstacles where they are, people where they stand with the goals they have."""
        people = [self._roster.as_character(person) for person in self.people.values()]
        doors = self._demand.doors.names
        things = tuple(thing for name, thing in self._obstacles.items() if name not in doors)
        return replace(self._base, obstacles=things, characters=(*people, *self.coming), doors=self._doors)

    def clip(self, number: int) -> BehaviorClip:
        """A clip of somebody."""
        performer = self.repertoire.performer_of(number)
        return performer.graph.clip(number - performer.first_clip)

    # Time -----------------------------------------------------------------------------------------------------

    def step(self, dt: float | None = None) -> int:
        """Go on by `dt` seconds, by default one frame; what is less than a frame is kept for the next time. How
        many frames were played."""
        if dt is None:
            frames = 1
        else:
            if not (0.0 <= dt <= LONGEST_STEP):
                raise PlanError(f"a live crowd can be stepped by 0 s to {LONGEST_STEP:g} s at a time, not {dt}")
            self._pending_time += dt * self.fps
            frames = int(self._pending_time + 1e-9)
            self._pending_time -= frames
        for _ in range(frames):
            self._tick()
        return frames

    def _tick(self) -> None:
        engine = self._engine
        for row in engine.tick():
            self._roster.arrive(int(row))
        self._demand.tick()
        engine.plan()
        for row in engine.strayed():
            self._roster.disturb(int(row))
        self._note_dropped()
        if engine.frame % SEE_AGAIN == 0:
            self._see()
        if engine.frame % 10 == 0:
            self._longest_wait = max(self._longest_wait, float(self.state().waiting.max(initial=0.0)))
        self.log.frames = engine.frame + 1
        self._roster.admit()

    def _note_dropped(self) -> None:
        for row in self._engine.caught():
            frames = self._dropped.setdefault(self._roster.at(row).number, [])
            if not frames or frames[-1] != self.frame:
                frames.append(self.frame)

    # People ---------------------------------------------------------------------------------------------------

    def add(self, character: Character) -> int:
        """Somebody comes; its number. Raises SceneError if somebody or something is where it starts, or if the
        ground is steeper than it can walk where others walk."""
        (performer,) = self._wardrobe.fit((character,), self._base)
        self._engine.surroundings.check_footing(character, self.performers[performer].graph)
        self._engine.learn(self.repertoire)
        if self._roster.has(character.name):
            raise SceneError(f"there is somebody called {character.name!r} already")
        person = self._roster.enter(character, performer)
        if person is None:
            start = character.start
            raise SceneError(f"character {character.name!r}: ({start.x:.2f}, {start.z:.2f}) is not free")
        self.log.note(self.frame, "add", character=describe_character(character))
        return person.number

    def remove(self, who: int) -> None:
        """Somebody is gone at once."""
        person = self._roster.find(who)
        self.log.note(self.frame, "remove", who=who)
        self._roster.leave(person)

    def set_goal(self, who: int, goal: Goal | None) -> None:
        """Somebody wants to be elsewhere; None: it stops and stays."""
        self.set_agenda(who, () if goal is None else (goal,))

    def set_agenda(self, who: int, goals: Sequence[Goal]) -> None:
        """Somebody wants to be at several places, one after the other."""
        person = self._roster.find(who)
        self.log.note(self.frame, "set_agenda", who=who, goals=[describe_goal(goal) for goal in goals])
        self._roster.send(person, goals)

    def set_goals(self, who: Sequence[int], goals: Sequence[Goal | None]) -> None:
        """`set_goal` for several."""
        for number, goal in zip(who, goals, strict=True):
            self.set_goal(number, goal)

    # Obstacles ------------------------------------------------------------------------------------------------

    def add_obstacle(self, obstacle: Obstacle) -> None:
        """Something comes; what moves begins to move now."""
        if obstacle.name in self._obstacles:
            raise SceneError(f"there is an obstacle {obstacle.name!r} already")
        if obstacle.name in self._demand.doors.names:
            raise SceneError(f"there is a door {obstacle.name!r} already")
        self.log.note(self.frame, "add_obstacle", obstacle=describe_obstacle(obstacle, INLINE))
        self._put(obstacle)

    def _put(self, obstacle: Obstacle) -> None:
        """Something is there from the next frame on."""
        self._obstacles.put(self.frame + 1, obstacle)
        self._change_world()

    def move_obstacle(self, name: str, x: float, z: float, heading: float | None = None) -> None:
        """Something is put elsewhere. What stands gets a heading [rad] if one is given, and keeps its lean and its
        height above the ground; what moves goes on from there."""
        if not (math.isfinite(x) and math.isfinite(z)):
            raise SceneError(f"obstacle {name!r} cannot be put to ({x}, {z})")
        terrain = self._base.terrain
        moved = self._obstacles.moved(name, x, z, heading, frame=self.frame + 1, terrain=terrain)
        self.log.note(self.frame, "move_obstacle", name=name, x=x, z=z, heading=heading)
        self._obstacles.put(self.frame + 1, moved)
        self._change_world()

    def remove_obstacle(self, name: str) -> None:
        """Something is gone."""
        self._obstacles.find(name)
        if name in self._demand.doors.names:
            raise SceneError(f"{name!r} is a door, which opens by its hours")
        self.log.note(self.frame, "remove_obstacle", name=name)
        self._strike(name)

    def _strike(self, name: str) -> None:
        """Something is gone from the next frame on."""
        self._obstacles.strike(self.frame + 1, name)
        self._change_world()

    def set_obstacle(self, name: str, obstacle: Obstacle | None) -> None:
        """Whatever is called so becomes this obstacle, and nothing else; None: nothing is called so any more."""
        known = self._obstacles.get(name)
        if known is obstacle:
            return
        if known is not None:
            self.remove_obstacle(name)
        if obstacle is not None:
            self.add_obstacle(obstacle)

    def _planners_scene(self) -> Scene:
        """The scene with all motions counted from frame 0."""
        return replace(self._base, obstacles=self._obstacles.from_the_start())

    def _change_world(self) -> None:
        """Let everybody know; those whose way is blocked look for another in the next step."""
        self._demand.forget_ways()
        around = self._engine.surroundings
        for row in self._engine.change(around.after(self._planners_scene(), self.repertoire.moves)):
            self._roster.disturb(int(row))
        self._note_dropped()

    # Everything at once ---------------------------------------------------------------------------------------

    def adopt(self, scene: Scene) -> None:
        """Whatever is different in a scene becomes so here: obstacles by name, people by name and goal.

        People who are in both go on from where they are. Bounds and terrain stay as they were. Raises SceneError
        when all that is possible is done, naming those for whom there was no room.
        """
        adopt_scene(self, scene)

    def take(self) -> Take:
        """Everything that was played, as a take: to be audited, rendered or handed on."""
        return write_take(
            replace(self._base, obstacles=self._obstacles.ever(self.frame + 1)),
            [*self._roster.gone, *self.people.values()],
            self._engine.diary,
            self.repertoire,
            frames=self.frame + 1,
            seed=self.seed,
            planner=f"live {self.planner}",
        )

    def close(self) -> None:
        """End the threads that plan."""
        self._engine.close()
