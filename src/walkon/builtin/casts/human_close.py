"""How a person gets about in close quarters: slowly, and decided anew at every single step.

Poses have a foot: `slow_on_left` is a slow walk at the moment the body is over the left foot. What begins over the
left foot is made, and mirrored for the right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from walkon.behaviors import Behavior
from walkon.builtin.casts.human_locomotion import FPS, HURRY, make_behavior, scores_of
from walkon.builtin.footwork import SIDES
from walkon.builtin.gait.moves import (
    STEP,
    Move,
    Pace,
    change_pace,
    go_on,
    halt,
    start_slowly,
    step_about,
    stop_short,
    strolling,
    walking,
)
from walkon.builtin.performer import Performer
from walkon.motion import mirror

SLOW, CREEP = 0.75, 0.4
"""Speeds [m/s] of a slow walk and of creeping on in a crowd, for legs of the reference length: steps of 0.45 and
0.24 m that take 0.6 s, as people's do who have somebody right ahead. With more, people would have to stop behind
those who hardly get on; with less, they would shuffle on the spot."""

SLOW_TURN = 20
"""Degrees by which a slow step may turn. With more, feet would cross."""

STEP_TURN = 10
"""Degrees by which a step of an ordinary walk may turn: two of them, to one side and back, carry somebody a hand's
breadth aside, into the middle of a door. With more, people reach doors askew; with less, it takes more of them."""

CLOSE_UP, CLOSE_UP_HASTE = 0.27, 2.9
"""How far people go who close up in a queue [m], for legs of the reference length, and how much quicker than in
the slowest walk their steps are: it takes less than a second."""


def close_quarters_behaviors(performer: Performer) -> tuple[Behavior, ...]:
    """What a person does who has little room, or who looks at every step at what the others do."""
    over_left = (*_single_steps(performer), *_slow_steps(performer))
    return (*over_left, *map(mirror_behavior, over_left), _halt_on_right(performer), *_from_standing(performer))


def _single_steps(performer: Performer) -> Iterator[Behavior]:
    """An ordinary walk one step at a time, and from there to a slow one or to a stand."""
    walk, slow = walking(performer), strolling(performer, SLOW)
    yield _shown(performer, "walk_step_on_left", "walk", "walk_on_right", go_on(performer, walk, STEP, fps=FPS), 2)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        bent = go_on(performer, walk, STEP, turn=sign * float(np.radians(STEP_TURN)), fps=FPS)
        yield _shown(performer, f"walk_step_{side}_{STEP_TURN}_on_left", "walk", "walk_on_right", bent)
    yield _changed(performer, "walk_slow_down_on_left", (walk, slow), ("walk", "slow_on_right"))


def _halt_on_right(performer: Performer) -> Behavior:
    """To a stand from the pose that only single steps lead to."""
    stop = halt(performer, walking(performer), steps=2, hurry=HURRY[0], fps=FPS)
    return mirror_behavior(_shown(performer, "halt_on_left", "walk", "stand", stop))


def _slow_steps(performer: Performer) -> Iterator[Behavior]:
    """Slow walking and creeping: on, to both sides, faster, slower, and to a stand."""
    walk, slow, creep = walking(performer), strolling(performer, SLOW), strolling(performer, CREEP)
    for name, pace in (("slow", slow), ("creep", creep)):
        here, there = f"{name}_on_left", f"{name}_on_right"
        yield _shown(
            performer, f"walk_{name}_forward_on_left", here, there, go_on(performer, pace, STEP, fps=FPS), 2
        )
        for side, sign in (("left", 1.0), ("right", -1.0)):
            turn = sign * float(np.radians(SLOW_TURN))
            bent = go_on(performer, pace, STEP, turn=turn, fps=FPS)
            yield _shown(performer, f"walk_{name}_{side}_{SLOW_TURN}_on_left", here, there, bent)
        yield _shown(performer, f"walk_{name}_stop_on_left", here, "stand", stop_short(performer, pace, fps=FPS))
    yield _changed(performer, "walk_speed_up_on_left", (slow, walk), ("slow_on_left", "walk_on_right"))
    yield _changed(performer, "walk_slow_to_creep_on_left", (slow, creep), ("slow_on_left", "creep_on_right"))
    yield _changed(performer, "walk_creep_to_slow_on_left", (creep, slow), ("creep_on_left", "slow_on_right"))


def _from_standing(performer: Performer) -> Iterator[Behavior]:
    """Into a slow walk, and one place on in a queue."""
    start = start_slowly(performer, strolling(performer, SLOW), fps=FPS)
    yield _shown(performer, "set_off_slowly", "stand", "slow_on_left", start, 2)

    def close_up(k: int) -> Move:
        ahead, lead = CLOSE_UP * performer.scale, SIDES[1 - k % 2]
        return step_about(performer, lead=lead, ahead=ahead, haste=CLOSE_UP_HASTE, at_once=True, fps=FPS)

    yield make_behavior(performer, "close_up", "stand", "stand", scores_of(close_up), 2)


def _changed(performer: Performer, name: str, paces: tuple[Pace, Pace], poses: tuple[str, str]) -> Behavior:
    """From one pace to another within a step."""
    return _shown(performer, name, *poses, change_pace(performer, *paces, cycles=STEP, fps=FPS))


def _shown(performer: Performer, name: str, entry: str, exit_pose: str, move: Move, clips: int = 1) -> Behavior:
    kind = "locomotion" if exit_pose == _other_foot(entry) else "transition"
    return make_behavior(performer, name, entry, exit_pose, scores_of(lambda _: move), clips, kind)


def mirror_behavior(behavior: Behavior) -> Behavior:
    """The behavior in a mirror: what was over the left foot is over the right one."""
    name = _other_side(behavior.name)
    clips = [
        replace(shown, clip=mirror(shown.clip).with_changes(name=f"{name}_{index + 1}"))
        for index, shown in enumerate(behavior.clips)
    ]
    return replace(
        behavior,
        name=name,
        entry=_other_foot(behavior.entry),
        exit=_other_foot(behavior.exit),
        clips=tuple(clips),
    )


def _other_foot(pose: str) -> str:
    """The pose in a mirror. An ordinary walk is over the left foot unless its pose says otherwise."""
    swapped = {"walk": "walk_on_right", "walk_on_right": "walk"}
    return swapped.get(pose) or _other_side(pose)


def _other_side(text: str) -> str:
    """The text with left and right exchanged."""
    return re.sub("left|right", lambda found: "right" if found.group() == "left" else "left", text)
