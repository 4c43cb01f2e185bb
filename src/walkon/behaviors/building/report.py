"""What a build did, in figures and words: what was used, what was made, what was left out and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class LeftOut:
    """A stretch of a recording that is not in the library.

    clip: name of the recording. first, last: its frames, at the recording's own rate. reason: in words.
    """

    clip: str
    first: int
    last: int
    reason: str


@dataclass(frozen=True)
class PoseFound:
    """A pose that behaviors begin and end in.

    name; kind: "stride" (over the left foot), "rest" or "glide". clip, frame: the recorded moment in its middle.
    speed [m/s]; moments: how many recorded moments are near it. spread [m]: their mean distance from it.
    """

    name: str
    kind: str
    clip: str
    frame: int
    speed: float
    moments: int
    spread: float


@dataclass(frozen=True)
class SeamFigures:
    """Gaps at the seams between clips that may follow each other: median and largest.

    pose [m] and velocity [m/s] are those of `measure_seams`: of the joint that is worst off.
    """

    pairs: int
    pose_median: float
    pose_largest: float
    velocity_median: float
    velocity_largest: float


@dataclass(frozen=True)
class BuildReport:
    """What `build_library` found and did.

    recordings: how many were given; seconds: how much they hold; seconds_used: how much of that the library shows.
    poses: the poses found. seams_before, seams_after: as recorded and as written. left_out: what is missing, why.
    notes: anything else a person should know.
    """

    recordings: int
    seconds: float
    seconds_used: float
    poses: tuple[PoseFound, ...]
    seams_before: SeamFigures
    seams_after: SeamFigures
    left_out: tuple[LeftOut, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())

    def as_dict(self) -> dict[str, object]:
        """The report as plain values, for JSON."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The report in words, one finding a line."""
        before, after = self.seams_before, self.seams_after
        lines = [
            f"{self.recordings} recordings of {self.seconds:.1f} s; the library shows {self.seconds_used:.1f} s",
            *(
                f"pose {pose.name}: {pose.moments} moments within {pose.spread:.3f} m on average of "
                f"{pose.clip} frame {pose.frame}, {pose.speed:.2f} m/s"
                for pose in self.poses
            ),
            f"seams as recorded: {_gaps(before)}; as written: {_gaps(after)}; {after.pairs} pairs of clips",
            *self.notes,
        ]
        lines += [f"left out {item.clip} {item.first}-{item.last}: {item.reason}" for item in self.left_out]
        return lines


def _gaps(seams: SeamFigures) -> str:
    return (
        f"pose gap {100 * seams.pose_median:.1f} cm median, {100 * seams.pose_largest:.1f} cm largest, "
        f"velocity gap {seams.velocity_median:.2f} and {seams.velocity_largest:.2f} m/s"
    )
