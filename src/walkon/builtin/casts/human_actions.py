"""The actions of the human cast: over, under, down and up, and to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from walkon.behaviors import Behavior, BehaviorClip
from walkon.builtin.actions.cheer import cheer
from walkon.builtin.actions.crawl_under import crawl_under
from walkon.builtin.actions.duck_under import duck_under
from walkon.builtin.actions.layers import Manner
from walkon.builtin.actions.leap import HIGH, LONG, leap
from walkon.builtin.actions.sit import rise, sit, sit_down
from walkon.builtin.actions.step_over import step_over
from walkon.builtin.actions.wave import wave, wave_walking
from walkon.builtin.footwork import SIDES
from walkon.builtin.performer import Performer

PACE_SPREAD, SIZE_SPREAD, FURTHEST = 0.03, 0.05, 1.8
"""Standard deviations of pace and size from clip to clip, and how many of them at most."""

Maker = Callable[[Performer, Manner, np.random.Generator], BehaviorClip]


@dataclass(frozen=True)
class Entry:
    """One action of the cast: its poses, its kind, how many clips show it and who makes them."""

    entry: str
    exit: str
    kind: str
    clips: int
    make: Maker


ACTIONS = {
    "wave": Entry("stand", "stand", "gesture", 4, lambda who, how, rng: wave(who, how, rng=rng)),
    "wave_walking": Entry("walk", "walk", "gesture", 2, lambda who, how, rng: wave_walking(who, how, rng=rng)),
    "cheer": Entry("stand", "stand", "gesture", 3, lambda who, how, rng: cheer(who, how, rng=rng)),
    "sit_down": Entry("stand", "sit", "gesture", 2, lambda who, how, rng: sit_down(who, how, rng=rng)),
    "sit": Entry("sit", "sit", "gesture", 3, lambda who, how, rng: sit(who, how, rng=rng)),
    "rise": Entry("sit", "stand", "gesture", 2, lambda who, how, rng: rise(who, how, rng=rng)),
    "step_over": Entry("walk", "walk", "step_over", 3, lambda who, how, rng: step_over(who, how, rng=rng)),
    "duck_under": Entry("walk", "walk", "duck_under", 3, lambda who, how, rng: duck_under(who, how, rng=rng)),
    "duck_under_jogging": Entry(
        "jog", "jog", "duck_under", 2, lambda who, how, rng: duck_under(who, how, running=True, rng=rng)
    ),
    "jump_over_low": Entry("jog", "jog", "jump_over", 3, lambda who, how, rng: leap(who, HIGH, how, rng=rng)),
    "jump_over_long": Entry("jog", "jog", "jump_over", 2, lambda who, how, rng: leap(who, LONG, how, rng=rng)),
    "crawl_under": Entry("stand", "stand", "crawl_under", 2, lambda who, how, rng: crawl_under(who, how)),
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


def _clip(performer: Performer, name: str, action: Entry, index: int) -> BehaviorClip:
    """Clip number `index` of an action: sides take turns, the rest is drawn."""
    rng = performer.rng(name, index)
    pace, size = 1.0 + np.clip(rng.standard_normal(2), -FURTHEST, FURTHEST) * (PACE_SPREAD, SIZE_SPREAD)
    manner = Manner(lead=SIDES[(performer.seed + index + 1) % 2], pace=float(pace), size=float(size))
    shown = action.make(performer, manner, rng)
    return replace(shown, clip=shown.clip.with_changes(name=f"{name}_{index + 1}"))
