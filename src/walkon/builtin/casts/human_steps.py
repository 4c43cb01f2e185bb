"""Single steps in all directions and at six speeds, for live crowds, which decide anew at every step.

The levels of speed are those of `LEVELS`; slow steps are short, and take hardly longer than those of a walk. At
each level there are, over either foot, steps that turn, steps that lead aside with the heading kept, steps to the
next level and to all slower ones, and a stop; for who stands there are ways to set off, and small steps on the
spot. What other files have already (straight on at three of the levels, some turns, changes and stops) is not made
twice. What begins over the left foot, or leads to the left, is made, and mirrored for the right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from walkon.behaviors import Behavior
from walkon.builtin.casts.human_close import CREEP, SLOW, mirror_behavior
from walkon.builtin.casts.human_locomotion import FPS, make_behavior, scores_of
from walkon.builtin.gait.moves import (
    QUICK_START,
    QUICK_STOP,
    STEP,
    Move,
    Pace,
    change_pace,
    go_on,
    start_slowly,
    step_about,
    stop_short,
    strolling,
    walking,
)
from walkon.builtin.performer import Performer

STROLL, AMBLE = 0.55, 0.95
"""Speeds [m/s] for legs of the reference length: between creeping and a slow walk, and between that and a walk."""

BRISKLY = 1.15
"""How much faster than the own walk a brisk one is: 1.5 m/s for legs of the reference length. With more, the
fastest people would nearly run."""

LEVELS = ("creep", "stroll", "slow", "amble", "walk", "brisk")
"""Levels of speed, the slowest first."""

TURNS = {
    "creep": (10, 20, 25),
    "stroll": (10, 20, 25),
    "slow": (10, 20, 35),
    "amble": (10, 20, 35),
    "walk": (10, 20, 35),
    "brisk": (10, 20),
}
"""Level -> degrees by which its steps turn, to either side. With more, hips would have to twist further than they
can, or bodies would have to lean as if they ran; and in the short steps of the slowest toes would slide."""

OUT, IN = (0.05, 0.1, 0.2), (0.05, 0.1)
"""How far [m] a step leads aside that swings the foot of that side, and the other foot. With more, that one would
come down across the one that stands. The smallest ones keep people in the middle of narrow corridors."""

BANKING = 0.4
"""How much of the lean of a steady curve people take on who turn within one step. With more, the pelvis would be
thrown to the side and back: it takes time to lean."""

SHORTER = 1.06
"""How much quicker than usual, and so shorter, a step is that turns, leads aside or to a faster level. With less,
the leg behind would be stretched in a walk until it pulls the pelvis down; with more, it would look hurried."""

KNOWN_TURNS = {("creep", 20), ("slow", 20), ("walk", 10)}
KNOWN_CHANGES = {("slow", "creep"), ("creep", "slow"), ("walk", "slow"), ("slow", "walk")}
KNOWN_START = "set_off_slow_on_left"
"""What `human_close` has; of the last, which it calls set_off_slowly, only the left foot."""

STOPS = {"stroll": QUICK_STOP, "amble": 2.4, "walk": 1.7, "brisk": 1.6}
"""Level -> how much quicker than usual the steps of its stop are. The faster people are, the more room they need:
with more haste, the pelvis would be tossed about."""

DEPARTURES = {0: (1, QUICK_START), 20: (1, 3.2), 45: (2, 3.9), 90: (2, 3.9)}
"""Degrees by which people turn who set off -> in how many steps, and how much quicker than usual these are. In
one step that turns by 45 degrees, toes would slide by 7 mm."""

ASIDE = 0.2
"""How far [m] to the side of the usual the first step may lead who sets off."""

SMALL_HASTE = 3.2
"""How much quicker than in the slowest walk small steps on the spot are: they take 0.75 s. With more, hips are
thrown from side to side."""

SMALL_STEPS: Mapping[str, tuple[float, float, float]] = {
    "turn_left_20": (0.0, 0.0, 20.0),
    "small_step_left_12": (0.12, 0.0, 0.0),
    "small_step_left_24": (0.24, 0.0, 0.0),
    "small_step_ahead_left_20": (0.2, 0.2, 0.0),
    "small_step_ahead_12": (0.0, 0.12, 0.0),
    "small_step_back_15": (0.0, -0.15, 0.0),
    "small_step_back_30": (0.0, -0.3, 0.0),
}
"""Name of a step on the spot -> how far it leads to the left and ahead [m], for legs of the reference length, and
by how many degrees it turns to the left."""


def step_behaviors(performer: Performer) -> tuple[Behavior, ...]:
    """All single steps of a person that only live crowds use."""
    made = (*_on_the_way(performer), *_setting_off(performer), *_on_the_spot(performer))
    mirrored = (mirror_behavior(behavior) for behavior in made if _has_side(behavior))
    return (*(behavior for behavior in made if behavior.name != KNOWN_START), *mirrored)


def paces(performer: Performer) -> dict[str, Pace]:
    """Level -> the steady walk of that level."""
    walk = walking(performer)
    brisk = BRISKLY * walk.speed / float(np.sqrt(performer.scale))
    slower = {"creep": CREEP, "stroll": STROLL, "slow": SLOW, "amble": AMBLE, "brisk": brisk}
    found = {level: strolling(performer, speed) for level, speed in slower.items()} | {"walk": walk}
    return {level: found[level] for level in LEVELS}


def pose_over_left(level: str) -> str:
    """The pose of a level over the left foot."""
    return "walk" if level == "walk" else f"{level}_on_left"


def pose_over_right(level: str) -> str:
    """The pose of a level over the right foot."""
    return f"{level}_on_right"


def _on_the_way(performer: Performer) -> Iterator[Behavior]:
    """At every level over the left foot: on, to both sides, aside, to other levels, and to a stand."""
    for level, pace in paces(performer).items():
        here, there = pose_over_left(level), pose_over_right(level)

        def stepping(name: str, poses: tuple[str, str] = (here, there), pace: Pace = pace, **how: Any) -> Behavior:
            haste = SHORTER if how else 1.0
            move = go_on(performer, pace, STEP, banking=BANKING, haste=haste, fps=FPS, **how)
            return _one_clip(performer, f"{name}_on_left", *poses, move)

        if level not in ("creep", "slow", "walk"):
            yield stepping(f"{level}_step")
        for degrees in TURNS[level]:
            if (level, degrees) not in KNOWN_TURNS:
                turn = float(np.radians(degrees))
                yield stepping(f"{level}_step_left_{degrees}", turn=turn)
                yield stepping(f"{level}_step_right_{degrees}", turn=-turn)
        for metres in OUT:
            yield stepping(f"{level}_aside_right_{100 * metres:.0f}", left=-metres * performer.scale)
        for metres in IN:
            yield stepping(f"{level}_aside_left_{100 * metres:.0f}", left=metres * performer.scale)
        if level in STOPS:
            stop = stop_short(performer, pace, haste=STOPS[level], fps=FPS)
            yield _one_clip(performer, f"{level}_stop_on_left", here, "stand", stop)
    yield from _changes(performer)


def _changes(performer: Performer) -> Iterator[Behavior]:
    """Over the left foot to the next level, and to all that are slower: who has to brake does so at once."""
    known = paces(performer)
    for before, after in (*pairwise(LEVELS), *((fast, slow) for slow, fast in combinations(LEVELS, 2))):
        if (before, after) not in KNOWN_CHANGES:
            haste = SHORTER if known[after].speed > known[before].speed else 1.0
            move = change_pace(performer, known[before], known[after], cycles=STEP, haste=haste, fps=FPS)
            poses = pose_over_left(before), pose_over_right(after)
            yield _one_clip(performer, f"{before}_to_{after}_on_left", *poses, move)


def _setting_off(performer: Performer) -> Iterator[Behavior]:
    """From a stand into the slow levels, straight, to the left or a little aside."""
    known = paces(performer)
    for level in ("stroll", "slow"):
        for degrees, (steps, haste) in DEPARTURES.items():
            turn = float(np.radians(degrees))
            move = start_slowly(performer, known[level], steps=steps, turn=turn, haste=haste, fps=FPS)
            exit_pose = pose_over_left(level) if steps == 1 else pose_over_right(level)
            name = f"set_off_{level}_left_{degrees}" if degrees else f"set_off_{level}_on_left"
            yield _one_clip(performer, name, "stand", exit_pose, move)
        move = start_slowly(performer, known[level], left=ASIDE * performer.scale, fps=FPS)
        yield _one_clip(performer, f"set_off_{level}_aside_left", "stand", pose_over_left(level), move)


def _on_the_spot(performer: Performer) -> Iterator[Behavior]:
    """From a stand to a stand, as quickly as may be."""
    scale, quickly = performer.scale, {"lead": "Left", "haste": SMALL_HASTE, "at_once": True}
    for name, (left, ahead, degrees) in SMALL_STEPS.items():
        where = {"left": left * scale, "ahead": ahead * scale, "turn": float(np.radians(degrees))}
        move = step_about(performer, fps=FPS, **where, **quickly)
        yield _one_clip(performer, name, "stand", "stand", move)


def _has_side(behavior: Behavior) -> bool:
    """Whether the behavior in a mirror is another one; of what leads straight on or back from a stand, one is
    enough."""
    return "left" in behavior.name


def _one_clip(performer: Performer, name: str, entry: str, exit_pose: str, move: Move) -> Behavior:
    return make_behavior(performer, name, entry, exit_pose, scores_of(lambda _: move), 1, "step")
