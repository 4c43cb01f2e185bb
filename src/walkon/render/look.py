"""The look of a picture: colours of the stage, light, shadow and air."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from walkon.basics import Array
from walkon.errors import RenderError
from walkon.render.camera import Camera, orbit_direction
from walkon.world.tints import Colour

SUN_TO_THE_LEFT = math.radians(-50.0)
"""Azimuth of the sun from the camera's own: over the viewer's left shoulder."""


@dataclass(frozen=True)
class Look:
    """A light studio with a pale floor that fades into its wall.

    ground, grid, horizon, zenith: colours 0..255. cell, line: [m] of the floor's grid; every fifth line is
    stronger. sun_azimuth, sun_elevation: [rad] where the sun stands (azimuth 0 on the side of +z). softness:
    tangent of the sun's apparent radius; the real sun has 0.0047, an overcast one more. ambient, hemisphere, key,
    rim: weights of light from all around, from above, from the sun, and towards the viewer. shadow, contact: how
    dark full shadow and touching feet make the floor, 0..1. fog: reach of the air in multiples of the camera's
    distance to its target.
    """

    ground: Colour = (226.0, 228.0, 231.0)
    grid: Colour = (203.0, 207.0, 213.0)
    horizon: Colour = (243.0, 244.0, 246.0)
    zenith: Colour = (222.0, 228.0, 236.0)
    cell: float = 1.0
    line: float = 0.016
    sun_azimuth: float = SUN_TO_THE_LEFT
    sun_elevation: float = math.radians(52.0)
    softness: float = 0.035
    ambient: float = 0.42
    hemisphere: float = 0.16
    key: float = 0.46
    rim: float = 0.12
    shadow: float = 0.42
    contact: float = 0.42
    fog: float = 3.5

    def __post_init__(self) -> None:
        if not math.radians(5.0) <= self.sun_elevation <= math.pi / 2:
            raise RenderError("the sun stands between 5 and 90 degrees above the horizon")
        if min(self.cell, self.line, self.fog) <= 0.0 or self.softness < 0.0:
            raise RenderError("cell, line and fog must be positive, and softness not negative")

    def lit_for(self, camera: Camera) -> Look:
        """The same look with its sun over the viewer's left shoulder."""
        return replace(self, sun_azimuth=camera.azimuth + SUN_TO_THE_LEFT)

    @property
    def sun(self) -> Array:
        """Unit vector (3,) towards the sun."""
        return orbit_direction(self.sun_azimuth, self.sun_elevation)

    def fog_terms(self, camera: Camera) -> tuple[float, float]:
        """Reach of the air and the depth where it begins [m]."""
        scale = camera.distance if camera.span is None else camera.span
        return self.fog * scale, camera.distance

    def lighting(self, camera: Camera) -> Array:
        """For the body kernel (10,): sun and up in camera space, then the four weights."""
        axes = camera.axes()
        weights = [self.ambient, self.hemisphere, self.key, self.rim]
        return np.concatenate([axes @ self.sun, axes @ np.array([0.0, 1.0, 0.0]), weights])

    def air(self, camera: Camera) -> Array:
        """For the body kernel (5,): fog colour, reach and start."""
        return np.array([*self.horizon, *self.fog_terms(camera)])

    def floor(self, camera: Camera) -> Array:
        """For the ground kernel (16,): colours, cell, line, fog reach and start."""
        colours = [*self.ground, *self.grid, *self.horizon, *self.zenith]
        return np.array([*colours, self.cell, self.line, *self.fog_terms(camera)])

    def darkness(self) -> Array:
        """For the ground kernel (4,): sun shadow per channel, slightly blue, and contact."""
        return np.array([1.06 * self.shadow, self.shadow, 0.9 * self.shadow, self.contact])
