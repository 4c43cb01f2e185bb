"""Bodies and motion made on the spot: a walk whose feet are known to stand still, and rigs that rest oddly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from walkon.motion import Clip, Contacts, Label
from walkon.rotations import conjugate, from_axis_angle, multiply, normalize, rotate
from walkon.skeleton import Skeleton, forward_kinematics
from walkon.skeleton.inverse_kinematics import reach

FPS = 60.0
STRIDE, STEP_TIME, ANKLE = 1.0, 0.5, 0.09


def build_human(scale: float = 1.0, leg_scale: float = 1.0) -> Skeleton:
    """A symmetric T pose of 25 joints, looking along +z."""
    rows = [
        ("Hips", -1, (0, 0, 0)),
        ("Spine", 0, (0, 0.12, 0)),
        ("Chest", 1, (0, 0.2, 0)),
        ("Neck", 2, (0, 0.22, 0)),
        ("Head", 3, (0, 0.1, 0.02)),
        ("HeadEnd", 4, (0, 0.18, 0)),
    ]
    for side, x in (("Left", 1.0), ("Right", -1.0)):
        leg, arm = len(rows), len(rows) + 5
        rows += [
            (f"{side}UpLeg", 0, (0.1 * x, -0.04, 0)),
            (f"{side}Leg", leg, (0, -0.43 * leg_scale, 0)),
            (f"{side}Foot", leg + 1, (0, -0.42 * leg_scale, 0)),
            (f"{side}Toe", leg + 2, (0, -0.07, 0.14)),
            (f"{side}ToeEnd", leg + 3, (0, 0, 0.07)),
            (f"{side}Shoulder", 2, (0.06 * x, 0.16, 0)),
            (f"{side}Arm", arm, (0.13 * x, 0, 0)),
            (f"{side}ForeArm", arm + 1, (0.28 * x, 0, 0)),
            (f"{side}Hand", arm + 2, (0.25 * x, 0, 0)),
            (f"{side}HandEnd", arm + 3, (0.15 * x, 0, 0)),
        ]
    names, parents, offsets = zip(*rows, strict=True)
    tips = [name.endswith("End") for name in names]
    return Skeleton(names, parents, scale * np.array(offsets, float), tips)


def build_walk(skeleton: Skeleton, steps: int = 6) -> Clip:
    """Straight ahead along +z, feet planted to the last digit; for the human above and those with its names."""
    frames = int(steps * STEP_TIME * FPS) + 1
    time = np.arange(frames) / FPS
    hip_height = 0.86 * sum(np.abs(skeleton.offsets[skeleton.index(n), 1]) for n in ("LeftLeg", "LeftFoot")) + 0.1
    root = np.stack([0.02 * np.sin(np.pi * time / STEP_TIME), np.full(frames, hip_height), STRIDE * time], axis=1)
    rotations = np.zeros((frames, len(skeleton), 4))
    rotations[..., 0] = 1.0
    swing = np.sin(np.pi * time / STEP_TIME)
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        down = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.full(frames, 1.3 * sign))
        forth = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.4 * sign * swing)
        rotations[:, skeleton.index(f"{side}Arm")] = multiply(forth, down)
    planted = []
    for side, sign, phase in (("Left", 1.0, 0.0), ("Right", -1.0, 1.0)):
        ankle, stands = _foot_path(time, sign, phase)
        limb = tuple(skeleton.index(f"{side}{part}") for part in ("UpLeg", "Leg", "Foot"))
        positions, world = forward_kinematics(skeleton, root, rotations)
        poles = np.tile([0.0, 0.0, 1.0], (frames, 1))
        rotations = reach(skeleton, rotations, positions, world, limb, ankle, poles=poles)
        planted += [stands, stands]
    contacts = Contacts(("LeftFoot", "LeftToe", "RightFoot", "RightToe"), np.stack(planted, axis=1))
    labels = (Label("left turn", 3, 40), Label("strike", 60, 61))
    return Clip("walk", skeleton, FPS, root, normalize(rotations), labels=labels, contacts=contacts)


def _foot_path(time: np.ndarray, sign: float, phase: float) -> tuple[np.ndarray, np.ndarray]:
    """Ankle positions (F, 3) of a foot that stands for one step time and swings for the next."""
    cycle = time / STEP_TIME - phase
    step = np.floor(cycle / 2)
    within = cycle - 2 * step
    ease = np.clip(within - 1, 0, 1)
    travel = ease**3 * (10 - 15 * ease + 6 * ease**2)
    z = 2 * STRIDE * STEP_TIME * (step + travel) + STRIDE * STEP_TIME * (0.5 + phase)
    y = ANKLE + 0.08 * np.sin(np.pi * ease) ** 2
    return np.stack([np.full(len(time), 0.1 * sign), y, z], axis=1), within <= 1.0


def reframe_skeleton(skeleton: Skeleton, turns: np.ndarray) -> Skeleton:
    """The same body with joint j's axes turned by turns[j] (J, 4): its zero pose is another one."""
    turned = rotate(conjugate(turns[np.maximum(skeleton.parents, 0)]), skeleton.offsets)
    return Skeleton(skeleton.names, skeleton.parents, turned, skeleton.tips)


