"""Forests once grown are kept: in this process, and on a shelf in the user's cache for the next.

Growing one takes seconds, mapping its file a tenth of one, and all processes that map it share its memory. A shelf
that cannot be read or written is no error: the forest is grown again.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np

from walkon.basics import Progress
from walkon.behaviors import BehaviorGraph
from walkon.caching import cache_folder, code_digest, keep_newest, lock_file, one_process_at_a_time
from walkon.errors import WalkonError
from walkon.trees.checking import check_origin
from walkon.trees.digest import graph_digest
from walkon.trees.file import FORMAT, read_forest, write_forest
from walkon.trees.forest import Forest
from walkon.trees.growing import tree_moves

NODES = 200_000
"""Nodes of a forest unless another number is asked for; found by trying. More find more ways, and take longer to
grow."""

RADIUS, RADIUS_IN_CLIPS, REGION_CELL = 12.0, 3.5, 0.25
"""The region of a tree is a disc around the root: of RADIUS [m], or of RADIUS_IN_CLIPS lengths of the longest clip
where that is more, so that horses have room to turn around; its cells are REGION_CELL [m] wide."""

THRIFT, DETOUR = 0.3, 2.0
"""How builders weigh costs (see `Scalable`). These forests are for planning: what ways cost matters more here than
by default. Found by trying."""

DECIDING = (
    *("trees/builders", "trees/_kernels_growing.py", "trees/_kernels_planting.py", "trees/_kernels_tracing.py"),
    *("trees/growing.py", "trees/planting.py", "trees/region.py", "trees/forest.py", "trees/shelf.py"),
    *("planning/moves.py", "planning/kernels_moves.py"),
)
"""Code that decides how a forest of a given graph looks."""

MOST_SHELVED = 32
"""Forests kept on the shelf; the longest unused one goes first. Each takes some megabytes of disk."""

MOST_HERE = 8
"""Forests kept in this process, the longest unused one goes first. More would only hold memory."""

_here: OrderedDict[str, Forest] = OrderedDict()
_guard = threading.Lock()


def fetch_forest(
    graph: BehaviorGraph, *, passes: tuple[str, ...] = (), nodes: int = NODES, progress: Progress | None = None
) -> Forest:
    """A forest for a graph, grown if there is none yet; the same arguments give the same forest.

    passes: kinds of special behaviors in it. nodes: of all its trees together, at most. progress: of growing it,
    if it must be grown, called with (so far, all).
    """
    passes = tuple(sorted(set(passes)))
    label = _label(graph, passes, nodes)
    # Held while growing: a second thread, or process, that wants the same waits instead of growing another.
    with _guard:
        forest = _here.get(label)
        if forest is None:
            with one_process_at_a_time(lock_file(f"tree-{label[:2]}")):
                place = _place(label)
                forest = _fetched(place, graph)
                if forest is None:
                    forest = _kept(_grown(graph, passes, nodes, progress), place)
            _here[label] = forest
        _here.move_to_end(label)
        while len(_here) > MOST_HERE:
            _here.popitem(last=False)
        return forest


def forget_forests() -> None:
    """Drop the forests kept in this process; the shelf keeps its own."""
    with _guard:
        _here.clear()


def _grown(graph: BehaviorGraph, passes: tuple[str, ...], nodes: int, progress: Progress | None) -> Forest:
    from walkon.trees.builders.scalable import Scalable
    from walkon.trees.planting import plant
    from walkon.trees.region import disc

    region, builder = disc(usual_radius(graph), cell=REGION_CELL), Scalable(thrift=THRIFT, detour=DETOUR)
    return plant(graph, builder, nodes=nodes, region=region, passes=passes, progress=progress)


def usual_radius(graph: BehaviorGraph) -> float:
    """Of a region [m] in which the clips of a graph have room to turn around."""
    moves = tree_moves(graph)
    behaviors = np.unique(moves.followers)
    clips = [clip for b in behaviors for clip in range(moves.clip_starts[b], moves.clip_starts[b + 1])]
    longest = float(np.hypot(*moves.displacements[clips, :2].T).max(initial=0.0))
    return max(RADIUS, RADIUS_IN_CLIPS * longest)


def _label(graph: BehaviorGraph, passes: tuple[str, ...], nodes: int) -> str:
    settings = json.dumps([passes, nodes, usual_radius(graph), REGION_CELL, THRIFT, DETOUR])
    return f"{graph_digest(graph)[:24]}-{hashlib.sha256(settings.encode()).hexdigest()[:12]}"


def _place(label: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"trees-{FORMAT}-{code_digest(*DECIDING)}" / f"{label}.tree"


def _fetched(place: Path | None, graph: BehaviorGraph) -> Forest | None:
    """The forest from the shelf, or None."""
    if place is None or not place.exists():
        return None
    try:
        forest = read_forest(place)
        check_origin(forest, graph)
        os.utime(place)
    except (WalkonError, OSError):
        return None
    return forest


def _kept(forest: Forest, place: Path | None) -> Forest:
    """The forest, from the shelf if it could be put there: then others share its memory."""
    if place is None:
        return forest
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _make_room(place.parent.parent)
        write_forest(forest, place)
        return read_forest(place)
    except (WalkonError, OSError):
        return forest


def _make_room(shelves: Path) -> None:
    keep_newest(shelves.glob("trees-*/[!.]*.tree"), MOST_SHELVED - 1)
