"""What `walkon graph walk` tells of the walks it made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.cli._graph_walks import Made
    from walkon.directing import StepReport

WALK_COLUMNS = [
    ("walk", "left"),
    ("seconds", "right"),
    ("metres", "right"),
    ("transitions/s", "right"),
    ("off the path cm", "right"),
    ("worst cm", "right"),
    ("slide mm", "right"),
    ("worst mm", "right"),
    ("jump", "right"),
    ("labels", "left"),
]


def report_walks(made: Sequence[Made], as_json: bool) -> None:
    """Print a row for each walk, and what became of scripts."""
    from walkon.cli._console import print_json, print_table

    rows = [_row(one) for one in made]
    if as_json:
        print_json({"walks": rows})
        return
    print_table(
        f"{made[0].take}: {'a walk' if len(made) == 1 else f'{len(made)} walks'}",
        WALK_COLUMNS,
        [_cells(row) for row in rows],
    )
    for one in made:
        if one.off_goal is not None:
            typer.echo(f"{one.take}: ends {100 * one.off_goal:.1f} cm from where it should")
        if one.acted is not None:
            typer.echo(f"{one.clip.name}:\n{one.acted.summary()}")


def _row(made: Made) -> dict[str, object]:
    import numpy as np

    from walkon.graphs.graph import PLAIN

    walk, seams = made.walk, made.seams
    blends = int((walk.graph.carries[walk.edges] != PLAIN).sum())
    metres = float(np.hypot(*np.diff(walk.path(), axis=0).T).sum())
    frames: dict[str, int] = {}
    for label in made.clip.labels:
        frames[label.name] = frames.get(label.name, 0) + label.stop - label.start
    off = made.deviations
    return {
        "take": str(made.take),
        "name": made.clip.name,
        "seconds": round(walk.duration, 3),
        "metres": round(metres, 3),
        "transitions": blends,
        "transitions_a_second": round(blends / max(walk.duration, 1e-9), 3),
        "mean_deviation": None if off is None else round(float(off.mean()), 4),
        "worst_deviation": None if off is None else round(float(off.max()), 4),
        "off_goal": None if made.off_goal is None else round(made.off_goal, 4),
        "mean_slide": round(float(seams.slides.mean()), 6) if len(seams.slides) else 0.0,
        "worst_slide": round(seams.worst_slide, 6),
        "worst_jump": round(seams.worst_jump, 4),
        "labels": {name: round(count / made.clip.fps, 2) for name, count in sorted(frames.items())},
        "steps": None if made.acted is None else [_step(report) for report in made.acted.reports],
    }


def _step(report: StepReport) -> dict[str, object]:
    from walkon.world.script import verb_of

    return {
        "step": verb_of(report.step),
        "met": report.met,
        "soft": report.step.soft,
        "amount": round(report.amount, 4),
        "allowed": round(report.allowed, 4),
        "unit": report.unit,
        "frames": [report.first, report.last],
        "note": report.note,
    }


def _cells(row: dict[str, object]) -> list[str]:
    def figure(key: str, factor: float, form: str) -> str:
        value = row[key]
        return "-" if not isinstance(value, int | float) else format(factor * value, form)

    labels = row["labels"]
    shown = labels.items() if isinstance(labels, dict) else ()
    told = ", ".join(f"{name} {count:.1f} s" for name, count in shown if count >= 0.05)
    name = str(row["name"]) if row["steps"] is not None else Path(str(row["take"])).name
    return [
        *(name, figure("seconds", 1.0, ".1f"), figure("metres", 1.0, ".1f")),
        *(figure("transitions_a_second", 1.0, ".2f"), figure("mean_deviation", 100.0, ".1f")),
        *(figure("worst_deviation", 100.0, ".1f"), figure("mean_slide", 1000.0, ".2f")),
        *(figure("worst_slide", 1000.0, ".2f"), figure("worst_jump", 1.0, ".2f"), told),
    ]
