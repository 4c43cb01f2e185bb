"""The questions of `walkon bench flow`: each makes a scene, plays it live, and answers with a row."""

from __future__ import annotations

from dataclasses import dataclass, field

from _bodies_data import door_band, door_flow, walking_speed, weidmann
from _bodies_runs import make_scene, run_scene, through_doors
from _flow_loop import LoopRun, Span, run_loop
from _flow_rows import Row, blank, rounded
from _flow_scenes import ARM, BEND, NARROW, corner, corridor, junction
from _flow_watch import Area, flow_across, measure_within


@dataclass(frozen=True)
class How:
    """How questions are asked. span: of loops. width: of the corridor [m]. crowd: people in front of doors."""

    span: Span = field(default_factory=Span)
    width: float = 4.0
    crowd: int = 60
    seed: int = 0


def ask(question: str, at: float, how: How) -> Row:
    """The row of one of the QUESTIONS at a density, or for a door of a width [m]."""
    return QUESTIONS[question](question, at, how)


def _corridor(question: str, density: float, how: How) -> Row:
    """Speed by density, all one way or half of them each way."""
    scene, streams, area = corridor(how.width, density, how.seed, both=question == "both_ways")
    run = run_loop(scene, streams, how.span, how.seed)
    found, speed = measure_within(run.paths, area, axis=0, since=run.settled)
    row = _loop_row(question, f"{density:g} per m²", how.width, run, found, speed, "m/s", weidmann(found))
    known = [
        f"{name} {speed:.2f} m/s"
        for name, folder in (("people, open ends", "one_way_open"), ("people, 1.8 m ring", "one_way_1.8m"))
        if (speed := walking_speed(round(found, 2), folder)) is not None
    ]
    return row | {"remark": "; ".join([*known, _about(run, area)])}


def _single_file(question: str, density: float, how: How) -> Row:
    """Speed by people for each metre."""
    scene, streams, area = corridor(NARROW, density / NARROW, how.seed)
    run = run_loop(scene, streams, how.span, how.seed)
    found, speed = measure_within(run.paths, area, axis=0, since=run.settled)
    found *= NARROW
    known = walking_speed(round(found, 2), "single_file")
    row = _loop_row(question, f"{density:g} per m", NARROW, run, found, speed, "m/s", known)
    return row | {"remark": _about(run, area)}


def _door(question: str, width: float, how: How) -> Row:
    """How many get through in a second, from the first to the last."""
    from walkon.world.classics.narrows import door_crowd

    run = run_scene(make_scene("door", door_crowd(width, how.seed, how.crowd)), "live", how.seed)
    crossings, known, band = through_doors(run), door_flow(width), door_band(width)
    flow, mean = float(crossings.flow), None if known is None else known[0]
    least, most = (None, None) if band is None else band
    last = f"; the last after {crossings.times[-1]:.0f} s" if len(crossings.times) else ""
    return blank(question, f"{width:g} m") | {
        "width": width, "people": how.crowd, "value": rounded(flow), "unit": "1/s", "flow": rounded(flow / width),
        "measured": rounded(mean), "%": _percent(flow, mean), "least": rounded(least), "most": rounded(most),
        "violations": sum(run.violations.values()), "s": rounded(run.seconds, 1),
        "remark": f"{len(crossings.times)} of {how.crowd} through{last}",
    }  # fmt: skip


def _corner(question: str, density: float, how: How) -> Row:
    """The flow behind a corner, beside that of a straight corridor."""
    run = run_loop(*corner(density, how.seed), how.span, how.seed)
    return _bend_row(question, density, run, _straight_flow(density, how))


def _junction(question: str, density: float, how: How) -> Row:
    """The flow behind a junction, beside that of a corridor that is as dense as both streams together."""
    run = run_loop(*junction(density, how.seed), how.span, how.seed)
    return _bend_row(question, density, run, _straight_flow(2.0 * density, how))


def _bend_row(question: str, density: float, run: LoopRun, straight: float) -> Row:
    half = 0.5 * BEND
    squares: dict[str, Area] = {
        "before": (-5.0, -half, -2.0, half), "in it": (-half, -half, half, half), "behind": (-half, 2.0, half, 5.0)
    }  # fmt: skip
    flow = flow_across(run.paths, [(-half, 0.5 * ARM), (half, 0.5 * ARM)], since=run.settled) / BEND
    found = {name: measure_within(run.paths, square, since=run.settled) for name, square in squares.items()}
    row = _loop_row(question, f"{density:g} per m²", BEND, run, found["behind"][0], flow, "1/(m s)", straight)
    said = "; ".join(f"{name} {dense:.2f} per m² at {speed:.2f} m/s" for name, (dense, speed) in found.items())
    return row | {"flow": rounded(flow), "remark": f"{said}; {_about(run, squares['before'])}"}


def _straight_flow(density: float, how: How) -> float:
    """People for each metre and second in a straight corridor as wide as those that bend."""
    scene, streams, area = corridor(BEND, density, how.seed)
    run = run_loop(scene, streams, how.span, how.seed)
    found, speed = measure_within(run.paths, area, axis=0, since=run.settled)
    return found * speed


def _loop_row(
    question: str,
    scene: str,
    width: float,
    run: LoopRun,
    density: float,
    value: float,
    unit: str,
    known: float | None,
) -> Row:
    return blank(question, scene) | {
        "width": width, "people": run.placed, "density": rounded(density), "value": rounded(value), "unit": unit,
        "flow": rounded(density * value), "measured": rounded(known), "%": _percent(value, known),
        "violations": len(run.verdict.violations), "s": rounded(run.spent, 1),
    }  # fmt: skip


def _percent(value: float, known: float | None) -> float | None:
    return rounded(100.0 * value / known, 1) if known else None


def _about(run: LoopRun, area: Area) -> str:
    """What else is worth knowing about a loop."""
    said = [
        f"{run.came} came anew, {run.stood} of them standing",
        f"second half {run.drift(area):+.2f} m/s",
        f"audit: {run.verdict}",
    ]
    if run.placed < run.wanted:
        said.insert(0, f"only {run.placed} of {run.wanted} could be placed")
    return "; ".join(said)


QUESTIONS = {
    "one_way": _corridor, "both_ways": _corridor, "single_file": _single_file, "doors": _door, "corner": _corner,
    "junction": _junction,
}  # fmt: skip
"""What can be asked, by name."""
