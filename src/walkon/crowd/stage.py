"""The state of planning a crowd: who has which plan, the space and time it takes, and what it may still cost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from walkon.behaviors import BehaviorGraph
from walkon.crowd.casting import starting_pose
from walkon.planning import (
    InTurn,
    Plan,
    Planner,
    Problem,
    Reservations,
    SearchStatistics,
    footing_of,
    goals_on_slopes,
)
from walkon.planning.astar import AStar
from walkon.planning.body_tracks import BodyTrack, clip_track, join_tracks, plan_track, rest_track, standing_track
from walkon.planning.delaying import stand_first
from walkon.planning.steps import Step, plan_of, step_is_free, steps_of, what_is_left
from walkon.rotations import Placement
from walkon.world import Character, Scene, World, slope_room, world_for
from walkon.world.bodies import BodyLevel

GUARD_TIME = 3.0
"""[s] For how long those planned earlier keep off the place where someone not yet planned begins. With less,
people are walked into before they can set off; with more, ways are blocked by people who will be gone."""

ANY_WAY = AStar(inflation=2.0, max_expansions=60_000, cell=0.5, headings=16, time_bin=2.0)
"""Finds any way for those for whom a good one has taken too long. Coarse in time: the many ways to wait for others
drown a search that tells them all apart. With more expansions, less is left for those who come after."""


LAST_SEARCH = InTurn((ANY_WAY, AStar(inflation=2.0, max_expansions=60_000)))
"""Finds a way among all others who are planned already, for those who are left in the end: first coarsely, then
telling more states apart. With more expansions, fewer are left out, and it takes longer: up to 2 s for each."""

AT_ONCE = "is at its goal when it appears, and leaves at once"
"""The reason of somebody of whom there is nothing to show."""

TOGETHER = "expansions for everybody"
"""How a reason puts it that a whole crowd has spent its budget."""


@dataclass(frozen=True)
class CrowdBudget:
    """What planning a crowd may cost.

    each: nodes that may be expanded for one character, a third of them in one try. seconds: for all by the clock,
    None for no limit; with a limit, the same scene may become another take on another day.

    By default each has eight times what anybody in our scenes needed (113 000). With more, scenes without ways
    take minutes before that is said; with less, people are left out who would have found one.
    """

    each: int = 900_000
    seconds: float | None = None

    def in_all(self, people: int) -> int:
        """Nodes for a whole crowd: what five hopeless cases need, or four times what the hundred of our largest
        scene need for each of them."""
        return max(5 * self.each, people * self.each // 20)


DEFAULT_BUDGET = CrowdBudget()


@dataclass
class CrowdStage:
    """A crowd while it is planned.

    reservations: the space and time of everybody, of those not yet planned where they begin; guards: only of the
    latter. patient: nobody gets into the places of those who have not set out yet, however long that takes. quiet:
    who stands so close to others that it must not move much while it waits. replanned: plans given up for others.
    standing: what those do who do not set off at once until they do; plans begin after it. last: no round
    comes after this one, so that everybody is planned to the end.
    """

    scene: Scene
    world: World
    graphs: Sequence[BehaviorGraph]
    planner: Planner
    seed: int
    reservations: Reservations
    guards: Reservations
    plans: list[Plan | None]
    tries: list[int]
    budget: CrowdBudget
    spent: list[int]
    deadline: float
    reasons: dict[str, str] = field(default_factory=dict)
    lonely: dict[int, Plan] = field(default_factory=dict)
    patient: bool = False
    last: bool = False
    quiet: set[int] = field(default_factory=set)
    replanned: int = 0
    standing: dict[int, list[Step]] = field(default_factory=dict)

    def before(self, index: int) -> list[Step]:
        """What somebody does until it sets off: it stands for its premovement time."""
        if index not in self.standing:
            frames = round(self.scene.characters[index].premovement * self.scene.fps)
            self.standing[index] = stand_first(self._whole_problem(index, None), frames)
        return self.standing[index]

    def problem(self, index: int, reservations: Reservations | None) -> Problem:
        """What the planner is asked for one of them, among these others: from when it sets off."""
        problem = self._whole_problem(index, reservations)
        return what_is_left(problem, self.before(index)) if self.before(index) else problem

    def _whole_problem(self, index: int, reservations: Reservations | None) -> Problem:
        # Everyone picks clips by a number of their own, so neighbors do not march in step.
        seed = int(np.random.SeedSequence([self.seed, index]).generate_state(1)[0])
        about = self.world, self.scene.characters[index], self.graphs[index]
        return replace(pose_problem(*about, reservations=reservations, seed=seed), quiet=index in self.quiet)

    def ask(self, index: int, reservations: Reservations | None, most: int | None = None) -> Plan:
        """What the planner answers for a character, within what is left of the budget, and `most` expansions."""
        problem = self.problem(index, reservations)
        hindrance = self._cannot_stand(index)
        if hindrance:
            return plan_of(problem, [], "none", hindrance, SearchStatistics())
        each, in_all = self.budget.each, self.budget.in_all(len(self.plans))
        # A third for one try, so that whoever spends it can still push through.
        left, of = min((each // 3, each), (each - self.spent[index], each), (in_all - sum(self.spent), in_all))
        left = left if most is None else min(left, most)
        # Who has spent half of what there is for a good way takes any.
        dear = 2 * self.spent[index] > each or 2 * sum(self.spent) > in_all
        if left > 0 and time.perf_counter() < self.deadline:
            planner = ANY_WAY if dear else self.planner
            plan = planner.plan(replace(problem, expansions=left, deadline=self.deadline))
            self.spent[index] += plan.statistics.expanded
            if plan.status == "found" or plan.statistics.expanded < left:
                return plan
        reason = f"the budget of {of} expansions was spent"
        if time.perf_counter() >= self.deadline:
            reason = f"the budget of {self.budget.seconds:g} s was spent"
        elif of == in_all:
            reason = f"the budget of {in_all} {TOGETHER} was spent"
        return plan_of(problem, [], "none", reason, SearchStatistics())

    def _cannot_stand(self, index: int) -> str:
        """Why somebody cannot stand where it starts until it sets off; empty if it can."""
        steps, whole = self.before(index), self._whole_problem(index, None)
        if not steps:
            late = self.scene.characters[index].premovement > 0.0 and not whole.graph.rests[whole.pose]
            return "has a premovement time, and starts in a pose in which it cannot stand" if late else ""
        moving = self.world.moves
        if moving and not all(
            step_is_free(whole, whole.world, step.behavior, step.clip, step.place, step.frame) for step in steps
        ):
            return "something comes by where it stands until it sets off"
        return ""

    def alone(self, index: int) -> Plan:
        """The way somebody would take if there were nobody else; asked for once."""
        if index not in self.lonely:
            self.lonely[index] = self.ask(index, None)
        return self.lonely[index]

    def guard(self, index: int) -> None:
        """Keep others off the place where a character not yet planned begins: for a while, or as long as it takes
        where all are patient."""
        character, graph = self.scene.characters[index], self.graphs[index]
        first = start_frame(character, self.scene.fps)
        if index in self.quiet:
            track = standing_track(self.problem(index, None))
        else:
            frames = round((GUARD_TIME + character.premovement) * self.scene.fps)
            track = _guarded(character, graph, frames, self.scene.bodies)
        self.reserve(index, first, track, stays=self.patient)
        self.guards.add(index, first, self.roomy(track), stays=self.patient)

    def nobody(self) -> Reservations:
        """Space and time of the scene, all of it free."""
        return _free_space(self.scene)

    def reserve(self, index: int, first: int, track: BodyTrack, *, stays: bool) -> None:
        """Give a character this space from a frame on, instead of what it had."""
        self.release(index)
        self.reservations.add(index, first, self.roomy(track), stays=stays)

    def roomy(self, track: BodyTrack) -> BodyTrack:
        """A track with the room that two bodies need on slopes: this one, and whoever comes near."""
        if self.world.slopes is None:
            return track
        return track.with_room(2.0 * slope_room(self.world, track.places[:, 0], track.places[:, 1]))

    def release(self, index: int) -> None:
        """Take back the space that a character has."""
        for kept in (self.reservations, self.guards):
            if index in kept:
                kept.remove(index)

    def stays(self, index: int) -> bool:
        """Whether a character remains at its goal."""
        return self.scene.characters[index].at_goal == "stay"

    def track(self, index: int, plan: Plan) -> tuple[int, BodyTrack, bool]:
        """The space-time a plan takes: first frame, bodies, and whether it stays."""
        graph, stays, pose = self.graphs[index], self.stays(index), None
        if stays:
            pose = int(graph.exit[plan.behaviors[-1]]) if len(plan) else self.problem(index, None).pose
        whole = self.whole(index, plan)
        return int(whole.frames[0]), plan_track(graph, whole, self.scene.bodies, resting=pose), stays

    def whole(self, index: int, plan: Plan) -> Plan:
        """A plan with what comes before one sets off."""
        steps = self.before(index)
        if not steps:
            return plan
        problem = self._whole_problem(index, None)
        return plan_of(problem, [*steps, *steps_of(plan)], plan.status, plan.reason, plan.statistics)

    def commit(self, index: int, plan: Plan) -> None:
        """This is the plan of a character, and its space is taken."""
        self.plans[index] = plan
        self.reasons.pop(self.scene.characters[index].name, None)
        first, track, stays = self.track(index, plan)
        self.reserve(index, first, track, stays=stays)
        if self.patient and stays:
            # Others find ways around the place from the beginning, so that they are free as soon as nobody moves.
            self.guards.add(index, 0, self.roomy(track.ending()), stays=True)

    def withdraw(self, index: int) -> None:
        """Take away the plan of a character, and its space."""
        self.plans[index] = None
        self.release(index)

    def hopeless(self) -> dict[int, str]:
        """Who can have no plan whatever the others do, as far as is known, and why."""
        alone = {index: way.reason for index, way in self.lonely.items() if way.status != "found"}
        told = {index: self.reasons.get(one.name, "") for index, one in enumerate(self.scene.characters)}
        return {index: reason for index, reason in alone.items() if TOGETHER not in reason} | {
            index: reason for index, reason in told.items() if reason == AT_ONCE
        }

    def crowded_out(self) -> list[int]:
        """Who has no plan, though it has a way alone as far as is known."""
        hopeless = self.hopeless()
        return [index for index, plan in enumerate(self.plans) if plan is None and index not in hopeless]

    def planned(self) -> int:
        """How many have a plan."""
        return sum(plan is not None for plan in self.plans)


def set_up(
    world: World,
    graphs: Sequence[BehaviorGraph],
    planner: Planner,
    seed: int,
    budget: CrowdBudget,
    deadline: float,
    patient: bool = False,
    last: bool = False,
) -> CrowdStage:
    """Nobody planned, everybody where they begin."""
    scene, count = world.scene, len(world.scene.characters)
    everybody, guards = _free_space(scene), _free_space(scene)
    stage = CrowdStage(
        scene, world, graphs, planner, seed, everybody, guards, [None] * count, [0] * count,
        budget, [0] * count, deadline, patient=patient, last=last,
    )  # fmt: skip
    for index in range(count):
        stage.guard(index)
    return stage


def _free_space(scene: Scene) -> Reservations:
    """Space and time of a scene that nobody has yet."""
    return Reservations(scene.bounds, round(scene.duration * scene.fps), clearance=scene.clearance)


def start_frame(character: Character, fps: float) -> int:
    """The frame in which a character appears."""
    return round(character.start_time * fps)


def pose_problem(
    world: World,
    character: Character,
    graph: BehaviorGraph,
    *,
    reservations: Reservations | None = None,
    seed: int = 0,
) -> Problem:
    """What a planner is asked for one character of a scene."""
    return Problem(
        graph=graph,
        world=world_for(world, footing_of([graph]).steepest),
        start=character.start,
        pose=starting_pose(character, graph),
        goals=goals_on_slopes(world, character.goals),
        horizon=round(world.scene.duration * world.scene.fps),
        start_frame=start_frame(character, world.scene.fps),
        stays=character.at_goal == "stay",
        reservations=reservations,
        climb=character.climb,
        seed=seed,
    )


def _guarded(character: Character, graph: BehaviorGraph, frames: int, bodies: BodyLevel) -> BodyTrack:
    """The track of someone who stays where it starts, or comes to a stand as soon as it can."""
    pose, where, parts = starting_pose(character, graph), character.start, []
    if not graph.rests[pose]:
        stops = [b for b in np.flatnonzero(graph.entry == pose) if graph.rests[graph.exit[b]] and graph.allowed[b]]
        if stops:
            stop = min(stops, key=lambda b: graph.costs[b])
            clip = int(graph.clip_starts[stop])
            parts.append(clip_track(graph, clip, where, bodies))
            pose, where = int(graph.exit[stop]), where @ Placement(*graph.displacements[clip])
    waits = max(frames - sum(len(part.places) for part in parts), 1)
    return join_tracks([*parts, rest_track(graph, pose, where, bodies).repeated(waits)])
