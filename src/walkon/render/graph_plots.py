"""Pictures of a motion graph: the graph by what is done, and how alike its recordings are."""

from __future__ import annotations

from pathlib import Path

from walkon.errors import RenderError
from walkon.graphs import MotionGraph
from walkon.render.graph_ring import draw_ring
from walkon.render.graph_schema import draw_schema
from walkon.render.page import Page

LEAST_WIDTH = 900
HEAD, FOOT = 70, 40
"""[px] above and below the drawing."""

RING_SHARE = 0.58
"""Of the width, for the ring; the rest is for the circles."""

NAME_ROOM = 130.0
"""[px] around the ring for the names of recordings."""


def draw_graph(graph: MotionGraph, path: Path | str, *, title: str = "motion graph", width: int = 1600) -> None:
    """Draw a PNG of a graph: recordings and transitions as a ring, and the kinds of motion and the ways between.

    Pale parts of the rim are not in use: one could not get back from there. width: [px].
    """
    if width < LEAST_WIDTH:
        raise RenderError(f"a motion graph needs a picture of {LEAST_WIDTH} pixels or more, not {width}")
    room = RING_SHARE * width
    radius = 0.5 * room - NAME_ROOM
    height = round(2.0 * radius + 2.0 * 46.0) + HEAD + FOOT
    middle = HEAD + 0.5 * (height - HEAD - FOOT)
    page = Page(width, height)
    drawn = draw_ring(page, graph, (0.5 * room, middle), radius)
    rest = width - room
    draw_schema(page, graph, (room + 0.5 * rest - 14.0, middle), min(0.5 * rest - 100.0, radius - 70.0))
    page.text((28, 24), title, size=20)
    corpus, transitions = graph.corpus, len(graph.transitions)
    some = "" if drawn == transitions else f" ({drawn} drawn)"
    page.text(
        (28, 50),
        f"{len(corpus.library)} recordings, {len(corpus) / corpus.fps:.0f} s · {graph.node_count} choice points · "
        f"{transitions} transitions{some}",
        faint=True,
    )
    page.text(
        (0.5 * room, height - 20),
        "transitions have the colour of what they lead to",
        size=11,
        faint=True,
        anchor="mm",
    )
    page.save(path)
