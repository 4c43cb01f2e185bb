"""Hubs of a motion graph: their common poses side by side, and how many pieces lead from each to each."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np

from walkon.basics import Array, Picture
from walkon.errors import RenderError
from walkon.graphs.hubs.hubs import HubGraph, PoseHub
from walkon.motion import Clip
from walkon.render.label_colours import labels_colour, labels_name
from walkon.render.page import Page
from walkon.render.palette import INK
from walkon.render.pictures import render_frame

MOST_HUBS = 8
HEAD, ARROW_ROOM = 70, 120
"""[px] above everything, and above and below the poses for arrows."""

POSE_GAP = 26
"""[px] between poses."""

TALL = 1.25
"""Height of a pose's picture against its width."""

TIP = 10.0
"""Length [px] of an arrow's head."""


def draw_hubs(graph: HubGraph, path: Path | str, *, title: str = "hubs", width: int = 1200) -> None:
    """Draw a PNG of the common poses; arrows above lead to the right, below to the left, loops back to the same.

    Numbers are those of the pieces of motion that lead so. width: [px].
    """
    count = len(graph.hubs)
    if not 1 <= count <= MOST_HUBS:
        raise RenderError(f"{count} hubs make no picture; there can be 1 to {MOST_HUBS}")
    side = min((width - 2 * 28 - (count - 1) * POSE_GAP) // count, 300)
    tall = round(TALL * side)
    page = Page(width, HEAD + 2 * ARROW_ROOM + tall + 60)
    left = 0.5 * (width - count * side - (count - 1) * POSE_GAP)
    tops = [(left + number * (side + POSE_GAP), float(HEAD + ARROW_ROOM)) for number in range(count)]
    for number, (hub, at) in enumerate(zip(graph.hubs, tops, strict=True)):
        page.paste(_pose(graph, hub, side, tall), at, (side, tall))
        _tell(page, graph, number, hub, (at[0] + 0.5 * side, at[1] + tall))
    _draw_pieces(page, graph, [x + 0.5 * side for x, _ in tops], HEAD + ARROW_ROOM, HEAD + ARROW_ROOM + tall + 40)
    page.text((28, 24), title, size=20)
    told = f"{count} hubs · {graph.piece_count} pieces, {len(graph.endless)} of them for ever"
    page.text((28, 50), told, faint=True)
    page.save(path)


def _pose(graph: HubGraph, hub: PoseHub, width: int, height: int) -> Picture:
    skeleton = graph.corpus.library.skeleton
    clip = Clip("hub", skeleton, graph.corpus.fps, hub.moment.roots[:1], hub.moment.rotations[:1])
    return render_frame(clip, size=(2 * width, 2 * height))


def _tell(page: Page, graph: HubGraph, number: int, hub: PoseHub, at: tuple[float, float]) -> None:
    """Number, moments and what is done most often in them, below the pose."""
    corpus = graph.corpus
    often = Counter(corpus.labels[hub.rows].tolist()).most_common(2)
    kinds = ", ".join(
        f"{labels_name(corpus.label_sets[kind])} {100 * times / len(hub.rows):.0f} %" for kind, times in often
    )
    page.text((at[0], at[1] + 14), f"hub {number} · {len(hub.rows)} moments", size=13, anchor="mm")
    page.text((at[0], at[1] + 31), kinds, size=11, faint=True, anchor="mm")


def _draw_pieces(page: Page, graph: HubGraph, middles: list[float], top: float, bottom: float) -> None:
    corpus, count = graph.corpus, len(graph.hubs)
    for tail in range(count):
        for head in range(count):
            pieces = np.flatnonzero((graph.tails == tail) & (graph.heads == head))
            if not len(pieces):
                continue
            kinds = Counter(corpus.labels[graph.last_rows[pieces]].tolist())
            colour = labels_colour(corpus.label_sets[kinds.most_common(1)[0][0]])
            far = min(0.4 + 0.2 * abs(head - tail), 1.0)
            curve = _curve(middles[tail], middles[head], top if head >= tail else bottom, far)
            _draw_arrow(page, curve, colour, len(pieces))


def _curve(begin: float, end: float, level: float, high: float) -> Array:
    """Points (K, 2) of a bow above the poses to the right, below them to the left, or of a loop above.

    high: share of the room that it takes.
    """
    share = np.linspace(0.0, 1.0, 60)
    if begin == end:
        angles = 0.5 * np.pi + 0.35 + share * (2.0 * np.pi - 0.7)
        return np.stack([begin + 24.0 * np.cos(angles), level - 30.0 + 26.0 * np.sin(angles)], axis=1)
    upward = -1.0 if end > begin else 1.0
    inset = 26.0 if end > begin else -26.0
    x = begin + inset + share * (end - begin - 2.0 * inset)
    return np.stack([x, level + upward * (6.0 + 0.88 * ARROW_ROOM * high * 4.0 * share * (1.0 - share))], axis=1)


def _draw_arrow(page: Page, curve: Array, colour: tuple[int, int, int], pieces: int) -> None:
    page.stroke(curve[:-2], (*colour, 220), 1.4 + 1.4 * math.log10(pieces))
    tip, back = curve[-1], curve[-1] - curve[-5]
    back = back / max(float(np.hypot(*back)), 1e-9)
    side = np.array([back[1], -back[0]])
    wide = 0.55 * TIP
    page.patch(np.array([tip, tip - TIP * back + wide * side, tip - TIP * back - wide * side]), (*colour, 240))
    x, y = curve[len(curve) // 2]
    page.text((float(x), float(y)), str(pieces), size=12, anchor="mm", colour=INK, halo=True)
