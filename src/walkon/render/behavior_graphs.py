"""A behavior graph as a picture: poses are hubs, behaviors are arrows between them, as SVG.

Around each pose stand the behaviors that end where they began, as petals; between poses run the others. Every
behavior shows its way over the ground as seen from above, facing up when it begins, all at one scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from walkon.basics import Array
from walkon.behaviors.graph import BehaviorGraph
from walkon.behaviors.kinds import BEHAVIOR_KINDS, BehaviorKind
from walkon.render.svg import element, track, words

HUB, PETAL, DISC = 46.0, 92.0, 19.0
"""Radius of a hub, length of a petal beyond it and radius of the disc with the way [px]."""

LANE = 27.0
"""Distance [px] between arrows that run side by side."""

SLOT = 44.0
"""Room [px] that a petal takes at its tip."""

LETTER = 6.4
"""Width [px] of a letter of a label, about: labels are laid out before anybody has drawn them."""

PAGE_MARGIN, TITLE_BAND = 30.0, 56.0
"""Space [px] around everything, and above that for the title."""

DARK, DIM, WHITE = "#22262b", "#55595e", "#ffffff"
"""Of poses and text, of text that says less, and of paper."""


class _Drawn(NamedTuple):
    """A piece of the picture, and the points (N, 2) [px] it must have room for."""

    svg: str
    extent: Array


def draw_behavior_graph(graph: BehaviorGraph) -> str:
    """The SVG of a behavior graph, as text."""
    centers = _hub_places(graph)
    scale = _scale(graph)
    poses = range(len(graph.poses))
    pieces = [piece for pose in poses for piece in _petals(graph, pose, centers, scale)]
    for first in poses:
        for second in poses:
            if first != second:
                pieces += _lanes(graph, first, second, centers, scale)
    pieces += [_hub(graph, pose, centers[pose]) for pose in poses]
    points = np.concatenate([piece.extent for piece in pieces])
    low, high = points.min(axis=0) - PAGE_MARGIN, points.max(axis=0) + PAGE_MARGIN
    legend, tall = _legend(graph, low, high, scale)
    title = f"{graph.library.name}: {len(graph.names)} behaviors, {len(graph.poses)} poses"
    x, y = round(low[0]), round(low[1] - TITLE_BAND)
    width, height = round(high[0] - low[0]), round(high[1] - low[1] + tall + TITLE_BAND)
    return element(
        "svg",
        element("title", escape(title)),
        _markers(graph),
        element("rect", x=x, y=y, width=width, height=height, fill=WHITE),
        words(x + PAGE_MARGIN, y + 38.0, title, font_size=18, fill=DARK),
        *(piece.svg for piece in pieces),
        legend,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"{x} {y} {width} {height}",
        font_family="DejaVu Sans, Verdana, sans-serif",
        font_size=11,
    )


def _hub_places(graph: BehaviorGraph) -> Array:
    """Places (P, 2) [px] of the poses: on a circle, far enough apart for the arrows between them."""
    count = len(graph.poses)
    if count == 1:
        return np.zeros((1, 2))
    lanes = max(len(_between(graph, a, b)) for a in range(count) for b in range(count) if a != b)
    longest = max(map(len, graph.names)) * LETTER
    petals = 2.0 * (HUB + PETAL + DISC) + longest
    side = max(4.0 * HUB + 3.0 * DISC + longest, 2.0 * HUB + 4.0 * LANE * lanes, petals if count > 2 else 0.0)
    radius = side / (2.0 * np.sin(np.pi / count))
    angles = np.pi + 2.0 * np.pi * np.arange(count) / count
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _between(graph: BehaviorGraph, first: int, second: int) -> list[int]:
    """Behaviors from one pose to another."""
    return [int(b) for b in np.flatnonzero((graph.entry == first) & (graph.exit == second))]


def _scale(graph: BehaviorGraph) -> float:
    """Pixels for a metre of way: the longest way just fits its disc."""
    longest = max(float(np.ptp(_way(graph, b), axis=0).max()) for b in range(len(graph.names)))
    return 2.0 * (DISC - 4.0) / max(longest, 0.5)


def _way(graph: BehaviorGraph, behavior: int) -> Array:
    """Way (N, 2) [m] of a behavior's first clip, to the right and down on the page; it starts facing up."""
    clip = int(graph.clip_starts[behavior])
    return -graph.paths[graph.frame_starts[clip] : graph.frame_starts[clip + 1]]


