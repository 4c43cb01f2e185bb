"""Branch and bound: the best walk as far as one looks ahead (Kovar et al. 2002, section 4.2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.graphs.searching._kernels_fitting import ARC, FRAMES, NODE, follow, move_on, option, still_due
from walkon.graphs.searching._kernels_sketching import Book, make_book, sketch
from walkon.kernels import kernel


class SearchDesk(NamedTuple):
    """Room for a search of D levels with at most C choices each.

    places: (D, 5), states: (D, 4), errors: (D,) at every level. choices: (D, C, 3) edge, style, whether on a
    detour; scores: (D, C, 3) order, error, arc length after it; counts: (D,) how many; nexts: (D,) which is next.
    answer: (D,) edges. plan: (D,) edges to try first. book: for the sketch.
    """

    places: np.ndarray
    states: np.ndarray
    errors: np.ndarray
    choices: np.ndarray
    scores: np.ndarray
    counts: np.ndarray
    nexts: np.ndarray
    answer: np.ndarray
    plan: np.ndarray
    book: Book


def make_desk(horizon: int, most_choices: int, width: int) -> SearchDesk:
    """Room for a search `horizon` frames ahead: every edge has one frame at least."""
    deep = horizon + 1
    return SearchDesk(
        places=np.zeros((deep, 5)),
        states=np.zeros((deep, 4), np.int64),
        errors=np.zeros(deep),
        choices=np.zeros((deep, most_choices, 3), np.int64),
        scores=np.zeros((deep, most_choices, 3)),
        counts=np.zeros(deep, np.int64),
        nexts=np.zeros(deep, np.int64),
        answer=np.zeros(deep, np.int64),
        plan=np.zeros(deep, np.int64),
        book=make_book(horizon, width),
    )


@kernel
def _list_choices(level, horizon, limit, planned, ground, wish, desk):
    """Lists what can be done at a level and is not too bad, best first; returns how many edges were looked at."""
    place, state = desk.places[level], desk.states[level]
    scores, choices = desk.scores[level], desk.choices[level]
    count = 0
    first, stop = ground.offsets[state[NODE]], ground.offsets[state[NODE] + 1]
    for edge in range(first, stop):
        style, detour = option(edge, state, place[ARC], ground, wish)
        if style < 0:
            continue
        room = limit - desk.errors[level]
        error, arc = follow(edge, style, detour, horizon - state[FRAMES], room, place, ground, wish)
        if error >= room:
            continue
        order = -1.0 if edge == planned else error
        rank = count
        while rank > 0 and scores[rank - 1, 0] > order:
            for i in range(3):
                scores[rank, i] = scores[rank - 1, i]
                choices[rank, i] = choices[rank - 1, i]
            rank -= 1
        scores[rank, 0], scores[rank, 1], scores[rank, 2] = order, error, arc
        choices[rank, 0], choices[rank, 1], choices[rank, 2] = edge, style, detour
        count += 1
    desk.counts[level] = count
    desk.nexts[level] = 0
    return stop - first


@kernel
def search(place, state, horizon, budget, enough, planned, ground, wish, desk):
    """Writes the best walk of `horizon` frames, or to the end of the path, to desk.answer.

    budget: edges looked at, after which the best so far must do. enough: error [m²] of a walk that is good enough.
    planned: number of edges on desk.plan, which are tried first.
    Returns the number of its edges, its error, and the number of edges looked at.
    """
    desk.places[0] = place
    desk.states[0] = state
    desk.states[0, FRAMES] = 0
    desk.errors[0] = 0.0
    best, length, level, kept = np.inf, 0, 0, 0
    looked = _list_choices(0, horizon, best, desk.plan[0] if planned > 0 else -1, ground, wish, desk)
    while level >= 0 and best > enough:
        chosen = desk.nexts[level]
        if chosen >= desk.counts[level]:
            level -= 1
            # Of the plan no more is kept to than lies above.
            kept = min(kept, level)
            continue
        desk.nexts[level] += 1
        edge = desk.choices[level, chosen, 0]
        total = desk.errors[level] + desk.scores[level, chosen, 1]
        if total >= best:
            continue
        style, detour = desk.choices[level, chosen, 1], desk.choices[level, chosen, 2]
        arc, below = desk.scores[level, chosen, 2], level + 1
        move_on(
            edge,
            desk.places[level],
            desk.states[level],
            style,
            detour,
            arc,
            ground,
            desk.places[below],
            desk.states[below],
        )
        desk.errors[below] = total
        if desk.states[below, FRAMES] >= horizon or arc >= wish.length:
            total += still_due(desk.states[below], arc, wish)
            if total >= best:
                continue
            best, length = total, below
            for i in range(below):
                desk.answer[i] = desk.choices[i, desk.nexts[i] - 1, 0]
            continue
        if looked >= budget and best < np.inf:
            break
        if kept == level and level < planned and edge == desk.plan[level]:
            kept = below
        level = below
        hint = desk.plan[level] if kept == level and level < planned else -1
        looked += _list_choices(level, horizon, best, hint, ground, wish, desk)
    return length, best, looked


@kernel
def look_ahead(place, state, horizon, budget, enough, ground, wish, desk):
    """A sketch with half of the budget, and what can be made of it with the rest; as `search`."""
    planned, sketched = sketch(place, state, horizon, budget // 2, ground, wish, desk.book, desk.plan)
    length, best, looked = search(place, state, horizon, budget - sketched, enough, planned, ground, wish, desk)
    return length, best, looked + sketched
