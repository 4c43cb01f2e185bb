"""A motion graph in a few circles: the kinds of motion there are, and how many ways lead from one to another."""

from __future__ import annotations

import math

import numpy as np

from walkon.basics import Array
from walkon.graphs import MotionGraph
from walkon.render.label_colours import labels_colour, labels_name
from walkon.render.page import Page

SMALLEST, LARGEST = 0.15, 0.33
"""Radii of the circles against that of the ring they stand on."""

ARROW_HEAD = 11.0
"""Length [px] of an arrow's head."""


def draw_schema(page: Page, graph: MotionGraph, middle: tuple[float, float], radius: float) -> None:
    """Circles for the kinds of motion, as large as there is motion; arrows with the number of transitions."""
    corpus = graph.corpus
    seconds = np.bincount(corpus.labels, minlength=len(corpus.label_sets)) / corpus.fps
    kinds = [kind for kind in np.argsort(-seconds, kind="stable").tolist() if seconds[kind] > 0.0]
    sources, targets = (corpus.labels[rows] for rows in (graph.transitions.sources, graph.transitions.targets))
    counts = np.zeros((len(corpus.label_sets), len(corpus.label_sets)), dtype=np.int64)
    np.add.at(counts, (sources, targets), 1)
    most = float(seconds.max())
    sizes = {kind: radius * (SMALLEST + (LARGEST - SMALLEST) * math.sqrt(seconds[kind] / most)) for kind in kinds}
    places = _places(len(kinds), middle, radius)
    where = dict(zip(kinds, places, strict=True))
    ways = [(one, other) for one in kinds for other in kinds if one != other and counts[one, other]]
    curves = {(one, other): _bow(where[one], where[other], sizes[one], sizes[other]) for one, other in ways}
    for one, other in ways:
        _draw_arrow(page, curves[one, other], int(counts[one, other]), labels_colour(corpus.label_sets[other]))
    for kind in kinds:
        within = int(counts[kind, kind])
        _draw_circle(page, where[kind], sizes[kind], corpus.label_sets[kind], float(seconds[kind]), within)
    # Last, so that no circle hides a number.
    for (one, other), curve in curves.items():
        x, y = curve[len(curve) // 2]
        page.text((float(x), float(y)), str(counts[one, other]), size=11, anchor="mm", halo=True)


def _places(count: int, middle: tuple[float, float], radius: float) -> Array:
    """Places (count, 2) on a circle, the first at the top left; one alone is in the middle."""
    if count == 1:
        return np.array([middle])
    angles = -0.25 * np.pi - 0.5 * np.pi + 2.0 * np.pi * np.arange(count) / count
    return np.array(middle) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _draw_circle(
    page: Page, place: Array, size: float, labels: frozenset[str], seconds: float, within: int
) -> None:
    x, y = float(place[0]), float(place[1])
    page.blob((x, y), size, labels_colour(labels), (255, 255, 255))
    white = (255, 255, 255)
    page.text((x, y - 11), labels_name(labels), size=15, anchor="mm", colour=white)
    page.text((x, y + 7), f"{seconds:.0f} s", size=12, anchor="mm", colour=white)
    if within and size > 36.0:
        page.text((x, y + 23), f"{within} within", size=11, anchor="mm", colour=white)


def _bow(begin: Array, end: Array, leaves: float, arrives: float) -> Array:
    """Points (K, 2) of a curve from circle to circle, a little to the right of the straight line."""
    way = end - begin
    share = np.linspace(0.0, 1.0, 60)[:, None]
    curve = begin + share * way + 4.0 * share * (1.0 - share) * 0.14 * np.array([way[1], -way[0]])
    outside = (np.hypot(*(curve - begin).T) > leaves + 5.0) & (np.hypot(*(curve - end).T) > arrives + 4.0)
    return curve[outside] if outside.sum() >= 4 else curve


def _draw_arrow(page: Page, curve: Array, count: int, colour: tuple[int, int, int]) -> None:
    """An arrow along a curve, thicker for more transitions."""
    thick = 1.2 + 1.5 * math.log10(count)
    tip, back = curve[-1], curve[-1] - curve[-4]
    back = back / max(float(np.hypot(*back)), 1e-9)
    side = np.array([back[1], -back[0]])
    wide = ARROW_HEAD * 0.5 + 0.5 * thick
    page.stroke(curve[:-2], (*colour, 210), thick)
    page.patch(
        np.array([tip, tip - ARROW_HEAD * back + wide * side, tip - ARROW_HEAD * back - wide * side]),
        (*colour, 235),
    )
