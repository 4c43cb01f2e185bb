"""May these clips follow each other, are they this character's to use, and does each begin where the last one
ends?"""

from __future__ import annotations

import math
from fnmatch import fnmatchcase

from walkon.basics import Array
from walkon.metrics.audit import _kernels_obstacles
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import violation
from walkon.metrics.audit.report import Violation
from walkon.metrics.audit.things import Things
from walkon.motion import ground_placements
from walkon.rotations import Placement
from walkon.take import Role, Take
from walkon.world import PASSES, Character

SEAM_SLACK, SEAM_SLACK_ANGLE = 1e-3, math.radians(0.1)
"""How far [m], [rad] a segment may begin from where the one before it ends."""

CREEP, CREEP_ANGLE, SEAM_TURN = 0.005, math.radians(0.5), math.radians(0.02)
"""How far [m], [rad] the errors of all seams of a role may add up to, with SEAM_TURN [rad] more for every seam.
Places are kept to 1e-13 m; who waits in recorded poses sways by up to 0.018° until the next wait. With more,
people could be led elsewhere by steps too small to see."""

BLEND_SLACK, BLEND_SLACK_ANGLE = 0.10, math.radians(15.0)
"""How far [m], [rad] poses may be from where a segment begins: they are blended there."""

PASSING_DISTANCE = 1.0
"""How near [m] a body must come to an obstacle while it passes it."""


def check_transitions(take: Take) -> list[Violation]:
    """Poses that meet, whose clips they are, what is forbidden, and where segments begin."""
    wrong = []
    characters = {character.name: character for character in take.scene.characters}
    moved: dict[int, Placement] = {}
    for role in take.roles:
        if role.character in characters:
            wrong += _clips(take, characters[role.character], role)
            wrong += _places(take, role, moved)
    return wrong


def _clips(take: Take, character: Character, role: Role) -> list[Violation]:
    wrong: list[Violation] = []

    def complain(segment: int, message: str, amount: float = 0.0) -> None:
        frame, at = int(role.frames[segment]), role.placements[segment]
        wrong.append(
            violation(
                "transition",
                role.character,
                message,
                fps=take.fps,
                frames=(frame, frame),
                place=(at[0], 0.0, at[1]),
                amount=amount,
            )
        )

    shown = [take.clips[int(clip)] for clip in role.clips]
    for segment, clip in enumerate(shown):
        if clip.library != character.library:
            complain(segment, f"{clip.behavior} is from the library {clip.library!r}, not {character.library!r}")
        for pattern in character.without:
            if pattern == clip.kind or fnmatchcase(clip.behavior, pattern):
                complain(segment, f"{clip.behavior} is used, though the scene forbids {pattern!r}")
        if segment == 0:
            continue
        before = shown[segment - 1]
        if before.exit != clip.entry:
            complain(
                segment,
                f"{clip.behavior} begins in {clip.entry!r}, but {before.behavior} ends in {before.exit!r}",
            )
        gap = int(role.frames[segment]) - int(role.frames[segment - 1]) - before.duration
        if gap:
            complain(segment, f"{clip.behavior} begins {gap:+d} frames from when {before.behavior} ends", gap)
    return wrong


def _places(take: Take, role: Role, moved: dict[int, Placement]) -> list[Violation]:
    """Each segment begins where the clip before, by its own poses, ends; and what little is missing does not add
    up."""
    wrong = []
    total_off, total_turn = 0.0, 0.0

    def complain(kind: str, segment: int, message: str, amount: float) -> None:
        frame, at = int(role.frames[segment]), role.placements[segment]
        place = (at[0], 0.0, at[1])
        wrong.append(
            violation(
                kind, role.character, message, fps=take.fps, frames=(frame, frame), place=place, amount=amount
            )
        )

    for segment in range(1, len(role.clips)):
        index = int(role.clips[segment - 1])
        if index not in moved:
            moved[index] = _displacement(take, index)
        ends = Placement(*role.placements[segment - 1]) @ moved[index]
        x, z, heading = role.placements[segment]
        off, turn = math.hypot(x - ends.x, z - ends.z), _angle(heading - ends.heading)
        total_off, total_turn = total_off + off, total_turn + turn
        if off > SEAM_SLACK or turn > SEAM_SLACK_ANGLE:
            behavior, before = take.clips[int(role.clips[segment])].behavior, take.clips[index].behavior
            message = (
                f"{behavior} begins {off * 1e3:.1f} mm and {math.degrees(turn):.2f}° from where {before} ends"
            )
            complain("placement", segment, message, off)
    if total_off > CREEP or total_turn > CREEP_ANGLE + SEAM_TURN * len(role):
        message = (
            f"{len(role) - 1} seams are {total_off * 1e3:.1f} mm and {math.degrees(total_turn):.2f}° off together"
        )
        complain("creep", len(role) - 1, message, total_off)
    return wrong


def _displacement(take: Take, index: int) -> Placement:
    """Where a clip's exit pose is, as its entry pose sees it."""
    shown = take.clips[index]
    places = ground_placements(shown.clip)
    first, last = shown.margin, len(shown.clip) - 1 - shown.margin
    return Placement(*places[first]).inverse() @ Placement(*places[last])


def check_poses(take: Take, role: Role, places: Array, start: int) -> list[Violation]:
    """The poses are where the role says, at the beginning of every segment.

    places: (F, 3) x, z, heading, from frame `start` of the take on.
    """
    wrong = []
    for frame, (x, z, heading) in zip(role.frames.tolist(), role.placements, strict=True):
        if not 0 <= frame - start < len(places):
            continue
        seen = places[frame - start]
        off, turn = math.hypot(seen[0] - x, seen[1] - z), _angle(seen[2] - heading)
        if off > BLEND_SLACK or turn > BLEND_SLACK_ANGLE:
            wrong.append(
                violation(
                    "placement",
                    role.character,
                    f"the pose is {off * 100:.1f} cm and {math.degrees(turn):.0f}° from where the role has it",
                    fps=take.fps,
                    frames=(frame, frame),
                    place=(x, 0.0, z),
                    amount=off,
                )
            )
    return wrong


def check_specials(take: Take, bodies: Bodies, person: int, role: Role, things: Things) -> list[Violation]:
    """What passes over or under something has something to pass that way."""
    wrong = []
    start = int(bodies.arrays.first[person])
    for segment, index in enumerate(role.clips.tolist()):
        shown = take.clips[index]
        if shown.kind not in PASSES:
            continue
        first = int(role.frames[segment])
        last = min(first + shown.duration, start + int(bodies.arrays.frames[person]) - 1)
        gaps = [
            _kernels_obstacles.nearest(bodies.arrays, things.arrays, person, thing, first - start, last - start)
            for thing, passes in enumerate(things.passes)
            if shown.kind in passes
        ]
        nearest = min(gaps, default=math.inf)
        if nearest > PASSING_DISTANCE:
            far = (
                f"the nearest is {nearest:.1f} m away" if math.isfinite(nearest) else "there is none in the scene"
            )
            wrong.append(
                violation(
                    "special",
                    role.character,
                    f"{shown.behavior} without an obstacle that allows {shown.kind}: {far}",
                    fps=take.fps,
                    frames=(first, last),
                    place=(role.placements[segment, 0], 0.0, role.placements[segment, 1]),
                    amount=min(nearest, 1e6),
                )
            )
    return wrong


def _angle(turn: float) -> float:
    return abs(math.atan2(math.sin(turn), math.cos(turn)))
