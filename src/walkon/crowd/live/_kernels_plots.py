"""A rough map of the ground around somebody among people who stand: how far it is to where one wants.

People who may be asked to step aside are not in the way on it, but cost.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live._kernels_checks import room_at
from walkon.crowd.live._kernels_heap import pop, push
from walkon.kernels import inlined, kernel

PLOT, PLOT_CELL = 72, 0.15
"""Cells of the map on each side, and the side of a cell [m]: 10.8 m in all. With more cells, people get out of
longer corridors at once, and looks take longer; with larger ones, the map shows no way between two people."""

PER_METRE = 5.0
"""What a metre still to go counts, in the cost of clips: a metre at a slow walk costs about 2, by small steps 5.
With more, looks are quicker, and ways are odd; with less, looks end before they find anything."""

PUSHED = 4.0
"""What it costs to have somebody step aside, as much as two metres at a slow walk. With more, people go far around
others; with less, they push where they could have gone around."""

NEXT_TO, PAST_IT, PAST_THEM = 0.45, 1.0, 4.0
"""[m] How near to the middle of somebody one cannot get by, and what it costs on the map to get past somebody who
may step aside, or who does not, for each metre of the way. The second is no more than a guess, as bodies are not
round: with much more, gaps between two are not found."""

TIGHT, IN_TIGHT = 0.3, 1.0
"""[m] Room to the next wall below which a metre costs more on the map, and how much more."""


class Plot(NamedTuple):
    """A map of the ground around somebody. x, z: its corner. toll: (PLOT, PLOT) what a metre costs, inf where
    nobody gets. left: (PLOT, PLOT) how far [m] it is from there."""

    x: float
    z: float
    toll: NDArray[np.float64]
    left: NDArray[np.float64]


class Bystanders(NamedTuple):
    """Who stands around, or will: bodies (N, BODY), and bits (N,) by which those are known who may be asked to
    step aside, 0 for the others. tubes: (T, BODY) all bodies of those for whom one makes way. gap [m] to
    others."""

    bodies: NDArray[np.float64]
    bits: NDArray[np.int64]
    tubes: NDArray[np.float64]
    gap: float


@kernel
def draw_toll(plot, slim, people, around):
    """What a metre costs all over a plot: nobody gets where there is less room than `slim` [m]."""
    for row in range(PLOT):
        for column in range(PLOT):
            x, z = plot.x + (column + 0.5) * PLOT_CELL, plot.z + (row + 0.5) * PLOT_CELL
            room = room_at(around, x, z)
            plot.toll[row, column] = np.inf if room < slim else 1.0 + (IN_TIGHT if room < TIGHT else 0.0)
    near = int(NEXT_TO / PLOT_CELL) + 1
    for k in range(len(people.bodies)):
        x, z = people.bodies[k, 0], people.bodies[k, 1]
        middle, across = int((z - plot.z) / PLOT_CELL), int((x - plot.x) / PLOT_CELL)
        toll = PAST_IT if people.bits[k] else PAST_THEM
        for row in range(max(middle - near, 0), min(middle + near + 1, PLOT)):
            for column in range(max(across - near, 0), min(across + near + 1, PLOT)):
                away_x = plot.x + (column + 0.5) * PLOT_CELL - x
                away_z = plot.z + (row + 0.5) * PLOT_CELL - z
                if away_x * away_x + away_z * away_z < NEXT_TO * NEXT_TO:
                    plot.toll[row, column] += toll


@kernel
def mark_place(plot, x, z):
    """Somebody wants to be at a place: nothing is left to go from there."""
    plot.left[:] = np.inf
    row = min(max(int((z - plot.z) / PLOT_CELL), 0), PLOT - 1)
    column = min(max(int((x - plot.x) / PLOT_CELL), 0), PLOT - 1)
    plot.left[row, column] = 0.0


@kernel
def mark_aside(plot, body, people):
    """Somebody wants to be anywhere out of the tubes; only the body (BODY,) tells how much room it takes."""
    for row in range(PLOT):
        for column in range(PLOT):
            plot.left[row, column] = np.inf
            if not math.isinf(plot.toll[row, column]):
                x, z = plot.x + (column + 0.5) * PLOT_CELL, plot.z + (row + 0.5) * PLOT_CELL
                plot.left[row, column] = _too_near(x, z, body[2], people)


@kernel
def _too_near(x, z, radius, people):
    """inf where somebody who stands would be in a tube or on somebody; else what it costs to stand there: 0, or
    that somebody has to step aside for it."""
    left = 0.0
    for k in range(len(people.bodies)):
        apart = 0.85 * (radius + people.bodies[k, 2])
        if (people.bodies[k, 0] - x) ** 2 + (people.bodies[k, 1] - z) ** 2 < apart * apart:
            if people.bits[k] == 0:
                return np.inf
            left = PUSHED / PER_METRE
    for k in range(0, len(people.tubes), 3):
        apart = 0.9 * (radius + people.tubes[k, 2])
        if (people.tubes[k, 0] - x) ** 2 + (people.tubes[k, 1] - z) ** 2 < apart * apart:
            return np.inf
    return left


@kernel
def spread(plot, memory):
    """From the marked places all over the plot: how far [m] it is to them, tolls counted."""
    keys, items, count = memory.keys, memory.items, 0
    for cell in range(PLOT * PLOT):
        if not math.isinf(plot.left[cell // PLOT, cell % PLOT]):
            count = push(keys, items, count, plot.left[cell // PLOT, cell % PLOT], cell)
    while count > 0:
        key, cell = keys[0], items[0]
        count = pop(keys, items, count)
        row, column = cell // PLOT, cell % PLOT
        if key > plot.left[row, column]:
            continue
        for down in range(-1, 2):
            for right in range(-1, 2):
                a, b = row + down, column + right
                if not (0 <= a < PLOT and 0 <= b < PLOT) or math.isinf(plot.toll[a, b]):
                    continue
                far = key + PLOT_CELL * math.sqrt(float(down * down + right * right)) * plot.toll[a, b]
                if far < plot.left[a, b] - 1e-9 and count < len(keys) - 1:
                    plot.left[a, b] = far
                    count = push(keys, items, count, far, a * PLOT + b)


@inlined
def left_at(plot, x, z):
    """How far [m] it is from a place; inf outside the map and where nobody gets."""
    row, column = math.floor((z - plot.z) / PLOT_CELL), math.floor((x - plot.x) / PLOT_CELL)
    if row < 1 or row >= PLOT - 1 or column < 1 or column >= PLOT - 1:
        return np.inf
    best = np.inf
    for a in range(row - 1, row + 2):
        for b in range(column - 1, column + 2):
            off_x, off_z = plot.x + (b + 0.5) * PLOT_CELL - x, plot.z + (a + 0.5) * PLOT_CELL - z
            best = min(best, plot.left[a, b] + math.sqrt(off_x * off_x + off_z * off_z))
    return best