def _petals(graph: BehaviorGraph, pose: int, centers: Array, scale: float) -> list[_Drawn]:
    """The behaviors that end in the pose they began in, around it, away from the other poses."""
    own = _between(graph, pose, pose)
    if not own:
        return []
    center = centers[pose]
    outward = float(np.arctan2(center[1], center[0])) if len(centers) > 1 else -0.5 * np.pi
    span = 2.0 * np.pi if len(centers) == 1 else 1.25 * np.pi
    reach = max(HUB + PETAL, SLOT * len(own) / span)
    step = span / len(own) if len(centers) == 1 else min(span / len(own), SLOT / reach * 1.2)
    angles = outward + step * (np.arange(len(own)) - 0.5 * (len(own) - 1))
    return [_petal(graph, b, center, angle, reach, scale) for b, angle in zip(own, angles, strict=True)]


def _petal(graph: BehaviorGraph, behavior: int, center: Array, angle: float, reach: float, scale: float) -> _Drawn:
    """One loop: out to a disc with the way on it, and back; beyond it the name."""
    ahead = np.array([np.cos(angle), np.sin(angle)])
    aside = np.array([-ahead[1], ahead[0]])
    tip = center + reach * ahead
    out, back = (center + HUB * (np.cos(0.1) * ahead + sign * np.sin(0.1) * aside) for sign in (-1, 1))
    rim = [tip - 0.6 * DISC * ahead + sign * 0.8 * DISC * aside for sign in (-1, 1)]
    color = graph.kind_of(behavior).color
    lines = _curve(out, out + 0.4 * (tip - out), rim[0], color) + _curve(
        rim[1], back + 0.4 * (tip - back), back, color, _marker(graph, behavior)
    )
    text, far = _label(graph.names[behavior], tip, angle, DISC + 6.0, color)
    svg = f"{lines}{_disc(graph, behavior, tip, scale)}{text}"
    return _Drawn(svg, np.array([tip - DISC, tip + DISC, far - 8.0, far + 8.0]))


def _label(name: str, tip: Array, angle: float, offset: float, color: str) -> tuple[str, Array]:
    """A name that runs on from the tip, always readable from left to right; and where it ends."""
    ahead = np.array([np.cos(angle), np.sin(angle)])
    at, far = tip + offset * ahead, tip + (offset + LETTER * len(name)) * ahead
    degrees = float(np.degrees(angle))
    anchor = "start"
    if ahead[0] < -1e-9:
        degrees, anchor = degrees + 180.0, "end"
    return _text(name, at, degrees, anchor, color), far


def _lanes(graph: BehaviorGraph, first: int, second: int, centers: Array, scale: float) -> list[_Drawn]:
    """The behaviors from one pose to another, side by side, each way on its own side."""
    start, stop = centers[first], centers[second]
    along = (stop - start) / np.linalg.norm(stop - start)
    aside = np.array([along[1], -along[0]])
    drawn = []
    for number, behavior in enumerate(_between(graph, first, second)):
        bow = LANE * (number + 0.8)
        middle = 0.5 * (start + stop) + bow * aside
        # A quadratic curve passes half as far from its chord as its control point.
        control = 0.5 * (start + stop) + 2.0 * bow * aside
        begin, end = (_rim(center, control) for center in (start, stop))
        color = graph.kind_of(behavior).color
        name = graph.names[behavior]
        width = LETTER * len(name)
        flip = along[0] < -1e-9
        degrees = float(np.degrees(np.arctan2(along[1], along[0]))) + (180.0 if flip else 0.0)
        right = -along if flip else along
        disc, label = middle - 0.5 * width * right, middle + (DISC - 0.5 * width + 5.0) * right
        svg = _curve(begin, control, end, color, _marker(graph, behavior))
        svg += _disc(graph, behavior, disc, scale, 0.62) + _text(name, label, degrees, "start", color)
        drawn.append(_Drawn(svg, np.array([middle - DISC, middle + DISC])))
    return drawn


def _rim(center: Array, towards: Array) -> Array:
    """Where a line from a hub's center towards a point leaves the hub."""
    direction = towards - center
    return center + (HUB + 1.0) * direction / np.linalg.norm(direction)


