"""Joints of a corpus that stand are told from joints that roll on or off the ground."""

from __future__ import annotations

import numpy as np

from walkon.graphs.corpus import Corpus
from walkon.graphs.performing.footing import standing_joints


def test_who_stands_is_slow_and_planted(recorded_corpus: Corpus) -> None:
    standing, contacts = standing_joints(recorded_corpus), recorded_corpus.contacts
    assert not np.any(standing & ~contacts.planted)
    assert 0.5 < standing.sum() / contacts.planted.sum() < 0.95
    joints = [recorded_corpus.library.skeleton.index(name) for name in contacts.joints]
    steps = np.linalg.norm(np.diff(recorded_corpus.library.positions[:, joints], axis=0), axis=2)
    both = standing[1:] & standing[:-1]
    assert np.percentile(steps[both], 95) < 0.006
    assert standing_joints(recorded_corpus) is standing
