"""Those whom a search may meet, by when: who is near in each half second, and does a clip or a rest meet them?

What somebody has committed to may lead over many metres, but in half a second it is in one place. So whoever
looks ahead sorts the others once, and then asks of each clip only about the few who are near at that time.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live._kernels_people import (
    NOTHING_MET,
    STOP_MET,
    WAY_MET,
    Neighbors,
    clip_meets,
    gather,
    rest_meets,
)
from walkon.crowd.live.crew import SLICE, SLICES
from walkon.kernels import inlined, kernel
from walkon.rotations.kernels_ground import laid, standing

BINS = SLICES
"""Half seconds that are told apart; the last one holds all that comes after. With fewer, more people are asked
about late clips; with more, sorting takes longer."""

HASTY, ARMS_LENGTH = 0.06, 1.2
"""[m per frame, m] How fast the fastest get on, and how far a body and a stop reach beyond: who is not that near
until then cannot be met. With less, somebody is overlooked."""


MOMENT, MOMENTS = 8, 16
"""Frames between two moments at which others are looked at roughly, and how many moments there are."""


class Sorted(NamedTuple):
    """Memory for those who are near, by time. counts: (BINS,); who: (BINS, N) rows of the crew; circles:
    (BINS, N, 3) around what they do then; guesses: (N, 6) how all of them are thought to go on. numbers: (MOMENTS,)
    and spots: (MOMENTS, N, 3) where they are at each moment, and what it costs to be there, too [m]."""

    counts: NDArray[np.int64]
    who: NDArray[np.int64]
    circles: NDArray[np.float64]
    guesses: NDArray[np.float64]
    numbers: NDArray[np.int64]
    spots: NDArray[np.float64]


class Company(NamedTuple):
    """Those whom somebody has to mind who looks ahead: as Neighbors, and sorted by time from the bin `first` on."""

    crew: NDArray[Any]
    tracks: NDArray[np.float64]
    near: NDArray[np.int64]
    size: int
    gap: float
    sorted: Sorted
    first: int


def make_sorted(near: int) -> Sorted:
    """Memory for at most `near` people."""
    return Sorted(
        np.zeros(BINS, dtype=np.int64),
        np.zeros((BINS, near), dtype=np.int64),
        np.zeros((BINS, near, 3)),
        np.zeros((near, 6)),
        np.zeros(MOMENTS, dtype=np.int64),
        np.zeros((MOMENTS, near, 3)),
    )


@kernel
def meet_company(own, root, radius, crowd, memory, gap):
    """The Company of somebody who looks ahead from a node, within `radius` [m]; too many have a size of more than
    there is room for."""
    size = gather(crowd.crew, crowd.cells, own, root.place[0], root.place[1], radius, memory.near)
    first, kept = root.frame // SLICE, memory.sorted
    kept.counts[:] = 0
    for k in range(size if size <= len(memory.near) else 0):
        other = memory.near[k]
        them = crowd.crew[other]
        kept.guesses[k] = them.guess
        base, last = them.first // SLICE, them.first + them.length - 1
        for bin_ in range(BINS):
            begins = (first + bin_) * SLICE
            if them.ends and begins > last:
                break
            part = min(max(first + bin_ - base, 0), SLICES - 1)
            x, z, reach = them.slices[part, 0], them.slices[part, 1], them.slices[part, 2]
            far = radius
            if bin_ < BINS - 1:
                far = min(HASTY * (begins + SLICE - root.frame) + ARMS_LENGTH, radius)
            far += reach + gap
            if (x - root.place[0]) ** 2 + (z - root.place[1]) ** 2 > far * far:
                continue
            number = kept.counts[bin_]
            kept.counts[bin_], kept.who[bin_, number] = number + 1, other
            circle = kept.circles[bin_, number]
            circle[0], circle[1], circle[2] = x, z, reach
    return Company(crowd.crew, crowd.tracks, memory.near, size, gap, kept, first)


@kernel
def note_spots(root, company, standing_cost, moving_cost):
    """Note where everybody near is, or is thought to be, at each moment after a node."""
    kept = company.sorted
    kept.numbers[:] = 0
    for k in range(company.size):
        other = company.near[k]
        them, guess = company.crew[other], kept.guesses[k]
        stays = them.settled or math.isnan(them.goal[0])
        still = guess[2] * guess[2] + guess[3] * guess[3] < 1e-5
        for moment in range(MOMENTS):
            frame = root.frame + (moment + 1) * MOMENT
            row = frame - them.first
            if row >= them.length - 1 and them.ends:
                break
            if row < them.length - 1 and frame <= guess[4] + 4 or stays:
                here = company.tracks[other, min(max(row, 0), them.length - 1)]
                x, z, cost = here[0], here[1], np.inf
            else:
                late = frame - guess[4]
                x, z, cost = guess[0] + guess[2] * late, guess[1] + guess[3] * late, moving_cost
                if still:
                    cost = standing_cost
            far = HASTY * (moment + 1) * MOMENT + ARMS_LENGTH
            if (x - root.place[0]) ** 2 + (z - root.place[1]) ** 2 > far * far:
                continue
            spot = kept.spots[moment, kept.numbers[moment]]
            kept.numbers[moment] += 1
            spot[0], spot[1], spot[2] = x, z, cost


@kernel
def rough_cost(root_frame, before, node, body, company):
    """What it costs to meet others on the way from one node to another, roughly: infinite if somebody is met who is
    known to be there."""
    kept, cost, span = company.sorted, 0.0, node.frame - before.frame
    first = (before.frame - root_frame) // MOMENT
    for moment in range(first, min((node.frame - root_frame) // MOMENT, MOMENTS)):
        share = (root_frame + (moment + 1) * MOMENT - before.frame) / span
        x = before.place[0] + share * (node.place[0] - before.place[0])
        z = before.place[1] + share * (node.place[1] - before.place[1])
        for k in range(kept.numbers[moment]):
            spot = kept.spots[moment, k]
            dx, dz = spot[0] - x, spot[1] - z
            if dx * dx + dz * dz < body * body:
                cost += spot[2]
                if cost == np.inf:
                    return cost
    return cost


@inlined
def _bin(frame, company):
    """The bin that a frame is in."""
    return min(max(frame // SLICE - company.first, 0), BINS - 1)


@kernel
def clip_met(place, begun, clip, table, company):
    """What a clip begun at a place (3,) meets of what others have committed to: NOTHING_MET, only a STOP_MET of
    somebody who wants to go on from there, or something that is certain, as WAY_MET."""
    stand, mine, met = standing(place[0], place[1], place[2]), table.clips[clip], NOTHING_MET
    x, z = laid(stand, mine.bound[0], mine.bound[1])
    reach, kept = mine.bound[2] + company.gap, company.sorted
    for bin_ in range(_bin(begun, company), _bin(begun + mine.duration, company) + 1):
        for k in range(kept.counts[bin_]):
            circle = kept.circles[bin_, k]
            apart = reach + circle[2]
            if (circle[0] - x) ** 2 + (circle[1] - z) ** 2 > apart * apart:
                continue
            other = kept.who[bin_, k]
            found = clip_meets(stand, begun, clip, table, company, other)
            if found == NOTHING_MET:
                continue
            them = company.crew[other]
            if found == WAY_MET or them.settled or math.isnan(them.goal[0]):
                return WAY_MET
            met = STOP_MET
    return met


@kernel
def rest_met(resting, begun, more, table, company):
    """Whether a body (BODY,) that stays from a frame on meets anybody, if everybody keeps `more` [m] besides the
    gap."""
    kept = company.sorted
    roomy = Neighbors(company.crew, company.tracks, company.near, company.size, company.gap + more)
    for bin_ in range(_bin(begun, company), BINS):
        for k in range(kept.counts[bin_]):
            circle = kept.circles[bin_, k]
            apart = resting[2] + roomy.gap + circle[2]
            if (circle[0] - resting[0]) ** 2 + (circle[1] - resting[1]) ** 2 > apart * apart:
                continue
            if rest_meets(resting, begun, table, roomy, kept.who[bin_, k]):
                return True
    return False
