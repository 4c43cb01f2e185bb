"""The actions of the human cast: over, under, down and up, and to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from walkon.behaviors import Behavior, BehaviorClip
from walkon.builtin.actions.cheer import cheer
from walkon.builtin.actions.crawl_under import crawl_under
from walkon.builtin.actions.duck_under import duck_under
from walkon.builtin.actions.layers import Manner
from walkon.builtin.actions.leap import HIGH_LEAP, LONG_LEAP, leap
from walkon.builtin.actions.sit import rise, sit, sit_down
from walkon.builtin.actions.step_over import step_over
from walkon.builtin.actions.wave import wave, wave_walking
from walkon.builtin.footwork import SIDES
from walkon.builtin.performer import Performer

PACE_SPREAD, SIZE_SPREAD, FURTHEST = 0.03, 0.05, 1.8
"""Standard deviations of pace and size from clip to clip, and how many of them at most."""

Maker = Callable[..., BehaviorClip]
"""Called with a performer, `manner=` and `rng=`."""


@dataclass(frozen=True)
class CastAction:
    """One action of the cast: its poses, its kind, how many clips show it and who makes them."""

    entry: str
    exit: str
    kind: str
    clips: int
    make: Maker


ACTIONS = {
    "wave": CastAction("stand", "stand", "gesture", 4, wave),
    "wave_walking": CastAction("walk", "walk", "gesture", 2, wave_walking),
    "cheer": CastAction("stand", "stand", "gesture", 3, cheer),
    "sit_down": CastAction("stand", "sit", "gesture", 2, sit_down),
    "sit": CastAction("sit", "sit", "gesture", 3, sit),
    "rise": CastAction("sit", "stand", "gesture", 2, rise),
    "step_over": CastAction("walk", "walk", "step_over", 3, step_over),
    "duck_under": CastAction("walk", "walk", "duck_under", 3, duck_under),
    "duck_under_jogging": CastAction("jog", "jog", "duck_under", 2, partial(duck_under, running=True)),
    "jump_over_low": CastAction("jog", "jog", "jump_over", 3, partial(leap, kind=HIGH_LEAP)),
    "jump_over_long": CastAction("jog", "jog", "jump_over", 2, partial(leap, kind=LONG_LEAP)),
    "crawl_under": CastAction(
        "stand", "stand", "crawl_under", 2, lambda who, manner, rng: crawl_under(who, manner)
    ),
}
"""Name of the behaviour -> what it is."""


def action_behaviors(performer: Performer) -> tuple[Behavior, ...]:
    """Every action of one person, in that person's own manner."""
    return tuple(
        Behavior(
            name,
            action.entry,
            action.exit,
            tuple(_clip(performer, name, action, index) for index in range(action.clips)),
            action.kind,
        )
        for name, action in ACTIONS.items()
    )


def _clip(performer: Performer, name: str, action: CastAction, index: int) -> BehaviorClip:
    """Clip number `index` of an action: sides take turns, the rest is drawn."""
    rng = performer.rng(name, index)
    pace, size = 1.0 + np.clip(rng.standard_normal(2), -FURTHEST, FURTHEST) * (PACE_SPREAD, SIZE_SPREAD)
    manner = Manner(lead=SIDES[(performer.seed + index + 1) % 2], pace=float(pace), size=float(size))
    shown = action.make(performer, manner=manner, rng=rng)
    return replace(shown, clip=shown.clip.with_changes(name=f"{name}_{index + 1}"))
