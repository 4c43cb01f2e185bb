"""What a scene file may say about obstacles and how they move."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from walkon.world.document_parts import (
    Angle,
    FileName,
    Height,
    Name,
    Point,
    Share,
    Table,
    Time,
    Vector,
)

Ease = Literal["linear", "smooth", "glide", "fall"]
EASE_HELP = (
    "linear: even speed. smooth: starts and stops gently at every key. glide: passes through the keys without "
    "stopping. fall: starts slowly and ends fast, as a tree falls."
)
Pass = Literal["step_over", "jump_over", "duck_under", "crawl_under"]


class Keyframe(Table):
    """Where a moving obstacle is at one time; what is left out stays as it was."""

    t: Time = Field(description="[s] from the start of the scene")
    at: Point | None = Field(None, description="[x, z] on the ground [m]")
    bottom: Height | None = Field(None, description="height of its lowest point above the ground there [m]")
    heading: Angle | None = Field(None, description="[degrees]")
    tilt: Angle | None = Field(None, description="lean of its upright axis towards its heading [degrees]")
    ease: Ease | None = Field(None, description="how it comes here from the key before. " + EASE_HELP)


class Simulated(Table):
    """A rigid body let go: it falls, rolls, slides and bounces."""

    mass: float = Field(10.0, gt=0.0, le=1e6, description="[kg]")
    velocity: Point = Field((0.0, 0.0), description="along x and z when let go [m/s]")
    upward: float = Field(0.0, ge=-100.0, le=100.0, description="upward when let go [m/s]")
    spin: Vector | None = Field(
        None,
        description="about x, y and z when let go [degrees/s]; if left out, a ball on the ground rolls",
    )
    friction: float = Field(0.6, ge=0.0, le=5.0, description="of sliding")
    rolling: float = Field(0.0005, ge=0.0, le=1.0, description="resistance to rolling [m]")
    bounce: Share = Field(0.3, description="share of its speed that it keeps when it bounces")
    start: Time = Field(0.0, description="when it is let go [s]")


class Motion(Table):
    """How an obstacle moves: keyframes, a CSV file or a simulation."""

    keyframes: tuple[Keyframe, ...] | None = Field(None, min_length=1, max_length=10_000)
    csv: FileName | None = Field(
        None, description="columns t, x, z and if wanted y, heading, tilt, qw, qx, qy, qz"
    )
    simulate: Simulated | None = None
    ease: Ease = Field("smooth", description="between keyframes. " + EASE_HELP)
    repeat: Literal["once", "cycle", "back"] = Field(
        "once", description="cycle: begins again (the last key must be where the first is). back: there and back."
    )
    known: bool = Field(True, description="whether planners may foresee it")

    @model_validator(mode="after")
    def _one_way(self) -> Motion:
        ways = [way for way in ("keyframes", "csv", "simulate") if getattr(self, way) is not None]
        if len(ways) != 1:
            raise ValueError(f"needs one of keyframes, csv and simulate, not {' and '.join(ways) or 'none'}")
        if self.simulate is not None and self.repeat != "once":
            raise ValueError("a simulation cannot repeat")
        times = [key.t for key in self.keyframes or ()]
        if any(later <= earlier for earlier, later in pairwise(times)):
            raise ValueError("the times t of keyframes must increase")
        return self


class ObstacleTable(Table):
    """What all obstacles have."""

    name: Name | None = Field(None, description="unique; made from the shape if left out")
    heading: Angle = Field(0.0, description="[degrees] 0 looks along +z, 90 along +x")
    tilt: Angle = Field(0.0, description="lean of its upright axis towards its heading [degrees]")
    bottom: Height = Field(0.0, description="height of its lowest point, when upright, above the ground there [m]")
    passes: tuple[Pass, ...] = Field((), max_length=4, description="how it may be passed; nobody may touch it")
    motion: Motion | None = None
    if TYPE_CHECKING:
        shape: Any
        at: Any
