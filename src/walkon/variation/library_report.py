"""What varying a library did: how many clips each behavior has now, how far they stray, what was kept and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class BehaviorReport:
    """What became of a behavior.

    group: what it was learned with. clips: it had; variants: that were added. strays, strays_most: [m] how far the
    joint that strays most in a frame is from where it was, on average (root mean square) and at most, over all
    variants. reason: why it was kept as it is, or "".
    """

    behavior: str
    group: str
    clips: int
    variants: int
    strays: float = 0.0
    strays_most: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class GroupReport:
    """What was learned. clips, frames: from how many. seconds: how long it took. score: of the model."""

    group: str
    clips: int
    frames: int
    seconds: float
    score: float


@dataclass(frozen=True)
class LibraryReport:
    """What `vary_library` did. seconds: all in all. joints: those that vary."""

    library: str
    joints: tuple[str, ...]
    behaviors: tuple[BehaviorReport, ...]
    groups: tuple[GroupReport, ...]
    seconds: float

    @property
    def clips(self) -> int:
        """Clips there were."""
        return sum(behavior.clips for behavior in self.behaviors)

    @property
    def variants(self) -> int:
        """Clips that were added."""
        return sum(behavior.variants for behavior in self.behaviors)

    @property
    def kept(self) -> tuple[BehaviorReport, ...]:
        """Behaviors that are as they were."""
        return tuple(behavior for behavior in self.behaviors if behavior.reason)

    def as_dict(self) -> dict[str, object]:
        """The report as plain values, for JSON."""
        return {**asdict(self), "clips": self.clips, "variants": self.variants}

    def lines(self) -> list[str]:
        """The report in words, one finding a line."""
        learning = sum(group.seconds for group in self.groups)
        lines = [
            f"{self.library}: {self.variants} variants joined the {self.clips} clips of {len(self.behaviors)} "
            f"behaviors in {self.seconds:.0f} s, {learning:.0f} s of them learning {len(self.groups)} models"
        ]
        if self.joints:
            lines.append(f"what varies: {', '.join(self.joints)}")
        return lines + [f"kept of {behavior.behavior}: {behavior.reason}" for behavior in self.kept]
