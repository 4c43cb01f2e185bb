"""How a person gets about: walking, jogging, turning, setting out, halting, waiting, stepping on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from walkon.behaviors import MARGIN, Behavior, BehaviorClip
from walkon.builtin.actions.shown import wander
from walkon.builtin.footwork import SIDES
from walkon.builtin.gait.feet import loose_steps
from walkon.builtin.gait.idle import idle
from walkon.builtin.gait.moves import (
    SPOT_HASTE,
    Move,
    Pace,
    change_pace,
    go_on,
    halt,
    jogging,
    set_out,
    step_about,
    walking,
)
from walkon.builtin.gait.standing import stand
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score, join, play

FPS = 30.0
"""Frames a second of all clips of the cast; the other casts have the same."""

TURNS = {"walk": {20: 1, 45: 1, 80: 2}, "jog": {20: 1, 45: 2, 80: 2}}
"""Degrees of the turns on the way, and in how many cycles."""

TURNS_ON_THE_SPOT = {45: (2, 2.4), 90: (3, 2.2), 180: (6, SPOT_HASTE)}
"""Degrees of a turn on the spot -> how many steps it takes, as hips allow, and how much quicker these are than in
the slowest walk."""

DEPARTURES = {
    "set_off": 0, "set_off_left_20": 20, "set_off_right_20": -20, "set_off_left_45": 45, "set_off_right_45": -45
}  # fmt: skip
"""Ways to set off within one step, and by how many degrees to the left they turn."""

SHORTER = {"walk": 0.4, "jog": 0.3}
"""Share by which short steps are shorter."""

SIDE_STEP, STEP_BACK, STEP_FORWARD, STEPS_FORWARD = 0.38, 0.36, 0.44, 1.25
"""How far these go [m], for legs of the reference length."""

UNHURRIED = 1.55
"""How much quicker than in the slowest walk several steps in a row are, which are to be as smooth as walking."""

BRISK = 2.0
"""How much quicker than in the slowest walk a single step forward is: it takes no longer than it must."""

HURRY = (1.0, 0.8)
"""How much people hurry who stop within one step: in each clip."""

HOLD = 13
"""Frames for which people stand when they look again at what the others do."""

TRUNK_DRIFT = {"tilt": 0.5, "bend": 0.9, "twist": 1.2, "lean": 0.7, "gaze": 1.6, "look": 3.0}
ARM_DRIFT = {"swing": 2.2, "elbow": 3.0, "spread": 1.0}
"""Degrees by which channels differ from clip to clip."""

FOOT_DRIFT = (0.007, 0.009, np.radians(1.5))
"""How far footprints are off from clip to clip: to the side and forward [m], and in heading [rad]."""

Maker = Callable[[Performer, np.random.Generator, int], Score]
"""Performer, randomness and number of the clip -> its score, margins included."""


def locomotion_behaviors(performer: Performer) -> tuple[Behavior, ...]:
    """All that a person does on two feet without anything in the way."""
    return (
        *_on_the_way(performer, "walk", walking(performer)),
        *_on_the_way(performer, "jog", jogging(performer)),
        *_changes(performer),
        *_on_the_spot(performer),
    )


def _on_the_way(performer: Performer, name: str, pace: Pace) -> Iterator[Behavior]:
    """Straight on, turns to both sides, short steps: from the gait's pose to itself."""

    def moving(cycles: int, turn: float = 0.0, shorten: float = 0.0) -> Maker:
        return scores_of(lambda _: go_on(performer, pace, cycles, turn=turn, shorten=shorten, fps=FPS))

    yield make_behavior(performer, f"{name}_forward", name, name, moving(1), 4)
    for degrees, cycles in TURNS[name].items():
        for side, sign in (("left", 1.0), ("right", -1.0)):
            turn = sign * float(np.radians(degrees))
            yield make_behavior(performer, f"{name}_{side}_{degrees}", name, name, moving(cycles, turn), 2)
    yield make_behavior(performer, f"{name}_short_steps", name, name, moving(2, shorten=SHORTER[name]), 2)


def _changes(performer: Performer) -> Iterator[Behavior]:
    """Between standing, walking and jogging, and waiting on the way."""
    walk, jog = walking(performer), jogging(performer)

    def change(name: str, entry: str, exit_pose: str, maker: Callable[[int], Move]) -> Behavior:
        return make_behavior(performer, name, entry, exit_pose, scores_of(maker), 2, kind="transition")

    yield change("start_walk", "stand", "walk", lambda k: set_out(performer, walk, lead=SIDES[1 - k % 2], fps=FPS))
    yield change("stop_walk", "walk", "stand", lambda k: halt(performer, walk, steps=3 + k % 2, fps=FPS))
    for name, degrees in DEPARTURES.items():
        turn = float(np.radians(degrees))
        at_once = set_out(performer, walk, lead="Left", cycles=1, at_once=True, turn=turn, fps=FPS)
        yield change(name, "stand", "walk", lambda k, move=at_once: move)
    yield change("halt", "walk", "stand", lambda k: halt(performer, walk, steps=2, hurry=HURRY[k], fps=FPS))
    yield change(
        "start_jog",
        "stand",
        "jog",
        lambda k: set_out(performer, jog, cycles=2 + k % 2, lead=SIDES[1 - k % 2], fps=FPS),
    )
    yield change("stop_jog", "jog", "stand", lambda k: halt(performer, jog, steps=4 + k % 2, fps=FPS))
    yield change("walk_to_jog", "walk", "jog", lambda k: change_pace(performer, walk, jog, fps=FPS))
    yield change("jog_to_walk", "jog", "walk", lambda k: change_pace(performer, jog, walk, fps=FPS))
    yield make_behavior(performer, "walk_wait", "walk", "walk", _waiting, 2, kind="wait")


