"""The gallop, from strides to poses: along any gently curved way, hooves planted, flights in free fall.

One steady stride is solved first: the body hangs from its centre of mass, which moves as the hooves push it, and
every leg gets the path its fetlock takes in a swing, seen from shoulder or hip. On a way the body leans, the
hooves stand where they belong, and a swing is the steady one plus what leads it from hoofprint to hoofprint. At
both ends of a way all hooves are in the air and those corrections have died away: it begins and ends in the steady
gallop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.horse.limbs import ACROSS, HorseLeg, face_hoof, pitched, reach_fetlock
from walkon.builtin.horse.steps import Hoofprint, JointPath, LegCycle, steady_swing, swing_corrections
from walkon.builtin.horse.stride import (
    AHEAD,
    FOOTFALLS,
    GALLOP_DUTY,
    GALLOP_PERIOD,
    LEG_KINDS,
    NARROW,
    SINK,
    SPEED,
    bearing,
    rise,
)
from walkon.builtin.horse.trunk import pose_back, pose_neck_and_tail
from walkon.builtin.horse.way import Way, curved_way
from walkon.builtin.keyframes import Curve
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import withers_height
from walkon.motion import Contacts, center_of_mass
from walkon.rotations import rotate
from walkon.skeleton import Skeleton

LegName = tuple[str, str]
"""Kind and side of a leg: ("hind", "Left")."""

WAY_MARGIN = 2 * GALLOP_PERIOD
"""Seconds before and after a way for which it is laid out."""

CROUCH = 1.7
"""A leaning horse is lower by the cosine of its lean, to this power: the outer legs have farther to reach."""

GALLOP_ROUNDS = 5
GALLOP_PHASES = 52
"""How often the hanging body is corrected by where its centre of mass came to be, and at how many phases of the
stride that is measured; found by trying."""


@dataclass(frozen=True)
class GallopManner:
    """How a gallop differs from the steady one.

    channels: for channels of the body's table, what is added at times [s]; it vanishes where the way begins and
    ends.
    prints: for each leg, offsets (N, 2) [m] to the left and ahead of its hoofprints on the way.
    """

    channels: Mapping[str, Curve] = field(default_factory=dict)
    prints: Mapping[LegName, Array] = field(default_factory=dict)


STEADY = GallopManner()
"""Without any difference."""


@dataclass(frozen=True, eq=False)
class Gallop:
    """The steady gallop of one horse.

    cycles: the legs by kind and side. height: [m] of the centre of mass on average; ahead: [m] it is before the
    resting root. hang: root (3,) [m] from the centre of mass by phase. swings: fetlocks (3,) [m] from shoulder or
    hip by phase since landing.
    """

    skeleton: Skeleton
    cycles: Mapping[LegName, LegCycle]
    height: float
    ahead: float
    hang: CubicSpline
    swings: Mapping[LegName, CubicSpline]

    @property
    def speed(self) -> float:
        """Metres a second."""
        return SPEED * withers_height(self.skeleton)

    def way(self, turn: float, strides: int) -> Way:
        """A way of `strides` that turns by `turn` [rad] to the left."""
        return curved_way(
            self.speed, turn, strides * GALLOP_PERIOD, lambda times: bearing(times / GALLOP_PERIOD), WAY_MARGIN
        )

    def pose(self, way: Way, times: Array, manner: GallopManner = STEADY) -> tuple[Poser, Contacts]:
        """Poses at `times` (F,) [s], and which hooves stand then."""
        poser = self._hang_back(way, times, manner)
        pose_neck_and_tail(poser, times / GALLOP_PERIOD, way.lean(times), _changes(manner, times))
        planted = {}
        for name, cycle in self.cycles.items():
            prints = self.hoofprints(name, way, manner)
            joint = self.joint_path(name, way, manner)
            correction = swing_corrections(cycle, self.swings[name], way, prints, joint)(times)
            standing = _pose_leg(poser, cycle, way, times, prints, self.swings[name], correction)
            planted[cycle.leg.names[-1]] = standing
        return poser, Contacts(tuple(planted), np.stack(list(planted.values()), axis=1))

    def _hang_back(self, way: Way, times: Array, manner: GallopManner) -> Poser:
        """Poses with the back where the centre of mass wants it."""
        phase, frames, lean = times / GALLOP_PERIOD, way.frames(times), way.lean(times)
        centre = way.point(times)
        lowered = np.cos(np.radians(lean)) ** CROUCH
        centre[:, 1] = (self.height + rise()(np.mod(phase, 1.0))) * lowered
        poser = Poser(self.skeleton, centre + rotate(frames, self.hang(np.mod(phase, 1.0))))
        pose_back(poser, phase, frames, lean, _changes(manner, times))
        return poser

    def joint_path(self, name: LegName, way: Way, manner: GallopManner = STEADY) -> JointPath:
        """Where the shoulder or hip of a leg is."""
        joint = self.cycles[name].leg.names[0]
        return lambda times: self._hang_back(way, times, manner).frame(joint)[0]

    def hoofprints(self, name: LegName, way: Way, manner: GallopManner = STEADY) -> list[Hoofprint]:
        """Where a leg stands, from the stride before the way to the one after it."""
        strides = round(way.duration / GALLOP_PERIOD)
        offsets = np.zeros((strides + 3, 2))
        offsets[1 : strides + 1] += manner.prints.get(name, 0.0)
        return [
            self._hoofprint(name, way, stride, offset)
            for stride, offset in zip(range(-1, strides + 2), offsets, strict=True)
        ]

    def _hoofprint(self, name: LegName, way: Way, stride: int, offset: Array) -> Hoofprint:
        kind, cycle = name[0], self.cycles[name]
        x, y, z = self.skeleton.rest_positions[self.skeleton.index(cycle.leg.names[-1])]
        start = (stride + cycle.landing) * GALLOP_PERIOD
        stop = start + cycle.duty * GALLOP_PERIOD
        # The hoof stands where the body passes over it in mid-stance.
        middle = 0.5 * (start + stop)
        heading = float(way.heading(middle))
        ahead = z - self.ahead + AHEAD[kind] * withers_height(self.skeleton) + offset[1]
        place = np.array([NARROW[kind] * x + offset[0], self.skeleton.offsets[0, 1] + y, ahead])
        tip = way.ground_line(middle, self.height) + rotate(turned(turn=np.degrees(heading)), place)
        return Hoofprint(start, stop, tip, heading)


def _changes(manner: GallopManner, times: Array) -> dict[str, Array]:
    return {channel: curve(times) for channel, curve in manner.channels.items()}


def _pose_leg(
    poser: Poser,
    cycle: LegCycle,
    way: Way,
    times: Array,
    prints: list[Hoofprint],
    swing: CubicSpline,
    correction: Array,
) -> NDArray[np.bool_]:
    """Pose one leg and tell when it stands (F,); correction: (F, 4) [m, rad] to its steady swing."""
    rounding = 1e-9
    on = [(times >= mark.start - rounding) & (times <= mark.stop + rounding) for mark in prints]
    standing = np.any(on, axis=0)
    for mark, here in zip(prints, on, strict=True):
        correction[here, 3] = mark.heading - way.heading(times[here])
    frames = cycle.hoof_frames(way, times, correction[:, 3])
    seen = swing(np.where(standing, 1.0, cycle.phase(times))) + correction[:, :3]
    fetlocks = poser.frame(cycle.leg.names[0])[0] + rotate(way.frames(times), seen)
    for mark, here in zip(prints, on, strict=True):
        fetlocks[here] = cycle.standing_fetlock(times[here], frames[here], mark.tip)
    reach_fetlock(poser, cycle.leg, fetlocks, cycle.angle("knee", times), rotate(way.frames(times), ACROSS))
    face_hoof(poser, cycle.leg, *(pitched(frames, cycle.angle(part, times)) for part in ("pastern", "hoof")))
    return standing


@lru_cache(maxsize=8)
def steady_gallop(skeleton: Skeleton) -> Gallop:
    """The gallop of a horse, solved until its centre of mass moves as the hooves push it."""
    phases = np.linspace(0.0, 1.0, GALLOP_PHASES + 1)
    resting = _resting_centre(skeleton)
    hang = np.tile(skeleton.offsets[0] - resting, (len(phases), 1))
    gallop = Gallop(
        skeleton,
        cycles={
            (kind, side): LegCycle(HorseLeg.of(skeleton, LEG_KINDS[kind], side), landing, GALLOP_DUTY[kind])
            for (kind, side), landing in FOOTFALLS.items()
        },
        height=float(resting[1]) - SINK * withers_height(skeleton),
        ahead=float(resting[2] - skeleton.offsets[0, 2]),
        hang=_periodic(phases, hang),
        swings={},
    )
    way = gallop.way(0.0, 1)
    for _ in range(GALLOP_ROUNDS):
        gallop = replace(gallop, swings=_steady_swings(gallop, way))
        poser, _ = gallop.pose(way, phases * GALLOP_PERIOD)
        centres = center_of_mass(poser.clip("stride", GALLOP_PHASES / GALLOP_PERIOD))
        wanted = way.point(phases * GALLOP_PERIOD) + np.array([0.0, gallop.height, 0.0])
        wanted[:, 1] += rise()(phases)
        hang = hang + wanted - centres
        hang[-1] = hang[0]
        gallop = replace(gallop, hang=_periodic(phases, hang))
    return replace(gallop, swings=_steady_swings(gallop, way))


def _steady_swings(gallop: Gallop, way: Way) -> dict[LegName, CubicSpline]:
    return {
        name: steady_swing(cycle, way, gallop.hoofprints(name, way), gallop.joint_path(name, way))
        for name, cycle in gallop.cycles.items()
    }


def _resting_centre(skeleton: Skeleton) -> Array:
    """Centre of mass (3,) [m] of the standing horse."""
    return center_of_mass(Poser(skeleton, skeleton.offsets[:1]).clip("rest", fps=1.0))[0]


def _periodic(phases: Array, values: Array) -> CubicSpline:
    return CubicSpline(phases, values, bc_type="periodic")
