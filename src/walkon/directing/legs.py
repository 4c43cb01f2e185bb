"""The steps of a script, put together to what is done in one go: legs that lead somewhere, and deeds."""

from __future__ import annotations

from dataclasses import dataclass, field

from walkon.directing.courses import Corner
from walkon.world import Do, Face, Follow, Go, ScriptStep, Style, Via, Wait

Numbered = tuple[int, ScriptStep]


@dataclass
class ScriptLeg:
    """A way by places to the last of them, in one style, perhaps looking somewhere there.

    styles, places, faces: steps with their numbers in the script. Of styles the last counts; there is one facing.
    """

    styles: list[Numbered] = field(default_factory=list)
    places: list[Numbered] = field(default_factory=list)
    faces: list[Numbered] = field(default_factory=list)

    def takes(self, step: ScriptStep) -> bool:
        """Whether a step can be added."""
        if isinstance(step, Face):
            return not self.faces
        over = bool(self.faces) or (bool(self.places) and isinstance(self.places[-1][1], Go))
        return not over and not (isinstance(step, Style) and self.places)

    def corners(self) -> list[Corner]:
        """The line that it follows."""
        corners: list[Corner] = []
        for _, step in self.places:
            match step:
                case Go() | Via():
                    corners.append(Corner(step.x, step.z, step.tolerance))
                case Follow():
                    corners += [Corner(x, z, step.tolerance, sharp=True) for x, z in step.points]
        return corners


def end_of(step: ScriptStep) -> tuple[float, float]:
    """x, z [m] of a place, or of the end of a line."""
    match step:
        case Go() | Via():
            return step.x, step.z
        case Follow():
            return step.points[-1]
    raise TypeError(f"no place: {step!r}")


@dataclass(frozen=True)
class ScriptDeed:
    """Something to do, or to wait for."""

    number: int
    step: Do | Wait


def is_idle(part: ScriptLeg | ScriptDeed) -> bool:
    """Whether nothing is done in it: a change of style, and nowhere to go."""
    return isinstance(part, ScriptLeg) and not (part.places or part.faces)


def plan_legs(script: tuple[ScriptStep, ...]) -> list[ScriptLeg | ScriptDeed]:
    """The script as legs and deeds, in order."""
    parts: list[ScriptLeg | ScriptDeed] = []
    for number, step in enumerate(script):
        if isinstance(step, Do | Wait):
            parts.append(ScriptDeed(number, step))
            continue
        leg = parts[-1] if parts else None
        if not (isinstance(leg, ScriptLeg) and leg.takes(step)):
            leg = ScriptLeg()
            parts.append(leg)
        kind = leg.styles if isinstance(step, Style) else leg.faces if isinstance(step, Face) else leg.places
        kind.append((number, step))
    return parts