def _curve(begin: Array, control: Array, end: Array, color: str, marker: str = "") -> str:
    tip = {"marker_end": f"url(#{marker})"} if marker else {}
    way = f"M{begin[0]:.1f} {begin[1]:.1f}Q{control[0]:.1f} {control[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    return element("path", d=way, fill="none", stroke=color, stroke_width=1.3, stroke_opacity="0.75", **tip)


def _disc(graph: BehaviorGraph, behavior: int, center: Array, scale: float, size: float = 1.0) -> str:
    """A white disc with the way over the ground on it, from a dot to an arrow head."""
    color = graph.kind_of(behavior).color
    way = _way(graph, behavior) * scale * size
    way = way - 0.5 * (way.min(axis=0) + way.max(axis=0)) + center
    every = max(1, len(way) // 14)
    thin = np.concatenate([way[:-1:every], way[-1:]])
    return (
        _circle(center, DISC * size, fill=WHITE, stroke=color, stroke_opacity="0.45")
        + element("path", d=track(thin.tolist()), fill="none", stroke=color, stroke_width=1.6)
        + _circle(way[0], 2.2, fill=color)
    )


def _circle(center: Array, radius: float, **style: object) -> str:
    return element("circle", cx=float(center[0]), cy=float(center[1]), r=radius, **style)


def _text(text: str, at: Array, degrees: float, anchor: str, color: str) -> str:
    """A label with a white rim, so that no line makes it unreadable."""
    x, y = at.tolist()
    turned = {"transform": f"rotate({degrees:.1f} {x:.1f} {y:.1f})", "dy": "0.35em", "text_anchor": anchor}
    rim = {"stroke": WHITE, "stroke_width": 3, "paint_order": "stroke"}
    return words(x, y, text, fill=color, **turned, **rim)


def _hub(graph: BehaviorGraph, pose: int, center: Array) -> _Drawn:
    """A pose; one that someone can stay in has a double rim."""
    x, y = center.tolist()
    rim = _circle(center, HUB - 5.0, fill="none", stroke=WHITE, stroke_width=1.5) if graph.rests[pose] else ""
    name = words(x, y, graph.poses[pose], dy="0.35em", text_anchor="middle", fill=WHITE, font_size=15)
    return _Drawn(_circle(center, HUB, fill=DARK) + rim + name, np.array([center - HUB, center + HUB]))


def _marker(graph: BehaviorGraph, behavior: int) -> str:
    return f"to-{graph.kind_of(behavior).name}"


def _markers(graph: BehaviorGraph) -> str:
    """Arrow heads, one for every colour."""
    shape = {"viewBox": "0 0 8 8", "refX": 7, "refY": 4, "markerWidth": 7, "markerHeight": 7, "orient": "auto"}
    tips = {kind.name: element("path", d="M0 0.8L8 4L0 7.2z", fill=kind.color) for kind in _kinds_used(graph)}
    return element("defs", *(element("marker", tip, id=f"to-{name}", **shape) for name, tip in tips.items()))


def _kinds_used(graph: BehaviorGraph) -> Sequence[BehaviorKind]:
    return [kind for number, kind in enumerate(BEHAVIOR_KINDS.values()) if number in graph.kinds]


def _legend(graph: BehaviorGraph, low: Array, high: Array, scale: float) -> tuple[str, float]:
    """What the colours and the discs mean, below the picture, and how much room [px] that takes."""
    start = float(low[0]) + PAGE_MARGIN
    x, y = start, float(high[1]) + 6.0
    items = []
    for kind in _kinds_used(graph):
        said = f"{kind.name} {graph.which(kind.__eq__).sum()}"
        if x + 24.0 + LETTER * len(said) > high[0]:
            x, y = start, y + 20.0
        items.append(_circle(np.array([x, y]), 5.0, fill=kind.color))
        items.append(words(x + 10.0, y, said, dy="0.35em", fill=DARK))
        x += 34.0 + LETTER * len(said)
    y += 22.0
    said = (
        "1 m in the large discs: the way over the ground, facing up at the dot; "
        "a double rim marks a pose to rest in"
    )
    items.append(element("line", x1=start, y1=y, x2=start + scale, y2=y, stroke=DARK))
    items.append(words(start + scale + 8.0, y, said, dy="0.35em", fill=DIM))
    return "".join(items), y - float(high[1]) + 24.0
