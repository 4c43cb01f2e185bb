"""Rigid bodies let go in a scene: balls that roll, crates that fall. By way of MuJoCo (the extra `physics`).

They move among everything that is not simulated: what stands still, what moves as the scene says and pushes them,
the ground, and walls along the bounds. They know nothing of people. The same scene gives the same motion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from walkon.basics import Array
from walkon.errors import MissingExtraError, SceneError
from walkon.rotations import conjugate, continuous, rotate
from walkon.world.scene import HeightField, Obstacle
from walkon.world.shapes import Shape, Sphere
from walkon.world.simulation_model import Bounds, FallingBody, build_xml, simulated_ground, unit_heights

STEP = 1.0 / 240.0
"""[s] Longest step of the simulation."""

MOST_BODIES = 300
MOST_BODY_STEPS = 3_000_000
"""Bodies times steps: about half a minute of computing."""

REST_SPEED = 0.01
REST_TIME = 1.0


def _load_mujoco() -> Any:
    try:
        import mujoco
    except ImportError:
        raise MissingExtraError("mujoco", "physics") from None
    return mujoco


def simulate(
    bodies: list[FallingBody],
    others: list[Obstacle],
    terrain: HeightField,
    bounds: Bounds,
    *,
    fps: float,
    duration: float,
) -> list[tuple[Array, Array]]:
    """Positions (T, 3) and rotations (T, 4) of each body, at the frames of the scene, until it rests for good."""
    mujoco = _load_mujoco()
    frames, steps = math.ceil(duration * fps - 1e-9) + 1, math.ceil(1.0 / (fps * STEP) - 1e-9)
    if len(bodies) > MOST_BODIES or len(bodies) * frames * steps > MOST_BODY_STEPS:
        raise SceneError(
            f"{len(bodies)} simulated bodies for {duration:g} s are too many: at most {MOST_BODIES}, and "
            f"{MOST_BODY_STEPS * STEP:g} s of all together"
        )
    # MuJoCo would write its warnings into a file in the current folder; we look at the state instead.
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda message: None)
    try:
        field = simulated_ground(terrain, bounds)
        model = mujoco.MjModel.from_xml_string(build_xml(bodies, others, field, bounds, 1.0 / (fps * steps)))
        if field is not None:
            model.hfield_data[:] = unit_heights(field.heights[::-1]).ravel()
        poses = _run(mujoco, model, bodies, others, fps=fps, frames=frames, steps=steps)
    except ValueError as error:
        if isinstance(error, SceneError):
            raise
        raise SceneError(f"cannot be simulated: {error}") from None
    finally:
        mujoco.set_mju_user_warning(before)
    return [_until_rest(poses[:, 7 * b : 7 * b + 3], poses[:, 7 * b + 3 : 7 * b + 7]) for b in range(len(bodies))]


def _run(
    mujoco: Any,
    model: Any,
    bodies: list[FallingBody],
    others: list[Obstacle],
    *,
    fps: float,
    frames: int,
    steps: int,
) -> Array:
    """Poses (T, 7 B) of all bodies at every frame; stops early when all rest."""
    data = mujoco.MjData(model)
    driven = _driven([other for other in others if other.moves])
    release = [round(body.how.start * fps) for body in bodies]
    rest, poses = 0, [data.qpos.copy()]
    for frame in range(frames - 1):
        for number, body in enumerate(bodies):
            if release[number] == frame:
                data.qvel[6 * number : 6 * number + 6] = _let_go(body)
        held = [number for number in range(len(bodies)) if release[number] > frame]
        if held or frame < len(driven) - 1:
            for step in range(steps):
                _drive(data, driven, frame, (step + 1) / steps)
                mujoco.mj_step(model, data)
                _hold(data, held, poses[0])
        else:
            mujoco.mj_step(model, data, nstep=steps)
        poses.append(data.qpos.copy())
        if not np.isfinite(data.qpos).all() or any(warning.number for warning in data.warning):
            raise SceneError(
                f"the simulation breaks down at {frame / fps:.2f} s: are bodies inside each other or very fast?"
            )
        over = not held and frame >= len(driven) - 1
        rest = rest + 1 if over and np.abs(data.qvel).max() < REST_SPEED else 0
        if rest > REST_TIME * fps:
            break
    return np.array(poses)


def _driven(moving: list[Obstacle]) -> Array:
    """Poses (T, N, 7) of what moves as the scene says, until all of it stands still; quaternions continuous."""
    longest = max((len(other.positions) for other in moving), default=1)
    poses = np.empty((longest, len(moving), 7))
    for number, other in enumerate(moving):
        rows = np.minimum(np.arange(longest), len(other.positions) - 1)
        poses[:, number, :3], poses[:, number, 3:] = other.positions[rows], continuous(other.rotations)[rows]
    return poses


def _drive(data: Any, driven: Array, frame: int, share: float) -> None:
    """Put what moves as the scene says where it is at this share of the frame; in jumps it would hit too hard."""
    here, there = driven[min(frame, len(driven) - 1)], driven[min(frame + 1, len(driven) - 1)]
    poses = here + share * (there - here)
    data.mocap_pos[:], data.mocap_quat[:] = poses[:, :3], poses[:, 3:]  # MuJoCo makes the quaternions unit again


def _hold(data: Any, held: list[int], start: Array) -> None:
    """Put bodies not yet let go back where they were."""
    for number in held:
        data.qpos[7 * number : 7 * number + 7] = start[7 * number : 7 * number + 7]
        data.qvel[6 * number : 6 * number + 6] = 0.0


def _let_go(body: FallingBody) -> Array:
    """Velocity (6,) of a body when it is let go: of its frame in the world, and its spin in its own frame."""
    across, along = body.how.velocity
    spin = np.zeros(3) if body.how.spin is None else np.radians(body.how.spin)
    if body.how.spin is None and body.on_ground and isinstance(body.shape, Sphere):
        spin = np.array([along, 0.0, -across]) / body.shape.radius
    # The spin is about the centre of mass; the frame may be elsewhere.
    arm = rotate(body.rotation, -body.shape.centre())
    return np.concatenate(
        [np.array([across, body.how.upward, along]) + np.cross(spin, arm), rotate(conjugate(body.rotation), spin)]
    )


def lift_out(shape: Shape, position: Array, rotation: Array, terrain: HeightField) -> float:
    """How far [m] a body must be raised to be clear of the ground: from inside a slope it would be shot out."""
    points = position + rotate(rotation, shape.probes())
    return float(max(0.0, (terrain.at(points[:, 0], points[:, 2]) - points[:, 1]).max()))


def _until_rest(positions: Array, rotations: Array) -> tuple[Array, Array]:
    """Cut off the frames at the end in which nothing is to be seen."""
    still = np.abs(positions - positions[-1]).max(axis=1) < 1e-3
    still &= np.abs(rotations - rotations[-1]).max(axis=1) < 1e-3
    count = len(still) - int(np.argmin(still[::-1])) + 1 if not still.all() else 1
    rotations = rotations[:count] / np.linalg.norm(rotations[:count], axis=1, keepdims=True)
    return positions[:count], rotations
