"""Blends are what Kovar, Gleicher and Pighin (2002) say, one by one; contacts change over in the middle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.graphs.choosing.blending import blend
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions, blend_weights
from walkon.motion import ClipLibrary
from walkon.rotations import Placement, angle_between, multiply, slerp


@pytest.fixture
def transitions(little_corpus: Corpus) -> Transitions:
    """Some transitions between any two clips, good or not, with alignments out of the blue."""
    rng, window, library = np.random.default_rng(3), 7, little_corpus.library
    sources, targets = [], []
    for first in range(len(library)):
        for second in range(len(library)):
            sources.append(int(rng.integers(library.starts[first], library.stops[first] - window - 1)))
            targets.append(int(rng.integers(library.starts[second] + window - 1, library.stops[second] - 1)))
    order = np.lexsort((targets, sources))
    return Transitions(
        window,
        np.array(sources)[order],
        np.array(targets)[order],
        np.zeros(len(sources)),
        rng.normal(0.0, 2.0, (len(sources), 3)),
    )


def test_equals_the_equations_one_by_one(little_corpus: Corpus, transitions: Transitions) -> None:
    library, shares = little_corpus.library, blend_weights(transitions.window)
    blends = blend(little_corpus, transitions)
    for t in range(len(transitions)):
        place = Placement(*transitions.alignments[t])
        for p, share in enumerate(shares):
            a = transitions.sources[t] + 1 + p
            b = transitions.targets[t] - transitions.window + 1 + p
            root = share * library.root_positions[a] + (1 - share) * place.points(library.root_positions[b])
            theirs = library.rotations[b].copy()
            theirs[0] = multiply(place.quaternion(), theirs[0])
            expected = slerp(library.rotations[a], theirs, np.full(len(theirs), 1 - share))
            np.testing.assert_allclose(blends.roots[t, p], root, atol=1e-12)
            assert angle_between(blends.rotations[t, p], expected).max() < 1e-7


def test_ends_in_the_target_where_the_alignment_puts_it(little_corpus: Corpus, transitions: Transitions) -> None:
    blends = blend(little_corpus, transitions, np.array([5, 2]))
    for row, number in enumerate((5, 2)):
        target = transitions.targets[number]
        assert np.array_equal(blends.rotations[row, -1, 1:], little_corpus.library.rotations[target, 1:])
        place = Placement(*transitions.alignments[number])
        expected = place.points(little_corpus.library.root_positions[target])
        np.testing.assert_allclose(blends.roots[row, -1], expected, atol=1e-12)


def test_contacts_are_the_sources_first_and_then_the_targets(
    little_corpus: Corpus, transitions: Transitions
) -> None:
    planted, window = little_corpus.contacts.planted, transitions.window
    for t, flags in enumerate(blend(little_corpus, transitions).planted):
        for p in range(window):
            source, target = transitions.sources[t] + 1 + p, transitions.targets[t] - window + 1 + p
            assert np.array_equal(flags[p], planted[source if blend_weights(window)[p] >= 0.5 else target])


def test_the_sign_of_a_quaternion_means_nothing(little_corpus: Corpus, transitions: Transitions) -> None:
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (len(little_corpus.library), 1, 1, 1))
    flipped = [
        clip.with_changes(rotations=clip.rotations * sign[0])
        for clip, sign in zip(little_corpus.library, signs, strict=True)
    ]
    other = replace(little_corpus, library=ClipLibrary.build(flipped))
    ours, theirs = blend(little_corpus, transitions).rotations, blend(other, transitions).rotations
    assert angle_between(ours, theirs).max() < 1e-7
