"""The candidate search beside the exact one, and its kernels beside naive twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from walkon.graphs import Corpus
from walkon.graphs.comparing._kernels_candidates import BOX, fill_boxes, fill_patch, find_valleys, link_valleys
from walkon.graphs.comparing.candidates import arrays_of, find_candidates
from walkon.graphs.comparing.clouds import PointClouds
from walkon.graphs.comparing.embedding import embed_windows
from walkon.graphs.comparing.minima import find_minima
from walkon.graphs.comparing.surface import distance_surface
from walkon.motion import Clip, place, retime
from walkon.rotations import Placement

Maker = Callable[[Sequence[Clip]], Corpus]
WINDOW = 10


@pytest.fixture(scope="module")
def larger_corpus(little_corpus: Corpus, corpus_of: Maker) -> Corpus:
    """Every clip of the little corpus at three speeds, somewhere."""
    random = np.random.default_rng(0)
    clips = [
        place(
            retime(clip, np.arange(0.0, clip.duration, speed / clip.fps)),
            Placement(*random.uniform(-9.0, 9.0, 2), random.uniform(-3.0, 3.0)),
        )
        for speed in (1.0, 1.15, 0.9)
        for clip in little_corpus.library
    ]
    return corpus_of([clip.with_changes(name=f"{clip.name} {i}") for i, clip in enumerate(clips)])


def keys(corpus: Corpus, minima) -> np.ndarray:
    return minima.starts_a * len(corpus) + minima.starts_b


@pytest.mark.parametrize("limit", [0.05, 0.1, 0.15])
def test_candidates_are_almost_all_minima(larger_corpus: Corpus, limit: float):
    exact, found = find_minima(larger_corpus, limit=limit), find_candidates(larger_corpus, limit=limit)
    assert len(exact) > 50
    whole, own = keys(larger_corpus, exact), keys(larger_corpus, found)
    assert np.isin(whole, own).mean() >= 0.95
    assert np.all(np.diff(own) > 0)
    assert np.all(np.isin(own, whole))
    assert np.allclose(found.distances, exact.distances[np.searchsorted(whole, own)], atol=1e-6)


def test_recorded_candidates(recorded_corpus: Corpus):
    exact, found = find_minima(recorded_corpus), find_candidates(recorded_corpus, workers=1)
    assert np.isin(keys(recorded_corpus, exact), keys(recorded_corpus, found)).mean() >= 0.95


def test_more_work_finds_no_less(larger_corpus: Corpus):
    exact = keys(larger_corpus, find_minima(larger_corpus, limit=0.12))
    usual, careful = (
        np.isin(exact, keys(larger_corpus, find_candidates(larger_corpus, limit=0.12, stride=stride, slack=slack)))
        for stride, slack in ((4, 1.05), (1, 1.5))
    )
    assert careful.mean() >= usual.mean()
    assert careful.mean() >= 0.97


def test_near_windows_are_near_in_few_dimensions(larger_corpus: Corpus):
    clouds = PointClouds.of(larger_corpus)
    places, exact = embed_windows(clouds, 16).astype(np.float64), distance_surface(clouds)
    starts = np.flatnonzero(clouds.valid)[::3]
    rough = np.linalg.norm(places[starts][:, None] - places[starts], axis=2)
    exact = exact[np.ix_(starts, starts)]
    near = (exact > 0.02) & (exact < 0.15)
    ratios = rough[near] / exact[near]
    assert np.quantile(ratios, 0.01) > 0.6
    assert np.quantile(ratios, 0.99) < 1.1
    assert np.all(np.isinf(places[~clouds.valid]))


def test_places_of_windows_do_not_depend_on_where_a_recording_was_made(little_corpus: Corpus, corpus_of: Maker):
    turned = corpus_of(
        [place(clip, Placement(3.0 * i, -2.0, 1.9 * i)) for i, clip in enumerate(little_corpus.library)]
    )
    before, after = (embed_windows(PointClouds.of(corpus), 8) for corpus in (little_corpus, turned))
    starts = np.flatnonzero(np.isfinite(before[:, 0]))
    apart = [np.linalg.norm(places[starts][:, None] - places[starts], axis=2) for places in (before, after)]
    assert np.allclose(*apart, atol=1e-3)


def test_few_windows_span_few_dimensions(little_corpus: Corpus, corpus_of: Maker):
    walk = little_corpus.library[0]
    short = walk.with_changes(
        root_positions=walk.root_positions[:13], rotations=walk.rotations[:13], labels=(), contacts=None
    )
    corpus = corpus_of([short])
    assert embed_windows(PointClouds.of(corpus), 16).shape[1] <= 4
    assert len(find_candidates(corpus)) == 0


def test_valleys_are_those_of_the_naive_twin():
    random = np.random.default_rng(5)
    count = 5 * BOX + 7
    places = np.cumsum(random.normal(0.0, 0.3, (4, count)), axis=1).astype(np.float32)
    places[:, [40, 41, 90]] = np.inf
    lows, highs = (np.empty(((count + BOX - 1) // BOX, 4), np.float32) for _ in range(2))
    fill_boxes(places, lows, highs)
    rows = np.array([0, 3, 39, BOX - 1, BOX, 100, count - 2])
    expected = []
    for row in rows:
        squares = ((places - places[:, row : row + 1]) ** 2).sum(axis=0)
        squares = np.concatenate([[np.inf], squares, [np.inf]])
        expected += [
            (row, c)
            for c in range(row + 1, count)
            if squares[c + 1] < 1.2**2 and squares[c + 1] <= squares[c] and squares[c + 1] < squares[c + 2]
        ]
    starts, others = np.empty(len(rows) * count, np.int32), np.empty(len(rows) * count, np.int32)
    found = find_valleys(places, lows, highs, rows, 1.2, starts, others)
    assert expected
    assert list(zip(starts[:found].tolist(), others[:found].tolist(), strict=True)) == expected


def test_patches_hold_all_valleys():
    """Two valleys that run on side by side, one that drifts away, one alone, one behind a gap."""
    stride, longest, broadest = 4, 5, 2
    valleys = {(4 * n, 4 * n + 100) for n in range(8)} | {(4 * n, 4 * n + 102) for n in range(3)}
    valleys |= {(4 * n, 5 * n + 300) for n in range(6)} | {(8, 700), (40, 140), (44, 144)}
    starts, others = np.array(sorted(valleys), np.int32).T.copy()
    patches = np.empty((len(starts), 4), np.int64)
    patches = patches[: link_valleys(starts, others, stride, longest, broadest, patches)]
    held = [
        {(i, c) for i, c in valleys if first <= i <= last and low <= c - i <= high}
        for first, last, low, high in patches.tolist()
    ]
    assert set().union(*held) == valleys
    assert np.all(patches[:, 1] - patches[:, 0] < longest * stride)
    assert np.all(patches[:, 3] - patches[:, 2] <= broadest)
    # Five and three of the first, the second, three and three that drift, the one alone, and the last two.
    assert sorted((patches[:, 1] - patches[:, 0]).tolist()) == [0, 4, 8, 8, 8, 8, 16]


def test_patches_are_pieces_of_the_surface(little_corpus: Corpus):
    clouds = PointClouds.of(little_corpus)
    surface = distance_surface(clouds)
    rows = len(little_corpus)
    for row, column in [(-3, 20), (4, 60), (55, 70), (rows - 9, rows - 5)]:
        squares = np.empty((5, 8))
        products = np.empty((3, 5, 8 + WINDOW - 1))
        fill_patch(arrays_of(clouds), row, column, products, squares)
        for s in range(5):
            for t in range(8):
                i, c = row + t, column + s + t
                inside = 0 <= i < rows and 0 <= c < rows
                assert np.sqrt(squares[s, t]) == pytest.approx(surface[i, c] if inside else np.inf, abs=1e-6)


def test_progress_is_told(little_corpus: Corpus):
    steps: list[tuple[int, int]] = []
    find_candidates(little_corpus, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1][0] == steps[-1][1] > 0
