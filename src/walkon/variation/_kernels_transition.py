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
    find_nearest,
    predict_change,
    weigh,
)


@kernel(fastmath=True)
def roll_out(
    poses, begin, driven, parents, counts, rows, bars, tempos, company, pull, k, favour, noise, deviations
):
    """Fill poses (T, n) from frame `begin` on, each from the two before it; what is not driven is there already.

    driven: numbers that are predicted. parents: (n, P) codes, counts: (n,) how many. rows: (n, N) the inputs.
    bars: (N,) 0, or BARRED for rows that nothing follows. favour: (N,) times which rows count. noise: (T, n) in
    standard deviations. deviations: (T, n) filled with standard deviations.
    """
    frames, count = len(poses), rows.shape[1]
    common, distances = np.empty(count, np.float32), np.empty(count, np.float32)
    found, near = np.empty(2 * k, np.int64), np.empty(4 * k, np.float32)
    guesses = np.ones(rows.shape[0], np.float32)
    for t in range(begin, frames):
        common[:] = bars
        add_company(rows, poses[t - 2], poses[t - 1], tempos, company, common)
        for i in driven:
            distances[:] = common
            add_history(i, rows, poses[t - 2, i], poses[t - 1, i], tempos[i], distances)
            for e in range(counts[i]):
                add_distances(parents[i, e], rows, poses[t - 2], poses[t - 1], poses[t], distances)
            inside, guesses[i] = find_nearest(distances, k, guesses[i], found, near)
            total = weigh(near, inside, guesses[i], found, favour)
            mean, variance = predict_change(rows, i, poses[t - 1, i], pull, found, near, inside, total)
            deviations[t, i] = math.sqrt(variance)
            poses[t, i] = poses[t - 1, i] + mean + deviations[t, i] * noise[t, i]


@kernel(parallel=True)
def roll_out_all(
    poses,
    begin,
    stops,
    driven,
    parents,
    counts,
    rows,
    bars,
    tempos,
    company,
    pull,
    k,
    favours,
    noise,
    deviations,
):
    """`roll_out` of S motions at once: poses (S, T, n), as far as stops (S,); bars and favours (S, N)."""
    for s in prange(len(poses)):
        stop = stops[s]
        roll_out(
            poses[s, :stop],
            begin,
            driven,
            parents,
            counts,
            rows,
            bars[s],
            tempos,
            company,
            pull,
            k,
            favours[s],
            noise[s, :stop],
            deviations[s, :stop],
        )


@kernel(fastmath=True)
def foresee(poses, driven, parents, counts, rows, bars, tempos, company, pull, k, means, deviations):
    """Fill means and deviations (T, n) of every frame as foreseen from the two true ones before it."""
    count = rows.shape[1]
    common, distances = np.empty(count, np.float32), np.empty(count, np.float32)
    found, near = np.empty(2 * k, np.int64), np.empty(4 * k, np.float32)
    favour = np.ones(count, np.float32)
    guesses = np.ones(rows.shape[0], np.float32)
    for t in range(2, len(poses)):
        common[:] = bars
        add_company(rows, poses[t - 2], poses[t - 1], tempos, company, common)
        for i in driven:
            distances[:] = common
            add_history(i, rows, poses[t - 2, i], poses[t - 1, i], tempos[i], distances)
            for e in range(counts[i]):
                add_distances(parents[i, e], rows, poses[t - 2], poses[t - 1], poses[t], distances)
            inside, guesses[i] = find_nearest(distances, k, guesses[i], found, near)
            total = weigh(near, inside, guesses[i], found, favour)
            mean, variance = predict_change(rows, i, poses[t - 1, i], pull, found, near, inside, total)
            means[t, i] = poses[t - 1, i] + mean
            deviations[t, i] = math.sqrt(variance)


@kernel(parallel=True)
def keep_company(others, starts, rows, bars, tempos, company, commons):
    """Fill commons (N, N): distances that all nodes share, to each frame from the two before it.

    others: (N, n) poses. bars: (L, N) rows barred while a clip is held out.
    """
    for clip in range(len(starts) - 1):
        for t in prange(starts[clip] + 2, starts[clip + 1]):
            commons[t] = bars[clip]
            add_company(rows, others[t - 2], others[t - 1], tempos, company, commons[t])


@kernel(parallel=True, fastmath=True)
def score_changes(
    truth,
    others,
    starts,
    driven,
    parents,
    counts,
    rows,
    commons,
    tempos,
    pull,
    k,
    floor,
    candidates,
    dropping,
    scores,
):
    """Fill scores (n, C + 1): log likelihood of each driven node with one candidate edge more, and as it is.

    A node is propagated through each clip that is held out, its parents being what `others` (N, n) says they
    are. truth: (N, n) the inputs. starts: (L + 1,) of clips. commons: (N, N) what `keep_company` filled. floor:
    least variance. candidates: (n, C) codes to add, or -1 for none; with `dropping`, edges to leave out:
    candidates are then places in the node's list of parents.
    """
    clips, width = len(starts) - 1, candidates.shape[1]
    for index in prange(len(driven)):
        i = driven[index]
        count = rows.shape[1]
        base = np.empty((0, 0), np.float32)
        distances = np.empty(count, np.float32)
        found, near = np.empty(2 * k, np.int64), np.empty(4 * k, np.float32)
        favour = np.ones(count, np.float32)
        for c in range(width + 1):
            scores[i, c] = 0.0
        for clip in range(clips):
            first, stop = starts[clip], starts[clip + 1]
            base = np.empty((stop - first, count), np.float32)
            for t in range(first + 2, stop):
                base[t - first] = commons[t]
                for e in range(counts[i]):
                    add_distances(parents[i, e], rows, others[t - 2], others[t - 1], others[t], base[t - first])
            for c in range(width + 1):
                code = -1 if c == width else candidates[i, c]
                if code < 0 and c < width:
                    scores[i, c] = -np.inf
                    continue
                if code >= 0 and dropping:
                    code = parents[i, code]
                before, now = truth[first, i], truth[first + 1, i]
                guess, score = np.float32(1.0), 0.0
                for t in range(first + 2, stop):
                    distances[:] = base[t - first]
                    if code >= 0:
                        _add_one(code, dropping, rows, others[t - 2], others[t - 1], others[t], distances)
                    add_history(i, rows, before, now, tempos[i], distances)
                    inside, guess = find_nearest(distances, k, guess, found, near)
                    total = weigh(near, inside, guess, found, favour)
                    mean, variance = predict_change(rows, i, now, pull, found, near, inside, total)
                    before, now = now, now + mean
                    gap = now - truth[t, i]
                    spread = variance + floor
                    score -= 0.5 * (gap * gap / spread + math.log(spread))
                scores[i, c] += score


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
    """Mix into each row of noise (T, n) so much of the row before as lasts (n,), its spread staying the same."""
    for t in range(len(noise)):
        for i in range(noise.shape[1]):
            if t > 0 or not begins:
                before = last[i] if t == 0 else noise[t - 1, i]
                noise[t, i] = lasting[i] * before + math.sqrt(1.0 - lasting[i] ** 2) * noise[t, i]
