"""Match sets: found as Gleicher et al. (2003) say, by loops that anybody can read."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.graphs import Corpus, gather_corpus
from walkon.graphs.hubs.sets import (
    FEWEST,
    LEAST_SHARE,
    Likeness,
    choose_match_sets,
    hill,
    measure_likeness,
    middle_of,
)

GAP = 12


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    clips = [make("walk", speed=v, cycles=2).with_changes(name=f"walk at {v}") for v in (1.0, 1.3, 1.6)]
    return gather_corpus([*clips, make("run", cycles=2)])


@pytest.fixture(scope="module")
def likeness(corpus: Corpus) -> Likeness:
    return measure_likeness(corpus)


def naive_sets(corpus: Corpus, likeness: Likeness, most: int, *, alike_labels: bool = False) -> list[list[int]]:
    owner, known = corpus.library.clip_of_frame, likeness.known.tolist()
    distance = {
        row: dict(zip(known, likeness.between(np.full(len(known), row), likeness.known), strict=True))
        for row in known
    }
    sets: list[list[int]] = []
    taken: list[int] = []
    while len(sets) < most:
        best: tuple[int, float, list[int]] | None = None
        for row in known:
            near = distance[row]
            minima = []
            for other in known:
                if {other - 1, other + 1} <= near.keys() and owner[other - 1] == owner[other + 1]:
                    limit = 0.5 * (likeness.limits[row] + likeness.limits[other])
                    lower = near[other] < near[other - 1] and near[other] <= near[other + 1]
                    fits = not alike_labels or corpus.labels[row] == corpus.labels[other]
                    if fits and lower and near[other] < limit:
                        minima.append(other)
            chosen: list[int] = []
            for other in sorted(minima, key=lambda other: (near[other], other)):
                rivals = [rival for rival in chosen + taken if owner[rival] == owner[other]]
                if all(abs(rival - other) >= GAP for rival in rivals):
                    chosen.append(other)
            mean = float(np.mean([near[other] for other in chosen])) if chosen else 0.0
            if best is None or (-len(chosen), mean) < (-best[0], best[1] - 1e-9):
                best = (len(chosen), mean, chosen)
        assert best is not None
        if best[0] < max(FEWEST, LEAST_SHARE * len(sets[0]) if sets else 0):
            break
        sets.append(sorted(best[2]))
        taken += best[2]
    return sets


@pytest.mark.parametrize("alike_labels", [False, True])
def test_sets_are_those_of_the_paper(corpus: Corpus, likeness: Likeness, alike_labels: bool) -> None:
    found = choose_match_sets(corpus, likeness, most=2, gap=GAP, alike_labels=alike_labels)
    expected = naive_sets(corpus, likeness, 2, alike_labels=alike_labels)
    assert len(found) == 2
    assert [chosen.rows.tolist() for chosen in found] == expected


def test_rows_are_a_gap_apart_and_alike(corpus: Corpus, likeness: Likeness) -> None:
    sets = choose_match_sets(corpus, likeness, most=6, gap=GAP)
    rows = np.sort(np.concatenate([chosen.rows for chosen in sets]))
    same = np.diff(corpus.library.clip_of_frame[rows]) == 0
    assert np.all(np.diff(rows)[same] >= GAP)
    for chosen in sets:
        assert np.all(chosen.distances < likeness.limits.max())
    sizes = [len(chosen.rows) for chosen in sets]
    assert sizes == sorted(sizes, reverse=True)


def test_a_walk_comes_by_the_same_pose_once_a_cycle(corpus: Corpus, likeness: Likeness) -> None:
    first = choose_match_sets(corpus, likeness, most=1, gap=GAP)[0]
    owners = corpus.library.clip_of_frame[first.rows]
    assert np.array_equal(np.unique(owners), [0, 1, 2])
    assert len(first.rows) >= 6


def test_those_who_run_are_alike_at_greater_distances(corpus: Corpus, likeness: Likeness) -> None:
    slow, run = corpus.library.index("walk at 1.0"), corpus.library.index("run")
    at = corpus.library.starts
    assert likeness.limits[at[run]] > 1.3 * likeness.limits[at[slow]]
    fixed = measure_likeness(corpus, 0.1)
    assert np.all(fixed.limits == 0.1)


def test_the_middle_is_nearest_to_all(corpus: Corpus, likeness: Likeness) -> None:
    rows = choose_match_sets(corpus, likeness, most=1, gap=GAP)[0].rows
    sums = [likeness.between(np.full(len(rows), row), rows).sum() for row in rows]
    assert middle_of(likeness, rows) == rows[np.argmin(sums)]


def test_the_moment_itself_counts_most() -> None:
    weights = hill(5)
    assert np.argmax(weights) == 5
    assert np.allclose(weights, weights[::-1])
    assert np.all(np.diff(weights[:6]) > 0)


def test_nothing_alike_makes_no_set(corpus: Corpus) -> None:
    assert choose_match_sets(corpus, measure_likeness(corpus, 1e-9), most=4, gap=1000) == []
