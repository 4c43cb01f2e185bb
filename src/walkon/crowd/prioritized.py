"""A crowd, one after another: everyone avoids, in space and time, those planned before.

Whoever finds no way because of others is moved before them: those in the way of its lonely plan give up their own
and are planned again. Where that leaves somebody out, as before doors that many want through, everybody is planned
anew, patiently: whoever is nearest to its goal goes first, and the others stand where they begin until there is a
way. What remains impossible is reported, by name and reason.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from walkon.basics import Progress
from walkon.behaviors import BehaviorGraph
from walkon.crowd.casting import starting_pose
from walkon.planning import (
    Plan,
    Planner,
    Problem,
    Reservations,
    SearchStatistics,
    footing_of,
    goals_on_slopes,
)
from walkon.planning.body_tracks import BodyTrack, clip_track, join_tracks, plan_track, rest_track
from walkon.planning.delaying import wait_and_go
from walkon.planning.steps import plan_of
from walkon.rotations import Placement
from walkon.world import Character, Scene, World, slope_room, world_for
from walkon.world.bodies import BodyLevel

GUARD_TIME = 3.0
"""[s] For how long those planned earlier keep off the place where someone not yet planned begins. With less,
people are walked into before they can set off; with more, ways are blocked by people who will be gone."""

CROWDED_OUT = "crowded out by"
"""How the reason of somebody begins for whom others left no way."""

LOOK_AROUND = 32_000
"""Expansions for a way around people who stand. With less, some are put off who have one; with more, it takes
longer to put off those who have none yet."""

FEW = 12
"""Of so many people one may have to give up its plan for others, and two in any case, before everybody is planned
patiently. With fewer, dense crowds take longer; with more, people wait who could go around each other."""

MOST_TRIES_EACH = 6
"""How often one character may be planned before it is given up."""


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


@dataclass(frozen=True, eq=False)
class CrowdPlan:
    """Plans for the characters of a scene, in its order; None for those without one, and why not.

    replanned: how many plans were given up for somebody else's sake. seconds: it took. expanded: nodes, by all
    searches together, also those that found nothing.
    """

    plans: tuple[Plan | None, ...]
    reasons: dict[str, str]
    replanned: int
    seconds: float
    expanded: int = 0


@dataclass
class _Stage:
    """The state of planning a crowd: who has which plan, and the space-time it takes. patient: nobody gets into
    the places of those who have not set out yet."""

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
    replanned: int = 0

    def problem(self, index: int, reservations: Reservations | None) -> Problem:
        return pose_problem(
            self.world,
            self.scene.characters[index],
            self.graphs[index],
            reservations=reservations,
            # Everyone picks clips by a number of their own, so neighbors do not march in step.
            seed=int(np.random.SeedSequence([self.seed, index]).generate_state(1)[0]),
        )

    def ask(self, index: int, reservations: Reservations | None, most: int | None = None) -> Plan:
        """What the planner answers for a character, within what is left of the budget, and `most` expansions."""
        problem = self.problem(index, reservations)
        each, in_all = self.budget.each, self.budget.in_all(len(self.plans))
        # A third for one try, so that whoever spends it can still push through.
        left, of = min((each // 3, each), (each - self.spent[index], each), (in_all - sum(self.spent), in_all))
        left = left if most is None else min(left, most)
        if left > 0 and time.perf_counter() < self.deadline:
            plan = self.planner.plan(replace(problem, expansions=left, deadline=self.deadline))
            self.spent[index] += plan.statistics.expanded
            if plan.status == "found" or plan.statistics.expanded < left:
                return plan
        reason = f"the budget of {of} expansions was spent"
        if time.perf_counter() >= self.deadline:
            reason = f"the budget of {self.budget.seconds:g} s was spent"
        elif of == in_all:
            reason = f"the budget of {in_all} expansions for everybody was spent"
        return plan_of(problem, [], "none", reason, SearchStatistics())

    def alone(self, index: int) -> Plan:
        """The way somebody would take if there were nobody else; asked for once."""
        if index not in self.lonely:
            self.lonely[index] = self.ask(index, None)
        return self.lonely[index]

    def guard(self, index: int) -> None:
        """Keep others off the place where a character not yet planned begins, for a while."""
        character, graph = self.scene.characters[index], self.graphs[index]
        first = start_frame(character, self.scene.fps)
        track = _guarded(character, graph, round(GUARD_TIME * self.scene.fps), self.scene.bodies)
        self.reserve(index, first, track, stays=self.patient)
        self.guards.add(index, first, self.roomy(track), stays=self.patient)

    def reserve(self, index: int, first: int, track: BodyTrack, *, stays: bool) -> None:
        self.release(index)
        self.reservations.add(index, first, self.roomy(track), stays=stays)

    def roomy(self, track: BodyTrack) -> BodyTrack:
        """A track with the room that two bodies need on slopes: this one, and whoever comes near."""
        if self.world.slopes is None:
            return track
        return track.with_room(2.0 * slope_room(self.world, track.places[:, 0], track.places[:, 1]))

    def release(self, index: int) -> None:
        for kept in (self.reservations, self.guards):
            if index in kept:
                kept.remove(index)

    def stays(self, index: int) -> bool:
        return self.scene.characters[index].at_goal == "stay"

    def track(self, index: int, plan: Plan) -> tuple[int, BodyTrack, bool]:
        """The space-time a plan takes: first frame, bodies, and whether it stays."""
        graph, stays, pose = self.graphs[index], self.stays(index), None
        if stays:
            pose = int(graph.exit[plan.behaviors[-1]]) if len(plan) else self.problem(index, None).pose
        return int(plan.frames[0]), plan_track(graph, plan, self.scene.bodies, resting=pose), stays

    def commit(self, index: int, plan: Plan) -> None:
        self.plans[index] = plan
        self.reasons.pop(self.scene.characters[index].name, None)
        first, track, stays = self.track(index, plan)
        self.reserve(index, first, track, stays=stays)
        if self.patient and stays:
            # Others find ways around the place from the beginning, so that they are free as soon as nobody moves.
            self.guards.add(index, 0, self.roomy(track.ending()), stays=True)

    def withdraw(self, index: int) -> None:
        self.plans[index] = None
        self.release(index)


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


def plan_crowd(
    world: World,
    graphs: Sequence[BehaviorGraph],
    planner: Planner,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    budget: CrowdBudget = DEFAULT_BUDGET,
) -> CrowdPlan:
    """Plans for all characters of a world: by priority, then by when they start, then by how far they go: the
    farthest first, or the nearest where that leaves somebody out.

    progress: called with (planned so far, all). A KeyboardInterrupt keeps what is finished; whoever is left when
    the budget is spent has no plan, and that as the reason.
    """
    begun = time.perf_counter()
    deadline = math.inf if budget.seconds is None else begun + budget.seconds
    rounds: list[_Stage] = []
    # Who waits would have to look out for what moves: only people are waited for.
    for patient in (False,) if world.moves else (False, True):
        stage = _set_up(world, graphs, planner, seed, budget, deadline, patient)
        if rounds:
            stage.lonely = rounds[0].lonely
        rounds.append(stage)
        if _plan_all(stage, progress):
            break
    best = max(rounds, key=lambda stage: sum(plan is not None for plan in stage.plans))
    seconds, spent = time.perf_counter() - begun, sum(sum(stage.spent) for stage in rounds)
    return CrowdPlan(tuple(best.plans), best.reasons, best.replanned, seconds, spent)


def _set_up(
    world: World,
    graphs: Sequence[BehaviorGraph],
    planner: Planner,
    seed: int,
    budget: CrowdBudget,
    deadline: float,
    patient: bool,
) -> _Stage:
    """Nobody planned, everybody where they begin."""
    scene, count = world.scene, len(world.scene.characters)
    everybody, guards = (
        Reservations(scene.bounds, round(scene.duration * scene.fps), clearance=scene.clearance) for _ in range(2)
    )
    stage = _Stage(
        scene, world, graphs, planner, seed, everybody, guards, [None] * count, [0] * count,
        budget, [0] * count, deadline, patient=patient,
    )  # fmt: skip
    for index in range(count):
        stage.guard(index)
    return stage


def _plan_all(stage: _Stage, progress: Progress | None) -> bool:
    """Plan everybody, one after another; whether that will do. Where the first is crowded out by others, or many
    had to give up their plans for others, it does not, and everybody is to be planned anew."""
    characters, count = stage.scene.characters, len(stage.plans)
    queue = sorted(range(count), key=lambda index: _urgency(characters[index], index, stage.patient))
    put_off = 0
    try:
        while queue:
            index = queue.pop(0)
            displaced: list[int] = []
            if not (stage.patient and _waits_and_goes(stage, index)):
                if stage.patient and put_off < len(queue):
                    # Somebody who has not set out yet may be where it is to go.
                    stage.guard(index)
                    queue.append(index)
                    put_off += 1
                    continue
                displaced = _plan_next(stage, index)
            put_off = 0
            stage.replanned += len(displaced)
            queue = [*displaced, *queue]
            if progress is not None:
                progress(sum(plan is not None for plan in stage.plans), count)
            crowded = CROWDED_OUT in stage.reasons.get(characters[index].name, "")
            if not (stage.patient or stage.world.moves) and (crowded or stage.replanned > max(2, count // FEW)):
                return False
    except KeyboardInterrupt:
        for character, plan in zip(characters, stage.plans, strict=True):
            if plan is None:
                stage.reasons.setdefault(character.name, "interrupted before it was planned")
    return True


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


def _urgency(character: Character, index: int, patient: bool) -> tuple[float, float, float, int]:
    goal = character.goals[-1]
    way = math.hypot(goal.x - character.start.x, goal.z - character.start.z)

    return -character.priority, character.start_time, way if patient else -way, index


def _plan_next(stage: _Stage, index: int) -> list[int]:
    """Plan one character; the others that had to give way and must be planned again."""
    stage.tries[index] += 1
    stage.release(index)
    plan = stage.ask(index, stage.reservations)
    if plan.status == "found":
        if not _leaves_at_once(stage, index, plan):
            stage.commit(index, plan)
        return []
    return _push_through(stage, index, plan.reason)


def _waits_and_goes(stage: _Stage, index: int) -> bool:
    """Whether somebody has a plan now that waits where it begins, and goes when its way is free. That leads around
    all who have not set out yet, and around where the others will stay: when those have arrived, it is free."""
    stage.release(index)
    around = stage.ask(index, stage.guards, LOOK_AROUND)
    if not len(around):
        return False
    plan = wait_and_go(stage.problem(index, stage.reservations), around, stage.planner)
    if plan is None:
        return False
    stage.spent[index] += plan.statistics.expanded
    stage.commit(index, plan)
    return True


def _leaves_at_once(stage: _Stage, index: int, plan: Plan) -> bool:
    """Whether a plan that was found has no steps, for somebody who does not stay: there is nothing to show."""
    if len(plan) or stage.stays(index):
        return False
    stage.reasons[stage.scene.characters[index].name] = "is at its goal when it appears, and leaves at once"
    return True


def _push_through(stage: _Stage, index: int, reason: str) -> list[int]:
    """Take a way as if nobody else had one, and send off whoever is in it.

    Places where others are yet to begin are kept free if that is possible.
    """
    name = stage.scene.characters[index].name
    pushing = stage.ask(index, stage.guards)
    if pushing.status != "found":
        pushing = stage.alone(index)
    if pushing.status != "found":
        stage.reasons[name] = pushing.reason
        return []
    if _leaves_at_once(stage, index, pushing):
        return []
    first, track, stays = stage.track(index, pushing)
    blockers = cast(list[int], stage.reservations.conflicts(first, track, stays=stays))
    # Those not yet planned will see this plan when their turn comes.
    blockers = [blocker for blocker in blockers if stage.plans[blocker] is not None]
    names = ", ".join(stage.scene.characters[blocker].name for blocker in blockers[:5])
    if stage.tries[index] >= MOST_TRIES_EACH or any(_outranks(stage, blocker, index) for blocker in blockers):
        stage.reasons[name] = f"{CROWDED_OUT} {names or 'others'}: {reason}"
        return []
    for blocker in blockers:
        stage.withdraw(blocker)
    stage.commit(index, pushing)
    for blocker in blockers:
        stage.guard(blocker)
    return blockers


def _outranks(stage: _Stage, other: int, index: int) -> bool:
    characters = stage.scene.characters
    return characters[other].priority > characters[index].priority or stage.tries[other] >= MOST_TRIES_EACH
