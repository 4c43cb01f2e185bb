"""Precomputed search trees from above: how many paths reach each place, and the paths themselves.

As in the figures of Lau (2009, 4.2 and 4.10) the root looks up the page; so its left is on the left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors import BehaviorGraph
from walkon.errors import RenderError
from walkon.render.forest_view import TreeView
from walkon.render.png import write_png
from walkon.render.renderer import check_size
from walkon.render.search_trees import cost_colours
from walkon.render.wording import grouped
from walkon.rotations import Placement
from walkon.trees.forest import Forest
from walkon.trees.survey import planted_poses

MOST_PANELS, MOST_ABREAST = 12, 3
"""Trees in one picture, and in one row of it."""

MOST_DRAWN = 30_000
"""Paths of single clips drawn in one panel; of more, as many drawn at random with all that lead to them."""


class _Panel(NamedTuple):
    """A tree of a forest, its title, and the nodes it has."""

    forest: Forest
    title: str
    nodes: slice

    @property
    def places(self) -> Array:
        """Where its nodes are (n, 2), on the page: half a turn from the tree's own frame."""
        return -self.forest.placements[self.nodes, :2].astype(np.float64)


def draw_forest_frequency(
    forests: Forest | Sequence[Forest],
    path: Path | str,
    *,
    pose: int | None = None,
    titles: Sequence[str] = (),
    cell: float = 0.2,
    width: int = 1600,
) -> None:
    """Draw a PNG of how many paths end in each cell of the ground, one panel for each tree.

    pose: of the trees' roots, by number; all that have a tree if not given. titles: of the panels. cell: [m].
    width: [px].
    """
    panels = _panels(forests, pose, titles)
    if not cell > 0.0:
        raise RenderError(f"cells must have a size, not {cell} m")
    bounds = _bounds(panels, cell)
    maps = [_counted(panel, bounds, cell) for panel in panels]
    most = _most(maps)
    pictures = []
    for panel, counts in zip(panels, maps, strict=True):
        view = TreeView(bounds, _panel_width(len(panels), width))
        view.paper()
        view.cells(counts, most)
        view.finish(panel.title, f"{grouped(len(panel.places))} paths")
        view.legend(f"paths that end in {100 * cell:.0f} cm: 1", f"{grouped(most)} or more")
        pictures.append(view.picture())
    _save(pictures, path)


def draw_forest_paths(
    forests: Forest | Sequence[Forest],
    path: Path | str,
    *,
    pose: int | None = None,
    graph: BehaviorGraph | None = None,
    titles: Sequence[str] = (),
    width: int = 1600,
) -> None:
    """Draw a PNG of the paths of trees, one panel for each, coloured by what it costs to get there.

    graph: what the forests were grown from; without it paths are straight from node to node. pose, titles, width:
    as above.
    """
    panels = _panels(forests, pose, titles)
    bounds = _bounds(panels, 0.2)
    dearest = max(float(panel.forest.costs[panel.nodes].max()) for panel in panels)
    pictures = []
    for panel in panels:
        view = TreeView(bounds, _panel_width(len(panels), width))
        view.paper()
        drawn = _draw_paths(view, panel, graph, dearest)
        nodes = len(panel.places)
        some = "" if drawn == nodes - 1 else f", {grouped(drawn)} drawn"
        view.finish(panel.title, f"{grouped(nodes)} nodes{some}")
        view.legend("cost 0", f"{dearest:.0f}")
        pictures.append(view.picture())
    _save(pictures, path)


def _draw_paths(view: TreeView, panel: _Panel, graph: BehaviorGraph | None, dearest: float) -> int:
    """The paths of a tree, dear ones below; how many were drawn."""
    chosen = _chosen(panel)
    costs = panel.forest.costs[chosen].astype(np.float64)
    colours = cost_colours(np.array([0.0, dearest, *costs]))[2:]
    thick = float(np.clip(2.2 - 0.35 * math.log10(max(len(chosen), 1)), 0.6, 1.4))
    for index in np.argsort(-costs, kind="stable"):
        curve = -_curve(panel.forest, int(chosen[index]), graph)
        view.line(curve, (*colours[index].tolist(), 190), thick)
    return len(chosen)


