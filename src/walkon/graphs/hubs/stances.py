"""Stances: while any part of a foot is on the ground it is carried as one, from where it stood to where it stands.

A foot that lands on its heel and leaves from its toe stands in one place, though no joint of it does all the time.
What it did on the ground is kept, but for sliding, and moved there by a planar rigid transform.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Flags, runs
from walkon.motion.easing import smooth_step
from walkon.motion.feet.holding import EASE, Pin
from walkon.motion.feet.standing import resting_part, speeds_along
from walkon.rotations import Placement
from walkon.skeleton import Foot

BOUND = 0.1
"""Seconds from a locked end within which a foot that lands or leaves is bound to where it is there: it moves fast
then, and what little it is led aside on top of that does not show, if it takes a few frames."""


class Sole(NamedTuple):
    """A foot and the K of its joints that may be planted: their indices, and their columns among all contacts."""

    foot: Foot
    joints: list[int]
    columns: list[int]


def soles_of(feet: Sequence[Foot], joints: Sequence[int]) -> list[Sole]:
    """The feet, each with those of the `joints` of all contacts that are its own."""
    found = []
    for foot in feet:
        columns = [column for column, joint in enumerate(joints) if joint in foot.joints]
        if columns:
            found.append(Sole(foot, [joints[column] for column in columns], columns))
    return found


def stance_pins(
    sole: Sole,
    was: Array,
    led: Array,
    planted: Flags,
    held: tuple[Flags, Flags],
    locked: tuple[bool, bool],
    fps: float,
) -> list[Pin]:
    """Where the joints of a foot are held while they are planted (F, K), and at locked ends in any case.

    was, led: (F, J, 3) [m] all joints as recorded, and as led through the hubs. held: which of the K joints stand
    still in the first and in the last frame.
    """
    paths = resting_paths(sole, was, planted, (held[0] & locked[0], held[1] & locked[1]), fps)
    own = led[:, sole.joints][..., [0, 2]]
    pins = []
    for start, stop in runs(np.any(planted, axis=1)):
        stance = slice(start, stop)
        goals = _carried(sole, was, led, paths, stance, locked, max(1, round(BOUND * fps)))
        for column in range(len(sole.joints)):
            for first, last in runs(planted[stance, column]):
                part = slice(start + first, start + last)
                goals[first:last, column] += _misfit(
                    goals[first:last, column], own[part, column], part, locked, len(led)
                )
        firm = planted[stance].copy()
        if sole.foot.toe in sole.joints:
            _follow(goals, own[stance], firm, sole.joints.index(sole.foot.toe), max(1, round(EASE * fps)))
        for column, joint in enumerate(sole.joints):
            pins += [Pin(joint, start + a, goals[a:b, column]) for a, b in runs(firm[:, column])]
    for end, is_locked in zip((0, len(led) - 1), locked, strict=True):
        pinned = {pin.joint for pin in pins if pin.start <= end < pin.stop}
        pins += [Pin(j, end, led[[end], j][:, [0, 2]]) for j in sole.joints if is_locked and j not in pinned]
    return pins


def _follow(goals: Array, led: Array, firm: Flags, toe: int, ease: int) -> None:
    """Let the toe go along, in place, with whatever else of the foot is planted while it is not itself.

    goals: (N, K, 2) [m] through one stance, led: (N, K, 2) as led there, firm: (N, K) planted joints; the toe's
    column `toe` is filled in both goals and firm. Legs are bent to where the toe is, and where it would ease to
    its own contact while the heel stands on the ground, the heel would slide.
    """
    shifts = np.where(firm[..., None], goals - led, np.nan)
    others = np.delete(np.arange(firm.shape[1]), toe)
    along = shifts[:, others]
    known = ~np.isnan(along[..., 0])
    free = ~firm[:, toe] & known.any(axis=1)
    for start, stop in runs(free):
        first = known[start:stop].argmax(axis=1)
        shift = along[np.arange(start, stop), first]
        for beside, nearest, order in ((start - 1, 0, 1), (stop, -1, -1)):
            if 0 <= beside < len(firm) and firm[beside, toe]:
                weight = 1.0 - smooth_step(np.arange(1, stop - start + 1) / (min(ease, stop - start) + 1.0))
                leader = first[nearest]
                here = along[beside, leader] if known[beside, leader] else shift[nearest]
                shift = shift + weight[::order, None] * (shifts[beside, toe] - here)
        goals[start:stop, toe] = led[start:stop, toe] + shift
        firm[start:stop, toe] = True


def resting_paths(sole: Sole, was: Array, planted: Flags, still: tuple[Flags, Flags], fps: float) -> Array:
    """Where the joints of a foot were (F, K, 2) [m] while planted, had they not slid; not a number elsewhere.

    Every contact rolls onto a spot and off it: see `roll_of`.
    """
    paths = np.full((len(was), len(sole.joints), 2), np.nan)
    for column, joint in enumerate(sole.joints):
        places = was[:, joint][:, [0, 2]]
        for start, stop in runs(planted[:, column]):
            roll = roll_of(places, start, stop, (bool(still[0][column]), bool(still[1][column])), fps)
            stands = ~roll.any(axis=1)
            middle = places[start:stop][stands].mean(axis=0) if stands.any() else places[start:stop].mean(axis=0)
            paths[start:stop, column] = middle + roll
    return paths


def roll_of(places: Array, start: int, stop: int, still: tuple[bool, bool], fps: float) -> Array:
    """How a joint rolls (N, 2) [m] onto the spot where it stands and off it, in N frames from `start` to `stop`.

    places: (F, 2) [m] as recorded. still: whether it stands still in the first and in the last of all frames, even
    if it rolled there.
    """
    own = places[start:stop]
    rests, leaves = resting_part(speeds_along(places, fps), start, stop)
    first, final = rests - start, leaves - 1 - start
    if still[0] and start == 0:
        first = 0
    if still[1] and stop == len(places):
        final = len(own) - 1
    roll = np.zeros_like(own)
    roll[:first] = own[:first] - own[first]
    roll[final + 1 :] = own[final + 1 :] - own[final]
    return roll


def carry_at(sole: Sole, was: Array, led: Array, paths: Array) -> Placement:
    """The placement that carries a planted foot from where it was to where it has been led, on average.

    was, led: (F, J, 3) [m]. paths: (F, K, 2) of its joints.
    """
    front = sole.foot.toe if sole.foot.toe != sole.foot.heel else sole.foot.tip
    before, after = (points[:, front] - points[:, sole.foot.heel] for points in (was, led))
    # Turning by θ takes x to x cos θ + z sin θ: headings count from z to x.
    sine = np.sum(after[:, 0] * before[:, 2] - after[:, 2] * before[:, 0])
    turn = float(np.arctan2(sine, np.sum(after[:, 0] * before[:, 0] + after[:, 2] * before[:, 2])))
    known = ~np.isnan(paths[..., 0])
    x, z = Placement(0.0, 0.0, turn).point(*paths[known].mean(axis=0))
    goal = led[:, sole.joints][..., [0, 2]][known].mean(axis=0)
    return Placement(float(goal[0] - x), float(goal[1] - z), turn)


def _moved(placement: Placement, points: Array) -> Array:
    """Ground points (..., 2) [m] carried by a placement."""
    return np.stack(placement.point(points[..., 0], points[..., 1]), axis=-1)


def end_of_stance(
    sole: Sole, was: Array, first: Array, planted: Flags, still: tuple[Flags, Flags], fps: float
) -> tuple[float, Array, list[int]]:
    """Where joints of a foot must be at the end of a piece that it stands through: (M, 2) [m], and which they are.

    first: (J, 3) [m] where all joints are at the beginning. Before them, how firmly that holds, 0 to 1: less if
    the foot lands a little after the beginning, or leaves before the end; 0 if it leaves the ground in between.
    """
    stances = runs(np.any(planted, axis=1))
    ease = max(1, round(BOUND * fps))
    firmness = 0.0
    if len(stances) == 1:
        firmness = float(np.prod(_pull((stances[0][0], len(was) - stances[0][1]), (True, True), ease)))
    if firmness == 0.0:
        return 0.0, np.zeros((0, 2)), []
    paths = resting_paths(sole, was, planted, still, fps)
    for end, nearest in ((0, stances[0][0]), (len(was) - 1, stances[0][1] - 1)):
        # In the air the foot is as far from where it was as when it is next to the ground.
        slid = np.nanmean(paths[nearest] - was[nearest, sole.joints][:, [0, 2]], axis=0)
        if not planted[end].any():
            paths[end] = was[end, sole.joints][:, [0, 2]] + slid
    columns = np.flatnonzero(~np.isnan(paths[-1, :, 0])).tolist()
    carried = _moved(carry_at(sole, was[:1], first[None], paths[:1]), paths[-1])
    return firmness, carried[columns], [sole.joints[column] for column in columns]


def _carried(
    sole: Sole, was: Array, led: Array, paths: Array, stance: slice, locked: tuple[bool, bool], ease: int
) -> Array:
    """Paths (N, K, 2) [m] of the joints of a foot through one stance, on the ground where it is led.

    A stance that reaches a locked end stands where it is there; one that reaches two goes from one place to the
    other, which are the same as far as `end_of_stance` could make them. Others stand in their mean place, or,
    near a locked end, more and more in that where they begin or end, for nothing is left to ease over.
    """
    ends = slice(stance.start, stance.start + 1), slice(stance.stop - 1, stance.stop)
    pull = _pull((stance.start, len(led) - stance.stop), locked, ease)
    own = paths[stance]
    mean, first, last = (
        _moved(carry_at(sole, was[part], led[part], paths[part]), own) for part in (stance, ends[0], ends[1])
    )
    to_first, to_last = pull[0] * (first - mean), pull[1] * (last - mean)
    begin, end = mean + to_first + (1.0 - pull[0]) * to_last, mean + to_last + (1.0 - pull[1]) * to_first
    along = np.linspace(0.0, 1.0, len(own))[:, None, None]
    return (1.0 - along) * begin + along * end


def _pull(gaps: tuple[int, int], locked: tuple[bool, bool], ease: int) -> list[float]:
    """How much a stance is bound to the two ends of a piece, given the frames between it and them."""
    return [
        is_locked * (1.0 - float(smooth_step(np.array(gap / ease))))
        for gap, is_locked in zip(gaps, locked, strict=True)
    ]


def _misfit(path: Array, places: Array, frames: slice, locked: tuple[bool, bool], count: int) -> Array:
    """What must be added to a joint's path (N, 2) [m] in `frames` of `count` to meet its places at locked ends."""
    at_start = places[0] - path[0] if locked[0] and frames.start == 0 else None
    at_end = places[-1] - path[-1] if locked[1] and frames.stop == count else None
    if at_start is not None and at_end is not None:
        return np.linspace(at_start, at_end, len(path))
    return at_start if at_start is not None else at_end if at_end is not None else np.zeros(2)
