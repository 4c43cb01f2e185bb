"""When a crawler sets down which hand and which knee, and where the pelvis is meanwhile.

Squat, hands down, knees down, crawl, left foot forward, up: one timetable, in seconds and metres of the person of
reference size. Where a hand or knee rests follows from where the pelvis is half-way through that rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from walkon.basics import Array
from walkon.builtin.footwork import OUTWARDS, Plant
from walkon.builtin.gait.standing import PELVIS_AHEAD
from walkon.builtin.keyframes import Curve, scaled, sequence
from walkon.builtin.performer import Performer

StepTimes = tuple[float, float]
"""When a limb leaves the ground and when it lands [s]."""

PERIOD, STRIDE, DUTY = 1.06, 0.58, 0.60
"""Of the crawl: seconds, metres, and share of the cycle that a knee or hand rests on the ground."""

SWING = (1.0 - DUTY) * PERIOD
"""Seconds that a knee or hand is in the air on its way to the next rest."""

HAND_EARLY = 0.1 * PERIOD
"""How long a hand goes down before the knee of the other side [s]."""

SQUAT_STEP = (0.28, 0.66)
"""The left foot makes a small step before the squat [s]."""

HANDS_DOWN = {"Right": 1.12, "Left": 1.20}
KNEES_DOWN = {"Right": 1.42, "Left": 1.62}
"""When each hand and each knee first touches the ground [s]."""

CRAWL = 1.80
"""When the right knee leaves for its first step [s]."""

# Seconds after the right knee has landed for the last time.
FOOT_FORWARD = (0.106, 0.70)
"""The left foot comes forward to stand on."""

HANDS_UP = {"Right": 0.68, "Left": 0.76}
KNEE_UP = 1.06
"""When each hand and the right knee leave the ground for good."""

FOOT_BESIDE = (1.43, 2.02)
"""The right foot leaves and lands beside the left one."""

DONE = 2.80
"""When the person stands at rest."""

KNEE_HEIGHT, KNEE_APART, KNEE_AHEAD = 0.076, 0.11, -0.045
HAND_HEIGHT, HAND_APART, HAND_AHEAD = 0.052, 0.17, 0.455
"""Where knees and hands rest: above ground, from the middle, before the pelvis half-way through [m]."""

# Metres along the way: until the crawl begins, and after the right knee's last landing.
PELVIS_DOWN = {0.0: PELVIS_AHEAD, 0.30: 0.05, 0.62: 0.14, 1.05: 0.335, 1.42: 0.48, 1.64: 0.555, CRAWL: 0.64}
PELVIS_UP = {0.0: 0.0, 0.35: 0.16, 0.70: 0.26, 1.06: 0.37, 1.48: 0.49, 2.00: 0.575, 2.50: 0.59}


@dataclass(frozen=True)
class Timetable:
    """One person's crawl of a number of cycles; times in reference seconds."""

    performer: Performer
    cycles: int

    @property
    def scale(self) -> float:
        """By which metres are multiplied."""
        return self.performer.scale

    @property
    def tempo(self) -> float:
        """By which seconds are multiplied: large bodies move slowly."""
        return float(np.sqrt(self.scale))

    @property
    def landed(self) -> float:
        """When the right knee lands for the last time."""
        return CRAWL + (self.cycles - 1) * PERIOD + SWING

    @property
    def end(self) -> float:
        """When the person stands at rest again."""
        return self.landed + DONE

    @cached_property
    def pelvis_ahead(self) -> Curve:
        """Where the pelvis is along the way [m], by time."""
        reached = PELVIS_DOWN[CRAWL] + STRIDE / PERIOD * (self.landed - CRAWL)
        keys = PELVIS_DOWN | {self.landed + time: reached + further for time, further in PELVIS_UP.items()}
        return sequence(scaled(keys, self.scale))

    @property
    def distance(self) -> float:
        """How far the person has come [m] when standing again."""
        return float(self.pelvis_ahead(self.end) - self.pelvis_ahead(0.0))

    def knee_steps(self, side: str) -> list[StepTimes]:
        """The steps of a knee; the left leg makes one less, as its foot comes forward."""
        late, count = (0.0, self.cycles) if side == "Right" else (0.5, self.cycles - 1)
        return _steps(CRAWL + late * PERIOD, count)

    def hand_steps(self, side: str) -> list[StepTimes]:
        """The steps of a hand, each just before that of the opposite knee."""
        return _steps(CRAWL + (0.0 if side == "Left" else 0.5) * PERIOD - HAND_EARLY, self.cycles)

    def knee_plants(self, side: str, first: Array) -> list[Plant]:
        """Where a knee rests: first at (3,) [m], then where the crawl takes it; for ever at last."""
        steps = self.knee_steps(side)
        lifted = self.landed + (KNEE_UP if side == "Right" else FOOT_FORWARD[0])
        rests = _rests(steps, KNEES_DOWN[side], lifted)[1:]
        plants = [self._plant(side, rest, KNEE_APART, KNEE_HEIGHT, KNEE_AHEAD) for rest in rests]
        last = plants[-1]
        return [
            Plant(-np.inf, steps[0][0], first[0], first[2], y=first[1]),
            *plants[:-1],
            Plant(last.start, np.inf, last.x, last.z, y=last.y),
        ]

    def hand_plants(self, side: str) -> list[Plant]:
        """Where a hand rests."""
        rests = _rests(self.hand_steps(side), HANDS_DOWN[side], self.landed + HANDS_UP[side])
        return [self._plant(side, rest, HAND_APART, HAND_HEIGHT, HAND_AHEAD) for rest in rests]

    def _plant(self, side: str, rest: StepTimes, apart: float, height: float, ahead: float) -> Plant:
        middle = float(self.pelvis_ahead(0.5 * (rest[0] + rest[1])))
        return Plant(
            *rest, x=OUTWARDS[side] * self.scale * apart, z=middle + self.scale * ahead, y=self.scale * height
        )


def _steps(first: float, count: int) -> list[StepTimes]:
    return [(first + n * PERIOD, first + n * PERIOD + SWING) for n in range(count)]


def _rests(steps: list[StepTimes], down: float, up: float) -> list[StepTimes]:
    """When a limb rests that goes down, makes these steps and goes up."""
    moments = [down, *(moment for step in steps for moment in step), up]
    return list(zip(moments[::2], moments[1::2], strict=True))