def _panels(forests: Forest | Sequence[Forest], pose: int | None, titles: Sequence[str]) -> list[_Panel]:
    given = [forests] if isinstance(forests, Forest) else list(forests)
    trees = list(_trees(given, pose))
    if not 1 <= len(trees) <= MOST_PANELS:
        raise RenderError(f"{len(trees)} trees make no picture; there can be 1 to {MOST_PANELS}")
    if titles and len(titles) != len(trees):
        raise RenderError(f"{len(titles)} titles for {len(trees)} trees")
    named = titles or [f"{forest.builder}, pose {number}" for forest, number in trees]
    return [
        _Panel(forest, title, slice(int(forest.starts[number]), int(forest.starts[number + 1])))
        for (forest, number), title in zip(trees, named, strict=True)
    ]


def _trees(forests: Sequence[Forest], pose: int | None) -> Iterator[tuple[Forest, int]]:
    for forest in forests:
        planted = planted_poses(forest)
        if pose is not None and pose not in planted:
            raise RenderError(f"no tree begins in pose {pose}; there are: {', '.join(map(str, planted))}")
        yield from ((forest, number) for number in (planted if pose is None else [pose]))


def _bounds(panels: Sequence[_Panel], cell: float) -> tuple[float, float, float, float]:
    """A box on the page around all nodes, at multiples of the cell [m]."""
    places = np.concatenate([panel.places for panel in panels])
    low, high = places.min(axis=0) - 0.6, places.max(axis=0) + 0.6
    left, top = (math.floor(value / cell) * cell for value in low)
    right, bottom = (math.ceil(value / cell) * cell for value in high)
    return left, top, right, bottom


def _counted(panel: _Panel, bounds: tuple[float, float, float, float], cell: float) -> NDArray[np.int64]:
    """How many nodes lie in each cell (rows, columns)."""
    left, top, right, bottom = bounds
    rows, columns = round((bottom - top) / cell), round((right - left) / cell)
    check_size(max(columns, 2), max(rows, 2))
    x, z = np.floor((panel.places - (left, top)) / cell).astype(np.int64).T
    index = np.clip(z, 0, rows - 1) * columns + np.clip(x, 0, columns - 1)
    return np.bincount(index, minlength=rows * columns).reshape(rows, columns)


def _most(maps: Sequence[NDArray[np.int64]]) -> int:
    """The count that gets the last colour: a few cells with far more would leave one colour to all others."""
    shares = [np.quantile(counts[counts > 0], 0.995) for counts in maps]
    return max(2, math.ceil(max(shares)))


def _chosen(panel: _Panel) -> NDArray[np.int64]:
    """The nodes below the root whose paths are drawn: all, or some with all their ancestors."""
    nodes = np.arange(panel.nodes.start + 1, panel.nodes.stop)
    if len(nodes) <= MOST_DRAWN:
        return nodes
    kept = np.zeros(panel.nodes.stop, dtype=np.bool_)
    left, parents = MOST_DRAWN, panel.forest.parents
    for drawn in np.random.default_rng(0).permutation(nodes):
        node = int(drawn)
        while parents[node] >= 0 and not kept[node]:
            kept[node] = True
            left -= 1
            node = int(parents[node])
        if left <= 0:
            break
    return np.flatnonzero(kept)


def _curve(forest: Forest, node: int, graph: BehaviorGraph | None) -> Array:
    """Ground points (K, 2) of the clip that led to a node, in the tree's frame."""
    x, z, heading = forest.placements[forest.parents[node]].astype(np.float64)
    end = forest.placements[node, :2].astype(np.float64)
    if graph is None:
        return np.array([(x, z), end])
    clip = int(forest.numbers[forest.clips[node]])
    own = graph.paths[graph.frame_starts[clip] : graph.frame_starts[clip + 1]]
    own = own[np.linspace(0, len(own) - 1, min(len(own), 8)).astype(np.int64)]
    between = np.stack(Placement(x, z, heading).point(*own[1:-1].T), axis=1)
    return np.concatenate([[(x, z)], between, [end]])


def _panel_width(panels: int, width: int) -> int:
    check_size(width, width)
    return width // min(panels, MOST_ABREAST)


def _save(pictures: Sequence[NDArray[np.uint8]], path: Path | str) -> None:
    """All panels, row by row, in one PNG."""
    abreast = min(len(pictures), MOST_ABREAST)
    rows = [list(pictures[k : k + abreast]) for k in range(0, len(pictures), abreast)]
    rows[-1] += [np.full_like(pictures[0], pictures[0][0, 0])] * (abreast - len(rows[-1]))
    write_png(path, np.concatenate([np.concatenate(row, axis=1) for row in rows], axis=0))
