"""What is forged: an honest small take, its poses, and the tools of the trade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import walkon
from walkon.motion import Clip, ground_placements
from walkon.rotations import Placement, multiply
from walkon.synthesis import Performance, perform_all
from walkon.take import Role, Take, TakeClip
from walkon.world import Scene, read_scene

SCENE = """
name = "crossing"
bounds = [-6, -6, 6, 6]
duration = 20
[[obstacles]]
name = "pillar"
shape = "box"
at = [0, 0]
width = 0.6
depth = 0.6
height = 2.0
[[obstacles]]
name = "cart"
shape = "box"
at = [-5, 2.6]
width = 0.8
depth = 0.8
height = 1.0
motion.keyframes = [{ t = 0, at = [-5, 2.6] }, { t = 8, at = [5, 2.6] }]
[[characters]]
name = "ann"
start = [-4, 0.3]
heading = 90
goal = [4, 0.0]
[[characters]]
name = "bob"
start = [0.2, -4.0]
heading = 0
goal = [0, 4.6]
[[characters]]
name = "cat"
start = [4, -1.2]
heading = -90
start_time = 1.0
goal = [-4, -1.2]
"""


def play_honestly() -> Honest:
    """The scene above, planned: three people who cross each other's ways in eleven seconds."""
    return Honest(walkon.plan_scene(read_scene(SCENE), seed=0))


@dataclass(frozen=True)
class Honest:
    """A take that is what it claims to be."""

    take: Take

    @cached_property
    def shown(self) -> list[Performance]:
        """Everybody's poses, as synthesis makes them."""
        return perform_all(self.take)


@dataclass(frozen=True)
class Forged:
    """What the audit is given. shown: poses, where those are forged. scene: what the take should be of, if it is
    asked."""

    take: Take
    shown: list[Performance] | None = None
    scene: Scene | None = None


def respelled(take: Take, name: str, **fields: object) -> Take:
    """The take with another role for somebody."""
    roles = [replace(role, **fields) if role.character == name else role for role in take.roles]
    return replace(take, roles=tuple(roles))


def recast(take: Take, name: str, **fields: object) -> Scene:
    """The take's scene with other facts about somebody."""
    people = [replace(one, **fields) if one.name == name else one for one in take.scene.characters]
    return replace(take.scene, characters=tuple(people))


def reposed(honest: Honest, name: str, change: Callable[[Clip], Clip]) -> Forged:
    """Somebody's poses changed, after synthesis."""
    shown = [replace(one, clip=change(one.clip)) if one.character == name else one for one in honest.shown]
    return Forged(honest.take, shown)


def reclipped(take: Take, change: Callable[[Clip], Clip], which: str = "") -> Take:
    """The take with changed clips, those of one behavior or all, everybody set to follow what they now do."""
    clips = [
        replace(shown, clip=change(shown.clip)) if which in ("", shown.behavior) else shown for shown in take.clips
    ]
    return follow(replace(take, clips=(), roles=()), tuple(clips), take.roles)


def follow(take: Take, clips: tuple[TakeClip, ...], roles: tuple[Role, ...]) -> Take:
    """A take in which every segment begins where and when the one before ends, by its own poses."""
    moved = [displacement(shown) for shown in clips]
    chained = []
    for role in roles:
        place, frame, places, frames = Placement(*role.placements[0]), int(role.frames[0]), [], []
        for clip in role.clips.tolist():
            places.append([place.x, place.z, place.heading])
            frames.append(frame)
            place, frame = place @ moved[clip], frame + clips[clip].duration
        kept = [frame < take.frames for frame in frames]
        fields = {
            "clips": role.clips[kept],
            "frames": np.array(frames)[kept],
            "placements": np.array(places)[kept],
        }
        chained.append(replace(role, **fields))
    return replace(take, clips=clips, roles=tuple(chained))


def displacement(shown: TakeClip) -> Placement:
    """Where a clip's exit is, as its entry sees it."""
    places = ground_placements(shown.clip)
    return Placement(*places[shown.first]).inverse() @ Placement(*places[shown.last])


def turned(clip: Clip, joint: str, by: np.ndarray, frames: slice = slice(None)) -> Clip:
    """The clip with a joint's rotation followed by another (4,), in some of the frames."""
    rotations = clip.rotations.copy()
    index = clip.skeleton.index(joint)
    rotations[frames, index] = multiply(rotations[frames, index], by)
    return clip.with_changes(rotations=rotations)


def moved(clip: Clip, way: np.ndarray) -> Clip:
    """The clip with its root moved by (3,) or (F, 3) [m]."""
    return clip.with_changes(root_positions=clip.root_positions + way)


def about(axis: int, degrees: float) -> np.ndarray:
    """A turn (4,) about x, y or z."""
    half = np.radians(degrees) / 2.0
    turn = np.zeros(4)
    turn[0], turn[1 + axis] = np.cos(half), np.sin(half)
    return turn


def ahead(clip: Clip) -> np.ndarray:
    """The direction (3,) in which a clip's first pose faces."""
    heading = ground_placements(clip)[0, 2]
    return np.array([np.sin(heading), 0.0, np.cos(heading)])


__all__ = ["Forged", "Honest", "about", "ahead", "displacement", "follow", "moved", "play_honestly", "recast",
           "reclipped", "reposed", "respelled", "turned"]  # fmt: skip
