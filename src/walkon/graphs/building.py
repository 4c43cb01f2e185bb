"""Recordings in, motion graph out: from finding where clips are alike to a graph without dead ends."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from walkon.basics import StageProgress
from walkon.errors import GraphError
from walkon.files import write_text
from walkon.graphs.choosing.choices import Choices
from walkon.graphs.choosing.quality import BlendQuality, measure_quality
from walkon.graphs.choosing.supports import supports_agree
from walkon.graphs.choosing.thresholds import Chosen, choose_transitions
from walkon.graphs.comparing.clips import Comparison, compare_clips
from walkon.graphs.comparing.minima import as_transitions
from walkon.graphs.corpus import FPS, Corpus, gather_corpus
from walkon.graphs.graph import MotionGraph, assemble_graph
from walkon.graphs.pruning import PrunedGraph, prune
from walkon.graphs.statistics import GraphStatistics, measure_graph
from walkon.graphs.transitions import Transitions
from walkon.motion import Clip
from walkon.motion.editing.common_body import RecordedFloor
from walkon.skeleton import Skeleton

COMPARISON = Comparison()
"""How recordings are compared unless told otherwise."""

BLENDED_AT_ONCE = 1 << 15
"""Transitions blended before progress is told. Fewer would tell more often, and start more threads."""

GROUNDS = "grounds.json"
"""File of a store that remembers the floors of bodies."""


@dataclass(frozen=True, eq=False)
class Built:
    """A motion graph and how it came about.

    graph: without dead ends. corpus: what it is made of. candidates: how many transitions there were to choose
    from. chosen: which of them were taken, and why. pruned: what became of every kind of motion. statistics: of
    the graph. compared, known: pairs of clips that had to be compared, and that were known from before.
    """

    graph: MotionGraph
    corpus: Corpus
    candidates: int
    chosen: Chosen
    pruned: PrunedGraph
    statistics: GraphStatistics
    compared: int
    known: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """What people should know of: clips left out, transitions taken for want of better, motion cut off."""
        said = [f"clip {name!r} was left out: {reason}" for name, reason in self.corpus.failed.items()]
        if self.chosen.bridges:
            said.append(
                f"{len(self.chosen.bridges)} transitions were taken though they are worse than others, "
                "to join what would fall apart"
            )
        return (*said, *self.pruned.warnings)


def build_motion_graph(
    clips: Sequence[Clip],
    *,
    comparison: Comparison = COMPARISON,
    mirrored: bool = False,
    fps: float = FPS,
    skeleton: Skeleton | None = None,
    choices: Choices | None = None,
    store: Path | str | None = None,
    workers: int = 2,
    progress: StageProgress | None = None,
) -> Built:
    """The motion graph of some clips, which is one piece for every kind of motion.

    comparison: how places where clips are alike are looked for, and how long blends are. mirrored: use mirror
    images too. fps, skeleton: of the graph. choices: what people decided about transitions. store: a folder in
    which what takes long is kept, so that the next build, with clips added or after this one was cut short, does
    only what is left to do. workers: threads. progress: called with (what is done, so far, all). Raises
    GraphError where no graph can be made.
    """
    tell = progress or _unseen
    tell("clips made ready", 0, 1)
    grounds = _known_grounds(store)
    corpus = gather_corpus(clips, fps=fps, mirrored=mirrored, skeleton=skeleton, grounds=grounds)
    _remember_grounds(store, grounds)
    tell("clips made ready", 1, 1)
    compared = compare_clips(
        corpus,
        comparison,
        store=store,
        workers=workers,
        progress=lambda done, total: tell("clips compared", done, total),
    )
    found = as_transitions(corpus, compared.minima, comparison.window)
    # What joins steps of different feet is never taken: to blend it first would take as long again.
    found = found.subset(supports_agree(corpus, found, (choices or Choices()).supports))
    quality = _measured(corpus, found, workers, lambda done: tell("transitions blended", done, len(found)))
    chosen = choose_transitions(corpus, found, quality, choices)
    pruned = prune(assemble_graph(corpus, chosen.transitions))
    return Built(
        graph=pruned.graph,
        corpus=corpus,
        candidates=len(found),
        chosen=chosen,
        pruned=pruned,
        statistics=measure_graph(pruned.graph),
        compared=compared.compared,
        known=compared.known,
    )


def _measured(corpus: Corpus, found: Transitions, workers: int, progress: Callable[[int], None]) -> BlendQuality:
    """The quality of transitions, some at a time."""
    parts = [BlendQuality(np.zeros(0), np.zeros(0))]
    progress(0)
    for first in range(0, len(found), BLENDED_AT_ONCE):
        some = np.arange(first, min(first + BLENDED_AT_ONCE, len(found)))
        parts.append(measure_quality(corpus, found.subset(some), workers=workers))
        progress(int(some[-1]) + 1)
    return BlendQuality(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("slides", "jumps")))


def _known_grounds(store: Path | str | None) -> dict[str, RecordedFloor]:
    """The floors a store remembers; what cannot be read is forgotten."""
    if store is None:
        return {}
    try:
        told = json.loads((Path(store) / GROUNDS).read_text())
        return {name: _ground(values) for name, values in told.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _ground(values: dict[str, object]) -> RecordedFloor:
    turn = [float(part) for part in values["turn"]]  # type: ignore[union-attr]
    height, frames = float(values["height"]), int(values["frames"])  # type: ignore[arg-type]
    w, x, y, z = turn
    if not (abs(math.hypot(*turn) - 1.0) < 1e-9 and abs(height) < 1e3 and frames > 0):
        raise GraphError("a floor that cannot be")
    return RecordedFloor((w, x, y, z), height, frames)


def _remember_grounds(store: Path | str | None, grounds: dict[str, RecordedFloor]) -> None:
    if store is not None:
        told = {name: asdict(ground) for name, ground in grounds.items()}
        write_text(Path(store) / GROUNDS, json.dumps(told, indent=1))


def _unseen(_what: str, _done: int, _total: int) -> None:
    """StageProgress that nobody wants to know of."""
