"""Walks as lists of jumps between recordings, and what can be put in the place of some of them."""

from __future__ import annotations

import numpy as np

from walkon.graphs.searching._kernels_wandering import below
from walkon.kernels import kernel


@kernel
def replace_part(jumps, first, stop, put, walk):
    """Writes jumps (m,) with those from first to stop replaced by put (p,); how many there are, -1 if too many."""
    count = len(jumps) - (stop - first) + len(put)
    if count > len(walk):
        return -1
    walk[:first] = jumps[:first]
    walk[first : first + len(put)] = put
    walk[first + len(put) : count] = jumps[stop:]
    return count


@kernel
def ranges(i, j, start, jumps, chart):
    """With jumps i to j - 2 taken out: the node before, the node after (-1: free), and jumps that may fit."""
    before = start if i == 0 else chart.heads[jumps[i - 1]]
    run = chart.run_of[before]
    if j == len(jumps) + 1:
        return before, -1, chart.leaving[run], chart.leaving[run + 1]
    after = chart.tails[jumps[j - 1]]
    key = run * (len(chart.leaving) - 1) + chart.run_of[after]
    return before, after, np.searchsorted(chart.keys, key, "left"), np.searchsorted(chart.keys, key, "right")


@kernel
def propose(pairs, cursor, start, jumps, end, chart, walks, lengths, ends):
    """Walks in which the jumps between two are replaced by none or by one; all of them, some at each call.

    pairs: (Q, 2) i, j of the jumps before and after, 0 the start and m + 1 the end. cursor: (2,) pair and place
    in it, moved on. Returns how many walks (B, m) were written, fewer than B only when there are no more.
    """
    count, one = 0, np.zeros(1, np.int64)
    while cursor[0] < len(pairs):
        i, j = pairs[cursor[0], 0], pairs[cursor[0], 1]
        before, after, first, stop = ranges(i, j, start, jumps, chart)
        # Without a jump one goes on to what comes after, or to any end that is left on the run.
        straight = 1
        if after < 0:
            while (
                before + straight < len(chart.run_of) and chart.run_of[before + straight] == chart.run_of[before]
            ):
                straight += 1
        while cursor[1] < straight + stop - first:
            if count == len(lengths):
                return count
            at = cursor[1]
            cursor[1] += 1
            used, last, put = False, end, one[:0]
            if at < straight:
                if after < 0:
                    last = before + at
                    used = chart.next_end[last] == last and not (last == end and i == len(jumps))
                else:
                    used = j > i + 1 and chart.run_of[before] == chart.run_of[after] and before <= after
            else:
                jump = first + at - straight
                one[0] = jump
                put = one
                same = j == i + 2 and jumps[i] == jump
                if after < 0:
                    last = chart.next_end[chart.heads[jump]]
                    used = chart.tails[jump] >= before and last >= 0 and not (same and last == end)
                else:
                    used = chart.tails[jump] >= before and chart.heads[jump] <= after and not same
            if used:
                lengths[count] = replace_part(jumps, i, j - 1, put, walks[count])
                ends[count] = last
                count += lengths[count] >= 0
        cursor[0] += 1
        cursor[1] = 0
    return count


@kernel
def propose_two(state, start, jumps, end, chart, walks, lengths, ends):
    """Walks in which a random part is replaced by two other jumps; how many, and the state of chance."""
    count, two, runs = 0, np.zeros(2, np.int64), len(chart.leaving) - 1
    for _ in range(4 * len(lengths)):
        if count == len(lengths):
            break
        state, i = below(state, len(jumps) + 1)
        state, more = below(state, len(jumps) + 1 - i)
        j = i + 1 + more
        before, after, _, _ = ranges(i, j, start, jumps, chart)
        run = chart.run_of[before]
        if chart.leaving[run + 1] == chart.leaving[run]:
            continue
        state, pick = below(state, chart.leaving[run + 1] - chart.leaving[run])
        two[0] = chart.leaving[run] + pick
        between = chart.run_of[chart.heads[two[0]]]
        if after < 0:
            first, stop = chart.leaving[between], chart.leaving[between + 1]
        else:
            key = between * runs + chart.run_of[after]
            first, stop = np.searchsorted(chart.keys, key, "left"), np.searchsorted(chart.keys, key, "right")
        if stop == first:
            continue
        state, pick = below(state, stop - first)
        two[1] = first + pick
        last = end if after >= 0 else chart.next_end[chart.heads[two[1]]]
        if (
            chart.tails[two[0]] >= before
            and chart.tails[two[1]] >= chart.heads[two[0]]
            and last >= 0
            and (after < 0 or chart.heads[two[1]] <= after)
        ):
            lengths[count] = replace_part(jumps, i, j - 1, two, walks[count])
            ends[count] = last
            count += lengths[count] >= 0
    return count, state
