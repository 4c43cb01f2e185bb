"""What is shown of the measures, under which names and in which units, and what each of them means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from walkon.metrics.anomalies import NOTICED_REPETITION, STRANGE_RESISTANCE, VISIBLE_JUMP, VISIBLE_SLIDE
from walkon.metrics.measures import MEASURES
from walkon.render.report.entries import Entry

Lines = Callable[[Entry], list[tuple[str, float]]]
"""What to compare with: (name, value in the unit of the measure)."""

Better = Literal["less", "more", ""]


@dataclass(frozen=True)
class Figure:
    """One row of the table: a key of `Measures.summary`.

    factor: from the unit of the key to `unit`. better: which is better, if any. compared: whether ours and rivals
    are set against each other by it.
    """

    key: str
    title: str
    unit: str = ""
    digits: int = 2
    factor: float = 1.0
    better: Better = ""
    compared: bool = False

    def text(self, value: float) -> str:
        """The value in words; nothing where there is none."""
        return format_number(value * self.factor, self.digits)


@dataclass(frozen=True)
class Panel:
    """One plot of people: a key of `Measures.per_person`; `explained` says in one sentence what it is.

    section: where docs/metrics.md has more.
    """

    key: str
    title: str
    unit: str
    explained: str
    section: str
    digits: int = 2
    factor: float = 1.0
    lines: Lines = lambda entry: []


def format_number(value: float, digits: int) -> str:
    """A number with `digits` after the point; "–" for what is none."""
    if not math.isfinite(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0.0 else text


def jerk_lines(which: str) -> Lines:
    """Jerkiness of the library's walking and running."""

    def lines(entry: Entry) -> list[tuple[str, float]]:
        found = entry.measures.benchmarks
        if found is None:
            return []
        parts = (("walking", found.walking), ("running", found.running))
        return [(name, getattr(part, f"{which}_jerkiness")) for name, part in parts if part is not None]

    return lines


def _radii(entry: Entry) -> list[tuple[str, float]]:
    found = entry.measures.benchmarks
    if found is None:
        return []
    walking = found.walking or found.whole
    return [("smallest body", walking.smallest_radius), ("largest", walking.largest_radius)]


def _slides(entry: Entry) -> list[tuple[str, float]]:
    return [("visible", 1e3 * VISIBLE_SLIDE / entry.take.fps)] if entry.take is not None else []


FOUR, ASKED = "The four measures of Chen (2014)", "What animators and planners of spaces ask"

PANELS = (
    Panel(
        "resistance", "Resistance", "", "How much more energy a path takes than the straight way at 1.33 m/s: 0 "
        "is none, 1 is twice the energy.", FOUR, lines=lambda entry: [("strange", STRANGE_RESISTANCE)],
    ),
    Panel(
        "normal_jerkiness", "Jerkiness across the way", "m/s³", "How much sideways acceleration jumps about "
        "(standard deviation of jerk); above the lines, turns are more abrupt than in the motion library.", FOUR,
        1, lines=jerk_lines("normal"),
    ),
    Panel(
        "tangential_jerkiness", "Jerkiness along the way", "m/s³", "The same for speeding up and slowing down.",
        FOUR, 1, lines=jerk_lines("tangential"),
    ),
    Panel(
        "proximity", "Proximity", "m", "Half the least distance between the middles of two people: below the "
        "smallest body, bodies almost certainly touch.", FOUR, lines=_radii,
    ),
    Panel(
        "synchronicity", "Synchronicity", "", "How alike somebody and others speed up and turn at the same "
        "moments, averaged over the others: 1 is in unison.", FOUR,
    ),
    Panel(
        "collision_time", "Time in collision", "s", "How long a body touches another body or an obstacle, as the "
        "audit finds it.", ASKED,
    ),
    Panel("travel_time", "Travel time", "s", "From appearing to having arrived, or being last seen.", ASKED, 1),
    Panel("travel_distance", "Distance", "m", "Along the path, until the same moment.", ASKED, 1),
    Panel("speed", "Speed", "m/s", "Distance by travel time, pauses included.", ASKED),
    Panel("goal_deviation", "Goal deviation", "m", "How far from the goal somebody ends.", ASKED),
    Panel(
        "density_felt_most", "Density at most", "1/m²", "One by the ground that is nearer to somebody than to "
        "anybody else, at the tightest moment; alone it is 0.32.", ASKED,
    ),
    Panel(
        "foot_slide_worst", "Foot slide at worst", "mm",
        "How far a planted foot moves from one frame to the next.", ASKED, 1, 1e3, _slides,
    ),
    Panel(
        "seam_jump_worst", "Seam jump at worst", "m/s", "By how much more a joint's velocity changes, where one "
        "clip becomes the next, than it ever does in either.", ASKED,
        lines=lambda entry: [("visible", VISIBLE_JUMP)],
    ),
    Panel(
        "seam_change", "Change at seams", "m/s", "By how much the velocity of the most abrupt joint changes in a "
        "frame while clips blend.", ASKED,
    ),
    Panel(
        "transition_rate", "Transitions", "1/min", "How often somebody goes from one clip to the next.", ASKED, 0,
    ),
    Panel(
        "repetition", "Doubles", "1/min", "How often somebody within 5 m begins the very same clip at the same "
        "moment.", ASKED, 1, lines=lambda entry: [("noticed", NOTICED_REPETITION)],
    ),
)  # fmt: skip
"""Plots, in order; those that nothing was measured for are left out. See `panels`."""

