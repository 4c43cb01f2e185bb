"""Learning that was stopped goes on: what was found so far, in a file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from walkon.array_files import ArrayFormat, map_file, parse_arrays, write_arrays
from walkon.errors import VariationError
from walkon.files import remove
from walkon.variation.examples import Examples
from walkon.variation.networks import Indices, Network
from walkon.variation.transitions import Regression, TransitionSearch

PROGRESS_FORMAT = ArrayFormat(b"walkon-learning\x00", 1, "half of a learning", VariationError)
PROGRESS_ARRAYS = ("prior", "prior_counts", "best", "best_counts", "edges", "edges_counts", "promising")
VERSION = 1
"""Of the learning itself: what another version found is not gone on with."""


class _Search(NamedTuple):
    """Where a search stood."""

    network: Network
    promising: Indices
    trusting: bool
    finished: bool
    rounds: int


@dataclass
class Checkpoint:
    """What was found, and the file it is kept in, if any.

    key: letters that tell of which inputs and settings. attempt: the search that is under way.
    """

    path: Path | None
    key: str
    prior: Network | None = None
    best: tuple[float, Network] | None = None
    attempt: int = 0
    search: _Search | None = None

    @classmethod
    def of(
        cls,
        path: Path | None,
        examples: Examples,
        driven: Indices,
        regression: Regression,
        settings: tuple[int, ...],
    ) -> Checkpoint:
        """What the file has about a learning; nothing if there is none, or it is about another."""
        seen = hashlib.sha256(
            repr((VERSION, regression, settings, examples.starts.tolist(), driven.tolist())).encode()
        )
        seen.update(examples.rows.tobytes())
        fresh = cls(path, seen.hexdigest())
        if path is None or not path.exists():
            return fresh
        try:
            return fresh._read(path, examples.rows.shape[0])
        except (KeyError, TypeError, ValueError, OverflowError):  # a VariationError is a ValueError
            return cls(path, fresh.key)

    def keep(
        self,
        *,
        prior: Network | None = None,
        best: tuple[float, Network] | None = None,
        attempt: int | None = None,
        search: TransitionSearch | None = None,
    ) -> None:
        """Add what is new, and write it all."""
        self.prior = prior or self.prior
        self.best = best or self.best
        self.attempt = self.attempt if attempt is None else attempt
        if self.path is None or self.prior is None:
            return
        arrays = {
            **_told("prior", self.prior),
            **_told("best", self.best[1] if self.best else None),
            **_told("edges", search.network if search else None),
            "promising": search.promising if search else np.empty((0, 0), np.int64),
        }
        settings = {
            "key": self.key,
            "attempt": self.attempt,
            "best": self.best[0] if self.best else None,
            "search": None if search is None else [search.trusting, search.finished, search.rounds],
        }
        write_arrays(self.path, PROGRESS_FORMAT, settings, arrays)

    def resumed(
        self, examples: Examples, driven: Indices, regression: Regression, seed: int
    ) -> TransitionSearch | None:
        """The search that was under way, if one was."""
        if self.search is None:
            return None
        state, self.search = self.search, None
        search = TransitionSearch.begin(examples, driven, regression, seed + self.attempt, state.network)
        search.trusting, search.finished, search.rounds = state.trusting, state.finished, state.rounds
        search.promising = state.promising
        return search

    def remove(self) -> None:
        """Learning is done: the file goes."""
        if self.path is not None:
            remove(self.path)

    def _read(self, path: Path, n: int) -> Checkpoint:
        settings, arrays = parse_arrays(
            map_file(path, PROGRESS_FORMAT), PROGRESS_FORMAT, dict.fromkeys(PROGRESS_ARRAYS, ("<i8",))
        )
        if not isinstance(settings, dict) or settings.get("key") != self.key:
            return self
        kept = {name: array.copy() for name, array in arrays.items()}
        self.prior = _network(kept, "prior", 2 * n, 2 * n)
        if settings["best"] is not None:
            self.best = (float(settings["best"]), _network(kept, "best", n, 3 * n))
        self.attempt = int(settings["attempt"])
        if settings["search"] is not None:
            trusting, finished, rounds = settings["search"]
            network = _network(kept, "edges", n, 3 * n)
            promising = kept["promising"]
            if promising.ndim != 2 or len(promising) not in (0, n) or (abs(promising + 1) > 3 * n).any():
                raise VariationError("edges that are promising are not there")
            self.search = _Search(network, promising, bool(trusting), bool(finished), int(rounds))
        return self


def _network(kept: dict[str, Indices], name: str, nodes: int, codes: int) -> Network:
    """A network that kernels may use."""
    network = Network(kept[name], kept[f"{name}_counts"])
    network.check(nodes, codes)
    return network


def _told(name: str, network: Network | None) -> dict[str, Indices]:
    """The arrays of a network; empty ones of none."""
    if network is None:
        return {name: np.empty((0, 0), np.int64), f"{name}_counts": np.empty(0, np.int64)}
    return {name: network.parents, f"{name}_counts": network.counts}
