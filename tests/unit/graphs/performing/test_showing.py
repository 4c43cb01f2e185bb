"""A transition by itself: as it looks in a walk, with the recordings it joins around it."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs import Transitions, gather_corpus
from walkon.graphs.comparing.clouds import align_windows
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.performing.showing import perform_transition
from walkon.graphs.transitions import blend_weights
from walkon.motion import Label, crop

WINDOW = 10


@pytest.fixture(scope="module")
def corpus(session_of):
    clips = session_of(7)
    return gather_corpus([crop(clips["walk_about_1"], 0, 120), crop(clips["walk_slowly"], 0, 100)])


def between(corpus, source, target):
    """The transition from one row to another."""
    starts = np.array([source + 1]), np.array([target - WINDOW + 1])
    alignments = align_windows(corpus, *starts, WINDOW)
    return Transitions(WINDOW, np.array([source]), np.array([target]), np.array([0.05]), alignments)


def test_what_is_shown_is_recorded_before_and_after_and_blended_between(corpus):
    second, found = int(corpus.library.starts[1]), as_transitions(corpus, find_minima(corpus))
    rooms = (found.sources > 20) & (found.sources < second) & (found.targets > second) & (found.targets < 200)
    best = int(np.flatnonzero(rooms)[np.argmin(found.distances[rooms])])
    source, target = int(found.sources[best]), int(found.targets[best])
    excerpt = perform_transition(corpus, found, best, before=0.5, after=0.4)
    assert len(excerpt.clip) == len(excerpt.shares) == 16 + WINDOW + 12
    np.testing.assert_array_equal(excerpt.shares[:16], 1.0)
    np.testing.assert_allclose(excerpt.shares[16:26], blend_weights(WINDOW))
    np.testing.assert_array_equal(excerpt.shares[26:], 0.0)
    recorded = corpus.library.rotations
    upper = [joint for joint, name in enumerate(corpus.library.skeleton.names) if "Arm" in name]
    np.testing.assert_allclose(
        excerpt.clip.rotations[:16, upper], recorded[source - 15 : source + 1, upper], atol=1e-9
    )
    after = recorded[target + 1 : target + 13, upper]
    assert np.abs(np.abs((excerpt.clip.rotations[26:, upper] * after).sum(axis=-1)) - 1.0).max() < 1e-9
    # It begins where it was recorded, and nothing jumps.
    np.testing.assert_allclose(
        excerpt.clip.root_positions[0], corpus.library.root_positions[source - 15], atol=0.02
    )
    assert np.linalg.norm(np.diff(excerpt.clip.root_positions, axis=0), axis=1).max() * 30.0 < 2.5


def test_labels_may_change_around_a_transition(corpus):
    labels = (Label("a", 0, 30), Label("b", 30, 60), Label("c", 60, 90))
    clips = [clip.with_changes(labels=labels) for clip in corpus.library]
    changing = gather_corpus(clips)
    excerpt = perform_transition(changing, between(changing, 40, int(changing.library.starts[1]) + 50), 0)
    assert {label.name for label in excerpt.clip.labels} == {"a", "b", "c"}


def test_near_the_ends_of_recordings_less_is_shown(corpus):
    second = int(corpus.library.starts[1])
    last = int(corpus.library.stops[1]) - 1
    excerpt = perform_transition(corpus, between(corpus, 3, last - 2), 0)
    assert len(excerpt.clip) == 4 + WINDOW + 2
    excerpt = perform_transition(corpus, between(corpus, 0, last), 0)
    assert len(excerpt.clip) == 1 + WINDOW
    within = perform_transition(corpus, between(corpus, second + 60, second + 40), 0)
    assert len(within.clip) == 16 + WINDOW + 15


def test_there_must_be_such_a_transition(corpus):
    with pytest.raises(GraphError, match="there is no transition 1; there are 1"):
        perform_transition(corpus, between(corpus, 40, 100), 1)
