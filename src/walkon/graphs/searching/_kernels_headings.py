"""What it costs to go in a direction, from every node at once: worked out backwards until nothing changes."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel

SWEEPS = 500
"""Times that all nodes are gone through, at most."""


@kernel
def weigh_edges(trail_offsets, trails, pace, discount, surcharges):
    """What edges waste (E, 3): a constant [m] less the way x, z [m] made good, all discounted by frame."""
    wasted = np.zeros((len(trail_offsets) - 1, 3))
    for edge in range(len(wasted)):
        wasted[edge, 0] = surcharges[edge]
        share, x, z = 1.0, 0.0, 0.0
        for i in range(trail_offsets[edge], trail_offsets[edge + 1]):
            step_x, step_z = trails[i, 0] - x, trails[i, 1] - z
            wasted[edge, 0] += share * max(math.hypot(step_x, step_z), pace)
            wasted[edge, 1] += share * step_x
            wasted[edge, 2] += share * step_z
            x, z, share = trails[i, 0], trails[i, 1], share * discount
    return wasted


@kernel
def cost_of(edge, angle, wasted, heads, turns, shares, values):
    """What it costs to go in a direction [rad], seen from the tail of an edge, along it and on for ever."""
    headings = values.shape[1]
    place = (angle - turns[edge]) / (2.0 * math.pi) * headings
    floor = math.floor(place)
    part, before = place - floor, int(floor) % headings
    ahead = values[heads[edge], before] * (1.0 - part) + values[heads[edge], (before + 1) % headings] * part
    return (
        wasted[edge, 0]
        - wasted[edge, 1] * math.sin(angle)
        - wasted[edge, 2] * math.cos(angle)
        + shares[edge] * ahead
    )


@kernel
def sweep_values(offsets, allowed, wasted, heads, turns, shares, tolerance, values):
    """Fills values (V, n): the least cost [m] of n directions from every node; how many sweeps it took."""
    headings = values.shape[1]
    for sweep in range(SWEEPS):
        changed = 0.0
        # Recordings lead from a node to the next: backwards, a whole one is done in one sweep.
        for node in range(len(values) - 1, -1, -1):
            for i in range(headings):
                angle = 2.0 * math.pi * i / headings
                least = np.inf
                for edge in range(offsets[node], offsets[node + 1]):
                    if allowed[edge]:
                        least = min(least, cost_of(edge, angle, wasted, heads, turns, shares, values))
                if least < np.inf:
                    changed = max(changed, abs(least - values[node, i]))
                    values[node, i] = least
        if changed < tolerance:
            return sweep + 1
    return SWEEPS


@kernel
def best_edges(offsets, allowed, wasted, heads, turns, shares, values, table):
    """Fills the table (V, n) with the edge that each of n directions is best gone in; -1 where there is none."""
    for node in range(len(table)):
        for i in range(table.shape[1]):
            angle = 2.0 * math.pi * i / table.shape[1]
            least, table[node, i] = np.inf, -1
            for edge in range(offsets[node], offsets[node + 1]):
                if allowed[edge]:
                    cost = cost_of(edge, angle, wasted, heads, turns, shares, values)
                    if cost < least:
                        least, table[node, i] = cost, edge
