"""An audit in words and rows, for people."""

from __future__ import annotations

from collections.abc import Iterator

from walkon.metrics.audit.report import VIOLATIONS, AuditFigures, AuditReport, Least, Violation

MISSING_SHOWN = 8
"""Names of missing people to print; the report has them all."""

PLANNED_WITH = {
    "one-circle": "planned with one circle for all frames",
    "circle": "planned with circles",
    "outline": "planned with outlines",
    "body": "planned with whole bodies",
}
"""Level of bodies that a take was planned with -> what is said of it; nothing where nobody knows."""


def summarize(report: AuditReport) -> str:
    """The verdict and the figures, a line each."""
    figures = report.figures
    lines = [
        f"{_count(figures.people, 'person', 'people')}, {_count(figures.obstacles, 'obstacle')}, "
        f"{figures.seconds:.1f} s ({figures.frames} frames); "
        f"{_count(figures.pairs, 'pair')} compared capsule by capsule"
        + (f"; {PLANNED_WITH[figures.planned_with]}" if figures.planned_with else "")
    ]
    lines += [f"  {what:<28} {value}" for what, value in figure_rows(figures)]
    lines += list(_verdicts(report))
    if figures.missing:
        lines.append(_missing(figures))
    lines.append("clean: no violations" if report.clean else _count(len(report.violations), "violation"))
    return "\n".join(lines)


def _verdicts(report: AuditReport) -> Iterator[str]:
    """Two lines for every kind of violation: how many and what, and the worst of them."""
    for kind, count in report.counts().items():
        worst = report.worst(kind)
        yield f"  {count:>4} × {kind}: {VIOLATIONS[kind]}"
        yield f"         {'worst' if count > 1 else 'it is'}: {told(worst)}"


def told(found: Violation) -> str:
    """Who, with whom, when and what, in a line."""
    whose = f"{found.who} and {found.other}" if found.other else found.who or "the scene"
    return f"{whose} at {found.time:.2f} s: {found.message}"


def _missing(figures: AuditFigures) -> str:
    """Who of the scene is not in the take."""
    names, total = figures.missing, figures.people + len(figures.missing)
    shown = ", ".join(names[:MISSING_SHOWN])
    more = f" and {len(names) - MISSING_SHOWN} more" if len(names) > MISSING_SHOWN else ""
    return f"{figures.people} of {_count(total, 'person', 'people')} are in it; not {shown}{more}"


def figure_rows(figures: AuditFigures) -> Iterator[tuple[str, str]]:
    """What was measured, and how much it is."""
    yield "between people, circles", _gap(figures.people_gap)
    yield "between people, bodies", _gap(figures.body_gap)
    yield "circles overlapped", _overlaps(figures)
    yield "to obstacles, bodies", _gap(figures.obstacle_gap)
    yield "to the edge of the scene", _gap(figures.bounds_gap)
    yield "below the ground", _worst(figures.depth)
    yield "slide of a planted foot", _worst(figures.slide)
    yield "jump beyond what clips do", _worst(figures.jump)


def violation_row(found: Violation, fps: float) -> list[str]:
    """A violation as cells: kind, who, with whom, when, where, what."""
    first, last = found.first_frame / fps, found.last_frame / fps
    when = f"{first:.2f} s" if found.first_frame == found.last_frame else f"{first:.2f}–{last:.2f} s"
    where = "" if found.place is None else f"({found.place[0]:.2f}, {found.place[2]:.2f})"
    return [found.kind, found.who, found.other or "-", when, where or "-", found.message]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _gap(least: Least | None) -> str:
    if least is None:
        return "never within 0.25 m"
    whose = f"{least.who} and {least.other}" if least.other else least.who
    return f"{_length(least.gap)} ({whose} at {least.time:.2f} s)"


def _overlaps(figures: AuditFigures) -> str:
    """For how long circles did, and of how many pairs; bodies may well be apart."""
    if not figures.overlap_pairs:
        return "never"
    return f"{figures.overlap_seconds:.1f} person-seconds ({_count(figures.overlap_pairs, 'pair')})"


def _worst(worst: Least | None) -> str:
    if worst is None or worst.gap <= 0.0:
        return "none"
    return f"{_length(worst.gap)} ({worst.who}, {worst.other} at {worst.time:.2f} s)"


def _length(metres: float) -> str:
    return f"{metres * 1e3:.1f} mm" if abs(metres) < 0.0995 else f"{metres:.2f} m"
