"""A recording session: long clips of one person that look recorded, labelled by what is done."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from walkon.builtin.performer import Performer
from walkon.builtin.session import ERRANDS, WANDERS, Wander, kind_of, make_session, run_errands, wander
from walkon.errors import ClipError
from walkon.motion import find_contacts


@pytest.fixture(scope="module")
def session(session_of):
    return session_of(7)


def test_a_session_has_minutes_of_one_body_at_one_rate(session):
    assert list(session) == [*WANDERS, *ERRANDS]
    bodies = [clip.skeleton for clip in session.values()]
    assert all(body.matches(bodies[0]) for body in bodies)
    assert sum(clip.duration for clip in session.values()) > 200.0


def test_every_frame_has_one_label(session):
    for clip in session.values():
        edges = [(label.start, label.stop) for label in clip.labels]
        assert edges[0][0] == 0
        assert edges[-1][1] == len(clip)
        assert all(before[1] == after[0] for before, after in pairwise(edges))
        names = [label.name for label in clip.labels]
        assert all(one != other for one, other in pairwise(names))
    done = {label.name for clip in session.values() for label in clip.labels}
    assert done == {"walk", "run", "stand", "jump", "wave", "cheer"}


def test_labels_are_true(session):
    """Who walks is at the speed of a walk, who runs at that of a run."""
    for clip in session.values():
        speed = np.linalg.norm(np.gradient(clip.root_positions[:, [0, 2]], axis=0), axis=1) * clip.fps
        for label in clip.labels:
            pace = float(np.median(speed[label.start : label.stop]))
            if label.name in ("stand", "wave", "cheer"):
                assert pace < 0.35
            elif label.name == "walk" and label.stop - label.start > 60:
                assert 0.5 < pace < 1.8
            elif label.name == "run" and label.stop - label.start > 60:
                assert pace > 1.6


def test_nothing_jumps_and_planted_feet_stay(session):
    for clip in session.values():
        assert np.linalg.norm(np.diff(clip.positions, axis=0), axis=2).max() * clip.fps < 11.0
        assert clip.contacts is not None
        for column, name in enumerate(clip.contacts.joints):
            places = clip.positions[:, clip.skeleton.index(name)]
            planted = clip.contacts.planted[:, column]
            still = np.linalg.norm(np.diff(places, axis=0), axis=1)[planted[1:] & planted[:-1]]
            assert still.mean() < 0.003


def test_contacts_told_from_the_motion_are_those_of_the_makers(session):
    clip = session["walk_about_1"]
    found = find_contacts(clip)
    ours = clip.contacts.planted.any(axis=1)
    assert (found.planted.any(axis=1) == ours).mean() > 0.9


def test_one_seed_is_one_session_and_another_another(session):
    again = make_session(7)
    assert all(np.array_equal(clip.rotations, session[clip.name].rotations) for clip in again)
    other = make_session(8)[0]
    assert not np.array_equal(other.root_positions, session[other.name].root_positions)


def test_who_wanders_turns_no_faster_than_asked_and_changes_gait_when_asked():
    how = Wander(8.0, 0.5, changes=(3.0, 6.0))
    clip = wander(Performer(3), "there", how)
    assert [(label.name, label.start, label.stop) for label in clip.labels] == [
        ("walk", 0, 104), ("run", 104, 194), ("walk", 194, 240)
    ]  # fmt: skip
    back = wander(Performer(3), "back", Wander(6.0, 0.5, running=True, changes=(3.0,)))
    assert [label.name for label in back.labels] == ["run", "walk"]


def test_sessions_come_at_any_rate():
    clips = make_session(7, fps=60.0)
    assert {clip.fps for clip in clips} == {60.0}


def test_what_cannot_be_done_is_said():
    from walkon.builtin.casts import fetch_library

    library = fetch_library("human", 7)
    with pytest.raises(ClipError, match="jog_forward cannot follow idle"):
        run_errands(library, "no", ["idle", "jog_forward"])
    with pytest.raises(ClipError, match="at least one"):
        run_errands(library, "no", [])
    with pytest.raises(ClipError, match="nobody has said"):
        kind_of("fly")
    with pytest.raises(ClipError, match="goes about"):
        wander(Performer(3), "no", Wander(0.0, 0.5))
    assert kind_of("sit_down") == "sit"
    assert kind_of("start_jog") == "run"
