"""Motion frame by frame from a transition network, and what edges would make it better."""

import math

import numpy as np
from numba import prange

from walkon.kernels import kernel
from walkon.variation._kernels_regression import (
    AFTER,
    BEFORE,
    add_company,
    add_distances,
    add_history,
    foretell,
    workspace,
)


@kernel(fastmath=True)
def roll_out(poses, begin, edges, recall, bars, favour, noise, deviations):
    """Fill poses (T, n) from frame `begin` on, each from the two before it; what is not driven is there already.

    edges, recall: see `Edges` and `Recall`. bars: (N,) 0, or BARRED for rows that nothing follows. favour: (N,)
    times which rows count. noise: (T, n) in standard deviations. deviations: (T, n) filled with standard
    deviations.
    """
    driven, parents, counts = edges
    rows, tempos, company, pull, k = recall
    common, room = np.empty(rows.shape[1], np.float32), workspace(rows.shape[1], k)
    guesses = np.ones(rows.shape[0], np.float32)
    for t in range(begin, len(poses)):
        common[:] = bars
        add_company(rows, poses[t - 2], poses[t - 1], tempos, company, common)
        for i in driven:
            room[0][:] = common
            add_history(i, rows, poses[t - 2, i], poses[t - 1, i], tempos[i], room[0])
            for e in range(counts[i]):
                add_distances(parents[i, e], rows, poses[t - 2], poses[t - 1], poses[t], room[0])
            mean, variance, guesses[i] = foretell(i, poses[t - 1, i], rows, pull, k, favour, guesses[i], room)
            deviations[t, i] = math.sqrt(variance)
            poses[t, i] = poses[t - 1, i] + mean + deviations[t, i] * noise[t, i]


@kernel(parallel=True)
def roll_out_all(poses, begin, stops, edges, recall, bars, favours, noise, deviations):
    """`roll_out` of S motions at once: poses (S, T, n), as far as stops (S,); bars and favours (S, N)."""
    for s in prange(len(poses)):
        stop = stops[s]
        roll_out(poses[s, :stop], begin, edges, recall, bars[s], favours[s], noise[s, :stop], deviations[s, :stop])


@kernel(fastmath=True)
def foresee(poses, edges, recall, bars, means, deviations):
    """Fill means and deviations (T, n) of every frame as foreseen from the two true ones before it."""
    driven, parents, counts = edges
    rows, tempos, company, pull, k = recall
    common, room = np.empty(rows.shape[1], np.float32), workspace(rows.shape[1], k)
    favour, guesses = np.ones(rows.shape[1], np.float32), np.ones(rows.shape[0], np.float32)
    for t in range(2, len(poses)):
        common[:] = bars
        add_company(rows, poses[t - 2], poses[t - 1], tempos, company, common)
        for i in driven:
            room[0][:] = common
            add_history(i, rows, poses[t - 2, i], poses[t - 1, i], tempos[i], room[0])
            for e in range(counts[i]):
                add_distances(parents[i, e], rows, poses[t - 2], poses[t - 1], poses[t], room[0])
            mean, variance, guesses[i] = foretell(i, poses[t - 1, i], rows, pull, k, favour, guesses[i], room)
            means[t, i] = poses[t - 1, i] + mean
            deviations[t, i] = math.sqrt(variance)


@kernel(parallel=True)
def keep_company(others, starts, recall, bars, commons):
    """Fill commons (N, N): distances that all nodes share, to each frame from the two before it.

    others: (N, n) poses. bars: (L, N) rows barred while a clip is held out.
    """
    rows, tempos, company, _, _ = recall
    for clip in range(len(starts) - 1):
        for t in prange(starts[clip] + 2, starts[clip + 1]):
            commons[t] = bars[clip]
            add_company(rows, others[t - 2], others[t - 1], tempos, company, commons[t])


@kernel(parallel=True)
def score_changes(truth, others, starts, edges, recall, commons, floor, candidates, dropping, scores):
    """Fill scores (n, C + 1): log likelihood of each driven node with one candidate edge more, and as it is.

    A node is propagated through each clip that is held out, its parents being what `others` (N, n) says they
    are. truth: (N, n) the inputs. starts: (L + 1,) of clips. commons: (N, N) what `keep_company` filled. floor:
    least variance. candidates: (n, C) codes to add, or -1 for none; with `dropping`, edges to leave out:
    candidates are then places in the node's list of parents.
    """
    driven, parents, counts = edges
    for index in prange(len(driven)):
        i = driven[index]
        scores[i] = 0.0
        for clip in range(len(starts) - 1):
            first, stop = starts[clip], starts[clip + 1]
            base = commons[first:stop].copy()
            for t in range(first + 2, stop):
                for e in range(counts[i]):
                    add_distances(
                        parents[i, e], recall.rows, others[t - 2], others[t - 1], others[t], base[t - first]
                    )
            _score_clip(
                i,
                parents[i],
                truth[first:stop, i],
                others[first:stop],
                base,
                recall,
                floor,
                candidates[i],
                dropping,
                scores[i],
            )


@kernel(fastmath=True)
def _score_clip(i, parents, truth, others, base, recall, floor, candidates, dropping, scores):
    """Add to scores (C + 1,) the log likelihood of a clip with each candidate edge of node i, and as it is.

    parents: (P,) codes of the node. truth: (F,) what was recorded of it. others: (F, n) what its parents are taken
    to be. base: (F, N) distances by all edges that it has.
    """
    rows, tempos, _, pull, k = recall
    room, favour = workspace(rows.shape[1], k), np.ones(rows.shape[1], np.float32)
    for c in range(len(scores)):
        code = -1 if c == len(candidates) else candidates[c]
        if code < 0 and c < len(candidates):
            scores[c] = -np.inf
            continue
        if code >= 0 and dropping:
            code = parents[code]
        before, now = truth[0], truth[1]
        guess, score = np.float32(1.0), 0.0
        for t in range(2, len(truth)):
            room[0][:] = base[t]
            if code >= 0:
                _add_one(code, dropping, rows, others[t - 2], others[t - 1], others[t], room[0])
            add_history(i, rows, before, now, tempos[i], room[0])
            mean, variance, guess = foretell(i, now, rows, pull, k, favour, guess, room)
            before, now = now, now + mean
            gap, spread = now - truth[t], variance + floor
            score -= 0.5 * (gap * gap / spread + math.log(spread))
        scores[c] += score


@kernel(fastmath=True)
def _add_one(code, dropping, rows, before, now, after, distances):
    """Add one parent's distances (N,), or take them away."""
    n, lag = rows.shape[0], code // rows.shape[0]
    j, shift = code % n, 0
    value = now[j]
    if lag == BEFORE:
        value, shift = before[j], -1
    elif lag == AFTER:
        value, shift = after[j], 1
    sign = np.float32(-1.0) if dropping else np.float32(1.0)
    for r in range(1, rows.shape[1] - 1):
        gap = rows[j, r + shift] - value
        distances[r] += sign * gap * gap


@kernel
def let_last(noise, last, lasting, begins):
    """Mix each row of noise (T, n) with the row before, by shares (n,) that last; the spread stays the same."""
    for t in range(len(noise)):
        for i in range(noise.shape[1]):
            if t > 0 or not begins:
                before = last[i] if t == 0 else noise[t - 1, i]
                noise[t, i] = lasting[i] * before + math.sqrt(1.0 - lasting[i] ** 2) * noise[t, i]
