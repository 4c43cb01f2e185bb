"""Which candidates become transitions: by feet, by how they look, by what people say, and for want of better."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.choosing.bridges import BridgeSites
from walkon.graphs.choosing.choices import Choices, ThresholdChoice, TransitionChoice, choice_of
from walkon.graphs.choosing.quality import BlendQuality, measure_quality
from walkon.graphs.choosing.supports import supports_agree
from walkon.graphs.choosing.thinning import SAME_WITHIN, thin_out
from walkon.graphs.choosing.thresholds import Chosen, choose_transitions
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.corpus import Corpus, gather_corpus
from walkon.graphs.transitions import Transitions, no_transitions


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


toys, graphs = load("toy_graphs"), load("walking_graphs")


def candidates_of(corpus: Corpus) -> tuple[Transitions, BlendQuality]:
    found = as_transitions(corpus, find_minima(corpus))
    return found, measure_quality(corpus, found)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return gather_corpus(graphs.built_in_clips())


@pytest.fixture(scope="module")
def candidates(corpus: Corpus) -> tuple[Transitions, BlendQuality]:
    return candidates_of(corpus)


@pytest.fixture(scope="module")
def chosen(corpus: Corpus, candidates: tuple[Transitions, BlendQuality]) -> Chosen:
    return choose_transitions(corpus, *candidates)


def pairs(transitions: Transitions) -> set[tuple[int, int]]:
    return set(zip(transitions.sources.tolist(), transitions.targets.tolist(), strict=True))


def flawless(transitions: Transitions) -> BlendQuality:
    return BlendQuality(np.zeros(len(transitions)), np.full(len(transitions), 0.5))


# Support phases.


def test_support_phases_must_agree_where_one_takes_over(corpus: Corpus, candidates: tuple) -> None:
    transitions, _ = candidates
    window = transitions.window
    for rule in ("same", "single", "any"):
        for agree, source, target in zip(
            supports_agree(corpus, transitions, rule), transitions.sources, transitions.targets, strict=True
        ):
            middle = [window // 2 - 1, window // 2]
            ours = [corpus.supports[source + 1 + p] for p in middle]
            theirs = [corpus.supports[target - window + 1 + p] for p in middle]
            expected = rule == "any" or ours == theirs
            if rule == "single":
                expected = expected and all(support in (0, 1, 2) for support in ours)
            assert agree == expected


def test_only_agreeing_transitions_are_chosen(corpus: Corpus, candidates: tuple, chosen: Chosen) -> None:
    assert supports_agree(corpus, chosen.transitions, "same").all()
    single = choose_transitions(corpus, *candidates, Choices(supports="single"))
    assert supports_agree(corpus, single.transitions, "single").all()
    assert (
        0
        < len(single.transitions)
        < len(choose_transitions(corpus, *candidates, Choices(supports="any")).transitions)
    )


# BlendQuality and distance.


def test_what_is_chosen_is_good_or_said_to_be_a_bridge(corpus: Corpus, chosen: Chosen) -> None:
    bridges = {bridge.choice for bridge in chosen.bridges}
    allowed = {(entry.source, entry.target): entry.distance for entry in chosen.thresholds}
    for number, (source, target) in enumerate(
        zip(chosen.transitions.sources.tolist(), chosen.transitions.targets.tolist(), strict=True)
    ):
        choice = choice_of(corpus, source, target)
        if choice in bridges:
            continue
        assert chosen.quality.slides[number] <= 0.45 / corpus.fps
        assert chosen.quality.jumps[number] <= 1.01
        labels = tuple("+".join(corpus.label_sets[corpus.labels[row]]) for row in (source, target))
        limit = allowed.get((choice.source, choice.target), allowed[labels])
        assert chosen.transitions.distances[number] <= limit


def test_a_threshold_lies_where_good_gives_way_to_bad() -> None:
    """Forty candidates, the nearer half of them smooth, but for one; one of the farther half is smooth as well."""
    corpus = toys.toy_corpus("w" * 60, "w" * 60)
    ends = [(2 + i, 60 + 3 + i) for i in range(40)]
    transitions = toys.toy_transitions(corpus, ends)
    transitions = replace(transitions, distances=np.linspace(0.01, 0.049, 40))
    jumps = np.where(np.arange(40) < 20, 0.5, 1.8)
    jumps[[7, 30]] = 1.8, 0.5
    quality = BlendQuality(np.zeros(40), jumps)
    chosen = choose_transitions(corpus, transitions, quality, farthest=1.0, bridge=False)
    (by_labels,) = [entry for entry in chosen.thresholds if entry.by == "labels"]
    assert by_labels.distance == pytest.approx(0.01 + 19 * 0.001)
    assert (by_labels.candidates, by_labels.within) == (40, 20)
    assert 7 not in chosen.numbers
    assert 30 not in chosen.numbers
    assert chosen.transitions.distances.max() <= by_labels.distance


def test_no_threshold_is_larger_than_what_is_the_same_motion(corpus: Corpus, candidates: tuple) -> None:
    assert max(entry.distance for entry in choose_transitions(corpus, *candidates).thresholds) <= 0.15
    tight = choose_transitions(corpus, *candidates, farthest=0.02, bridge=False)
    assert tight.transitions.distances.max() <= 0.02


def test_of_nearly_the_same_only_the_best_is_kept(corpus: Corpus, candidates: tuple) -> None:
    transitions, quality = candidates
    wanted = quality.slides < 0.02
    kept = thin_out(corpus, transitions, wanted, quality.jumps)
    clips = corpus.library.clip_of_frame
    ends = [(s, t, clips[s], clips[t]) for s, t in zip(transitions.sources, transitions.targets, strict=True)]

    def near(a: int, b: int) -> bool:
        apart = [abs(int(ends[a][k]) - int(ends[b][k])) for k in (0, 1)]
        return max(apart) <= SAME_WITHIN and ends[a][2:] == ends[b][2:]

    numbers = np.flatnonzero(kept)
    assert not any(near(a, b) for i, a in enumerate(numbers) for b in numbers[:i])
    for left_out in np.flatnonzero(wanted & ~kept):
        assert any(near(left_out, a) and quality.jumps[a] <= quality.jumps[left_out] for a in numbers)
    crowd = thin_out(corpus, transitions, wanted, quality.jumps, near=12)
    assert 0 < crowd.sum() < kept.sum()


def test_nothing_comes_of_nothing(corpus: Corpus) -> None:
    chosen = choose_transitions(corpus, no_transitions(10), BlendQuality(np.zeros(0), np.zeros(0)))
    assert len(chosen.transitions) == len(chosen.bridges) == 0


# What people say.


def test_a_person_s_threshold_counts_instead(corpus: Corpus, candidates: tuple) -> None:
    walk, run = frozenset({"walk"}), frozenset({"run"})
    none = Choices(thresholds=(ThresholdChoice(0.0, labels=(walk, run)),))
    chosen = choose_transitions(corpus, *candidates, none)
    labels = [corpus.label_sets[number] for number in corpus.labels]
    assert not any(labels[s] == walk and labels[t] == run for s, t in pairs(chosen.transitions))
    ends = ("walk 1.0", "walk 1.6")
    more = Choices(thresholds=(ThresholdChoice(0.09, clips=ends), ThresholdChoice(0.0, labels=(walk, walk))))
    chosen = choose_transitions(corpus, *candidates, more, bridge=False)
    named = {tuple(corpus.where(row)[0] for row in pair) for pair in pairs(chosen.transitions)}
    assert ends in named
    assert ("walk 1.0", "walk 1.3") not in named
    assert {(entry.source, entry.target) for entry in chosen.thresholds if entry.by == "choice"} == {
        ("walk", "walk"),
        ends,
    }
    # The person decides alone: how it looks no longer counts.
    inside = [s for s, t in pairs(chosen.transitions) if tuple(corpus.where(row)[0] for row in (s, t)) == ends]
    assert len(inside) > 0
    assert max(chosen.quality.jumps) > 1.01


def test_rejected_transitions_are_gone_and_their_neighbours_with_them(
    corpus: Corpus, candidates: tuple, chosen: Chosen
) -> None:
    source, target = int(chosen.transitions.sources[0]), int(chosen.transitions.targets[0])
    choices = Choices().reject(choice_of(corpus, source, target))
    again = choose_transitions(corpus, *candidates, choices)
    clips = corpus.library.clip_of_frame
    for s, t in pairs(again.transitions):
        same_clips = clips[s] == clips[source] and clips[t] == clips[target]
        assert not (same_clips and abs(s - source) <= SAME_WITHIN and abs(t - target) <= SAME_WITHIN)


def test_accepted_transitions_are_there_candidates_or_not(corpus: Corpus, candidates: tuple) -> None:
    transitions, quality = candidates
    worst = int(np.argmax(quality.jumps))
    known = (int(transitions.sources[worst]), int(transitions.targets[worst]))
    new = (20, int(corpus.library.starts[3]) + 33)
    assert new not in pairs(transitions)
    choices = Choices(accepted=tuple(choice_of(corpus, *pair) for pair in (known, new)))
    chosen = choose_transitions(corpus, *candidates, choices)
    found = list(zip(chosen.transitions.sources.tolist(), chosen.transitions.targets.tolist(), strict=True))
    assert known in found
    assert found == sorted(found)
    number = found.index(new)
    assert chosen.numbers[number] == -1
    assert chosen.transitions.distances[number] > 0.0
    assert chosen.quality.jumps[number] > 0.0
    other = chosen.numbers >= 0
    assert np.array_equal(transitions.sources[chosen.numbers[other]], chosen.transitions.sources[other])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (TransitionChoice("nobody", 0, "walk 1.0", 20), "nobody 0 → walk 1.0 20: no clip 'nobody'"),
        (TransitionChoice("walk 1.0", 10**6, "walk 1.0", 20), "has no frame 1000000"),
        (TransitionChoice("walk 1.0", 5, "walk 1.0", 3), "would begin before the second clip"),
        (TransitionChoice("run 3.0", 65, "walk 1.0", 30), "ends within the 10 frames"),
    ],
)
def test_choices_that_cannot_be_are_refused(corpus: Corpus, candidates: tuple, choice, message: str) -> None:
    for choices in (Choices(accepted=(choice,)), Choices(rejected=(choice,))):
        with pytest.raises(GraphError, match=message):
            choose_transitions(corpus, *candidates, choices)


# Bridges.


def judged(
    corpus: Corpus, jumps: dict[tuple[int, int], float], slides: float = 0.0
) -> tuple[Transitions, BlendQuality]:
    """Candidates that jump so much; those that do are farther apart as well, and slide."""
    transitions = toys.toy_transitions(corpus, list(jumps))
    sizes = np.array([jumps[pair] for pair in zip(transitions.sources, transitions.targets, strict=True)])
    bad = sizes > 1.0
    return replace(transitions, distances=np.where(bad, 0.05, 0.01)), BlendQuality(
        np.where(bad, slides, 0.0), sizes
    )


def bridged(corpus: Corpus, candidates: tuple[Transitions, BlendQuality], *, bridge: bool = True) -> Chosen:
    """What is chosen for a body that has no height to measure distances by."""
    return choose_transitions(corpus, *candidates, farthest=1.0, bridge=bridge)


def test_a_clip_without_good_transitions_is_joined_by_the_best() -> None:
    corpus = toys.toy_corpus("w" * 30, "w" * 30, "w" * 30)
    # Clip 0 goes round by itself; clip 1 can be reached and left, early for more of it or cheaper for less.
    # Clip 2 can be entered, never left: nobody goes there.
    jumps = {(25, 3): 0.5, (10, 33): 1.1, (12, 40): 1.09, (55, 5): 1.1, (45, 6): 1.2, (20, 63): 1.02}
    chosen = bridged(corpus, judged(corpus, jumps))
    assert pairs(chosen.transitions) == {(25, 3), (10, 33), (55, 5)}
    assert {bridge.joins for bridge in chosen.bridges} == {"pieces of w"}
    assert [bridge.jump for bridge in chosen.bridges] == [1.1, 1.1]
    assert "clip0 10 → clip1 3 was taken to join pieces of w: distance 5.0 cm" in chosen.warnings[0]
    assert pairs(bridged(corpus, judged(corpus, jumps), bridge=False).transitions) == {(25, 3)}


def test_pieces_are_joined_through_each_other() -> None:
    corpus = toys.toy_corpus("w" * 30, "w" * 30, "w" * 30)
    jumps = {(25, 3): 0.5, (10, 33): 1.1, (50, 65): 1.1, (80, 8): 1.1}
    assert pairs(bridged(corpus, judged(corpus, jumps)).transitions) == set(jumps)


def test_label_sets_are_joined_both_ways_or_not_at_all() -> None:
    corpus = toys.toy_corpus("w" * 30, "r" * 30)
    around, over, back = {(25, 3): 0.5, (55, 33): 0.5}, {(10, 40): 1.2}, {(50, 15): 1.7}
    both = bridged(corpus, judged(corpus, around | over | back))
    assert pairs(both.transitions) == {*around, *over, *back}
    assert {bridge.joins for bridge in both.bridges} == {"w to r", "r to w"}
    assert both.cut_off == ()
    one = bridged(corpus, judged(corpus, around | over))
    assert pairs(one.transitions) == set(around)
    assert one.cut_off == (("w", "r"), ("r", "w"))
    assert one.warnings == ("there is no way from w to r", "there is no way from r to w")


def test_bridges_are_not_taken_at_any_price() -> None:
    corpus = toys.toy_corpus("w" * 30, "r" * 30)
    around, over = {(25, 3): 0.5, (55, 33): 0.5}, [(10, 40), (50, 15)]
    for slide, jump in ((0.2, 1.2), (0.0, 5.0)):
        candidates = judged(corpus, around | dict.fromkeys(over, jump), slide)
        assert pairs(bridged(corpus, candidates).transitions) == set(around)
    assert len(bridged(corpus, judged(corpus, around | dict.fromkeys(over, 1.2), 0.02)).transitions) == 4


def test_where_nothing_is_good_the_best_loop_is_closed() -> None:
    corpus = toys.toy_corpus("w" * 30, "w" * 30)
    jumps = {(20, 15): 1.1, (25, 4): 1.12, (10, 20): 1.05, (10, 40): 1.1, (50, 10): 1.1, (58 - 4, 33): 1.24}
    chosen = bridged(corpus, judged(corpus, jumps))
    assert pairs(chosen.transitions) == {(25, 4), (10, 40), (50, 10)}
    assert chosen.bridges[-2].joins == "the end of a piece to its beginning"


def test_walking_and_running_hang_together_without_anybody_s_help(mocap: Path) -> None:
    """The clips of Chen's tables 3.1 and 4.2: one component of each, and ways from one to the other."""
    corpus = gather_corpus(graphs.recorded_clips(mocap))
    chosen = choose_transitions(corpus, *candidates_of(corpus))
    transitions, taken = chosen.transitions, np.ones(len(chosen.transitions), dtype=bool)
    ground = BridgeSites.of(corpus, transitions, taken, np.zeros(len(transitions)))
    names = [frozenset({"walk"}), frozenset({"run"})]
    walk, run = (ground.core(corpus.label_sets.index(labels), taken) for labels in names)
    clips = corpus.library.clip_of_frame
    assert set(clips[walk]) >= {corpus.library.index(f"16_{trial}") for trial in graphs.WALKS}
    assert set(clips[run]) >= {corpus.library.index(f"16_{trial}") for trial in graphs.RUNS}
    assert np.any(walk[transitions.sources] & run[transitions.targets])
    assert np.any(run[transitions.sources] & walk[transitions.targets])
    assert chosen.cut_off == ()
    assert len(chosen.bridges) < 0.05 * len(transitions)
    assert np.median(chosen.quality.jumps) < 1.0
