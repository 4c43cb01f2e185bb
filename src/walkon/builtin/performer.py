"""Who performs: a body and a manner of moving, the same for the same seed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.builtin.skeletons import HUMAN_HEIGHT, human_skeleton, stature_ratio
from walkon.errors import SkeletonError
from walkon.skeleton import Skeleton

STATURE_MEAN, STATURE_SPREAD, STATURES = 1.70, 0.09, (1.48, 1.95)
"""Stature of adults: mean, standard deviation and the shortest and tallest we cast [m]."""

LEG = 0.491
"""Thigh and shank of the average person in shares of stature."""

WALK_SPEED, JOG_SPEED = 1.32, 2.75
"""Speeds [m/s] that a person with legs of `REFERENCE_LEG` chooses."""

REFERENCE_LEG = LEG * HUMAN_HEIGHT
"""Hip to ankle [m] of the person the tables of gait are written for."""


@dataclass(frozen=True)
class Build:
    """Proportions as multiples of the average at the same stature."""

    legs: float = 1.0
    arms: float = 1.0
    shoulders: float = 1.0
    hips: float = 1.0
    feet: float = 1.0


@dataclass(frozen=True)
class PersonalStyle:
    """Manner of moving, as multiples of the average; `lean` is degrees added to the trunk's bend forward.

    bounce: of the pelvis; step_length: at a given speed; energy: of the chosen speed.
    """

    arm_swing: float = 1.0
    bounce: float = 1.0
    stance_width: float = 1.0
    step_length: float = 1.0
    energy: float = 1.0
    toe_out: float = 1.0
    elbow_bend: float = 1.0
    lean: float = 0.0


BUILD_SPREAD = Build(legs=0.022, arms=0.022, shoulders=0.045, hips=0.05, feet=0.03)
STYLE_SPREAD = PersonalStyle(
    arm_swing=0.2,
    bounce=0.12,
    stance_width=0.16,
    step_length=0.035,
    energy=0.06,
    toe_out=0.35,
    elbow_bend=0.18,
    lean=1.2,
)
"""Standard deviations of proportions and manner in a crowd, chosen by eye."""

FURTHEST = 2.0
"""Standard deviations from the average that nobody exceeds: one farther off would catch the eye."""

Measures = TypeVar("Measures", Build, PersonalStyle)


@dataclass(frozen=True, init=False)
class Performer:
    """One person: `Performer(7)` is always the same one.

    height: stature [m]. build: proportions. style: manner of moving. What is not given is drawn from the seed.
    bones: the skeleton, if it is not to be made from height and build.
    """

    seed: int
    height: float
    build: Build
    style: PersonalStyle
    bones: Skeleton | None

    def __init__(
        self,
        seed: int = 0,
        *,
        height: float | None = None,
        build: Build | None = None,
        style: PersonalStyle | None = None,
        bones: Skeleton | None = None,
    ) -> None:
        if seed < 0:
            raise SkeletonError(f"a performer's seed is 0 or more, not {seed}")
        rng = np.random.default_rng([seed, 0x9E37])
        drawn = float(np.clip(rng.normal(STATURE_MEAN, STATURE_SPREAD), *STATURES))
        set_field = object.__setattr__
        set_field(self, "seed", seed)
        set_field(self, "height", drawn if height is None else height)
        set_field(self, "build", build or _drawn(rng, Build(), BUILD_SPREAD))
        set_field(self, "style", style or _drawn(rng, PersonalStyle(), STYLE_SPREAD))
        set_field(self, "bones", bones)

    @classmethod
    def average(cls, height: float = HUMAN_HEIGHT, seed: int = 0) -> Performer:
        """A person of that stature with average proportions and style."""
        return cls(seed, height=height, build=Build(), style=PersonalStyle())

    @classmethod
    def of(cls, skeleton: Skeleton) -> Performer:
        """A person of average style with the bones of a built-in skeleton."""
        return cls(
            height=HUMAN_HEIGHT * stature_ratio(skeleton), build=Build(), style=PersonalStyle(), bones=skeleton
        )

    def rng(self, behavior: str, index: int) -> np.random.Generator:
        """Randomness of this person's clip number `index` of a behaviour: always the same."""
        return np.random.default_rng([self.seed, index, *behavior.encode()])

    def skeleton(self) -> Skeleton:
        """The person's bones; the same object every time."""
        return self._skeleton

    @cached_property
    def _skeleton(self) -> Skeleton:
        return self.bones or _with_build(human_skeleton(self.height), self.build)

    @cached_property
    def leg(self) -> float:
        """Hip to ankle [m]: what gait is measured in."""
        bones = self._skeleton.lengths
        return float(bones[self._skeleton.index("LeftLeg")] + bones[self._skeleton.index("LeftFoot")])

    @property
    def scale(self) -> float:
        """Leg length over that of the person the tables of gait are written for."""
        return self.leg / REFERENCE_LEG

    def stride(self, running: ArrayLike = 0.0) -> NDArray[np.float64]:
        """Length of the steps over the usual (...); running, people differ half as much."""
        return 1.0 + (self.style.step_length - 1.0) * (1.0 - 0.5 * np.asarray(running))

    @property
    def walk_speed(self) -> float:
        """Preferred speed [m/s]: bodies of different size move alike when speed goes with the root of size."""
        return WALK_SPEED * self.style.energy * float(np.sqrt(self.scale))

    @property
    def jog_speed(self) -> float:
        """Preferred jogging speed [m/s]."""
        return JOG_SPEED * self.style.energy * float(np.sqrt(self.scale))


def _drawn(rng: np.random.Generator, mean: Measures, spread: Measures) -> Measures:
    """Every field drawn about its mean, at most `FURTHEST` standard deviations off."""
    values = {}
    for part in fields(mean):
        off = float(np.clip(rng.standard_normal(), -FURTHEST, FURTHEST))
        values[part.name] = getattr(mean, part.name) + off * getattr(spread, part.name)
    return type(mean)(**values)


def _with_build(average: Skeleton, build: Build) -> Skeleton:
    """Other proportions at the same stature: what the legs gain the trunk loses."""
    offsets = average.offsets.copy()

    def stretch(factor: float, axes: slice | int, *parts: str) -> None:
        for part in parts:
            for side in ("Left", "Right"):
                offsets[average.index(side + part), axes] *= factor

    stretch(build.legs, slice(None), "Leg", "Foot")
    stretch(build.arms, slice(None), "ForeArm", "Hand", "HandTip")
    stretch(build.shoulders, 0, "Shoulder", "Arm")
    stretch(build.hips, 0, "UpLeg")
    stretch(build.feet, 2, "ToeBase", "ToeTip", "Heel")
    gained = -(offsets - average.offsets)[[average.index("LeftLeg"), average.index("LeftFoot")], 1].sum()
    offsets[0, 1] += gained
    trunk = [average.index(joint) for joint in ("Spine", "Spine1", "Spine2", "Neck")]
    offsets[trunk, 1] *= 1.0 - gained / offsets[trunk, 1].sum()
    return Skeleton(average.names, average.parents, offsets, average.tips)
