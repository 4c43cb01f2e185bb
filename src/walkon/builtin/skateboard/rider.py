"""A skateboarder in the making: channels keyed in the frame of the board become poses of rider and board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.builtin.footwork import SIDES
from walkon.builtin.human import human_feet, look, pose_arm, pose_trunk, stand_leg
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skateboard.feet import Excursion, front_foot, rear_foot
from walkon.builtin.skateboard.ride import DECK_TOP, Ride, pose_board
from walkon.motion import Contacts
from walkon.rotations import multiply, rotate
from walkon.skeleton import Skeleton

RIDER_BODY = ("height", "side", "ahead", "facing", "tilt", "bend", "twist", "front_foot", "gaze", "look", "knees")
RIDER_ARMS = tuple(f"{side.lower()}_{part}" for side in SIDES for part in ("swing", "spread", "elbow"))
CHANNELS = (*RIDER_BODY, *RIDER_ARMS)
"""What a rider is keyed by. Metres for a stature of 1.75, from the front bolts in the frame of the board:
`height`, `side` (left) and `ahead` of the pelvis. Degrees: `facing` and `front_foot` to the left of the board's
nose; `tilt` of the pelvis, `bend` of the spine and `gaze` forward and down; `twist` of the spine and `look` to the
left; `knees` pressed outwards; arms as in `pose_arm`."""

HANDS_IN = 12.0
"""Degrees the upper arms are turned inwards."""

FORESIGHT = 0.4
"""Seconds that the eyes are ahead of the board."""


@dataclass(frozen=True, eq=False)
class Rider:
    """Everything a rider does over F frames.

    times: (F,) [s]. channels: by name in `CHANNELS` (F,). excursion: of the rear foot, if it leaves the deck.
    scale: stature against 1.75 m. shift: (F, 3) [m] of the pelvis in the board's frame, besides its channels.
    """

    skeleton: Skeleton
    ride: Ride
    times: Array
    channels: Mapping[str, Array]
    excursion: Excursion | None
    scale: float
    shift: Array | float = 0.0

    def pose(self) -> tuple[Poser, Contacts]:
        """All joints solved, and when the rear foot is planted."""
        poser = Poser(self.skeleton, np.zeros((len(self.times), 3)))
        self._pose_body(poser)
        foot = human_feet(self.skeleton, DECK_TOP)["Right"]
        rear = rear_foot(foot, self.ride, self.times, self.scale, self.excursion)
        front = front_foot(self.skeleton, self.ride, self.times, self.channels["front_foot"])
        for side, track in (("Left", front), ("Right", rear)):
            stand_leg(poser, side, track, self.channels["knees"])
        pose_board(poser, self.ride, self.times)
        return poser, Contacts(rear.joints, rear.planted)

    def _pose_body(self, poser: Poser) -> None:
        times, ride, body = self.times, self.ride, self.channels
        lean = turned(lean=ride.lean(times))
        # The feet stay where they are: the body tips about the deck.
        deck = np.array([0.0, DECK_TOP, 0.0])
        above = np.stack([body["side"], body["height"] - DECK_TOP, body["ahead"]], axis=1) * self.scale
        poser.root_positions[:] = ride.to_world(times, deck + rotate(lean, above) + self.shift)
        along = ride.rotation(times)
        pelvis = multiply(lean, turned(body["tilt"], body["facing"]))
        pose_trunk(poser, multiply(along, pelvis), body["bend"], body["twist"], 0.0)
        # The eyes go where the board will be.
        ahead = 0.5 * (ride.heading(times + FORESIGHT) - ride.heading(times))
        gaze = turned(body["gaze"], 0.25 * body["facing"] + body["look"] + ahead, 0.3 * ride.lean(times))
        look(poser, multiply(along, gaze))
        for side in SIDES:
            swing, spread, elbow = (body[f"{side.lower()}_{part}"] for part in ("swing", "spread", "elbow"))
            pose_arm(poser, side, swing, spread=spread, inward=HANDS_IN, elbow=elbow)