def reframe_clip(clip: Clip, turns: np.ndarray) -> Clip:
    """The very same motion of `reframe_skeleton`'s body."""
    before = conjugate(turns[np.maximum(clip.skeleton.parents, 0)])
    before[0] = [1.0, 0.0, 0.0, 0.0]
    rotations = multiply(before, multiply(clip.rotations, turns))
    rotations[:, clip.skeleton.tips] = [1.0, 0.0, 0.0, 0.0]
    return clip.with_changes(skeleton=reframe_skeleton(clip.skeleton, turns), rotations=rotations)


def random_turns(skeleton: Skeleton, seed: int) -> np.ndarray:
    """Any axes at all for every joint but the root."""
    turns = normalize(np.random.default_rng(seed).normal(size=(len(skeleton), 4)))
    turns[0] = [1.0, 0.0, 0.0, 0.0]
    return turns


@pytest.fixture(scope="session")
def human() -> Skeleton:
    return build_human()


@pytest.fixture(scope="session")
def walk(human: Skeleton) -> Clip:
    return build_walk(human)


@pytest.fixture(scope="session")
def long_legged() -> Skeleton:
    """The same joints with legs a quarter longer."""
    return build_human(leg_scale=1.25)


@pytest.fixture(scope="session")
def oddly_framed(walk: Clip) -> Callable[[int], Clip]:
    """The walk on a rig with random local axes: same motion, a rest pose that is no pose."""
    return lambda seed: reframe_clip(walk, random_turns(walk.skeleton, seed))


@pytest.fixture(scope="session")
def stranger() -> Skeleton:
    """Another human: other names, arms hanging at rest, a spine of four, no collar bones, shorter."""
    rows = [
        ("pelvis", -1, (0, 0, 0)),
        ("spine_01", 0, (0, 0.07, 0)),
        ("spine_02", 1, (0, 0.1, 0)),
        ("spine_03", 2, (0, 0.1, 0)),
        ("spine_04", 3, (0, 0.1, 0)),
        ("neck", 4, (0, 0.18, 0)),
        ("head", 5, (0, 0.08, 0)),
        ("head_end", 6, (0, 0.15, 0)),
    ]
    for side, x in (("l", 1.0), ("r", -1.0)):
        leg, arm = len(rows), len(rows) + 5
        rows += [
            (f"thigh_{side}", 0, (0.08 * x, 0, 0)),
            (f"shin_{side}", leg, (0, -0.34, 0)),
            (f"foot_{side}", leg + 1, (0, -0.36, 0)),
            (f"toe_{side}", leg + 2, (0, -0.05, 0.12)),
            (f"toe_end_{side}", leg + 3, (0, 0, 0.06)),
            (f"upper_arm_{side}", 4, (0.16 * x, 0.14, 0)),
            (f"forearm_{side}", arm, (0, -0.24, 0)),
            (f"hand_{side}", arm + 1, (0, -0.21, 0)),
            (f"hand_end_{side}", arm + 2, (0, -0.14, 0)),
        ]
    names, parents, offsets = zip(*rows, strict=True)
    return Skeleton(names, parents, np.array(offsets, float), ["end" in name for name in names])
