"""Joints that stand are told from joints that roll on or off the ground."""

from __future__ import annotations

import numpy as np

from walkon.graphs.corpus import Corpus
from walkon.graphs.performing.footing import standing_joints, steady_frames

FPS = 30.0


def path_of(steps: list[float]) -> np.ndarray:
    """A path (F, 3) [m] along x by steps in millimetres."""
    x = np.concatenate([[0.0], np.cumsum(steps)]) / 1000.0
    return np.stack([x, np.zeros(len(x)), np.zeros(len(x))], axis=1)


def told(steps: list[float], planted: str | None = None) -> str:
    flags = np.array([letter == "x" for letter in planted or "x" * (len(steps) + 1)])
    return "".join("x" if steady else "." for steady in steady_frames(path_of(steps), flags, FPS))


def test_rolling_on_and_off_is_left_out() -> None:
    assert told([16, 12, 8, 3, 1, 1, 2, 9, 14]) == "...xxxxx.."


def test_only_contacts_stand() -> None:
    assert told([1, 1, 1, 1], planted=".xx..") == ".xx.."


def test_a_marker_that_shakes_still_stands() -> None:
    assert told([1, 1, 7, -7, 1, 1]) == "xxxxxxx"


def test_a_foot_that_is_put_elsewhere_does_not() -> None:
    assert told([1, 1, 20, 20, 20, 1, 1]) == "xxx..xxx"
    assert told([1, 1, 40, 1, 1]) == "xxx.xx"


def test_one_frame_is_as_it_is() -> None:
    assert told([]) == "x"


def test_who_stands_is_slow_and_planted(recorded_corpus: Corpus) -> None:
    standing, contacts = standing_joints(recorded_corpus), recorded_corpus.contacts
    assert not np.any(standing & ~contacts.planted)
    assert 0.5 < standing.sum() / contacts.planted.sum() < 0.95
    joints = [recorded_corpus.library.skeleton.index(name) for name in contacts.joints]
    steps = np.linalg.norm(np.diff(recorded_corpus.library.positions[:, joints], axis=0), axis=2)
    both = standing[1:] & standing[:-1]
    assert np.percentile(steps[both], 95) < 0.006
    assert standing_joints(recorded_corpus) is standing
