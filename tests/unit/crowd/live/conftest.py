"""Small live crowds, and what has to hold of them at every frame."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.crowd.live import Live
from walkon.motion.features.outlines import DIRECTIONS, outline_corners
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, Obstacle, Scene, flat_terrain

BOUNDS = (-6.0, -6.0, 6.0, 6.0)


class Stage:
    """Makes small scenes and looks at what happens in them."""

    @staticmethod
    def box(name, x, z, width=1.0, depth=1.0, height=2.0, **more):
        return Obstacle(name, Box(width, height, depth), [[x, 0.0, z]], [[1.0, 0.0, 0.0, 0.0]], **more)

    @staticmethod
    def walker(name, x, z, heading, *goals, **more):
        return Character(name, Placement(x, z, heading), tuple(Goal(*goal) for goal in goals), **more)

    @staticmethod
    def scene(characters=(), obstacles=(), bounds=BOUNDS):
        return Scene("small", bounds, flat_terrain(bounds), tuple(obstacles), tuple(characters))

    @staticmethod
    def live(characters=(), obstacles=(), bounds=BOUNDS, workers=1, **more):
        return Live(Stage.scene(characters, obstacles, bounds), workers=workers, **more)

    @staticmethod
    def until(live, condition, seconds=60.0):
        """Step until something is so; whether it ever was."""
        for _ in range(round(seconds * live.fps)):
            if condition():
                return True
            live.step()
        return condition()

    @staticmethod
    def segments(live, who):
        """Clips, frames and places of all that somebody has played and has committed to, the naive way."""
        history = live.history()
        (own,) = np.flatnonzero(history.who == who)
        rows = slice(history.starts[own], history.starts[own + 1])
        return history.clips[rows], history.frames[rows], history.placements[rows]

    @staticmethod
    def reach(body, table):
        return reach(body, table)

    @staticmethod
    def assert_sound(live):
        """Everybody's commitment goes on without a gap and ends in a rest, or in being gone; no two ever meet."""
        table, crew, tracks = live.repertoire.table, live._engine.crew, live._engine.tracks
        for who, person in live.people.items():
            if crew.count[person.row] == 0:
                continue
            clips, frames, places = Stage.segments(live, who)
            assert frames[0] >= person.joined
            for one in range(len(clips) - 1):
                assert frames[one + 1] == frames[one] + table.clips["duration"][clips[one]]
                assert_same_place(placed(places[one], table.clips["displacement"][clips[one]]), places[one + 1])
                assert (
                    live.clip(int(clips[one])).last - live.clip(int(clips[one])).first
                    == (table.clips["duration"][clips[one]])
                )
            assert crew.ends[person.row] or table.poses["rests"][table.clips["exit"][clips[-1]]]
        rows = [person.row for person in live.people.values()]
        ahead = {row: everything(crew, tracks, row, live.frame + 1) for row in rows}
        for one in rows:
            for other in rows:
                if one < other:
                    ends = [len(ahead[row]) for row in (one, other) if crew.ends[row]]
                    gap = least_gap(ahead[one], ahead[other], table, min(ends, default=None))
                    assert gap >= 0.05 - 1e-4, (one, other, live.frame)


def placed(place, displacement):
    return Placement(*place) @ Placement(*displacement)


def assert_same_place(placement, row):
    assert math.hypot(placement.x - row[0], placement.z - row[1]) < 1e-9
    assert abs(math.remainder(placement.heading - row[2], 2.0 * math.pi)) < 1e-9


def everything(crew, tracks, row, frame):
    """Bodies (F, BODY) that belong to somebody from a frame on; the last one for good."""
    first = min(max(frame - int(crew.first[row]), 0), int(crew.length[row]) - 1)
    return tracks[row, first : int(crew.length[row])]


def least_gap(one, other, table, ends=None):
    """Least gap [m] between two people, frame by frame until both stay, or one is gone after so many frames."""
    length = ends or max(len(one), len(other))
    a, b = (track[np.minimum(np.arange(length), len(track) - 1)] for track in (one, other))
    return float(body_gaps(a, b, table).min())


def body_gaps(one, other, table):
    """Gaps (F,) [m] between two bodies (F, BODY): of their circles, or of their outlines where these come nearer
    than 0.05 m, by the best of many directions, those of their tables among them: between two others a gap may
    look smaller than it is."""
    gaps = np.hypot(*(one - other)[:, :2].T) - one[:, 2] - other[:, 2]
    for frame in np.flatnonzero((gaps < 0.05) & (one[:, 4] >= 0) & (other[:, 4] >= 0)):
        tables = (
            body[3] + np.arange(DIRECTIONS) * 2.0 * np.pi / DIRECTIONS for body in (one[frame], other[frame])
        )
        angles = np.concatenate([DEGREES, *tables])
        taken = reach(one[frame], table, angles) + reach(other[frame], table, angles + np.pi)
        gaps[frame] = -taken.min()
    return gaps


DEGREES = np.radians(np.arange(360))


def reach(body, table, angles=DEGREES):
    """How far (K,) [m] a body (BODY,) reaches from the origin of the world in directions (K,)."""
    supports = table.supports[int(body[4])].max(axis=0).astype(np.float64)
    x, z = Placement(*body[[0, 1, 3]]).point(*outline_corners(supports).T)
    return (np.outer(x, np.sin(angles)) + np.outer(z, np.cos(angles))).max(axis=0)


@pytest.fixture(scope="session")
def stage():
    """Makes small live crowds."""
    return Stage


@pytest.fixture(scope="session")
def table():
    """What a built-in person can do."""
    return Stage.live([Stage.walker("anna", 0.0, 0.0, 0.0)]).repertoire.table
