"""Clips of all kinds become rows of one body, at one rate, that know what they show."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import GraphError
from walkon.graphs.corpus import MIRRORED, gather_corpus, number_label_sets
from walkon.motion import ClipLibrary, Contacts, Label, find_contacts, ground_placements, support_phases


@pytest.fixture(scope="module")
def walk():
    return make("walk", fps=60.0).with_changes(labels=())


@pytest.fixture(scope="module")
def run():
    return make("run", fps=120.0).with_changes(labels=())


@pytest.fixture(scope="module")
def corpus(walk, run):
    return gather_corpus([walk, run], mirrored=True)


def test_rows_are_all_frames_of_all_clips_at_one_rate(corpus, walk, run):
    assert corpus.fps == 30.0
    assert corpus.library.names == ("walk", "run", "walk" + MIRRORED, "run" + MIRRORED)
    lengths = [(len(walk) - 1) // 2 + 1, (len(run) - 1) // 4 + 1]
    assert (corpus.library.stops - corpus.library.starts).tolist() == lengths * 2
    assert len(corpus) == 2 * sum(lengths)
    for name in ("labels", "supports", "tracks"):
        assert len(getattr(corpus, name)) == len(corpus)
        assert not getattr(corpus, name).flags.writeable


def test_rows_know_their_labels_supports_and_contacts(corpus):
    names = [corpus.label_sets[number] for number in corpus.labels]
    library = corpus.library
    for number, clip in enumerate(library):
        rows = slice(library.starts[number], library.stops[number])
        assert set(names[rows]) == {frozenset({clip.name.removesuffix(MIRRORED)})}
        assert np.array_equal(corpus.supports[rows], support_phases(clip))
        assert np.array_equal(corpus.contacts.planted[rows], clip.contacts.planted)


def test_a_mirror_image_goes_the_other_way_on_the_other_foot(corpus):
    library = corpus.library
    first = slice(library.starts[0], library.stops[0])
    image = slice(library.starts[2], library.stops[2])
    assert np.allclose(corpus.tracks[image][:, 0], -corpus.tracks[first][:, 0], atol=1e-6)
    assert np.allclose(corpus.tracks[image][:, 1], corpus.tracks[first][:, 1], atol=1e-6)
    swapped = np.array([0, 2, 1, 3])[corpus.supports[first]]
    assert np.array_equal(corpus.supports[image], swapped)


def test_tracks_follow_the_body_without_its_sway(corpus):
    places = corpus.library.placements
    apart = np.hypot(*(corpus.tracks - places)[:, :2].T)
    assert apart.max() < 0.1
    clip = corpus.library[0]
    straight = np.diff(corpus.tracks[: len(clip)], axis=0)
    swaying = np.diff(ground_placements(clip), axis=0)
    assert np.abs(straight[:, 0]).max() < np.abs(swaying[:, 0]).max()


def test_rows_and_frames_of_clips_lead_to_each_other(corpus):
    for row in (0, 5, int(corpus.library.starts[1]), len(corpus) - 1):
        assert corpus.row(*corpus.where(row)) == row
    with pytest.raises(GraphError, match="'run' has no frame 900"):
        corpus.row("run", 900)
    with pytest.raises(GraphError, match="no frame -1"):
        corpus.row("run", -1)


def test_labels_that_are_there_are_kept_and_frames_between_them_have_none(walk):
    frames = len(walk)
    labels = (Label("stroll", 0, 40), Label("happy", 20, 60))
    corpus = gather_corpus([walk.with_changes(labels=labels)])
    shown = [sorted(corpus.label_sets[number]) for number in corpus.labels]
    assert shown[:10] == [["stroll"]] * 10
    assert shown[10:20] == [["happy", "stroll"]] * 10
    assert shown[20:30] == [["happy"]] * 10
    assert shown[30:] == [[]] * ((frames - 1) // 2 + 1 - 30)


def test_label_sets_are_those_a_look_at_every_frame_finds(walk):
    rng = np.random.default_rng(3)
    labels = []
    for _ in range(12):
        start = int(rng.integers(0, 60))
        labels.append(Label(str(rng.choice(["a", "b", "c"])), start, start + int(rng.integers(1, 30))))
    library = ClipLibrary.build([walk.with_changes(labels=tuple(labels)), walk.with_changes(name="other")])
    sets, numbers = number_label_sets(library)
    for frame in range(len(walk)):
        own = {label.name for label in labels if label.start <= frame < label.stop}
        assert sets[numbers[frame]] == own
    assert set(numbers[len(walk) :].tolist()) == {sets.index(frozenset())}
    assert [numbers.tolist().index(n) for n in range(len(sets))] == sorted(
        numbers.tolist().index(n) for n in set(numbers)
    )


def test_contacts_of_other_joints_are_brought_into_line(walk, run):
    alone = gather_corpus([walk])
    assert alone.contacts.joints == walk.contacts.joints
    ready = alone.library[0]
    known = find_contacts(ready)
    turned = Contacts(known.joints[::-1], np.ascontiguousarray(known.planted[:, ::-1]))
    corpus = gather_corpus([ready.with_changes(contacts=turned), run])
    assert corpus.contacts.joints == known.joints
    assert np.array_equal(corpus.contacts.planted[: len(ready)], known.planted)
    some = gather_corpus([ready.with_changes(contacts=Contacts(known.joints[:1], known.planted[:, :1])), run])
    assert some.contacts.joints == known.joints
    assert np.array_equal(some.contacts.planted[: len(ready)], find_contacts(some.library[0]).planted)


def test_clips_that_cannot_be_told_apart_are_refused(walk):
    with pytest.raises(GraphError, match="at least one clip"):
        gather_corpus([])
    with pytest.raises(GraphError, match="different names; repeated: walk"):
        gather_corpus([walk, walk])
    with pytest.raises(GraphError, match="mirror image of 'walk'"):
        gather_corpus([walk, walk.with_changes(name="walk" + MIRRORED)], mirrored=True)


def test_bodies_that_do_not_fit_are_named_and_the_rest_goes_on(walk):
    dog = make("dog")
    corpus = gather_corpus([dog, walk, walk.with_changes(name="again")])
    assert corpus.library.names == ("walk", "again")
    assert corpus.failed == {"dog": "its body has 4 feet, that of the others 2"}
    with pytest.raises(GraphError, match="clip 'dog': its body has 4 feet"):
        gather_corpus([dog], skeleton=walk.skeleton)


def test_frames_that_are_no_part_of_the_motion_are_left_out(walk):
    """Some recordings begin with rows of another pose; blends would mix them in."""
    rotations = walk.rotations.copy()
    rotations[:2, 1:] = [0.0, 1.0, 0.0, 0.0]
    corpus = gather_corpus([walk.with_changes(rotations=rotations, contacts=None)], fps=walk.fps)
    assert len(corpus) == len(walk) - 2
    np.testing.assert_allclose(corpus.library.rotations[0, 1:], walk.rotations[2, 1:], atol=1e-6)
