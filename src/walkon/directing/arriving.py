"""How a way ends where it should: at a place, looking somewhere, where what follows can begin."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from walkon.directing.acting import Actor
from walkon.directing.actions import Action
from walkon.directing.approaching import APPROACH_BUDGET, Aim, Approach, Ends, Where, find_approach
from walkon.rotations import Placement

GLANCE = 20_000
"""States that are looked into for a way that ends at a place looking somewhere, before others are tried."""

SPREAD = 1.4
"""How many times further from a place than others those may aim who cannot do better."""

ROUND, ROUND_NEAR = 2.0, 0.7
"""[m] before a place from where somebody comes who is to look ahead there, and how near to that."""


@dataclass(frozen=True)
class LooseEnd:
    """A walk along edges that can be left at any of the sources, its nodes from number `first` on."""

    sources: list[Where]
    edges: list[int] = field(default_factory=list)
    first: int = 0


def arrive(actor: Actor, aim: Aim, following: Action | None, walk: LooseEnd | None = None) -> None:
    """Get to the aim from here, or from a walk that begins here, and if it can be where what follows can begin.

    Of all that is tried the first that is within the aim is taken; else the one that misses it least.
    """
    walk = walk or LooseEnd([Where(actor.node, actor.place)])
    best, least = None, math.inf
    for found in _tries(actor, aim, following, walk.sources):
        miss = 0.0 if found.met else _miss(_end(actor, walk.sources[found.source], found).place, aim)
        if best is None or miss < least:
            best, least = found, miss
        if found.met:
            break
    if best is not None:
        actor.take(walk.edges[: walk.first + best.source])
        actor.take(best.edges)


def set_out(actor: Actor, aim: Aim, before: str | None) -> None:
    """Get to the aim and into the style that somebody is to get about in, with motion of the style before."""
    ends = actor.stage.beginnings(before, actor.style)
    actor.take(_find(actor, [Where(actor.node, actor.place)], aim, ends).edges)


def _tries(actor: Actor, aim: Aim, following: Action | None, sources: list[Where]) -> Iterator[Approach]:
    """Ways to the aim, the ones that are liked best first."""
    wider, stage = replace(aim, near=SPREAD * aim.near), actor.stage
    plans: list[tuple[str | None, Action | None]] = [(actor.style, None)]
    if following is not None:
        # Who runs may have to walk in the end to stop in time.
        plans = list(dict.fromkeys([(actor.style, following), (stage.usual, following), *plans]))
    for style, action in plans:
        ends = stage.ends(style, action)
        yield _find(actor, sources, aim, ends, APPROACH_BUDGET if aim.heading is None else GLANCE)
        if aim.heading is None:
            yield _find(actor, sources, wider, ends)
            continue
        if stage.rest is not None:
            stop = stage.ends(style, stage.rest)
            yield _in_turn(actor, sources, (replace(aim, heading=None), stop), (wider, ends))
        yield _in_turn(actor, sources, (_behind(aim), stage.ends(style, None)), (aim, ends))


def _find(actor: Actor, sources: list[Where], aim: Aim, ends: Ends, budget: int = APPROACH_BUDGET) -> Approach:
    return find_approach(actor.graph, sources, aim, ends, budget=budget, bounds=actor.stage.bounds)


def _behind(aim: Aim) -> Aim:
    """A place from which one comes to the aim looking ahead."""
    heading = aim.heading or 0.0
    return Aim(aim.x - ROUND * math.sin(heading), aim.z - ROUND * math.cos(heading), ROUND_NEAR)


def _in_turn(actor: Actor, sources: list[Where], first: tuple[Aim, Ends], second: tuple[Aim, Ends]) -> Approach:
    """First to one aim, then to another."""
    one = _find(actor, sources, *first)
    other = _find(actor, [_end(actor, sources[one.source], one)], *second)
    return Approach(one.source, (*one.edges, *other.edges), other.met)


def _end(actor: Actor, source: Where, found: Approach) -> Where:
    """Where a way ends."""
    place, node = source.place, source.node
    for edge in found.edges:
        place, node = place @ Placement(*actor.graph.moves[edge]), int(actor.graph.heads[edge])
    return Where(node, place)


def _miss(place: Placement, aim: Aim) -> float:
    """How far a place is from an aim, in units of what is allowed."""
    off = math.hypot(place.x - aim.x, place.z - aim.z) / aim.near
    if aim.heading is None:
        return off
    return max(off, abs(math.remainder(place.heading - aim.heading, 2.0 * math.pi)) / aim.turn)
