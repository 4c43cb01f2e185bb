"""Slides are counted from frame to frame, drifts over whole contacts, and only where joints are planted."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion import Clip, Contacts
from walkon.motion.feet.sliding import measure_slides, slides_of


def test_slides_and_drifts_are_told_apart() -> None:
    places = np.zeros((8, 2, 3))
    places[:, 0, 0] = [0.0, 0.1, 0.2, 0.3, 0.3, 0.3, 0.2, 0.1]
    places[:, 1, 2] = [5.0, 5.0, 5.3, 5.7, 5.7, 9.0, 9.0, 9.0]
    places[:, :, 1] = np.arange(8)[:, None]
    planted = np.zeros((8, 2), dtype=np.bool_)
    planted[1:3, 0] = planted[4:8, 0] = planted[1:4, 1] = True
    found = measure_slides(places, (0, 1), planted)
    np.testing.assert_allclose(np.sort(found.steps), np.sort([0.1, 0.0, 0.1, 0.1, 0.3, 0.4]), atol=1e-12)
    np.testing.assert_allclose(found.drifts, [0.1, 0.2, 0.7])
    assert found.worst == pytest.approx(0.4)
    assert found.worst_frame == 2
    assert found.worst_drift == pytest.approx(0.7)
    assert found.mean == pytest.approx(1.0 / 6.0)


def test_the_slides_of_clips_are_those_of_all_their_contacts(walk: Clip) -> None:
    assert slides_of([walk, walk]).worst < 1e-9
    ahead = np.arange(len(walk))[:, None] * [1e-3, 0.0, 0.0]
    found = slides_of([walk, walk.with_changes(root_positions=walk.root_positions + ahead)])
    assert found.worst == pytest.approx(1e-3)
    assert found.mean == pytest.approx(0.5e-3)
    assert found.worst_drift == pytest.approx(30e-3)


def test_where_nothing_is_planted_nothing_slides(walk: Clip) -> None:
    nothing = slides_of([walk.with_changes(contacts=Contacts((), np.zeros((len(walk), 0), dtype=np.bool_)))])
    assert np.isnan(nothing.worst)
    assert np.isnan(nothing.mean)
    assert np.isnan(nothing.worst_drift)


def test_contacts_are_found_where_nobody_knows_them(walk: Clip) -> None:
    assert len(slides_of([walk.with_changes(contacts=None)]).drifts) >= 8


def test_a_drift_is_told_from_where_the_joint_was_first_planted() -> None:
    places = np.zeros((4, 1, 3))
    places[:, 0, 0] = [0.0, 0.5, 0.2, 0.2]
    assert measure_slides(places, (0,), np.ones((4, 1), dtype=np.bool_)).worst_drift == pytest.approx(0.5)
    assert measure_slides(-places[::-1], (0,), np.ones((4, 1), dtype=np.bool_)).worst_drift == pytest.approx(0.3)
