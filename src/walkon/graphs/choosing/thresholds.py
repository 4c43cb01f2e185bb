"""Which of all candidates become transitions of a graph: the good ones, what people decided, and bridges."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Flags, Indices
from walkon.errors import ClipError, GraphError
from walkon.graphs.choosing.bridges import BridgeSites, close_a_loop, join_label_sets, join_pieces
from walkon.graphs.choosing.choices import Choices, TransitionChoice, choice_of
from walkon.graphs.choosing.limits import Limits, Threshold, find_thresholds, name_labels
from walkon.graphs.choosing.quality import BlendQuality, measure_quality
from walkon.graphs.choosing.supports import supports_agree
from walkon.graphs.choosing.thinning import SAME_WITHIN, Neighbourhood, thin_out
from walkon.graphs.comparing.clouds import align_windows
from walkon.graphs.comparing.metrics import Metric, PointClouds
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions

LAST_RESORT = (3.0, 2.0, 2.0)
"""How many times worse than allowed slide, jump and distance of a bridge may be where there is no other way."""

WORSE_BRIDGES = (2.0, 1.25, 1.4)
"""How many times worse they may be where there is another way, or where only a piece would be lost."""


@dataclass(frozen=True)
class Bridge:
    """A transition that was taken though it is not good enough by itself.

    choice: where it leads. joins: what it joins. distance [m], slide [m per frame], jump: how bad it is.
    """

    choice: TransitionChoice
    joins: str
    distance: float
    slide: float
    jump: float


@dataclass(frozen=True, eq=False)
class Chosen:
    """The transitions of a graph, with how they look and why they are there.

    numbers: (T,) among the candidates; -1 for those that were accepted by hand and are none.
    thresholds: what was allowed, by pair of motions. bridges: those taken for want of better.
    cut_off: pairs of label sets of which the second cannot be reached from the first.
    """

    transitions: Transitions
    quality: BlendQuality
    numbers: Indices
    thresholds: tuple[Threshold, ...]
    bridges: tuple[Bridge, ...]
    cut_off: tuple[tuple[str, str], ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What people should know about: bridges, and what no bridge could join."""
        told = [
            f"{bridge.choice} was taken to join {bridge.joins}: distance {100 * bridge.distance:.1f} cm, "
            f"slide {1000 * bridge.slide:.0f} mm a frame, jump {bridge.jump:.2f}"
            for bridge in self.bridges
        ]
        return (*told, *(f"there is no way from {first} to {second}" for first, second in self.cut_off))


def choose_transitions(
    corpus: Corpus,
    transitions: Transitions,
    quality: BlendQuality,
    choices: Choices | None = None,
    *,
    metric: Metric | None = None,
    farthest: float | None = None,
    bridge: bool = True,
) -> Chosen:
    """Of all candidates those that are good, one of each kind, so that motions with the same labels hang together.

    metric: the one that distances are of, clouds of points by default. farthest: the largest threshold there may
    be, in its unit, by default a share of the body's height. bridge: where motions fall apart, or no way leads
    from one set of labels to another, take the best of the rest.
    """
    choices = choices or Choices()
    limits = Limits.of(corpus, choices, farthest)
    pool = _with_accepted(corpus, transitions, quality, choices, metric)
    transitions, quality = pool.transitions, pool.quality
    eligible = supports_agree(corpus, transitions, choices.supports) & ~_rejected(corpus, transitions, choices)
    allowed, by_hand, thresholds = find_thresholds(corpus, transitions, quality, eligible, limits, choices)
    fine = (quality.slides <= limits.slide) & (quality.jumps <= limits.jump)
    wanted = eligible & (transitions.distances <= allowed) & (by_hand | fine)
    # What was accepted by hand comes first, and its neighbours go.
    costs = np.where(pool.accepted, -1.0, limits.costs(transitions, quality))
    taken = thin_out(corpus, transitions, wanted | pool.accepted, costs) | pool.accepted
    bridges: dict[int, str] = {}
    cut_off: list[tuple[str, str]] = []
    if bridge:
        # Who has set a threshold wants nothing beyond it.
        free = eligible & ~(by_hand & (transitions.distances > allowed))
        bridges, cut_off = _bridge(corpus, pool, free, limits, taken)
        taken[list(bridges)] = True
    numbers = np.flatnonzero(taken)
    return Chosen(
        transitions=transitions.subset(numbers),
        quality=quality.subset(numbers),
        numbers=pool.numbers[numbers],
        thresholds=thresholds,
        bridges=tuple(_told(corpus, pool, number, why) for number, why in sorted(bridges.items())),
        cut_off=tuple(cut_off),
    )


@dataclass(frozen=True, eq=False)
class _Pool:
    """Candidates and what people accepted; numbers: (T,) among the candidates or -1; accepted: (T,)."""

    transitions: Transitions
    quality: BlendQuality
    numbers: Indices
    accepted: Flags


