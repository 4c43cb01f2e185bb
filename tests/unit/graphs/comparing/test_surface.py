"""The distance surface beside its naive twin: one pair of windows after the other, aligned and measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs import Corpus
from walkon.graphs.comparing.clouds import PointClouds, align_windows, choose_taper, window_starts
from walkon.graphs.comparing.surface import TILE, distance_surface, run_ahead, write_surface
from walkon.motion import Clip, place
from walkon.motion.features.clouds import align, watched_joints
from walkon.rotations import Placement

Maker = Callable[[Sequence[Clip]], Corpus]
WINDOW = 10


def naive_distance(corpus: Corpus, a: int, b: int, window: int = WINDOW) -> float:
    """Equations 1 to 4 by the letter: find the alignment, apply it, measure."""
    joints, weights = watched_joints(corpus.library.skeleton)
    w = choose_taper(window)[:, None] * weights
    fixed = corpus.library.positions[a : a + window, joints]
    moving = corpus.library.positions[b : b + window, joints]
    return float(np.sqrt((w[..., None] * (fixed - align(fixed, moving, w).points(moving)) ** 2).sum()))


def moved(clips: Iterable[Clip]) -> list[Clip]:
    """The same recordings, every one of them somewhere else and turned."""
    random = np.random.default_rng(0)
    return [
        place(clip, Placement(*random.uniform(-50.0, 50.0, 2), random.uniform(-np.pi, np.pi))) for clip in clips
    ]


def test_surface_is_that_of_the_naive_twin(little_corpus: Corpus):
    fast = distance_surface(little_corpus)
    valid = np.flatnonzero(window_starts(little_corpus.library, WINDOW)).tolist()
    for a in valid[::3]:
        for b in valid[a % 5 :: 5]:
            slow = naive_distance(little_corpus, a, b)
            assert abs(fast[a, b] - slow) < (1e-6 if slow < 1e-3 else 1e-11)


def test_recorded_surface_is_that_of_the_naive_twin(recorded_corpus: Corpus):
    fast = distance_surface(recorded_corpus)
    random = np.random.default_rng(1)
    valid = np.flatnonzero(window_starts(recorded_corpus.library, WINDOW))
    for a, b in random.choice(valid, (300, 2)):
        assert fast[a, b] == pytest.approx(naive_distance(recorded_corpus, a, b), abs=1e-6)


def test_no_window_straddles_clips(little_corpus: Corpus):
    surface = distance_surface(little_corpus)
    for start, stop in zip(little_corpus.library.starts, little_corpus.library.stops, strict=True):
        assert np.isfinite(surface[0, start : stop - WINDOW + 1]).all()
        assert np.isinf(surface[0, stop - WINDOW + 1 : stop]).all()


def test_surface_is_symmetric_and_zero_on_its_diagonal(little_corpus: Corpus):
    surface = distance_surface(little_corpus)
    assert np.allclose(surface, surface.T, atol=1e-6)
    valid = window_starts(little_corpus.library, WINDOW)
    assert np.all(np.diag(surface)[valid] < 1e-6)


def test_moving_and_turning_recordings_changes_nothing(little_corpus: Corpus, corpus_of: Maker):
    before, after = distance_surface(little_corpus), distance_surface(corpus_of(moved(little_corpus.library)))
    apart = np.isfinite(before) & (before > 1e-3)
    assert np.abs(before[apart] - after[apart]).max() < 1e-9


def test_pieces_of_the_surface_are_the_surface(little_corpus: Corpus):
    whole = distance_surface(little_corpus)
    piece = distance_surface(little_corpus, slice(7, 31), slice(60, None), workers=1)
    assert np.allclose(piece, whole[7:31, 60:], rtol=0.0, atol=1e-6)
    assert distance_surface(little_corpus, slice(5, 5), slice(0, 9)).shape == (0, 9)
    with pytest.raises(GraphError, match="step 1"):
        distance_surface(little_corpus, slice(0, 9, 2))


def test_surfaces_larger_than_memory_are_refused(little_corpus: Corpus, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("walkon.graphs.comparing.surface.MOST_ENTRIES", 1000)
    with pytest.raises(GraphError, match="write_surface"):
        distance_surface(little_corpus)


@pytest.mark.parametrize("window", [2, 3, 17])
def test_other_windows(little_corpus: Corpus, window: int):
    fast = distance_surface(PointClouds.of(little_corpus, window))
    for a, b in [(0, 30), (3, 70), (40, 100)]:
        assert fast[a, b] == pytest.approx(naive_distance(little_corpus, a, b, window), abs=1e-9)


def test_more_than_one_tile(little_corpus: Corpus, corpus_of: Maker):
    many = corpus_of(
        [clip.with_changes(name=f"{clip.name} {copy}") for copy in range(2) for clip in little_corpus.library]
    )
    assert len(many) > TILE
    surface, own = distance_surface(many), distance_surface(little_corpus)
    assert np.allclose(surface[: len(own), len(own) :], own, atol=1e-6)


def test_weights_can_be_chosen(little_corpus: Corpus):
    joints = [1, 3, 7]
    metric = PointClouds.of(little_corpus, 4, joints=joints, weights=[1, 2, 1], taper=[0, 1, 1, 0])
    points = little_corpus.library.positions
    w = np.outer([0.0, 0.5, 0.5, 0.0], [0.25, 0.5, 0.25])
    fixed, moving = points[5:9, joints], points[80:84, joints]
    expected = np.sqrt((w[..., None] * (fixed - align(fixed, moving, w).points(moving)) ** 2).sum())
    assert distance_surface(metric)[5, 80] == pytest.approx(expected, abs=1e-9)
    assert metric.pairs(np.array([5]), np.array([80]))[0] == pytest.approx(expected, abs=1e-12)


def test_bad_weights_are_refused(little_corpus: Corpus):
    with pytest.raises(GraphError, match="one weight for every joint"):
        PointClouds.of(little_corpus, joints=[1, 2], weights=[1])
    with pytest.raises(GraphError, match="none below 0"):
        PointClouds.of(little_corpus, 3, taper=[1, -1, 1])
    with pytest.raises(GraphError, match="at least 2 frames"):
        PointClouds.of(little_corpus, 1)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.7, -1.7, 3.0, -3.0, np.pi])
def test_alignment_is_exact_on_a_turned_copy(little_corpus: Corpus, corpus_of: Maker, turn: float):
    walk = little_corpus.library[0]
    there = Placement(3.0, -8.0, turn)
    corpus = corpus_of([walk, place(walk, there).with_changes(name="turned")])
    starts = np.arange(0, len(walk) - WINDOW + 1, 7)
    found = align_windows(corpus, starts, starts + len(walk), WINDOW)
    back = there.inverse()
    assert np.allclose(found[:, :2], [back.x, back.z], atol=1e-9)
    assert np.allclose(np.cos(found[:, 2] - back.heading), 1.0, atol=1e-12)
    assert PointClouds.of(corpus).pairs(starts, starts + len(walk)).max() < 1e-9


def test_no_other_alignment_is_nearer(little_corpus: Corpus):
    joints, weights = watched_joints(little_corpus.library.skeleton)
    w = (choose_taper(WINDOW)[:, None] * weights)[..., None]
    points = little_corpus.library.positions[:, joints]
    random = np.random.default_rng(3)
    starts, others = np.array([3, 20, 100]), np.array([90, 140, 5])
    for a, b, found in zip(starts, others, align_windows(little_corpus, starts, others, WINDOW), strict=True):
        fixed, moving = points[a : a + WINDOW], points[b : b + WINDOW]
        best = (w * (fixed - Placement(*found).points(moving)) ** 2).sum()
        for nudge in random.normal(0.0, 1e-3, (50, 3)):
            assert (w * (fixed - Placement(*(found + nudge)).points(moving)) ** 2).sum() > best


def test_alignment_refuses_windows_that_leave_their_clip(little_corpus: Corpus):
    with pytest.raises(GraphError, match="leaves its clip"):
        align_windows(little_corpus, np.array([0]), little_corpus.library.stops[:1] - 3, WINDOW)
    with pytest.raises(GraphError, match="leaves its clip"):
        align_windows(little_corpus, np.array([-1]), np.array([3]), WINDOW)


def test_surface_in_a_file(little_corpus: Corpus, tmp_path: Path):
    steps: list[tuple[int, int]] = []
    path = tmp_path / "surface.npy"
    write_surface(path, little_corpus, slice(0, 40), progress=lambda done, total: steps.append((done, total)))
    surface = np.load(path, mmap_mode="r", allow_pickle=False)
    assert surface.dtype == np.float32
    assert np.allclose(surface, distance_surface(little_corpus, slice(0, 40)), atol=1e-6)
    assert steps[-1][0] == steps[-1][1]
    assert [entry.name for entry in tmp_path.iterdir()] == ["surface.npy"]


def test_surface_that_fails_leaves_no_file(little_corpus: Corpus, tmp_path: Path):
    def give_up(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_surface(tmp_path / "surface.npy", little_corpus, progress=give_up)
    assert not list(tmp_path.iterdir())


def test_work_does_not_pile_up():
    taken: list[int] = []

    def items():
        for item in range(100):
            taken.append(item)
            yield item

    for seen, (item, result) in enumerate(run_ahead(lambda item: item * item, items(), 2), start=1):
        assert result == item**2
        assert len(taken) <= seen + 4
    assert seen == 100
