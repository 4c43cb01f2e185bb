"""What became of a script: every step measured on the motion itself, met or not, by how much, and when."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.directing.courses import point_at
from walkon.directing.legs import end_of
from walkon.graphs.performing.walks import Walk
from walkon.motion import Clip, ground_placements
from walkon.world import Do, Face, Follow, Go, ScriptStep, Style, Via, Wait
from walkon.world.script import verb_of
from walkon.world.script_goals import PLACES, ends_at_a_place

STAND = "stand"
"""The label of motion to wait in."""

CHANGE = 2.0
"""[s] by which it may take longer than the graph needs at least to get into another style."""

STRAYED = 10.0
"""What it counts to come to rest a metre too far from where one is to stay."""

ALONG, AHEAD = 0.05, 1.0
"""[m] between points of a line that are looked at, and how far ahead of where somebody is on it."""

UNDONE = 1000.0
"""What a hard step that was not met counts, beside what soft ones miss."""


@dataclass(frozen=True)
class Span:
    """When a step was performed: frames from `first` to `last`.

    done: times or frames of what was to be done; for a style, frames that it takes at least to get into it.
    note: what was in the way.
    """

    first: int
    last: int
    done: int = 0
    note: str = ""


@dataclass(frozen=True)
class StepReport:
    """What became of one step.

    number: in the script, from 0. met: within what is allowed. amount: by how much it is off, or how long or how
    often it was done; allowed: how much that may be, or must be. unit: of both: m, deg, s or times.
    first, last: frames of the walk in which it was performed. note: what was in the way.
    """

    number: int
    step: ScriptStep
    met: bool
    amount: float
    allowed: float
    unit: str
    first: int
    last: int
    note: str = ""

    @property
    def misfit(self) -> float:
        """How far it is from being met, in units of what is allowed; 0 when it is."""
        if self.met:
            return 0.0
        if isinstance(self.step, Do | Wait):
            return max(1.0 - self.amount / max(self.allowed, 1e-9), 0.0) + 1e-3
        return max(self.amount / max(self.allowed, 1e-9) - 1.0, 0.0) + 1e-3

    def __str__(self) -> str:
        how = "met" if self.met else "nearly" if self.step.soft else "NOT MET"
        measure = f"{self.amount:.2f} of {self.allowed:.2f} {self.unit}"
        words = f"{self.number + 1}. {verb_of(self.step)}: {how}, {measure}, frames {self.first} to {self.last}"
        return f"{words}; {self.note}" if self.note else words


@dataclass(frozen=True, eq=False)
class Acted:
    """A script performed: the walk, its motion in the world, and what became of every step.

    stray: how much further [m] than allowed somebody who is to stay at the last place is from it afterwards.
    outside: how far [m] they leave the bounds that were given.
    """

    walk: Walk
    clip: Clip
    reports: tuple[StepReport, ...]
    stray: float = 0.0
    outside: float = 0.0

    @property
    def met(self) -> bool:
        """Whether all hard steps were met."""
        return all(report.met or report.step.soft for report in self.reports)

    @property
    def missed(self) -> tuple[StepReport, ...]:
        """Hard steps that were not met."""
        return tuple(report for report in self.reports if not (report.met or report.step.soft))

    @property
    def cost(self) -> float:
        """What is missing: hard steps first, soft ones by their weights."""
        soft = sum(report.step.weight * report.misfit for report in self.reports if report.step.soft)
        hard = sum(UNDONE + min(report.misfit, 0.5 * UNDONE) for report in self.missed)
        return hard + soft + STRAYED * (self.stray + self.outside)

    def summary(self) -> str:
        """One line for every step, and more for somebody who does not stay at the end, or in the bounds."""
        lines = [str(report) for report in self.reports]
        if self.stray > 0.0:
            lines.append(f"comes to rest {self.stray:.2f} m further from the last place than is allowed")
        if self.outside > 0.0:
            lines.append(f"leaves the bounds by {self.outside:.2f} m")
        return "\n".join(lines)


def judge(steps: tuple[ScriptStep, ...], spans: dict[int, Span], walk: Walk, clip: Clip, *, stays: bool) -> Acted:
    """Measure every step of a script on the motion that was made of it. stays: to remain at the end."""
    places = ground_placements(clip)
    reports = [_judge(number, steps, spans, places, clip) for number in range(len(steps))]
    return Acted(walk, clip, tuple(reports), _stray(steps, spans, places) if stays else 0.0)


def _stray(steps: tuple[ScriptStep, ...], spans: dict[int, Span], places: Array) -> float:
    """How much too far [m] from the last place somebody is after a script that ends there."""
    if not ends_at_a_place(steps):
        return 0.0
    step = next(one for one in reversed(steps) if isinstance(one, PLACES))
    x, z = end_of(step)
    after = places[max(span.last for span in spans.values()) :]
    return max(float(np.hypot(after[:, 0] - x, after[:, 1] - z).max()) - step.tolerance, 0.0)


def _judge(
    number: int, steps: tuple[ScriptStep, ...], spans: dict[int, Span], places: Array, clip: Clip
) -> StepReport:
    step, span = steps[number], spans[number]
    shown = places[span.first : span.last + 1]
    match step:
        case Go():
            found = float(np.hypot(shown[-1, 0] - step.x, shown[-1, 1] - step.z)), step.tolerance, "m"
        case Via():
            found = float(np.hypot(shown[:, 0] - step.x, shown[:, 1] - step.z).min()), step.tolerance, "m"
        case Follow():
            found = _off_line(step, shown), step.tolerance, "m"
        case Face():
            turn = abs(math.remainder(shown[-1, 2] - step.heading, 2.0 * math.pi))
            found = math.degrees(turn), math.degrees(step.tolerance), "deg"
        case Style():
            found = _out_of_style(step, number, steps, spans, clip), CHANGE + span.done / clip.fps, "s"
        case Do(seconds=None):
            return _done(number, step, span, span.done, step.times, "times")
        case Do() | Wait():
            # Frames are whole, and seconds need not be.
            seconds = float(step.seconds or 0.0)
            return _done(number, step, span, (span.done + 1) / clip.fps, seconds, "s")
        case _:
            raise TypeError(f"no step: {step!r}")
    amount, allowed, unit = found
    met = amount <= allowed and not span.note
    return StepReport(number, step, met, amount, allowed, unit, span.first, span.last, span.note)


def _done(number: int, step: ScriptStep, span: Span, amount: float, wanted: float, unit: str) -> StepReport:
    return StepReport(number, step, amount >= wanted, amount, wanted, unit, span.first, span.last, span.note)


def _off_line(step: Follow, shown: Array) -> float:
    """How far [m] a body is from a line at most, from when it has come to its beginning until it is at its end.

    What comes after that belongs to the next step. Who never gets there is as far off as they are from the end.
    """
    line = np.array(step.points)
    length = float(np.hypot(*np.diff(line, axis=0).T).sum())
    dense = np.array([point_at(line, arc) for arc in np.linspace(0.0, length, max(2, round(length / ALONG) + 1))])
    begins = np.hypot(shown[:, 0] - line[0, 0], shown[:, 1] - line[0, 1])
    first = int(np.argmax(begins <= step.tolerance)) if (begins <= step.tolerance).any() else int(begins.argmin())
    worst, at, ahead = 0.0, 0, max(2, round(AHEAD / ALONG))
    for x, z, _ in shown[first:]:
        # Only a little ahead is looked at: a line may cross itself, or end where it begins.
        away = np.hypot(dense[at : at + ahead, 0] - x, dense[at : at + ahead, 1] - z)
        at += int(np.argmin(away))
        worst = max(worst, float(away.min()))
        if at == len(dense) - 1:
            return worst
    return max(worst, math.dist(shown[-1, :2], line[-1]))


def _out_of_style(
    step: Style, number: int, steps: tuple[ScriptStep, ...], spans: dict[int, Span], clip: Clip
) -> float:
    """Seconds of the longest stretch of the way in a style that is in another. Who stands does not get about."""
    bears = np.zeros(len(clip), dtype=np.bool_)
    stands = np.zeros(len(clip), dtype=np.bool_)
    for label in clip.labels:
        if label.name in (step.label, STAND):
            (bears if label.name == step.label else stands)[label.start : label.stop] = True
    ways = np.zeros(len(clip), dtype=np.bool_)
    for later in range(number + 1, len(steps)):
        if isinstance(steps[later], Style):
            break
        if isinstance(steps[later], Go | Via | Follow):
            ways[max(spans[later].first, spans[number].first) : spans[later].last + 1] = True
    if not ways.any():
        return 0.0
    longest = run = 0
    for frame in np.flatnonzero(ways):
        run = 0 if bears[frame] or stands[frame] else run + 1
        longest = max(longest, run)
    return longest / clip.fps
