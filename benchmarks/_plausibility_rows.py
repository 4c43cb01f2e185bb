"""The rows of `walkon bench plausibility`: one for everybody on every scene, and whether the aims were met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from _plausibility_runs import Run
    from _plausibility_scenes import Setting

Row = dict[str, object]

CONDITIONS = {"body": "full body", "slow": "thesis", "1.33": "optimum", "stand": "standing"}
"""Columns of resistance under other conditions."""

COLUMNS = (
    "scene", "who", "touching", "arrived", "res.", *CONDITIONS, "n-jerk", "t-jerk", "near", "sync", "hyper", "s",
    "m", "ms", "remark",
)  # fmt: skip
EMPTY: Row = {column: None for column in COLUMNS}  # noqa: C420
"""All columns, in order."""


def run_row(scene: str, run: Run, setting: Setting) -> Row:
    """One way to play a scene."""
    people = len(setting.scene.characters)
    return EMPTY | {
        "scene": scene,
        "who": run.who,
        "touching": _touching(run),
        "arrived": round(100.0 * run.mean("arrived"), 1),
        "res.": _rounded(run.resistance()),
        **{column: _rounded(run.resistance(condition)) for column, condition in CONDITIONS.items()},
        "n-jerk": round(run.mean("normal_jerkiness"), 2),
        "t-jerk": round(run.mean("tangential_jerkiness"), 2),
        "near": round(min(found.summary()["proximity_least"] for found in run.measures), 3),
        "sync": round(100.0 * run.mean("synchronicity_high"), 1),
        "hyper": round(100.0 * run.mean("synchronicity_hyper"), 1),
        "s": round(run.mean("travel_time"), 2),
        "m": round(run.mean("travel_distance"), 2),
        "ms": round(1e3 * float(np.mean(run.seconds)) / people, 2),
        "remark": _remark(run, setting),
    }


def _touching(run: Run) -> str:
    """Frames in collision; of rivals before -> after root fixing."""
    if run.ours:
        return f"{np.mean(run.touching):.4g}"
    before = f"{run.touching[0]}" if run.touching else "-"
    return f"{before} -> {np.mean(run.fixed):.4g}"


def _remark(run: Run, setting: Setting) -> str:
    lines = setting.lines.walking
    assert lines is not None
    said = []
    if run.missing:
        said.append(f"{run.missing} without motion")
    least = min(found.summary()["proximity_least"] for found in run.measures)
    if least < lines.smallest_radius:
        said.append(f"nearer than the thinnest body of {lines.smallest_radius:.3f} m")
    said.append(
        f"worst jerk {run.mean('normal_jerkiness_worst'):.1f}, {run.mean('tangential_jerkiness_worst'):.1f}"
    )
    return "; ".join(said)


def aim_rows(scene: str, runs: Sequence[Run], setting: Setting) -> list[Row]:
    """What was aimed at, computed: of all of ours that nobody touches, of the first of them the rest."""
    ours, rivals = [run for run in runs if run.ours], [run for run in runs if not run.ours]
    lines, first = setting.lines.walking, ours[0]
    assert lines is not None
    touching = sum(sum(run.touching) for run in ours)
    rows = [_aim(scene, " ".join(run.who for run in ours), "frames in which bodies touch", touching, 0.0, "")]
    for condition, words in WORDS.items():
        known = [(run.resistance(condition), run) for run in rivals]
        found = [(value, run) for value, run in known if value is not None]
        apart = [(value, run) for value, run in found if not run.collisions.get(condition)]
        # The best of all, and the best of those who touch nobody, if that is another.
        best = [min(some, key=lambda pair: pair[0]) for some in (found, apart) if some]
        for limit, run in dict.fromkeys(best):
            what = f"resistance, rivals {words},"
            rows.append(_aim(scene, first.who, what, first.resistance() or 0.0, limit, _whose(run, condition)))
    for figure, limit in (
        ("normal_jerkiness", lines.normal_jerkiness),
        ("tangential_jerkiness", lines.tangential_jerkiness),
    ):
        rows.append(
            _aim(scene, first.who, figure.replace("_", " "), first.mean(figure), limit, "the library's line")
        )
    return rows


WORDS = {
    "": "as fast as ours",
    "full body": "with full bodies",
    "thesis": "at the library's mean speed",
    "optimum": "at the optimum of resistance",
}


def _whose(best: Run, condition: str) -> str:
    """Whose the limit is, and whether it is somebody who avoids the others at all."""
    touching = best.collisions.get(condition)
    return f"that of {best.who}" + (f", whose bodies touch in {touching} frames" if touching else "")


def _aim(scene: str, who: str, what: str, value: float, limit: float, whose: str) -> Row:
    met = "met" if value <= limit else "not met"
    of = f" ({whose})" if whose else ""
    remark = f"{what} {value:.3g}: at most {limit:.3g}{of}: {met}"
    return EMPTY | {"scene": "aim", "who": f"{scene}, {who}", "remark": remark}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
