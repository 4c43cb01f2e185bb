"""Local minima beside a naive twin that looks at every entry of every pair of clips by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from walkon.errors import GraphError
from walkon.graphs import Corpus
from walkon.graphs.comparing._kernels_minima import find_local_minima
from walkon.graphs.comparing.clouds import PointClouds, align_windows
from walkon.graphs.comparing.metrics import JointAngles, Metric
from walkon.graphs.comparing.minima import EQUAL_SQUARES, Minima, as_transitions, find_minima, rows_to_middle
from walkon.graphs.comparing.surface import TILE, distance_surface
from walkon.motion import Clip

Maker = Callable[[Sequence[Clip]], Corpus]
WINDOW = 10


def naive_minima(corpus: Corpus, metric: Metric, limit: float) -> set[tuple[int, int]]:
    """Entries of the surface of two clips that come before all around them, above the diagonal."""
    surface = distance_surface(metric)
    found = set()
    library = corpus.library
    for c in range(len(library)):
        for d in range(c, len(library)):
            rows = range(library.starts[c], library.stops[c] - metric.window + 1)
            columns = range(library.starts[d], library.stops[d] - metric.window + 1)
            middle = rows[0] + rows[-1], columns[0] + columns[-1]
            ranks = {
                (i, j): (
                    round(surface[i, j] ** 2 / EQUAL_SQUARES),
                    abs(2 * i - middle[0]) + abs(2 * j - middle[1]),
                    i,
                    j,
                )
                for i in rows
                for j in columns
            }
            for (a, b), rank in ranks.items():
                around = [ranks[i, j] for i in range(a - 1, a + 2) for j in range(b - 1, b + 2) if (i, j) in ranks]
                if b > a and surface[a, b] < limit and rank == min(around):
                    found.add((a, b))
    return found


def as_set(minima: Minima) -> set[tuple[int, int]]:
    return set(zip(minima.starts_a.tolist(), minima.starts_b.tolist(), strict=True))


def copies(corpus: Corpus, count: int) -> list[Clip]:
    return [
        clip.with_changes(name=f"{clip.name} {copy}", root_positions=clip.root_positions * (1.0 + 0.01 * copy))
        for copy in range(count)
        for clip in corpus.library
    ]


@pytest.mark.parametrize("limit", [0.1, np.inf])
def test_minima_are_those_of_the_naive_twin(little_corpus: Corpus, limit: float):
    minima = find_minima(little_corpus, limit=limit)
    assert as_set(minima) == naive_minima(little_corpus, PointClouds.of(little_corpus), limit)
    assert len(minima) > 5


def test_minima_of_another_metric(little_corpus: Corpus):
    metric = JointAngles.of(little_corpus)
    assert as_set(find_minima(little_corpus, metric, limit=np.inf)) == naive_minima(little_corpus, metric, np.inf)


def test_recorded_minima(recorded_corpus: Corpus):
    minima = find_minima(recorded_corpus, limit=0.2)
    assert as_set(minima) == naive_minima(recorded_corpus, PointClouds.of(recorded_corpus), 0.2)
    assert len(minima) > 20


def test_minima_are_in_order_and_know_their_distances(little_corpus: Corpus):
    minima = find_minima(little_corpus, limit=0.3)
    assert np.all(np.diff(minima.starts_a * 10**6 + minima.starts_b) > 0)
    exact = PointClouds.of(little_corpus).pairs(minima.starts_a, minima.starts_b)
    assert np.allclose(minima.distances, exact, atol=1e-6)
    assert minima.distances.max() < 0.3


def test_tiles_do_not_show(little_corpus: Corpus, corpus_of: Maker):
    corpus = corpus_of(copies(little_corpus, 2))
    assert len(corpus) > TILE + WINDOW
    expected = naive_minima(corpus, PointClouds.of(corpus), 0.25)
    assert as_set(find_minima(corpus, limit=0.25, workers=1)) == expected
    assert as_set(find_minima(corpus, limit=0.25, workers=3)) == expected


def test_pairs_of_clips_are_pieces_of_the_whole(little_corpus: Corpus, corpus_of: Maker):
    corpus = corpus_of(copies(little_corpus, 2))
    clips = corpus.library.clip_of_frame
    whole = find_minima(corpus)
    wanted = {(0, 3), (5, 2), (7, 7)}
    keep = [tuple(sorted(pair)) for pair in wanted]
    expected = {(a, b) for a, b in as_set(whole) if (int(clips[a]), int(clips[b])) in keep}
    assert expected
    assert as_set(find_minima(corpus, pairs=wanted)) == expected
    assert len(find_minima(corpus, pairs=[])) == 0
    with pytest.raises(GraphError, match="numbered from 0 to 7"):
        find_minima(corpus, pairs=[(2, 8)])


def test_new_clips_change_nothing_between_the_old(little_corpus: Corpus, corpus_of: Maker):
    clips = copies(little_corpus, 2)
    old, new = corpus_of(clips[:6]), corpus_of(clips)
    added = find_minima(new, pairs=[(c, d) for d in (6, 7) for c in range(d + 1)])
    assert as_set(find_minima(old)) | as_set(added) == as_set(find_minima(new))
    assert not as_set(find_minima(old)) & as_set(added)


def test_a_held_pose_is_one_minimum(little_corpus: Corpus, corpus_of: Maker):
    walk = little_corpus.library[0]
    held = walk.with_changes(
        name="held",
        root_positions=np.repeat(walk.root_positions[20:21], 60, axis=0),
        rotations=np.repeat(walk.rotations[20:21], 60, axis=0),
        labels=(),
        contacts=None,
    )
    corpus = corpus_of([held, held.with_changes(name="held too"), walk])
    minima = find_minima(corpus, limit=np.inf)
    clips = corpus.library.clip_of_frame
    pairs = list(zip(clips[minima.starts_a].tolist(), clips[minima.starts_b].tolist(), strict=True))
    assert pairs.count((0, 1)) == 1
    # All windows of the held pose are equally far from a window of the walk: one minimum for every valley.
    starts = minima.starts_b[clips[minima.starts_b] == 2]
    beside = starts[(clips[minima.starts_a] == 0)[clips[minima.starts_b] == 2]]
    assert len(np.unique(beside)) == len(beside)


def lowest(squares: NDArray[np.float64], limit: float = np.inf) -> set[tuple[int, int]]:
    """Minima of a tile that is the whole upper half of nothing: its first column lies far to the right."""
    starts, others, values = np.empty(99, np.int64), np.empty(99, np.int64), np.empty(99)
    inner = np.array([0, squares.shape[0], 0, squares.shape[1]])
    remote = np.zeros(2000, np.int64)
    count = find_local_minima(squares, limit, 1e-9, remote, 0, 1000, inner, starts, others, values)
    return {(int(a), int(b) - 1000) for a, b in zip(starts[:count], others[:count], strict=True)}


def test_level_ground_has_one_minimum():
    squares = np.ones((6, 7))
    assert lowest(squares) == {(0, 0)}
    squares[2:5, 3:5] = 0.5
    assert lowest(squares) == {(0, 0), (2, 3)}
    squares += np.random.default_rng(0).uniform(0.0, 1e-13, squares.shape)
    assert lowest(squares, 0.6) == {(2, 3)}


def test_level_valleys_are_met_in_their_middle(little_corpus: Corpus):
    """A loop is a valley of zeros from one end of the clip to the other."""
    minima = find_minima(little_corpus, limit=1e-3)
    remote = rows_to_middle(little_corpus.library, WINDOW)
    library = little_corpus.library
    loops = library.clip_of_frame[minima.starts_a] == library.clip_of_frame[minima.starts_b]
    assert loops.sum() >= 3
    middles = 0.5 * (library.starts + library.stops - WINDOW)
    for a, b in zip(minima.starts_a[loops], minima.starts_b[loops], strict=True):
        middle = middles[library.clip_of_frame[a]]
        assert a < middle < b
        assert remote[a] == 2 * abs(a - middle)


def test_corners_and_edges_count_against_what_is_there():
    squares = np.add.outer(np.arange(5.0), np.arange(4.0))
    assert lowest(squares) == {(0, 0)}
    assert lowest(squares[::-1, ::-1].copy()) == {(4, 3)}
    assert lowest(np.full((3, 3), np.inf)) == set()


def test_transitions_go_both_ways(little_corpus: Corpus):
    minima = find_minima(little_corpus, limit=0.3)
    transitions = as_transitions(little_corpus, minima, WINDOW)
    library = little_corpus.library
    clips = library.clip_of_frame
    found = dict(
        zip(
            zip(transitions.sources.tolist(), transitions.targets.tolist(), strict=True),
            zip(transitions.distances, transitions.alignments, strict=True),
            strict=True,
        )
    )
    expected = 0
    for a, b, distance in zip(minima.starts_a, minima.starts_b, minima.distances, strict=True):
        for left, entered in ((a, b), (b, a)):
            key = (left - 1, entered + WINDOW - 1)
            if left == library.starts[clips[left]] or (clips[a] == clips[b] and b - a < WINDOW):
                assert key not in found
                continue
            expected += 1
            assert found[key][0] == distance
            assert np.array_equal(
                found[key][1], align_windows(little_corpus, np.array([left]), np.array([entered]), WINDOW)[0]
            )
    assert expected == len(transitions) > 10


def test_transitions_are_in_order_and_stay_in_their_clips(little_corpus: Corpus):
    transitions = as_transitions(little_corpus, find_minima(little_corpus), WINDOW)
    clips = little_corpus.library.clip_of_frame
    assert np.all(np.diff(transitions.sources * 10**6 + transitions.targets) > 0)
    assert np.array_equal(clips[transitions.sources], clips[transitions.sources + WINDOW])
    assert np.array_equal(clips[transitions.targets], clips[transitions.targets - WINDOW + 1])


def test_no_minima_no_transitions(little_corpus: Corpus):
    minima = find_minima(little_corpus, limit=0.0)
    assert len(minima) == 0
    assert len(as_transitions(little_corpus, minima, WINDOW)) == 0


def test_progress_is_told(little_corpus: Corpus):
    steps: list[tuple[int, int]] = []
    find_minima(little_corpus, progress=lambda done, total: steps.append((done, total)))
    assert steps
    assert steps[-1][0] == steps[-1][1]
