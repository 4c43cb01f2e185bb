"""Small clips with known answers: two swinging arms on a trunk that travels."""

from __future__ import annotations

import numpy as np

from walkon.motion import Clip, place
from walkon.rotations import Placement, from_axis_angle
from walkon.skeleton import Skeleton

FPS = 30.0
SKELETON = Skeleton(
    ["hips", "spine", "chest", "left_hip", "left_knee", "right_hip", "right_knee"],
    [-1, 0, 1, 0, 3, 0, 5],
    [[0, 1, 0], [0, 0.2, 0], [0, 0.3, 0], [0.1, 0, 0], [0, -0.5, 0], [-0.1, 0, 0], [0, -0.5, 0]],
)
LEFT, RIGHT, CHEST = 3, 5, 2
X_AXIS = np.array([1.0, 0.0, 0.0])


def swing(
    frames: int = 120,
    *,
    rate: float = 1.0,
    phase: float = 0.0,
    height: float = 0.5,
    lean: float = 0.0,
    speed: float = 1.0,
    together: float = -1.0,
    times: np.ndarray | None = None,
    noise: float = 0.0,
    seed: int = 0,
    name: str = "swing",
) -> Clip:
    """Legs that swing `rate` times a second by `height` [rad], the right one `together` times as the left.

    times: (F,) [s] at which the swing is shown, if not at a steady pace. noise: [rad] on both legs in every frame.
    """
    times = np.arange(frames) / FPS if times is None else np.asarray(times)
    angle = height * np.sin(2.0 * np.pi * (rate * times + phase))
    random = np.random.default_rng(seed)
    rotations = np.zeros((len(times), len(SKELETON), 4))
    rotations[..., 0] = 1.0
    rotations[:, 0] = from_axis_angle(X_AXIS, np.full(len(times), lean))
    rotations[:, LEFT] = from_axis_angle(X_AXIS, angle + noise * random.standard_normal(len(times)))
    rotations[:, RIGHT] = from_axis_angle(X_AXIS, together * angle + noise * random.standard_normal(len(times)))
    roots = np.stack([np.zeros(len(times)), np.ones(len(times)), speed * times], axis=1)
    return Clip(name, SKELETON, FPS, roots, rotations)


def turned(clip: Clip, heading: float, x: float, z: float) -> Clip:
    """The clip somewhere else, facing elsewhere."""

    return place(clip, Placement(x, z, heading))


def several(count: int, *, first: int = 0, leans: float = 0.0, **options) -> list[Clip]:
    """Clips of one kind of motion, each a little different in height, pace, phase and how it leans [rad]."""
    random = np.random.default_rng(100 + first)
    made = []
    for number in range(count):
        height, rate, lean = np.array([0.5, 1.0, 0.0]) + np.array([0.05, 0.03, leans]) * random.standard_normal(3)
        own = {"height": height, "rate": rate, "phase": random.random(), "lean": lean, **options}
        made.append(swing(seed=first + number, name=f"swing {first + number}", **own))
    return made
