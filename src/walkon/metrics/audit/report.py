"""What an audit says: violations one by one, and figures about the whole."""

from __future__ import annotations

from dataclasses import asdict, dataclass

VIOLATIONS = {
    "bodies": "two people's bodies touch",
    "obstacle": "somebody's body touches an obstacle",
    "bounds": "part of somebody's body leaves the scene",
    "ground": "part of a body is below the ground",
    "floating": "nothing carries a body that is not in free fall",
    "start": "somebody does not start when, where and as the scene says",
    "goal": "a way-point or the goal was not reached, or not kept",
    "presence": "somebody is missing, there twice, or gone too early",
    "transition": "a clip follows another that it may not follow, or is not the character's to use",
    "placement": "a segment does not begin where the one before ends, or the poses are somewhere else",
    "special": "somebody jumps, steps, ducks or crawls where nothing is to be passed that way",
    "creep": "the errors at the seams of a role add up",
    "slide": "what stands on the ground slides",
    "jump": "a joint jumps from one frame to the next",
    "pose": "a pose that no body can take: bones stretched, joints bent or turned the wrong way",
    "haste": "joints or bodies move faster than any body can",
    "clip": "a clip that is played is wrong by itself",
    "scene": "the take is of another scene than it was audited against",
}
"""Kind of violation -> what it means."""


@dataclass(frozen=True)
class Violation:
    """Something that must not be.

    kind: one of VIOLATIONS. who: the character. other: the other character, the obstacle, or empty. first_frame,
    last_frame: of the take, while it goes on. frame: when it is worst, possibly between two frames; time [s]: the
    same. place: x, y, z [m] there, if it has one. amount: how bad at worst, in the unit the message names.
    """

    kind: str
    who: str
    other: str
    first_frame: int
    last_frame: int
    frame: float
    time: float
    place: tuple[float, float, float] | None
    amount: float
    message: str


@dataclass(frozen=True)
class Least:
    """The least gap [m] found, whose it is, and when [s]."""

    gap: float
    who: str
    other: str
    time: float


@dataclass(frozen=True)
class AuditFigures:
    """What was measured.

    people, frames, seconds, obstacles: how much there is. unplanned: characters that the take says have no plan.
    pairs: pairs of bodies, or of a body and an obstacle, compared capsule by capsule in one interval of time.
    planned_with: the level of bodies that planners saw, one of BODY_LEVELS.
    people_gap, body_gap: least gap between the circles of two people, and between their bodies; None if they never
    came near. overlap_pairs: pairs of people whose circles overlapped, which is no violation; overlap_seconds: [s]
    for how long somebody's did, all people together. obstacle_gap: of a body to an obstacle. bounds_gap: of a body
    to the edge.
    slide, jump, depth: the worst slide of a planted foot, change of a joint's step beyond what its clips do, and
    depth below the ground [m], with who and when; None where there is none. missing: characters of the scene who
    are not in the take.
    """

    people: int
    frames: int
    seconds: float
    obstacles: int
    unplanned: int
    pairs: int
    planned_with: str = ""
    people_gap: Least | None = None
    overlap_pairs: int = 0
    overlap_seconds: float = 0.0
    body_gap: Least | None = None
    obstacle_gap: Least | None = None
    bounds_gap: Least | None = None
    slide: Least | None = None
    jump: Least | None = None
    depth: Least | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class AuditReport:
    """The verdict on a take: no violations, or these."""

    violations: tuple[Violation, ...]
    figures: AuditFigures

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations

    def counts(self) -> dict[str, int]:
        """How many violations there are of each kind, those without left out, in the order of VIOLATIONS."""
        found = [violation.kind for violation in self.violations]
        return {kind: found.count(kind) for kind in VIOLATIONS if kind in found}

    def worst(self, kind: str) -> Violation:
        """The worst violation of a kind that there is."""
        return max((found for found in self.violations if found.kind == kind), key=lambda found: abs(found.amount))

    def to_json(self) -> dict[str, object]:
        """Everything as plain data."""
        return {
            "clean": self.clean,
            "counts": self.counts(),
            "figures": asdict(self.figures),
            "violations": [asdict(violation) for violation in self.violations],
        }

    def summary(self) -> str:
        """A few lines for people."""
        from walkon.metrics.audit.wording import summarize

        return summarize(self)
