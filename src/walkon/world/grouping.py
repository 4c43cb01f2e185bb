"""People who go together: drawn for crowds, and as fast as the slowest of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from walkon.basics import Array
from walkon.world.scene import Character


def in_groups(
    people: list[Character], sizes: tuple[int, ...], prefix: str, rng: np.random.Generator
) -> list[Character]:
    """The people of a crowd in groups, whose sizes are drawn from some: each group starts at one time, and has
    starts and goals of the crowd that are near each other. Who is alone is in no group."""
    starts = np.array([(one.start.x, one.start.z, one.start.heading) for one in people])
    goals = np.array([(one.goals[-1].x, one.goals[-1].z) for one in people])
    free_starts, free_goals = np.ones(len(people), dtype=bool), np.ones(len(people), dtype=bool)
    made, number = [], 0
    while len(made) < len(people):
        size = min(int(rng.choice(np.array(sizes))), len(people) - len(made))
        number += size > 1
        members = people[len(made) : len(made) + size]
        own = _near(starts[:, :2], free_starts, size)
        theirs = _near(goals, free_goals, size, first=goals[own[0]])
        for member, start, goal in zip(members, own, theirs, strict=True):
            made.append(_moved(member, people[start], people[goal], members[0], f"{prefix} {number}" * (size > 1)))
    return same_paces(made)


def _near(places: Array, free: Array, count: int, first: Array | None = None) -> list[int]:
    """The free place nearest to the first, or the first that is free, and its nearest free neighbors, no two in
    one spot if that can be; they are free no more."""
    open_now = np.flatnonzero(free)
    middle = places[open_now[0]] if first is None else first
    order = open_now[np.argsort(np.hypot(*(places[open_now] - middle).T), kind="stable")].tolist()
    chosen: list[int] = []
    for index in order:
        if len(chosen) < count and all(np.abs(places[index] - places[other]).max() > 1e-6 for other in chosen):
            chosen.append(index)
    chosen += [index for index in order if index not in chosen][: count - len(chosen)]
    free[chosen] = False
    return chosen


def _moved(member: Character, start: Character, goal: Character, leader: Character, group: str) -> Character:
    """A member that starts where somebody would have, and goes where another would have, with its leader."""
    return replace(
        member,
        start=start.start,
        goals=(*member.goals[:-1], goal.goals[-1]),
        start_time=leader.start_time,
        premovement=leader.premovement,
        group=group,
    )


def same_paces(people: list[Character]) -> list[Character]:
    """The same people; those of a group as fast as the slowest whose speed is known."""
    slowest: dict[str, float] = defaultdict(lambda: np.inf)
    for one in people:
        if one.group and one.speed is not None:
            slowest[one.group] = min(slowest[one.group], one.speed)
    return [replace(one, speed=slowest[one.group]) if one.group in slowest else one for one in people]
