"""Who steps in where planning leaves people out: a live crowd, which decides step by step.

Planned one after another, those who come last may find no way among the others. In a live crowd everybody makes
way for everybody. It plays the whole scene, and the take that leaves out fewer people is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Set
from dataclasses import dataclass, replace
from pathlib import Path

from walkon.basics import Progress
from walkon.errors import WalkonError
from walkon.take import Take
from walkon.world import Scene

PATIENCE = 60.0
"""[s] of the scene after which a live crowd is no longer watched in which nobody has arrived any more. Knots come
undone within half of it, or never. With more, it takes longer to say so."""


@dataclass(frozen=True, eq=False)
class Understudy:
    """What became of a live crowd that was asked to step in.

    take: its own, if that is better; None if it is not. outcome: in words. seconds: it took.
    """

    take: Take | None
    outcome: str
    seconds: float = 0.0


def step_in(
    scene: Scene,
    planned: Take,
    hopeless: Set[str],
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
    seconds: float = math.inf,
) -> Understudy:
    """Have a live crowd play a scene that was planned, without those who have no way even alone: they would only
    be in the way.

    scene: as it was given. seconds: by the clock that it may take. Its take is better if it leaves out fewer
    people, the more important ones first; or as many, if the last of the others arrives sooner.
    """
    # Whoever has been planned in the end was not hopeless.
    hopeless = hopeless & {name for name, _ in planned.unplanned}
    refused = _what_speaks_against(scene)
    if refused:
        return Understudy(None, f"not tried: {refused}")
    begun = time.perf_counter()
    try:
        take = _played(scene, planned, hopeless, folder, progress, begun + seconds)
    except WalkonError as error:
        return Understudy(None, f"not possible: {error}", time.perf_counter() - begun)
    left, before = len(take.unplanned), len(planned.unplanned)
    better = _weight(take) < _weight(planned)
    outcome = f"left out {left}, where planning left out {before}"
    return Understudy(take if better else None, outcome, time.perf_counter() - begun)


def _played(
    scene: Scene,
    planned: Take,
    hopeless: Set[str],
    folder: Path | None,
    progress: Progress | None,
    deadline: float,
) -> Take:
    """The take of a live crowd, as planners write theirs."""
    from walkon.directing.live_takes import arrived_only, live_take  # here, because most scenes do without it

    cast = replace(scene, characters=tuple(one for one in scene.characters if one.name not in hopeless))
    played = live_take(
        cast, seed=planned.seed, folder=folder, progress=progress,
        patience=PATIENCE, needed=len(planned.roles), deadline=deadline,
    )  # fmt: skip
    take = arrived_only(played)
    ways = {one.name: one for one in take.scene.characters}
    characters = tuple(ways.get(one.name, one) for one in planned.scene.characters)
    reasons = {name: reason for name, reason in planned.unplanned if name in hopeless} | dict(take.unplanned)
    return replace(
        take,
        scene=replace(planned.scene, characters=characters),
        unplanned=tuple((one.name, reasons[one.name]) for one in characters if one.name in reasons),
        planner=f"{take.planner}, where {planned.planner} left out {len(planned.unplanned)}",
    )


def _weight(take: Take) -> tuple[list[int], int]:
    """How bad a take is, to be compared: the priorities of those who are left out, the highest first; and when the
    last of the others arrives."""
    left = dict(take.unplanned)
    priorities = sorted((one.priority for one in take.scene.characters if one.name in left), reverse=True)
    return priorities, max((role.arrival for role in take.roles if role.arrival is not None), default=0)


def _what_speaks_against(scene: Scene) -> str:
    """What a live crowd does otherwise than the scene asks of planners; empty if nothing."""
    if scene.doors:
        return "in a live crowd doors shut when nobody is in them, not at their hours"
    if any(thing.moves and not thing.known for thing in scene.obstacles):
        return "a live crowd knows how things will move"
    return ""
