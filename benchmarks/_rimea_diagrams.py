"""RiMEA's tests 4 and 16: speed by density in a corridor and single file, as `walkon bench flow` measures them."""

from __future__ import annotations

from collections.abc import Sequence

from _flow_loop import Span, run_loop
from _flow_plots import draw_flow
from _flow_questions import How, ask
from _flow_rows import Row, number
from _flow_scenes import corridor
from _rimea_results import SHOWN, Case, Result
from _rimea_runs import Limits


def fundamental_diagram(limits: Limits) -> Result:
    """Test 4."""
    case = Case(
        4,
        "Speed by density",
        "A corridor of 4 m that is a ring in effect, with 0.25 to 6 people for each square metre.",
        "Documented: how speed and flow depend on the density.",
    )
    densities = (0.5, 1.0, 2.0) if limits.quick else (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5)
    return _shown(case, "one_way", densities, limits, f"Bodies that find room: {', '.join(_placed(limits))}.")


def _placed(limits: Limits) -> list[str]:
    """How many people find room at densities that nobody measures here."""
    said = []
    for density in (3.0, 4.0, 5.0, 6.0):
        scene, streams, _ = corridor(4.0, density, limits.seed)
        tried = run_loop(scene, streams, Span(0.1, 0.0, 0.1), limits.seed)
        said.append(f"{tried.placed} of {tried.wanted} at {density:g} per m²")
    return said


def single_file(limits: Limits) -> Result:
    """Test 16."""
    case = Case(
        16,
        "Single file",
        "A corridor of 0.8 m in which nobody can pass anybody, a ring in effect.",
        "Documented: speed by density beside that of people.",
    )
    densities = (0.5, 1.0) if limits.quick else (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75)
    return _shown(case, "single_file", densities, limits, "")


def _shown(case: Case, question: str, densities: Sequence[float], limits: Limits, notes: str) -> Result:
    how = How(Span(24.0, 10.0, 5.0) if limits.quick else Span(), seed=limits.seed)
    rows: list[Row] = [ask(question, density, how) for density in densities]
    unit, whose = ("per m", "people's speed") if question == "single_file" else ("per m²", "Weidmann's")
    said = "; ".join(f"{row['density']} {unit}: {row['value']} m/s ({row['%']} % of {whose})" for row in rows)
    drawn = draw_flow(rows, limits.out / f"test-{case.number:02d}")
    return Result(
        case,
        SHOWN,
        f"{said}.",
        people=int(max(number(row, "people") for row in rows)),
        violations=int(sum(number(row, "violations") for row in rows)),
        spent=sum(number(row, "s") for row in rows),
        pictures=tuple((path, "Ours, and what was measured of people.") for path in drawn),
        notes=notes,
    )
