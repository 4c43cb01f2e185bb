"""All places where clips of a corpus are alike, as far as they are not known yet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from walkon.basics import Progress
from walkon.caching import code_digest
from walkon.errors import GraphError
from walkon.graphs.comparing.candidates import find_candidates
from walkon.graphs.comparing.clouds import WINDOW, PointClouds
from walkon.graphs.comparing.metrics import METRICS, build_metric
from walkon.graphs.comparing.minima import LIMIT, Minima, find_minima, join_minima
from walkon.graphs.comparing.minima_store import MinimaStore, Pair
from walkon.graphs.corpus import Corpus

Search = Literal["exact", "fast", "auto"]
"""Compare all pairs of windows; only those that may be alike; or all if there are not too many."""


STRIPE = 1024
"""Rows of clips that are compared with all clips before them, and then kept: what a kill may cost."""

EXACT = 2_000_000_000
"""Pairs of windows that are all compared if the choice is ours: two minutes of work."""

_ROOM = "graphs/comparing"
_EXACT_FILES = ("clouds", "metrics", "minima", "surface", "_kernels_surface", "_kernels_minima", "_kernels_angles")
_FAST_FILES = ("candidates", "embedding", "_kernels_candidates")

DECIDING = (*(f"{_ROOM}/{name}.py" for name in _EXACT_FILES), "motion/features/clouds.py")
"""Code that decides where minima are: minima kept by other code are not fetched."""

DECIDING_FAST = (*DECIDING, *(f"{_ROOM}/{name}.py" for name in _FAST_FILES))
"""The same for the fast search, which looks at fewer pairs."""


@dataclass(frozen=True)
class Comparison:
    """How recordings are compared.

    metric: a name from `METRICS`. window: frames that are compared, and blended. limit: how far apart [m, or what
    the metric measures] windows may be to be blended at all. search: where to look.
    """

    metric: str = "points"
    window: int = WINDOW
    limit: float = LIMIT
    search: Search = "auto"

    def __post_init__(self) -> None:
        if self.search not in get_args(Search):
            raise GraphError(f"no search {self.search!r}; there are: {', '.join(get_args(Search))}")
        if self.metric not in METRICS:
            raise GraphError(f"no metric {self.metric!r}; there are: {', '.join(METRICS)}")


@dataclass(frozen=True, eq=False)
class Compared:
    """minima: of all pairs of clips. compared, known: pairs that had to be compared, and that were known."""

    minima: Minima
    compared: int
    known: int


def compare_clips(
    corpus: Corpus,
    how: Comparison,
    *,
    store: Path | str | None = None,
    workers: int = 2,
    progress: Progress | None = None,
) -> Compared:
    """The minima of all pairs of clips. store: a folder in which they are kept for the next time.

    progress: called with (so far, all). Raises GraphError where there is no fast search for a metric.
    """
    search = how.search
    task = _Task(corpus, how, workers, progress or _unseen)
    exact = task.store(store, "exact", DECIDING)
    minima, known = exact.load()
    stripes = task.missing(known)
    if search == "exact" or (search == "auto" and task.work(chain(*stripes)) <= EXACT):
        return task.complete(exact, minima, len(known), stripes)
    fast = task.store(store, "fast", DECIDING_FAST)
    minima, known = fast.load()
    stripes = task.missing(known)
    # Where few clips are new, all their pairs are compared: that is soon done, and misses nothing.
    if known and task.work(chain(*stripes)) <= EXACT:
        return task.complete(fast, minima, len(known), stripes)
    return task.search(fast)


@dataclass(frozen=True, eq=False)
class _Task:
    corpus: Corpus
    how: Comparison
    workers: int
    progress: Progress

    def store(self, root: Path | str | None, search: str, code: tuple[str, ...]) -> MinimaStore:
        settings = json.dumps([self.how.metric, self.how.window, self.how.limit, search, code_digest(*code)])
        return MinimaStore.of(root, settings, self.corpus.library)

    def missing(self, known: set[Pair]) -> list[list[Pair]]:
        """Pairs that are not known, in groups of clips beside each other with all clips before them."""
        stripe_of = (self.corpus.library.starts // STRIPE).tolist()
        stripes: dict[int, list[Pair]] = {}
        for pair in self._pairs():
            if pair not in known:
                stripes.setdefault(stripe_of[pair[1]], []).append(pair)
        return list(stripes.values())

    def work(self, pairs: Iterable[Pair]) -> int:
        """Pairs of rows in pairs of clips."""
        lengths = (self.corpus.library.stops - self.corpus.library.starts).tolist()
        return sum(lengths[a] * lengths[b] for a, b in pairs)

    def complete(self, store: MinimaStore, minima: Minima, known: int, stripes: list[list[Pair]]) -> Compared:
        """All minima, given those that are known: the others are found stripe by stripe, and kept."""
        metric = build_metric(self.corpus, self.how.metric, self.how.window) if stripes else None
        done, work = 0, [self.work(stripe) for stripe in stripes]
        parts = [minima]
        for stripe, own in zip(stripes, work, strict=True):
            found = find_minima(
                self.corpus, metric, limit=self.how.limit, pairs=stripe, workers=self.workers,
                progress=_part_of(self.progress, done, own, sum(work)),
            )  # fmt: skip
            store.keep(found, stripe)
            parts.append(found)
            done += own
        return Compared(join_minima(parts), sum(len(stripe) for stripe in stripes), known)

    def search(self, store: MinimaStore) -> Compared:
        """Most minima, found without a look at all pairs."""
        clouds = build_metric(self.corpus, self.how.metric, self.how.window)
        if not isinstance(clouds, PointClouds):
            raise GraphError(f"there is no fast search for metric {self.how.metric!r}, only an exact one")
        minima = find_candidates(
            self.corpus, clouds, limit=self.how.limit, workers=self.workers, progress=self.progress
        )
        pairs = list(self._pairs())
        store.keep(minima, pairs)
        return Compared(minima, len(pairs), 0)

    def _pairs(self) -> Iterator[Pair]:
        count = len(self.corpus.library)
        return ((a, b) for b in range(count) for a in range(b + 1))


def _part_of(progress: Progress, begin: int, own: int, whole: int) -> Progress:
    """Progress of a part, told as progress of the whole."""

    def tell(done: int, total: int) -> None:
        progress(begin + int(np.round(own * done / max(total, 1))), whole)

    return tell


def _unseen(_done: int, _total: int) -> None:
    """Progress that nobody wants to know of."""
