"""The crowd in memory: a record for everybody, with what they have committed to and what they are about.

Records, not arrays of their own: what a kernel asks about a person lies together, and a kernel is handed one array
instead of forty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SEGMENTS = 72
"""Clips that somebody plays and has committed to, at most: a way of 30 m in slow steps, or of 16 m creeping,
and a stop. With more, records are larger, and large crowds slower."""

TRACK_ROOM = 1200
"""Frames (40 s) that a commitment may be long, to the frame in which its last clip ends. With more, people may be
led farther at once, and more memory is set aside for everybody (48 kB now, of which most use a tenth)."""

BODY = 5
"""Numbers that say where a body is in a frame of a track: x, z, radius [m] of the circle around it, the heading in
which its outline is seen, and the row of its outline in `MoveTable.supports`; -1 where only the circle is seen."""

TUBE = 24
"""Circles that outline a way somebody asks others to leave free."""

CORNERS = 24
"""Corners of a route that are kept; what is beyond is found again on the way."""

CHAIN = 10
"""Clips that are kept of a way that was looked up in a precomputed tree."""

NOBODY = 2**60
"""Ticket of somebody who has none: lower ones come first."""

Crew = NDArray[Any]
"""(N,) of MEMBER; rows of those who left are free for others. Beside it lie the tracks (N, TRACK_ROOM + 1, BODY)
of everybody: too large to be carried along where somebody only goes through the crowd."""

_COMMITMENT = [
    # Segments, of which the first is playing: what, from which frame on, and x, z, heading at that frame.
    ("count", np.int64),
    ("clips", np.int64, (SEGMENTS,)),
    ("frames", np.int64, (SEGMENTS,)),
    ("places", np.float64, (SEGMENTS, 3)),
    # Space and time: a track from frame `first` on; the last of `length` stays for good, unless it `ends`: then
    # nobody is there any more afterwards.
    ("first", np.int64),
    ("length", np.int64),
    ("ends", np.bool_),
    ("speed", np.float64),  # the most a body moves in a frame, in any direction [m]
    ("bound", np.float64, (3,)),  # a circle around all of it
    # Where it would be if it never stopped: x, z, their change per frame, the frame that holds for, radius.
    ("guess", np.float64, (6,)),
]

MEMBER = np.dtype(
    [
        ("here", np.bool_),
        *_COMMITMENT,
        # The frame in which the playing segment ends; pose and place then; the boundary for which all is decided.
        ("boundary", np.int64),
        ("pose", np.int64),
        ("end", np.float64, (3,)),
        ("planned", np.int64),
        ("led", np.int64),  # until this frame it goes a way to its goal that is all reserved, and decides nothing
        ("tries", np.int64),
        ("hurry", np.bool_),  # it cannot wait until the boundary is near
        # Aims: x, z, tolerance, heading (nan: any), and how far off that may be; nan for all without a goal.
        ("goal", np.float64, (4,)),
        ("spread", np.float64),
        ("passing", np.bool_),  # it need not stand there
        ("departs", np.bool_),  # it is gone once it is there
        ("settled", np.bool_),  # it is where it wants to be
        ("pace", np.float64),  # how fast it is to walk [m/s]; nan: as its performer does
        ("wants", np.float64, (2,)),  # the direction x, z in which others see that it wants to go; 0, 0 for none
        ("lag", np.float64),  # [m] by which it is behind that speed
        ("astray", np.float64),  # by how much [m] it is on the wrong side of a corridor in which others come
        ("streams", np.bool_),  # everybody near it goes the same way
        # The route: corners, which one is next, and what is left from each on [m]; the frame it was found in.
        ("corners", np.float64, (CORNERS, 2)),
        ("lengths", np.float64, (CORNERS,)),
        (
            "axes",
            np.float64,
            (CORNERS,),
        ),  # the heading in which a door is to be gone through; nan for other corners
        ("corner_count", np.int64),
        ("aim", np.int64),
        ("routed", np.int64),
        # The door it comes to next, or -1; whether many do; whether it is its turn, since when; what it had
        # left to go.
        ("door", np.int64),
        ("queues", np.bool_),
        ("turn", np.bool_),
        ("turned", np.int64),
        ("still_left", np.float64),
        ("broad", np.float64),  # room [m] that it needs on both sides to walk
        ("slim", np.float64),  # the same, where it makes itself as slim as it can
        # A way that was looked up: clips, how many, x, z, heading and frame where it begins, whether it leads to
        # the goal itself.
        ("chain", np.int64, (CHAIN,)),
        ("chain_count", np.int64),
        ("chain_place", np.float64, (3,)),
        ("chain_frame", np.int64),
        ("chain_ends", np.bool_),
        # Waiting: a place, and since which frame it has not got further than half a metre from there.
        ("anchor", np.float64, (2,)),
        ("since", np.int64),
        # Circling: a goal (x, z), how near [m] to it somebody has been, and in which frame.
        ("nearest", np.float64, (3,)),
        ("nearest_at", np.int64),
        ("stuck", np.float64, (2,)),  # where it got its ticket
        ("issued", np.int64),
        ("ticket", np.int64),  # the lowest is to be let through first
        # The way it asks others to leave free; whose way it is asked to leave itself, until when, and how
        # urgently.
        ("tube", np.float64, (TUBE, 3)),
        ("tube_count", np.int64),
        ("asked_by", np.int64),
        ("asked_until", np.int64),
        ("asked_ticket", np.int64),
        (
            "struck",
            np.bool_,
        ),  # an obstacle was put where it is or cannot help going, and it is not clear of it yet
        ("retreating", np.int64),  # until this frame at most it goes back to where others can pass
        ("retreats_from", np.int64),  # whose row
        ("home", np.int64),  # the frame in which it arrived
        ("around", np.bool_),  # its route leads around a crowd
        # What hemmed it in when it last looked for a way in vain, and in which frame that was.
        ("hem", np.int64),
        ("looked", np.int64),
        ("restless", np.float64),  # what it costs to stay where it has waited for long
        ("deep", np.float64),  # how far [m] inside an obstacle that was dropped onto it; 0 for all others
    ],
    align=True,
)

BLOCKERS = 8
"""People whom somebody asks to make way at once, at most."""

PROPOSAL = np.dtype(
    [
        ("row", np.int64),
        ("kind", np.int64),  # NOTHING, REST or GO; + COMMITTED
        ("good", np.bool_),  # not worth waiting for something better
        *_COMMITMENT,
        ("track", np.float64, (TRACK_ROOM + 1, BODY)),
        ("tube", np.float64, (TUBE, 3)),  # the way that was not free, and who was in it
        ("tube_count", np.int64),
        ("blockers", np.int64, (BLOCKERS,)),
        ("blocker_count", np.int64),
        ("hint", np.int64, (CHAIN,)),  # clips of a way that was looked up, to be tried first
        ("hint_count", np.int64),
        ("led", np.bool_),  # it is the way that is proposed
        ("looked", np.int64),  # clips
        ("cycles", np.int64),  # of the processor
    ],
    align=True,
)
"""What somebody would do from its boundary on: segments without the one that is playing, bodies with it."""

NOTHING, REST, GO, COMMITTED = 0, 1, 2, 4


def empty_crew(room: int) -> Any:
    """Rows for `room` people, nobody there."""
    crew = np.zeros(room, dtype=MEMBER).view(np.recarray)
    for row in range(room):
        forget(crew, row)
    return crew


def grown(crew: Any, room: int) -> Any:
    """The same crew with more rows."""
    larger = empty_crew(room)
    larger[: len(crew)] = crew
    return larger


def forget(crew: Any, row: int) -> None:
    """Make a row as if nobody had ever been there."""
    crew[row] = np.zeros((), dtype=MEMBER)
    crew.planned[row] = crew.asked_by[row] = crew.asked_until[row] = -1
    crew.goal[row] = crew.pace[row] = np.nan
    crew.door[row], crew.turn[row] = -1, True
    crew.routed[row] = -(10**6)
    crew.ticket[row] = crew.asked_ticket[row] = NOBODY
