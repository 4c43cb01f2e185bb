"""What everybody does by themselves: on the ground, on their feet, with their joints. And what their clips do.

What a body's own clips do is an excuse up to a limit, for rigs and recordings differ; beyond the limit a clip is
itself what is wrong, and is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from walkon.metrics.audit.bodies import Bodies
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
from walkon.metrics.audit.jumps import check_jumps
from walkon.metrics.audit.played import PlayedClips
from walkon.metrics.audit.poses import find_wrong_poses
from walkon.metrics.audit.report import Least, Violation
from walkon.take import Take
from walkon.world import HeightField, flat_terrain


@dataclass
class MotionFindings:
    """What is wrong with motion; the worst slide of a foot, jump of a joint and depth below the ground [m]."""

    violations: list[Violation] = field(default_factory=list)
    slide: Least | None = None
    jump: Least | None = None
    depth: Least | None = None


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was measured of one motion before it is judged."""

    above: AboveGround
    contacts: list[Contact]

    @property
    def slide(self) -> float:
        """The worst slide [m] of a foot."""
        return max((contact.slide for contact in self.contacts), default=0.0)


def check_motion(take: Take, bodies: Bodies) -> MotionFindings:
    """Everything about the motion of people who have roles, and about the clips they play."""
    played, level = PlayedClips(take), flat_terrain((0.0, 0.0, 1.0, 1.0))
    own = [_look(played.bodies, row, take.fps, level) for row in range(len(played.rows))]
    found = MotionFindings(list(_check_clips(played, own, level)))
    for person, name in enumerate(bodies.names):
        rows = played.of(take.role(name))
        stance = stance_in([own[row].above for row in rows])
        slide = SLIDE_LIMIT + min(max(own[row].slide for row in rows), EXCUSED_SLIDE)
        seen = _look(bodies, person, take.fps, take.scene.terrain)
        flaws = _flaws(bodies, person, take.fps, take.scene.terrain, seen, stance, slide)
        found.violations += [flaw.of(take, bodies, person) for flaw in flaws]
        _keep_worst(found, take, bodies, person, seen)
    jumped, found.jump = check_jumps(take, bodies, played)
    found.violations += jumped
    return found


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


def _keep_worst(found: MotionFindings, take: Take, bodies: Bodies, person: int, seen: _Seen) -> None:
    """Remember the worst slide and depth of all."""
    name, start = bodies.names[person], int(bodies.arrays.first[person])
    for contact in seen.contacts:
        if found.slide is None or contact.slide > found.slide.gap:
            joint = bodies.clips[person].skeleton.names[contact.joint]
            found.slide = Least(contact.slide, name, joint, (start + contact.first) / take.fps)
    lowest = int(seen.above.clearances.argmin())
    depth = float(-seen.above.clearances[lowest])
    if depth > 0.0 and (found.depth is None or depth > found.depth.gap):
        bone = bodies.bone(person, int(seen.above.bones[lowest]))
        found.depth = Least(depth, name, bone, (start + lowest) / take.fps)
