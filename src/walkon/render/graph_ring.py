"""A motion graph as a ring: recordings along the rim, coloured by what is done, transitions across the middle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, runs, stretches
from walkon.graphs import MotionGraph
from walkon.render.label_colours import labels_colour
from walkon.render.page import Page

RIM_GAP = 0.007
"""Share of the rim between two recordings."""

THICK = 16.0
"""Breadth [px] of the rim."""

MOST_DRAWN = 4000
"""Transitions drawn; of more, as many drawn at random."""

MOST_NAMES = 48
"""With more recordings, only the longest are named."""


class Ring:
    """Where the rows of a corpus are on a circle: clockwise from the top, with gaps between recordings.

    middle: (2,), radius: [px]. step: [rad] from row to row.
    """

    def __init__(self, graph: MotionGraph, middle: tuple[float, float], radius: float) -> None:
        library = graph.corpus.library
        gap = min(RIM_GAP, 0.3 / len(library))
        gaps, room = gap * (np.arange(len(library)) + 0.5), 1.0 - gap * len(library)
        self._before = 2.0 * np.pi * gaps
        self.step = 2.0 * np.pi * room / library.frame_count
        self._clips = library.clip_of_frame
        self.middle, self.radius = np.array(middle), radius

    def angles(self, rows: NDArray) -> Array:
        """Clockwise from the top [rad]; rows (...) may lie between two."""
        clips = self._clips[np.clip(np.floor(rows).astype(np.int64), 0, len(self._clips) - 1)]
        return self._before[clips] + self.step * np.asarray(rows, dtype=np.float64)

    def points(self, angles: NDArray, radius: float) -> Array:
        """Points (..., 2) of the page at a radius [px] from the middle."""
        return self.middle + radius * np.stack([np.sin(angles), -np.cos(angles)], axis=-1)


def draw_ring(page: Page, graph: MotionGraph, middle: tuple[float, float], radius: float) -> int:
    """Draw the ring on a page; how many transitions it shows."""
    ring = Ring(graph, middle, radius)
    drawn = _draw_transitions(page, graph, ring)
    _draw_rim(page, graph, ring)
    _draw_names(page, graph, ring)
    return drawn


def _draw_rim(page: Page, graph: MotionGraph, ring: Ring) -> None:
    corpus = graph.corpus
    used = np.zeros(len(corpus) + 1, dtype=bool)
    for edge in np.flatnonzero(graph.carries < 0):
        used[graph.nodes[graph.tails[edge]] : graph.nodes[graph.heads[edge]] + 1] = True
    for start, stop in stretches(corpus.labels + len(corpus.label_sets) * corpus.library.clip_of_frame):
        colour = labels_colour(corpus.label_sets[corpus.labels[start]])
        _draw_band(page, ring, start, stop, (*colour, 90), THICK)
        # What pruning has left out stays pale.
        for first, last in runs(used[start:stop]):
            _draw_band(page, ring, start + first, start + last, colour, THICK)


def _draw_band(page: Page, ring: Ring, start: int, stop: int, colour: tuple[int, ...], thick: float) -> None:
    first, last = (float(angle) for angle in ring.angles(np.array([start, stop - 1])))
    last += ring.step
    angles = np.linspace(first, last, max(2, math.ceil((last - first) / 0.02)))
    outer, inner = ring.points(angles, ring.radius + thick), ring.points(angles[::-1], ring.radius)
    page.patch(np.concatenate([outer, inner]), colour)


def _draw_transitions(page: Page, graph: MotionGraph, ring: Ring) -> int:
    """Curves from source to target: within one kind of motion faint and below, from one kind to another above."""
    corpus, transitions = graph.corpus, graph.transitions
    chosen = np.arange(len(transitions))
    if len(chosen) > MOST_DRAWN:
        chosen = np.sort(np.random.default_rng(0).choice(chosen, MOST_DRAWN, replace=False))
    sources, targets = transitions.sources[chosen], transitions.targets[chosen]
    changes = corpus.labels[sources] != corpus.labels[targets]
    strength = float(np.clip(150.0 - 28.0 * math.log10(max(len(chosen), 1)), 30.0, 150.0))
    share = np.linspace(0.0, 1.0, 24)[:, None]
    for index in np.argsort(changes, kind="stable"):
        angles = ring.angles(np.array([sources[index], targets[index]]))
        begin, end = ring.points(angles, ring.radius - 3.0)
        apart = abs(math.sin(0.5 * float(angles[1] - angles[0])))
        # Neighbours bow inwards a little, opposites go through the middle.
        bend = ring.middle + (0.5 * (begin + end) - ring.middle) * (1.0 - min(0.25 + apart, 1.0))
        curve = (1.0 - share) ** 2 * begin + 2.0 * share * (1.0 - share) * bend + share**2 * end
        colour = labels_colour(corpus.label_sets[corpus.labels[targets[index]]])
        page.stroke(curve, (*colour, round(min(1.9 * strength, 230.0) if changes[index] else strength)), 1.0)
    return len(chosen)


def _draw_names(page: Page, graph: MotionGraph, ring: Ring) -> None:
    library = graph.corpus.library
    lengths = library.stops - library.starts
    named = np.argsort(-lengths, kind="stable")[:MOST_NAMES]
    for clip in named:
        angle = float(ring.angles(np.array(0.5 * (library.starts[clip] + library.stops[clip] - 1))))
        x, y = ring.points(np.array(angle), ring.radius + THICK + 10.0)
        side = math.sin(angle)
        anchor = "mm" if abs(side) < 0.12 else "lm" if side > 0.0 else "rm"
        page.text((float(x), float(y)), library.names[clip], size=12, anchor=anchor)
