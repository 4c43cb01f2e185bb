"""A good walk quickly: of all that are equally long only the few best are gone on with, frame by frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.graphs.searching._kernels_fitting import ARC, NODE, STYLE, expected, follow, move_on, option, still_due
from walkon.kernels import kernel

PARENT_FRAME, PARENT_SLOT, EDGE = 4, 5, 6
"""Further columns of a state in the book: where one came from, and along which edge."""


class Book(NamedTuple):
    """Up to W walks of each of H lengths: places (H, W, 5), states (H, W, 7), errors (H, W), counts (H,).

    ranks: (H, W) errors with what is still due. worst: (H,) the largest of them, infinite while there is room for
    more walks of a length.
    """

    places: np.ndarray
    states: np.ndarray
    errors: np.ndarray
    ranks: np.ndarray
    counts: np.ndarray
    worst: np.ndarray


def make_book(horizon: int, width: int) -> Book:
    """Room for `width` walks at each of `horizon` frames."""
    return Book(
        np.zeros((horizon, width, 5)),
        np.zeros((horizon, width, 7), np.int64),
        np.zeros((horizon, width)),
        np.zeros((horizon, width)),
        np.zeros(horizon, np.int64),
        np.zeros(horizon),
    )


@kernel
def _slot(frame, node, style, rank, book):
    """Where a walk of `frame` frames that ends at a node is to be written: -1 if others are better."""
    count = book.counts[frame]
    worst = 0
    for other in range(count):
        if book.states[frame, other, NODE] == node and book.states[frame, other, STYLE] == style:
            return other if rank < book.ranks[frame, other] else -1
        if book.ranks[frame, other] > book.ranks[frame, worst]:
            worst = other
    if count < book.errors.shape[1]:
        book.counts[frame] += 1
        return count
    return worst if rank < book.ranks[frame, worst] else -1


@kernel
def _note_worst(frame, book):
    """Keeps the largest rank of walks of a length up to date."""
    if book.counts[frame] == book.errors.shape[1]:
        worst = 0.0
        for slot in range(book.counts[frame]):
            worst = max(worst, book.ranks[frame, slot])
        book.worst[frame] = worst


@kernel
def _best_slot(frame, book):
    best = 0
    for slot in range(1, book.counts[frame]):
        if book.ranks[frame, slot] < book.ranks[frame, best]:
            best = slot
    return best


@kernel
def _read_back(frame, slot, edge, plan, book):
    """Writes the edges that lead to a slot and on along an edge; how many they are."""
    count = 0
    while True:
        plan[count] = edge
        count += 1
        if frame == 0:
            break
        state = book.states[frame, slot]
        frame, slot, edge = state[PARENT_FRAME], state[PARENT_SLOT], state[EDGE]
    for i in range(count // 2):
        plan[i], plan[count - 1 - i] = plan[count - 1 - i], plan[i]
    return count


@kernel
def sketch(place, state, horizon, budget, ground, wish, book, plan):
    """Writes a walk of `horizon` frames, or to the end of the path, to plan (D,).

    budget: edges looked at, after which only the very best walk at every frame is gone on with.
    Returns the number of its edges, and the number of edges looked at.
    """
    book.counts[:] = 0
    book.worst[:] = np.inf
    book.places[0, 0] = place
    book.states[0, 0, :4] = state
    book.states[0, 0, 3] = 0
    book.errors[0, 0] = book.ranks[0, 0] = 0.0
    book.counts[0] = 1
    least, at_frame, at_slot, last, looked = np.inf, -1, -1, -1, 0
    after, then = np.zeros(5), np.zeros(4, np.int64)
    for frame in range(horizon):
        count = book.counts[frame]
        only = _best_slot(frame, book) if looked >= budget and count > 0 else -1
        for slot in range(count):
            sofar = book.errors[frame, slot]
            if book.ranks[frame, slot] >= least or (only >= 0 and slot != only):
                continue
            here, now = book.places[frame, slot], book.states[frame, slot]
            for edge in range(ground.offsets[now[NODE]], ground.offsets[now[NODE] + 1]):
                looked += 1
                style, detour = option(edge, now, here[ARC], ground, wish)
                if style < 0:
                    continue
                reached = frame + ground.frames[edge]
                limit = least
                # Who cannot get to the end of the path must be better than those who are as far.
                if reached < horizon and here[ARC] + max(ground.lengths[edge], wish.least * horizon) < wish.length:
                    limit = min(least, book.worst[reached])
                error, arc = follow(edge, style, detour, horizon - frame, limit - sofar, here, ground, wish)
                error += sofar
                if error >= limit:
                    continue
                move_on(edge, here, now, style, detour, arc, ground, after, then)
                rank = error + still_due(then, arc, wish)
                if rank >= limit:
                    continue
                if reached >= horizon or arc >= wish.length:
                    least, at_frame, at_slot, last = rank, frame, slot, edge
                    continue
                rank += expected(after, wish)
                into = _slot(reached, then[NODE], style, rank, book)
                if into >= 0:
                    book.places[reached, into] = after
                    fresh = book.states[reached, into]
                    fresh[:4] = then
                    fresh[PARENT_FRAME], fresh[PARENT_SLOT], fresh[EDGE] = frame, slot, edge
                    book.errors[reached, into] = error
                    book.ranks[reached, into] = rank
                    _note_worst(reached, book)
    if last < 0:
        return 0, looked
    return _read_back(at_frame, at_slot, last, plan, book), looked
