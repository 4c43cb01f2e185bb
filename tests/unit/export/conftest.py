"""Small made clips for the writers: a person who swings every joint, and the awkward cases around it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.rotations import exponential
from walkon.skeleton import Skeleton

LIMBS = {
    "Arm": ("Chest", (0.2, 0.2, 0.0)),
    "ForeArm": ("Arm", (0.3, 0.0, 0.0)),
    "Hand": ("ForeArm", (0.25, 0.0, 0.0)),
    "UpLeg": ("Hips", (0.1, -0.05, 0.0)),
    "Leg": ("UpLeg", (0.0, -0.42, 0.01)),
    "Foot": ("Leg", (0.0, -0.4, -0.02)),
    "Foot_end": ("Foot", (0.0, -0.06, 0.17)),
}


@pytest.fixture(scope="session")
def person() -> Skeleton:
    """A person of 15 joints and 3 tips."""
    bones = [("Hips", "", (0, 0, 0)), ("Chest", "Hips", (0, 0.3, 0.02)), ("Head", "Chest", (0, 0.3, 0))]
    bones += [("Head_end", "Head", (0, 0.2, 0))]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, (parent, (x, y, z)) in LIMBS.items():
            bones.append((side + name, side + parent if parent in LIMBS else parent, (sign * x, y, z)))
    names = [name for name, _, _ in bones]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in bones]
    return Skeleton(names, parents, [offset for _, _, offset in bones], ["_end" in name for name in names])


@pytest.fixture(scope="session")
def swing() -> Callable[..., Clip]:
    """Makes a clip in which every joint swings smoothly and far, different for every seed."""

    def make(skeleton: Skeleton, frames: int = 40, seed: int = 0, name: str = "swing", fps: float = 30.0) -> Clip:
        rng = np.random.default_rng(seed)
        time = np.arange(frames)[:, None, None] / fps
        shape = (1, len(skeleton), 3)
        vectors = 1.2 * np.sin(rng.uniform(1, 4, shape) * time + rng.uniform(0, 6, shape))
        vectors[:, skeleton.tips] = 0.0
        root = rng.uniform(-3, 3, 3) + time[:, 0] * rng.uniform(-1, 1, 3)
        return Clip.build(name, skeleton, fps, root, exponential(vectors))

    return make


@pytest.fixture(scope="session")
def clip(person: Skeleton, swing: Callable[..., Clip]) -> Clip:
    """The person, swinging for 40 frames."""
    return swing(person)


@pytest.fixture(scope="session")
def stretching(clip: Clip) -> Clip:
    """The same, with the bones of one arm and of the head's tip breathing, and a leg simply longer."""
    skeleton = clip.skeleton
    factors = np.ones((len(clip), len(skeleton)))
    wave = 1 + 0.2 * np.sin(np.arange(len(clip)))
    factors[:, skeleton.index("LeftForeArm")] = wave
    factors[:, skeleton.index("Head_end")] = wave
    factors[:, skeleton.index("RightLeg")] = 1.1
    return clip.with_changes(bone_offsets=skeleton.offsets * factors[..., None])
