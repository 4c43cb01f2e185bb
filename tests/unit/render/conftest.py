"""A small walker made on the spot, and a camera to look at it with."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.render import Camera
from walkon.rotations import from_axis_angle
from walkon.skeleton import Skeleton

JOINTS = [
    ("Hips", -1, (0.0, 0.95, 0.0)),
    ("Spine", 0, (0.0, 0.2, 0.0)),
    ("Neck", 1, (0.0, 0.3, 0.0)),
    ("Head", 2, (0.0, 0.1, 0.0)),
    ("HeadEnd", 3, (0.0, 0.15, 0.0)),
    ("LeftUpLeg", 0, (0.1, -0.05, 0.0)),
    ("LeftLeg", 5, (0.0, -0.42, 0.0)),
    ("LeftFoot", 6, (0.0, -0.4, 0.0)),
    ("LeftToe", 7, (0.0, -0.04, 0.15)),
    ("RightUpLeg", 0, (-0.1, -0.05, 0.0)),
    ("RightLeg", 9, (0.0, -0.42, 0.0)),
    ("RightFoot", 10, (0.0, -0.4, 0.0)),
    ("RightToe", 11, (0.0, -0.04, 0.15)),
    ("LeftArm", 1, (0.18, 0.25, 0.0)),
    ("LeftForeArm", 13, (0.0, -0.28, 0.0)),
    ("LeftHand", 14, (0.0, -0.25, 0.0)),
    ("RightArm", 1, (-0.18, 0.25, 0.0)),
    ("RightForeArm", 16, (0.0, -0.28, 0.0)),
    ("RightHand", 17, (0.0, -0.25, 0.0)),
]


@pytest.fixture(scope="session")
def walker() -> Clip:
    """31 frames at 30 Hz: somebody walks two metres along +z, swinging arms and legs."""
    skeleton = Skeleton([j[0] for j in JOINTS], [j[1] for j in JOINTS], [j[2] for j in JOINTS])
    frames = 31
    beat = 2 * math.pi * np.arange(frames) / 30.0
    rotations = np.zeros((frames, len(skeleton), 4))
    rotations[..., 0] = 1.0
    for joint, swing in (("LeftUpLeg", 0.4), ("RightUpLeg", -0.4), ("LeftArm", -0.4), ("RightArm", 0.4)):
        angles = swing * np.sin(beat)
        rotations[:, skeleton.index(joint)] = from_axis_angle(np.array([1.0, 0.0, 0.0]), angles)
    roots = np.stack([np.zeros(frames), np.full(frames, 0.95), np.linspace(0.0, 2.0, frames)], axis=1)
    return Clip.build("walker", skeleton, 30.0, roots, rotations)


@pytest.fixture(params=["perspective", "orthographic"])
def camera(request: pytest.FixtureRequest) -> Camera:
    """Both kinds of camera, looking down a little at something one metre above the origin."""
    span = None if request.param == "perspective" else 3.0
    return Camera.orbit((0.0, 0.9, 0.0), 5.0, azimuth=0.4, elevation=0.3, fov=0.6, span=span)