FIGURES = (
    Figure("people", "People in the scene", digits=0),
    Figure("left_out", "Left out, without a plan", digits=0, better="less", compared=True),
    Figure("seconds", "Length", "s", 1),
    Figure("collisions", "Collisions of bodies", digits=0, better="less", compared=True),
    Figure("collision_time", "Time in collision, all people", "s", better="less", compared=True),
    Figure("overlap_time", "Time circles overlap, all people", "s"),
    Figure("resistance", "Resistance, mean", digits=3, better="less", compared=True),
    Figure("resistance_worst", "Resistance, worst", digits=3, better="less", compared=True),
    Figure("resistance_from_deviation", "… due to ending off the goal", digits=3),
    Figure("normal_jerkiness", "Jerkiness across, mean", "m/s³", better="less", compared=True),
    Figure("normal_jerkiness_worst", "Jerkiness across, worst", "m/s³", better="less"),
    Figure("tangential_jerkiness", "Jerkiness along, mean", "m/s³", better="less", compared=True),
    Figure("tangential_jerkiness_worst", "Jerkiness along, worst", "m/s³", better="less"),
    Figure("proximity_least", "Proximity, least", "m", better="more", compared=True),
    Figure("proximity", "Proximity, mean", "m"),
    Figure("synchronicity_pairs", "Pairs", digits=0),
    Figure("synchronicity_high", "Pairs in step (above 0.6)", "%", 1, 100.0, "less", True),
    Figure("synchronicity_hyper", "Pairs in unison (above 0.95)", "%", 1, 100.0, "less", True),
    Figure("arrived", "Arrived, of all people", "%", 0, 100.0, "more", True),
    Figure("goal_deviation", "Goal deviation, mean", "m", better="less", compared=True),
    Figure("travel_time", "Travel time, mean", "s", better="less", compared=True),
    Figure("travel_time_longest", "Travel time, longest", "s", better="less"),
    Figure("travel_distance", "Distance, mean", "m", better="less", compared=True),
    Figure("speed", "Speed, mean", "m/s"),
    Figure("density", "Density, mean", "1/m²", 3),
    Figure("density_most", "Density, most", "1/m²", 3),
    Figure("density_felt", "Density as felt, mean", "1/m²"),
    Figure("density_felt_most", "Density as felt, most", "1/m²"),
    Figure("flow", "Flow", "1/(m s)"),
    Figure("foot_slide", "Foot slide a frame, mean", "mm", 3, 1e3, "less", True),
    Figure("foot_slide_worst", "Foot slide a frame, worst", "mm", 2, 1e3, "less", True),
    Figure("seam_change", "Change at seams", "m/s"),
    Figure("change_elsewhere", "Change elsewhere", "m/s"),
    Figure("seam_jump_worst", "Seam jump, worst", "m/s", better="less"),
    Figure("transition_rate", "Transitions", "1/min", 1),
    Figure("behavior_changes", "Changes of behavior", "1/min", 1),
    Figure("transition_cost", "Transition cost", "mm", 2, 1e3),
    Figure("repetition", "Doubles, per person", "1/min", 1, better="less", compared=True),
    Figure("anomalies", "Anomalies", digits=0, better="less"),
)
"""Rows of the table, in order: every key of `Measures.summary` that `MEASURES` does not tell itself."""


def figures() -> tuple[Figure, ...]:
    """All rows of the table: ours, then measures that bring a title of their own."""
    added = (
        Figure(key, f"{one.title}, mean", one.unit, one.digits, better=one.better)
        for key, one in MEASURES.items()
        if one.title
    )
    return (*FIGURES, *added)


def panels() -> tuple[Panel, ...]:
    """All plots: ours, then measures that bring a title of their own."""
    added = (
        Panel(key, one.title, one.unit, one.explained, ASKED, one.digits)
        for key, one in MEASURES.items()
        if one.title
    )
    return (*PANELS, *added)


ANOMALY_UNITS = {
    "resistance": ("", 1.0, 2),
    "goal deviation": ("m", 1.0, 2),
    "synchronicity": ("", 1.0, 3),
    "normal jerk": ("m/s³", 1.0, 1),
    "tangential jerk": ("m/s³", 1.0, 1),
    "normal jerkiness": ("m/s³", 1.0, 2),
    "tangential jerkiness": ("m/s³", 1.0, 2),
    "proximity": ("m", 1.0, 3),
    "foot slide": ("mm", 1e3, 1),
    "seam jump": ("m/s", 1.0, 2),
    "repetition": ("1/min", 1.0, 1),
    "collision": ("s", 1.0, 2),
}
"""What is anomalous -> unit, factor to it, digits."""

ANOMALY_WORDS = {
    "resistance": "a strange way",
    "goal deviation": "goal not reached",
    "synchronicity": "in unison",
    "normal jerk": "abrupt turn",
    "tangential jerk": "abrupt change of speed",
    "normal jerkiness": "jerky turns",
    "tangential jerkiness": "jerky speed",
    "proximity": "too near",
    "foot slide": "foot slides",
    "seam jump": "joint jumps",
    "repetition": "a double",
    "collision": "collision",
}
"""What is anomalous, for people."""
