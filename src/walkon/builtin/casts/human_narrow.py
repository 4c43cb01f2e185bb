"""How a person gets through a gap: with the shoulders turned in a slow walk, or sidling.

What begins over the left foot, or leads to the left, is made, and mirrored for the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from walkon.basics import Array
from walkon.behaviors import MARGIN, Behavior
from walkon.builtin.actions.narrow import look_left, turn_shoulders
from walkon.builtin.casts.human_close import SLOW, mirror_behavior
from walkon.builtin.casts.human_locomotion import FPS, make_behavior
from walkon.builtin.gait.moves import STEP, Move, go_on, step_about, strolling
from walkon.builtin.keyframes import ease
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score

SHOULDERS = (30, 60)
"""Degrees by which shoulders are turned: bodies are then 0.47 and 0.36 m broad instead of 0.56 m."""

SIDLE, SIDLE_HASTE = 0.3, 2.8
"""How far a side step leads who sidles [m], for legs of the reference length, and how much quicker than in the
slowest walk it is. Longer ones need lifted knees, which stick out."""

ASKEW = {"": 0.0, "_ahead_5": 0.05, "_ahead_10": 0.1, "_back_5": -0.05, "_back_10": -0.1}
"""Side steps that also lead to the front or to the back [m]: who sidles feels for the middle of a gap. A gap of
0.45 m leaves about 5 cm for that, and planners tell apart places 0.25 m from each other."""

SPLAY = float(np.radians(28.0))
"""How much further outwards than usual toes point in sidling [rad]: feet are the longest part of a body seen from
the side."""

QUARTER_STEPS, QUARTER_HASTE = 3, 2.6
"""Steps of the quarter turns before sidling and after it, and how much quicker than in the slowest walk."""


def narrow_behaviors(performer: Performer) -> tuple[Behavior, ...]:
    """What a person does where the shoulders do not fit."""
    one_side = (*_turned(performer), *_sidling(performer))
    return (*one_side, *map(mirror_behavior, one_side))


def _turned(performer: Performer) -> Iterator[Behavior]:
    """Shoulders turned within a step of slow walking, kept so for two at a time, and straightened in another.

    The shoulder over the foot that carries leads: over the left foot the body is turned to the right.
    """
    pace = strolling(performer, SLOW)
    step, stride = (go_on(performer, pace, cycles, fps=FPS) for cycles in (STEP, 2 * STEP))
    for degrees in SHOULDERS:
        here, there = (f"narrow_{degrees}_on_{foot}" for foot in ("left", "right"))
        ways = {
            f"walk_narrow_{degrees}_in_on_left": ("slow_on_left", there, step, degrees, (0.0, 1.0)),
            f"walk_narrow_{degrees}_forward_on_left": (here, here, stride, -degrees, (1.0, 1.0)),
            f"walk_narrow_{degrees}_out_on_left": (here, "slow_on_right", step, -degrees, (1.0, 0.0)),
        }
        for name, (entry, leaving, move, turn, shares) in ways.items():
            score = move.score(MARGIN)
            turned = turn_shoulders(score, float(turn), _eased(score, move, shares))
            yield _one_clip(performer, name, entry, leaving, turned)


def _sidling(performer: Performer) -> Iterator[Behavior]:
    """A quarter turn to the right, side steps to the left, and the turn back; the eyes stay on the way."""

    def stepping(splay: tuple[float, float], **how: Any) -> Move:
        return step_about(performer, at_once=True, splay=splay, fps=FPS, **how)

    quarter = {"steps": QUARTER_STEPS, "haste": QUARTER_HASTE}
    into = stepping((0.0, SPLAY), lead="Right", turn=-0.5 * np.pi, **quarter)
    aside = {
        name: stepping((SPLAY, SPLAY), lead="Left", left=SIDLE * performer.scale, ahead=ahead, haste=SIDLE_HASTE)
        for name, ahead in ASKEW.items()
    }
    out = stepping((SPLAY, 0.0), lead="Left", turn=0.5 * np.pi, **quarter)
    ways = {
        "sidle_in_left": ("stand", "sidle_left", into, (0.0, 1.0)),
        **{f"sidle_left{name}": ("sidle_left", "sidle_left", move, (1.0, 1.0)) for name, move in aside.items()},
        "sidle_out_left": ("sidle_left", "stand", out, (1.0, 0.0)),
    }
    for name, (entry, leaving, move, shares) in ways.items():
        score = move.score(MARGIN)
        yield _one_clip(performer, name, entry, leaving, look_left(score, _eased(score, move, shares)))


def _eased(score: Score, move: Move, ends: tuple[float, float]) -> Array:
    """From one share to another over a move, at the times (F,) of its score."""
    first, last = ends
    return first + (last - first) * ease(score.times / move.duration)


def _one_clip(performer: Performer, name: str, entry: str, leaving: str, score: Score) -> Behavior:
    kind = "locomotion" if entry == leaving else "transition"
    return make_behavior(performer, name, entry, leaving, lambda *_: score, 1, kind)