def _with_accepted(
    corpus: Corpus, transitions: Transitions, quality: BlendQuality, choices: Choices, metric: Metric | None
) -> _Pool:
    """The candidates, and with them whatever was accepted by hand."""
    numbers, accepted = np.arange(len(transitions)), np.zeros(len(transitions), dtype=np.bool_)
    ends = [_rows(corpus, choice, transitions.window, "accepted") for choice in choices.accepted]
    if not ends:
        return _Pool(transitions, quality, numbers, accepted)
    pairs = zip(transitions.sources.tolist(), transitions.targets.tolist(), strict=True)
    known = dict(zip(pairs, numbers.tolist(), strict=True))
    accepted[[known[pair] for pair in ends if pair in known]] = True
    missing = [pair for pair in dict.fromkeys(ends) if pair not in known]
    new = transitions_at(corpus, missing, metric or PointClouds.of(corpus, transitions.window))
    measured = measure_quality(corpus, new)
    order = np.lexsort((np.append(transitions.targets, new.targets), np.append(transitions.sources, new.sources)))

    def merged(ours: NDArray, theirs: NDArray) -> NDArray:
        return np.concatenate([ours, theirs])[order]

    joined = replace(
        transitions,
        **{
            name: merged(getattr(transitions, name), getattr(new, name))
            for name in ("sources", "targets", "distances", "alignments")
        },
    )
    seen = BlendQuality(merged(quality.slides, measured.slides), merged(quality.jumps, measured.jumps))
    by_hand = np.ones(len(new), dtype=np.bool_)
    return _Pool(joined, seen, merged(numbers, np.full(len(new), -1)), merged(accepted, by_hand))


def transitions_at(corpus: Corpus, ends: list[tuple[int, int]], metric: Metric) -> Transitions:
    """Transitions from rows to rows, in this order, aligned as well as can be, whether they are good or not."""
    sources, targets = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    left, entered = sources + 1, targets - metric.window + 1
    alignments = align_windows(corpus, left, entered, metric.window)
    return Transitions(metric.window, sources.copy(), targets.copy(), metric.pairs(left, entered), alignments)


def _rows(corpus: Corpus, choice: TransitionChoice, window: int, what: str) -> tuple[int, int]:
    """The rows that a choice names, if there is room for a blend between them."""
    try:
        source = corpus.row(choice.source, choice.source_frame)
        target = corpus.row(choice.target, choice.target_frame)
    except (ClipError, GraphError) as error:
        raise GraphError(f"{what} transition {choice}: {error}") from None
    clips = corpus.library.clip_of_frame
    if source + window >= corpus.library.stops[clips[source]]:
        raise GraphError(f"{what} transition {choice}: the first clip ends within the {window} frames of a blend")
    if target - window + 1 < corpus.library.starts[clips[target]]:
        raise GraphError(
            f"{what} transition {choice}: a blend of {window} frames would begin before the second clip"
        )
    return source, target


def _rejected(corpus: Corpus, transitions: Transitions, choices: Choices) -> Flags:
    """Transitions (T,) that were rejected, or do nearly the same as one that was."""
    refused = Neighbourhood(corpus, SAME_WITHIN)
    for choice in choices.rejected:
        refused.add(*_rows(corpus, choice, transitions.window, "rejected"))
    if not choices.rejected:
        return np.zeros(len(transitions), dtype=np.bool_)
    ends = zip(transitions.sources.tolist(), transitions.targets.tolist(), strict=True)
    return np.array([refused.holds(source, target) for source, target in ends], dtype=np.bool_)


def _bridge(
    corpus: Corpus, pool: _Pool, free: Flags, limits: Limits, taken: Flags
) -> tuple[dict[int, str], list[tuple[str, str]]]:
    """Numbers of bridges, with what they join, and pairs of label sets that nothing joins."""
    transitions, quality = pool.transitions, pool.quality

    def within(slide: float, jump: float, distance: float) -> Flags:
        smooth = (quality.slides <= slide * limits.slide) & (quality.jumps <= jump * limits.jump)
        return free & smooth & (transitions.distances <= distance * limits.distance)

    tight = within(*WORSE_BRIDGES)
    ground = BridgeSites.of(corpus, transitions, within(*LAST_RESORT), limits.costs(transitions, quality))
    names = [name_labels(labels) for labels in corpus.label_sets]
    bridges: dict[int, str] = {}
    if not any(ground.main(labels, taken).any() for labels in range(len(names))):
        loop = close_a_loop(ground, tight)
        bridges |= {} if loop is None else {loop: "the end of a piece to its beginning"}
        taken = taken.copy()
        taken[list(bridges)] = True
    for labels, name in enumerate(names):
        bridges |= {int(number): f"pieces of {name}" for number in join_pieces(ground, labels, taken, tight)}
    taken = taken.copy()
    taken[list(bridges)] = True
    cores = [ground.core(labels, taken) for labels in range(len(names))]
    across, cut_off = join_label_sets(ground, taken, cores, tight)
    for number in across.tolist():
        ends = (corpus.labels[transitions.sources[number]], corpus.labels[transitions.targets[number]])
        bridges[number] = f"{names[ends[0]]} to {names[ends[1]]}"
    return bridges, [(names[a], names[b]) for a, b in cut_off]


def _told(corpus: Corpus, pool: _Pool, number: int, why: str) -> Bridge:
    transitions, quality = pool.transitions, pool.quality
    return Bridge(
        choice_of(corpus, int(transitions.sources[number]), int(transitions.targets[number])),
        why,
        float(transitions.distances[number]),
        float(quality.slides[number]),
        float(quality.jumps[number]),
    )
