"""What everybody does by themselves: on the ground, on their feet, with their joints. And what their clips do.

What a body's own clips do is an excuse up to a limit, for rigs and recordings differ; beyond the limit a clip is
itself what is wrong, and is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from walkon.metrics.audit.bodies import Bodies, Each
from walkon.metrics.audit.feet import (
    EXCUSED_SLIDE,
    SLIDE_LIMIT,
    Contact,
    carrying_of,
    contacts_of,
    find_glides,
    find_slides,
)
from walkon.metrics.audit.flaws import Flaw
from walkon.metrics.audit.ground import (
    EXCUSED_DEPTH,
    HOVER_HEIGHT,
    AboveGround,
    Stance,
    clearances_of,
    find_buried,
    find_depths,
    find_hovers,
    find_wrong_rest,
    stance_in,
)
from walkon.metrics.audit.haste import find_fast_walks, find_haste
from walkon.metrics.audit.jumps import check_jumps, most_in
from walkon.metrics.audit.played import PlayedClips
from walkon.metrics.audit.poses import find_wrong_poses
from walkon.metrics.audit.report import Least, Violation
from walkon.take import Role, Take
from walkon.world import HeightField, flat_terrain


class MotionFindings(NamedTuple):
    """What is wrong with somebody's motion; the worst slide of a foot, jump of a joint and depth below the ground
    [m]."""

    violations: list[Violation]
    slide: Least | None
    jump: Least | None
    depth: Least | None


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was measured of one motion before it is judged."""

    above: AboveGround
    contacts: list[Contact]

    @property
    def slide(self) -> float:
        """The worst slide [m] of a foot."""
        return max((contact.slide for contact in self.contacts), default=0.0)


class MotionJudge:
    """Judges how people move, by what the clips of the take do themselves, which are looked at first."""

    def __init__(self, take: Take, each: Each = map) -> None:
        self.take, self.played = take, PlayedClips(take)
        self._level, bodies = flat_terrain((0.0, 0.0, 1.0, 1.0)), self.played.bodies
        self._own = list(each(lambda row: _look(bodies, row, take.fps, self._level), range(len(bodies))))
        self._most = [most_in(bodies.positions(row)) for row in range(len(bodies))]

    def clips(self) -> list[Violation]:
        """Clips that are wrong by themselves."""
        return list(_check_clips(self.played, self._own, self._level))

    def person(self, bodies: Bodies, person: int, role: Role) -> MotionFindings:
        """Everything about the motion of somebody who plays a role."""
        rows, take = self.played.of(role), self.take
        stance = stance_in([self._own[row].above for row in rows])
        slide = SLIDE_LIMIT + min(max(self._own[row].slide for row in rows), EXCUSED_SLIDE)
        seen = _look(bodies, person, take.fps, take.scene.terrain)
        flaws = _flaws(bodies, person, take.fps, take.scene.terrain, seen, stance, slide)
        wrong = [flaw.of(take, bodies, person) for flaw in flaws]
        own = np.array([self._most[self.played.rows[int(clip)]] for clip in role.clips])
        jumped, jump = check_jumps(take, bodies, person, role, own)
        return MotionFindings(
            wrong + jumped, _slide(take, bodies, person, seen), jump, _depth(take, bodies, person, seen)
        )


def _look(bodies: Bodies, person: int, fps: float, terrain: HeightField) -> _Seen:
    return _Seen(clearances_of(bodies, person, terrain), contacts_of(bodies, person, fps, terrain))


def _flaws(
    bodies: Bodies, person: int, fps: float, terrain: HeightField, seen: _Seen, stance: Stance, slide: float
) -> Iterator[Flaw]:
    """All that is wrong with one motion; slide [m]: how far a standing foot may get."""
    yield from find_depths(bodies, person, seen.above, stance)
    yield from find_buried(bodies, person, terrain)
    yield from find_hovers(bodies, person, fps, seen.above, stance)
    yield from find_slides(bodies, person, seen.contacts, slide)
    highest = stance.rest + HOVER_HEIGHT
    carrying = carrying_of(bodies, person, fps, terrain, seen.above.clearances, stance.rest, highest)
    yield from find_glides(bodies, person, fps, carrying)
    yield from find_wrong_poses(bodies, person)
    yield from find_haste(bodies, person, fps)
    yield from find_fast_walks(bodies, person, fps, carrying.standing(fps))


def _check_clips(played: PlayedClips, own: list[_Seen], level: HeightField) -> Iterator[Violation]:
    """Clips that are wrong by themselves: the worst of each kind, where somebody first plays it."""
    take = played.take
    for row, seen in enumerate(own):
        worst: dict[str, Flaw] = {}
        stance = Stance(EXCUSED_DEPTH, stance_in([seen.above]).rest)
        flaws = _flaws(played.bodies, row, take.fps, level, seen, stance, SLIDE_LIMIT + EXCUSED_SLIDE)
        for flaw in (*find_wrong_rest(played.bodies, row, seen.above), *flaws):
            if flaw.kind not in worst or flaw.amount > worst[flaw.kind].amount:
                worst[flaw.kind] = flaw
        for flaw in worst.values():
            who, start = played.first_played(row)
            behavior = played.bodies.names[row]
            frames = [min(max(start + frame, 0), take.frames - 1) for frame in (flaw.first, flaw.last, flaw.worst)]
            told = flaw.of(take, played.bodies, row)
            yield replace(
                told,
                kind="clip",
                who=who,
                other=behavior,
                first_frame=frames[0],
                last_frame=frames[1],
                frame=float(frames[2]),
                time=frames[2] / take.fps,
                place=None,
                message=f"in the clip itself, {flaw.kind}: {flaw.message}",
            )


def _slide(take: Take, bodies: Bodies, person: int, seen: _Seen) -> Least | None:
    """The worst slide of a foot."""
    if not seen.contacts:
        return None
    worst = max(seen.contacts, key=lambda contact: contact.slide)
    joint, start = bodies.clips[person].skeleton.names[worst.joint], int(bodies.arrays.first[person])
    return Least(worst.slide, bodies.names[person], joint, (start + worst.first) / take.fps)


def _depth(take: Take, bodies: Bodies, person: int, seen: _Seen) -> Least | None:
    """The worst depth below the ground."""
    lowest = int(seen.above.clearances.argmin())
    depth = float(-seen.above.clearances[lowest])
    if depth <= 0.0:
        return None
    bone = bodies.bone(person, int(seen.above.bones[lowest]))
    return Least(depth, bodies.names[person], bone, (int(bodies.arrays.first[person]) + lowest) / take.fps)
