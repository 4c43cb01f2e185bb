"""Kernels of hub choice: bare arrays in and out, no raising."""

from __future__ import annotations

from walkon.kernels import kernel


@kernel
def thin_matches(spots, gap, taken, mark, stamp, kept):
    """Choose from `spots` (M,), best first, those at least `gap` from all chosen before and from those taken.

    taken: (S,) True where a spot is too near to one of an earlier set. mark: (S,) scratch in which chosen spots
    get the number `stamp`. kept: (M,) is set to True or False. Returns how many are kept.
    """
    count = 0
    for i in range(spots.shape[0]):
        spot = spots[i]
        free = not taken[spot]
        if free:
            for other in range(max(spot - gap + 1, 0), min(spot + gap, mark.shape[0])):
                if mark[other] == stamp:
                    free = False
                    break
        kept[i] = free
        if free:
            mark[spot] = stamp
            count += 1
    return count


@kernel
def rate_sets(offsets, spots, distances, gap, taken, mark, kept, counts, means):
    """For every centre the size (C,) of its thinned set of matches, and their mean distance (C,).

    Matches of centre c are offsets[c] to offsets[c + 1], nearest first. mark is all -1 before; kept is scratch.
    """
    for c in range(offsets.shape[0] - 1):
        first, last = offsets[c], offsets[c + 1]
        counts[c] = thin_matches(spots[first:last], gap, taken, mark, c, kept[first:last])
        total = 0.0
        for i in range(first, last):
            if kept[i]:
                total += distances[i]
        means[c] = total / max(counts[c], 1)


@kernel
def find_row_minima(distances, firsts, lasts, limits, columns, values):
    """Where the values of one row (M,) are below `limits` (M,) and lower than beside them, stretch by stretch.

    Stretch s is firsts[s] to lasts[s], the latter excluded; its two ends are no minima. Fills columns and values
    as far as they reach. Returns how many there are.
    """
    count = 0
    for s in range(firsts.shape[0]):
        for j in range(firsts[s] + 1, lasts[s] - 1):
            value = distances[j]
            if value < limits[j] and value < distances[j - 1] and value <= distances[j + 1]:
                if count < columns.shape[0]:
                    columns[count] = j
                    values[count] = value
                count += 1
    return count
