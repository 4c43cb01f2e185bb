"""The rows of `walkon bench bodies`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _bodies_runs import Run

Row = dict[str, object]
Aim = tuple[str, float | None, bool]
"""What was aimed at, how much of it, and whether it was met."""


def blank(question: str, scene: str) -> Row:
    """A row that says nothing yet."""
    names = ("people", "done", "value")
    after = ("measured", "%", "violations", "s")
    return {
        "question": question, "scene": scene, "who": "", "level": "", **dict.fromkeys(names), "unit": "",
        **dict.fromkeys(after), "aim": "", "remark": "",
    }  # fmt: skip


def row_of(
    question: str,
    scene: str,
    run: Run,
    value: float | None,
    unit: str,
    measured: float | None = None,
    *,
    aim: Aim,
) -> Row:
    """What a run says about a question."""
    known = value is not None and math.isfinite(value)
    return blank(question, scene) | {
        "who": run.who,
        "level": getattr(run.scene, "bodies", "circle"),
        "people": len(run.scene.characters),
        "done": run.arrived,
        "value": round(float(value), 3) if known and value is not None else None,
        "unit": unit,
        "measured": None if measured is None else round(measured, 3),
        "%": round(100.0 * value / measured, 1) if known and value is not None and measured else None,
        "violations": sum(run.violations.values()),
        "s": round(run.seconds, 2),
        "aim": aim_text(aim),
    }


def aim_text(aim: Aim) -> str:
    """In a few words."""
    what, limit, met = aim
    return f"{what}{'' if limit is None else f' {limit:g}'}: {'met' if met else 'not met'}"
