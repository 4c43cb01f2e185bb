"""How blends look, measured the slow way; and that worse ones are told from better ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.graphs.choosing.blending import blend
from walkon.graphs.choosing.quality import measure_quality, recorded_jumps, velocity_changes
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.corpus import Corpus
from walkon.graphs.performing.footing import standing_joints
from walkon.graphs.transitions import Transitions, no_transitions
from walkon.rotations import carry
from walkon.skeleton import forward_kinematics


def slow_quality(corpus: Corpus, transitions: Transitions) -> tuple[list[float], list[float]]:
    """Slides and jumps of blends laid out with a frame before and one after."""
    library, window = corpus.library, transitions.window
    joints = [library.skeleton.index(name) for name in corpus.contacts.joints]
    standing, references = standing_joints(corpus), recorded_jumps(corpus)
    slides, jumps = [], []
    for t, (source, target) in enumerate(zip(transitions.sources, transitions.targets, strict=True)):
        frames = blend(corpus, transitions, np.array([t]))
        positions, _ = forward_kinematics(library.skeleton, frames.roots[0], frames.rotations[0])
        shown = [library.positions[source], *positions]
        held = [standing[source]]
        for p in range(window):
            held.append(standing[source + 1 + p] if p < window // 2 else standing[target - window + 1 + p])
        steps = np.diff(np.array(shown)[:, joints][..., [0, 2]], axis=0)
        both = np.array(held)[1:] & np.array(held)[:-1]
        slides.append(float((np.linalg.norm(steps, axis=2) * both).max(initial=0.0)))
        clips = library.clip_of_frame[[source, target]]
        if source > library.starts[clips[0]]:
            shown.insert(0, library.positions[source - 1])
        if target + 1 < library.stops[clips[1]]:
            after = carry(transitions.alignments[[t]], library.positions[[target + 1]])
            shown.append(after[0])
        jumps.append(float((velocity_changes(np.array(shown)) / references[clips].max(axis=0)).max()))
    return slides, jumps


def test_equals_the_slow_way(little_corpus: Corpus) -> None:
    transitions = as_transitions(little_corpus, find_minima(little_corpus))
    some = transitions.subset(np.arange(0, len(transitions), max(len(transitions) // 60, 1)))
    quality = measure_quality(little_corpus, some)
    slides, jumps = slow_quality(little_corpus, some)
    np.testing.assert_allclose(quality.slides, slides, atol=1e-9)
    np.testing.assert_allclose(quality.jumps, jumps, atol=1e-9)
    assert quality.slides.max() > 0.0


def test_going_on_as_recorded_is_as_good_as_recorded(little_corpus: Corpus) -> None:
    window = 10
    sources = np.concatenate([np.arange(start, stop - window - 1) for start, stop in _clips(little_corpus)])
    on = Transitions(window, sources, sources + window, np.zeros(len(sources)), np.zeros((len(sources), 3)))
    quality = measure_quality(little_corpus, on)
    assert quality.jumps.max() <= 1.0 + 1e-6
    assert quality.slides.max() * little_corpus.fps <= 0.5


def _clips(corpus: Corpus) -> list[tuple[int, int]]:
    return list(zip(corpus.library.starts.tolist(), corpus.library.stops.tolist(), strict=True))


def test_what_does_not_lie_where_it_should_slides_and_jumps_more(little_corpus: Corpus) -> None:
    transitions = as_transitions(little_corpus, find_minima(little_corpus))
    good = transitions.subset(transitions.distances < 0.02)
    moved = replace(good, alignments=good.alignments + np.array([0.3, 0.0, 0.0]))
    before, after = measure_quality(little_corpus, good), measure_quality(little_corpus, moved)
    # The weights of a blend rise by at most 1.5 / window a frame: 45 mm of 30 cm.
    assert 0.03 < np.median(after.slides) - np.median(before.slides) < 0.05
    assert np.all(after.jumps > before.jumps)


def test_no_transitions_have_no_quality(little_corpus: Corpus) -> None:
    assert len(measure_quality(little_corpus, no_transitions(10)).slides) == 0


def test_still_recordings_are_not_asked_to_be_stiller(recorded_corpus: Corpus) -> None:
    assert recorded_jumps(recorded_corpus).min() >= 5.0 / recorded_corpus.fps**2 - 1e-12
