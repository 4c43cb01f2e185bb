"""Nothing is compared twice: minima are found again by what clips show, whatever their names and their order."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import GraphError
from walkon.graphs.comparing import clips as comparing
from walkon.graphs.comparing.clips import Comparison, compare_clips
from walkon.graphs.comparing.minima import Minima, find_minima
from walkon.graphs.comparing.minima_store import MinimaStore, clip_digests
from walkon.graphs.corpus import Corpus, gather_corpus
from walkon.motion import Clip, crop

WINDOW = 10


@pytest.fixture(scope="module")
def clips() -> list[Clip]:
    kinds = (("walk", {}), ("walk", {"speed": 0.9}), ("run", {}), ("run", {"speed": 3.4}), ("jump", {}))
    return [
        make(kind, fps=30.0, **options).with_changes(name=f"{kind}{number}")
        for number, (kind, options) in enumerate(kinds)
    ]


def corpus_of(clips: list[Clip], grounds: dict) -> Corpus:
    return gather_corpus(clips, grounds=grounds)


@pytest.fixture(scope="module")
def grounds(clips) -> dict:
    """The floor of all clips, so that every corpus of some of them has the same poses."""
    known: dict = {}
    gather_corpus(clips, grounds=known)
    return known


@pytest.fixture(autouse=True)
def small_stripes(monkeypatch):
    monkeypatch.setattr(comparing, "STRIPE", 60)


@pytest.fixture
def searched(monkeypatch) -> list[list[tuple[int, int]]]:
    """The pairs that every search looked at."""
    calls: list[list[tuple[int, int]]] = []

    def counting(*args, pairs, **options):
        calls.append(list(pairs))
        return find_minima(*args, pairs=pairs, **options)

    monkeypatch.setattr(comparing, "find_minima", counting)
    return calls


def by_name(corpus: Corpus, minima: Minima) -> dict[tuple, float]:
    """Every minimum by the clips and frames at its two ends, in any order."""
    ends = zip(minima.starts_a.tolist(), minima.starts_b.tolist(), minima.distances.tolist(), strict=True)
    return {tuple(sorted((corpus.where(a), corpus.where(b)))): distance for a, b, distance in ends}


def assert_same(one: Minima, other: Minima) -> None:
    assert np.array_equal(one.starts_a, other.starts_a)
    assert np.array_equal(one.starts_b, other.starts_b)
    assert np.array_equal(one.distances, other.distances)


def assert_alike(one: dict, other: dict) -> None:
    assert set(one) == set(other)
    assert all(abs(one[ends] - other[ends]) < 1e-9 for ends in one)


def test_all_pairs_are_compared_once_in_stripes(clips, grounds, searched, tmp_path):
    corpus = corpus_of(clips, grounds)
    found = compare_clips(corpus, Comparison(window=WINDOW), store=tmp_path)
    pairs = [pair for call in searched for pair in call]
    assert sorted(pairs) == [(a, b) for a in range(5) for b in range(a, 5)]
    assert len(searched) > 2
    assert (found.compared, found.known) == (15, 0)
    assert_same(found.minima, find_minima(corpus, window=WINDOW))
    assert len(found.minima) > 20
    again = compare_clips(corpus, Comparison(window=WINDOW), store=tmp_path)
    assert (again.compared, again.known) == (0, 15)
    assert_same(again.minima, found.minima)
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == len(set(map(tuple, searched)))


def test_without_a_store_nothing_is_kept(clips, grounds, searched, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    corpus = corpus_of(clips[:2], grounds)
    for _ in range(2):
        found = compare_clips(corpus, Comparison(window=WINDOW))
        assert (found.compared, found.known) == (3, 0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", [0, 2, 4])
def test_adding_a_clip_compares_only_its_pairs(clips, grounds, searched, tmp_path, place):
    """Wherever it comes among the others, which may then have other rows."""
    others = [clip for number, clip in enumerate(clips) if number != place]
    compare_clips(corpus_of(others, grounds), Comparison(window=WINDOW), store=tmp_path)
    searched.clear()
    corpus = corpus_of(clips, grounds)
    found = compare_clips(corpus, Comparison(window=WINDOW), store=tmp_path)
    pairs = {pair for call in searched for pair in call}
    assert pairs == {(min(place, other), max(place, other)) for other in range(5)}
    assert (found.compared, found.known) == (5, 10)
    assert_alike(by_name(corpus, found.minima), by_name(corpus, find_minima(corpus, window=WINDOW)))


def test_clips_in_another_order_or_by_other_names_are_known(clips, grounds, searched, tmp_path):
    first = corpus_of(clips, grounds)
    compare_clips(first, Comparison(window=WINDOW), store=tmp_path)
    searched.clear()
    turned = corpus_of(clips[::-1], grounds)
    found = compare_clips(turned, Comparison(window=WINDOW), store=tmp_path)
    assert (found.compared, found.known, searched) == (0, 15, [])
    assert np.all(found.minima.starts_a < found.minima.starts_b)
    assert_alike(by_name(turned, found.minima), by_name(first, find_minima(first, window=WINDOW)))
    renamed = corpus_of([clip.with_changes(name=clip.name + "!", labels=()) for clip in clips[:3]], grounds)
    assert compare_clips(renamed, Comparison(window=WINDOW), store=tmp_path).known == 6


def test_a_clip_that_is_there_twice_is_not_itself(clips, grounds, tmp_path):
    twice = corpus_of([clips[0], clips[0].with_changes(name="again")], grounds)
    digests = clip_digests(twice.library)
    assert digests[0] != digests[1]
    found = compare_clips(twice, Comparison(window=WINDOW), store=tmp_path)
    again = compare_clips(twice, Comparison(window=WINDOW), store=tmp_path)
    assert_same(again.minima, found.minima)
    assert_same(found.minima, find_minima(twice, window=WINDOW))
    # Every frame is like itself in the other clip.
    assert found.minima.distances.min() < 1e-6


@pytest.mark.parametrize("change", ["motion", "window", "limit", "metric", "code"])
def test_other_motion_and_other_settings_are_compared_anew(clips, grounds, tmp_path, monkeypatch, change):
    options = {"window": WINDOW, "limit": 0.3, "metric": "points"}
    compare_clips(corpus_of(clips[:2], grounds), Comparison(**options), store=tmp_path)
    other = list(clips[:2])
    expected = (3, 0)
    if change == "motion":
        other[1] = crop(clips[1], 1)
        expected = (2, 1)
    elif change == "code":
        monkeypatch.setattr(comparing, "code_digest", lambda *_: "of other code")
    else:
        options[change] = {"window": 8, "limit": 0.2, "metric": "angles"}[change]
    found = compare_clips(corpus_of(other, grounds), Comparison(**options), store=tmp_path)
    assert (found.compared, found.known) == expected


def test_files_that_cannot_be_read_are_as_good_as_absent(clips, grounds, tmp_path):
    corpus = corpus_of(clips, grounds)
    wanted = compare_clips(corpus, Comparison(window=WINDOW), store=tmp_path)
    files = sorted(tmp_path.rglob("*.minima"))
    for file, content in zip(files, (b"", b"nonsense", files[2].read_bytes()[:-50]), strict=False):
        file.write_bytes(content)
    found = compare_clips(corpus, Comparison(window=WINDOW), store=tmp_path)
    assert found.compared > 0
    assert found.compared + found.known == 15
    assert_same(found.minima, wanted.minima)
    assert compare_clips(corpus, Comparison(window=WINDOW), store=tmp_path).known == 15


def test_a_store_of_many_settings_forgets_the_oldest(clips, grounds, tmp_path):
    corpus = corpus_of(clips[2:3], grounds)
    for number in range(12):
        MinimaStore.of(tmp_path, f"settings {number}", corpus.library)
    assert 1 < len(list(tmp_path.iterdir())) <= 9


def test_what_a_dead_process_left_in_a_store_is_swept_though_nothing_is_written(clips, grounds, tmp_path):
    corpus = corpus_of(clips[2:3], grounds)
    folder = MinimaStore.of(tmp_path, "", corpus.library).folder
    assert folder is not None
    (folder / ".walkon-deadbeef").mkdir()
    MinimaStore.of(tmp_path, "", corpus.library)
    assert not any(folder.iterdir())


def test_minima_of_other_pairs_are_not_kept(clips, grounds, tmp_path):
    corpus = corpus_of(clips[:3], grounds)
    store = MinimaStore.of(tmp_path, "", corpus.library)
    with pytest.raises(GraphError, match="other pairs"):
        store.keep(find_minima(corpus, window=WINDOW), [(0, 1)])


def test_progress_rises_to_the_end(clips, grounds):
    told: list[tuple[int, int]] = []
    compare_clips(
        corpus_of(clips, grounds),
        Comparison(window=WINDOW),
        progress=lambda done, total: told.append((done, total)),
    )
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len({total for _, total in told}) == 1
    assert told[-1][0] == told[-1][1]


def test_a_large_collection_is_searched_fast_and_then_clip_by_clip(
    clips, grounds, searched, tmp_path, monkeypatch
):
    monkeypatch.setattr(comparing, "EXACT", 4000)
    some, corpus = corpus_of(clips[:4], grounds), corpus_of(clips, grounds)
    first = compare_clips(some, Comparison(window=WINDOW), store=tmp_path)
    assert (first.compared, first.known, searched) == (10, 0, [])
    monkeypatch.setattr(comparing, "EXACT", 40_000)
    fewer = compare_clips(some, Comparison(window=WINDOW, search="fast"), store=tmp_path)
    assert (fewer.compared, fewer.known) == (0, 10)
    assert_same(fewer.minima, first.minima)
    grown = compare_clips(corpus, Comparison(window=WINDOW, search="fast"), store=tmp_path)
    assert (grown.compared, grown.known) == (5, 10)
    exact = by_name(corpus, find_minima(corpus, window=WINDOW))
    got = by_name(corpus, grown.minima)
    assert len(set(got) & set(exact)) > 0.8 * len(exact)
    assert compare_clips(corpus, Comparison(window=WINDOW, search="exact"), store=tmp_path).compared == 15


def test_what_is_no_search_or_metric_is_refused(clips, grounds):
    corpus = corpus_of(clips[:1], grounds)
    with pytest.raises(GraphError, match="no search 'slow'; there are: exact, fast, auto"):
        compare_clips(corpus, Comparison(window=WINDOW, search="slow"))
    with pytest.raises(GraphError, match="no metric 'smell'"):
        compare_clips(corpus, Comparison(window=WINDOW, metric="smell"))
    with pytest.raises(GraphError, match="no fast search for metric 'angles'"):
        compare_clips(corpus, Comparison(window=WINDOW, metric="angles", search="fast"))