def _on_the_spot(performer: Performer) -> Iterator[Behavior]:
    """From standing to standing."""
    yield make_behavior(performer, "idle", "stand", "stand", _idling, 3, kind="wait")
    yield make_behavior(performer, "pause", "stand", "stand", _pausing, 2, kind="wait")
    yield make_behavior(performer, "hold", "stand", "stand", _holding, 2, kind="wait")
    aside = SIDE_STEP * performer.scale

    def stepping(name: str, lead: str, **how: Any) -> Behavior:
        maker = scores_of(lambda _: step_about(performer, lead=lead, fps=FPS, **how))
        return make_behavior(performer, name, "stand", "stand", maker, 2)

    for lead, side, sign in (("Left", "left", 1.0), ("Right", "right", -1.0)):
        for degrees, (steps, haste) in TURNS_ON_THE_SPOT.items():
            turn = sign * float(np.radians(degrees))
            yield stepping(f"turn_{side}_{degrees}", lead, steps=steps, turn=turn, haste=haste)
        yield stepping(f"side_step_{side}", lead, left=sign * aside)

    def straight(name: str, metres: float, steps: int = 2, haste: float = SPOT_HASTE) -> Behavior:
        def move(k: int) -> Move:
            ahead, lead = metres * performer.scale, SIDES[1 - k % 2]
            return step_about(performer, steps=steps, lead=lead, ahead=ahead, haste=haste, fps=FPS)

        return make_behavior(performer, name, "stand", "stand", scores_of(move), 2)

    yield straight("step_back", -STEP_BACK)
    yield straight("step_forward", STEP_FORWARD, haste=BRISK)
    yield straight("steps_forward", STEPS_FORWARD, steps=4, haste=UNHURRIED)


def scores_of(maker: Callable[[int], Move]) -> Maker:
    """The scores of a move, each a little different but the first."""

    def score(performer: Performer, rng: np.random.Generator, index: int) -> Score:
        move = maker(index)
        if index == 0:
            return move.score(MARGIN)
        loose = move.score(MARGIN, nudge=loose_steps(rng, FOOT_DRIFT, move.duration))
        return wander(loose, rng, MARGIN, trunk=TRUNK_DRIFT, arms=ARM_DRIFT)

    return score


def _waiting(performer: Performer, rng: np.random.Generator, index: int) -> Score:
    """Stop, stand about, walk on."""
    pace = walking(performer)
    stop, go = halt(performer, pace, fps=FPS), set_out(performer, pace, fps=FPS)
    pause = idle(performer, round(FPS * (2.2 + 1.2 * index)), rng, FPS)
    x, z, heading = stop.end()
    return join([stop.score(MARGIN, 0), pause.moved(x, z, heading), go.score(0, MARGIN).moved(x, z, heading)])


def _idling(performer: Performer, rng: np.random.Generator, index: int) -> Score:
    return _standing(performer, rng, rng.uniform(4.0, 5.5))


def _pausing(performer: Performer, rng: np.random.Generator, index: int) -> Score:
    """Just long enough to let somebody pass."""
    return _standing(performer, rng, rng.uniform(1.0, 1.6))


def _holding(performer: Performer, rng: np.random.Generator, index: int) -> Score:
    """The least that can be called a wait: weight and eyes go somewhere and come back."""
    return _standing(performer, rng, HOLD / FPS)


def _standing(performer: Performer, rng: np.random.Generator, seconds: float) -> Score:
    rest = idle(performer, round(FPS * seconds), rng, FPS)
    still = stand(performer, MARGIN / FPS, FPS)
    return join([still, rest, still])


def make_behavior(
    performer: Performer, name: str, entry: str, exit_pose: str, maker: Maker, clips: int, kind: str = "locomotion"
) -> Behavior:
    """A behavior of so many `clips`, each played from a score of its own."""
    shown = []
    for index in range(clips):
        score = maker(performer, performer.rng(name, index), index)
        shown.append(BehaviorClip(play(score, f"{name}_{index + 1}"), MARGIN))
    return Behavior(name, entry, exit_pose, tuple(shown), kind)
