"""One character planned around all others, or past one of them; or, where they leave no way, through them."""

from __future__ import annotations

from typing import cast

from walkon.crowd.passing import pass_by
from walkon.crowd.stage import AT_ONCE, CrowdStage
from walkon.planning import Plan

CROWDED_OUT = "crowded out by"
"""How the reason of somebody begins for whom others left no way."""

MOST_TRIES_EACH = 6
"""How often one character may be planned before it is given up."""


def plan_next(stage: CrowdStage, index: int) -> list[int]:
    """Plan one character; the others that had to give way and must be planned again."""
    stage.tries[index] += 1
    stage.release(index)
    plan = stage.ask(index, stage.reservations)
    if plan.status == "found":
        if not _leaves_at_once(stage, index, plan):
            stage.commit(index, plan)
            pass_by(stage, index)
        return []
    if pass_by(stage, index):
        return []
    return _push_through(stage, index, plan.reason)


def _leaves_at_once(stage: CrowdStage, index: int, plan: Plan) -> bool:
    """Whether a plan that was found has no steps, for somebody who does not stay: there is nothing to show."""
    if len(plan) or stage.stays(index) or stage.before(index):
        return False
    stage.reasons[stage.scene.characters[index].name] = AT_ONCE
    return True


def _push_through(stage: CrowdStage, index: int, reason: str) -> list[int]:
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
    if stage.tries[index] >= MOST_TRIES_EACH or any(outranks(stage, blocker, index) for blocker in blockers):
        stage.reasons[name] = f"{CROWDED_OUT} {names or 'others'}: {reason}"
        return []
    for blocker in blockers:
        stage.withdraw(blocker)
    stage.commit(index, pushing)
    for blocker in blockers:
        stage.guard(blocker)
    return blockers


def outranks(stage: CrowdStage, other: int, index: int) -> bool:
    """Whether somebody does not give way to another: it is more important, or has been planned too often."""
    characters = stage.scene.characters
    return characters[other].priority > characters[index].priority or stage.tries[other] >= MOST_TRIES_EACH
