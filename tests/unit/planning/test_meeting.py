"""Whether a clip meets people, beside a twin that looks at every frame of everybody."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.planning import Reservations
from walkon.planning.kernels_collision import hits_people
from walkon.planning.moves import compile_moves
from walkon.planning.steps import stand_of
from walkon.rotations import Placement

PEOPLE, HORIZON = 6, 60


def crowd_of(random):
    """Some who pass, fast enough to be near for a frame or two only; every other one stays in the end."""
    people = Reservations((-4.0, -4.0, 4.0, 4.0), HORIZON)
    for key in range(PEOPLE):
        frames = int(random.integers(1, 20))
        begin, end = random.uniform(-4.0, 4.0, (2, 2))
        places = begin + np.linspace(0.0, 1.0, frames)[:, None] * (end - begin)
        people.add(key, int(random.integers(0, 30)), np.column_stack([places, np.full(frames, 0.2)]), key % 2 == 0)
    return people


def meets(moves, clip, place, begun, tracks):
    circles = np.array(moves.circles[moves.frame_starts[clip] : moves.frame_starts[clip + 1]])
    circles[:, 0], circles[:, 1] = Placement(*place).point(circles[:, 0], circles[:, 1])
    for track in range(PEOPLE):
        at = begun + np.arange(len(circles)) - tracks.firsts[track]
        there = (at >= 0) & ((at < tracks.lengths[track]) | tracks.stays[track])
        others = tracks.places[tracks.begins[track] + np.clip(at, 0, tracks.lengths[track] - 1)]
        apart = np.hypot(circles[:, 0] - others[:, 0], circles[:, 1] - others[:, 1])
        if (there & (apart < circles[:, 2] + others[:, 2] + tracks.gap)).any():
            return True
    return False


@pytest.mark.parametrize("seed", range(8))
def test_a_clip_meets_whom_every_frame_says_it_meets(toys, seed):
    random = np.random.default_rng(seed)
    moves, tracks = compile_moves(toys.walker(), 0, "circle"), crowd_of(random).tracks
    answers = []
    for _ in range(400):
        place = np.array([*random.uniform(-3.5, 3.5, 2), random.uniform(-3.0, 3.0)])
        clip, begun = int(random.integers(len(moves.durations))), int(random.integers(0, 45))
        answers.append(hits_people(stand_of(place), begun, clip, moves, tracks))
        assert answers[-1] == meets(moves, clip, place, begun, tracks)
    assert 0.05 < np.mean(answers) < 0.95
