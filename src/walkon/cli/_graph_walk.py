"""`walkon graph walk`: motion from a graph, at random, along a path or by a script, written as a take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from walkon.directing import Acted, StepReport
    from walkon.graphs import MotionGraph
    from walkon.graphs.performing.seams import Seams
    from walkon.graphs.performing.walks import Walk
    from walkon.motion import Clip

    Array = NDArray[np.float64]

WHO = "walker"
"""Who walks, where no scene says it."""

COLUMNS = [
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


@dataclass(frozen=True, eq=False)
class Made:
    """A walk, its motion, how that moves, and how far (F,) [m] it is off the path, if there was one."""

    take: Path
    walk: Walk
    clip: Clip
    seams: Seams
    deviations: Array | None = None
    acted: Acted | None = None


def walk(
    file: Path = typer.Argument(metavar="GRAPH", help="Motion graph, as written by walkon graph build."),
    out: Path = typer.Option(..., "-o", "--out", dir_okay=False, help="Take to write (.take)."),
    random: bool = typer.Option(False, "--random", help="Go about at random; the default."),
    seconds: float = typer.Option(60.0, min=0.1, max=86_400.0, help="Of a random walk."),
    path: str = typer.Option(
        "", help="Follow a path: a file of x,z lines [m], or line, circle, s or hello (a written word)."
    ),
    scale: float = typer.Option(1.0, min=0.01, help="Make the path so many times as large."),
    style: list[str] = typer.Option(
        [], help="What to do: walk, or walk@0 run@12 from so many metres of the path on; repeat it or use commas."
    ),
    script: Path | None = typer.Option(None, help="Scene whose characters' scripts are acted."),
    of: str = typer.Option("", help="Act the script of this character only."),
    answers: int = typer.Option(1, min=1, max=50, help="So many different walks; OUT, OUT-2 and so on."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same walk."),
    picture: Path | None = typer.Option(None, dir_okay=False, help="Also draw it from above (.png)."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Walk through a motion graph and write the motion as a take: for walkon render, export and audit.

    Exit code 1 if a hard step of a script was not met.
    """
    if (random + bool(path) + (script is not None)) > 1:
        raise typer.BadParameter("--random, --path and --script exclude each other")
    from walkon.graphs.file import read_graph

    graph = read_graph(file)
    if script is not None:
        made = _act(graph, script, of, seed, out)
        wanted = None
    elif path:
        from walkon.cli._graph_paths import read_path

        wanted = scale * read_path(path)
        made = _follow(graph, wanted, style, answers, seed, out)
    else:
        wanted = None
        made = _wander(graph, seconds, style, answers, seed, out)
    if picture is not None:
        from walkon.render import draw_walks

        steps = [report.step for one in made if one.acted is not None for report in one.acted.reports]
        lines, marks = ([wanted] if wanted is not None else []), []
        if steps:
            from walkon.cli._graph_paths import script_marks

            lines, marks = script_marks(steps)
        walks = [one.walk for one in made]
        draw_walks(walks, picture, asked=lines, marks=marks, title=_title(path, script, seed))
    _report(made, as_json)
    if picture is not None and not as_json:
        typer.echo(f"{picture}: from above")
    if any(one.acted is not None and not one.acted.met for one in made):
        raise typer.Exit(1)


def _title(path: str, script: Path | None, seed: int) -> str:
    return script.stem if script is not None else Path(path).stem if path else f"random walk, seed {seed}"


def _wander(
    graph: MotionGraph, seconds: float, style: list[str], answers: int, seed: int, out: Path
) -> list[Made]:
    from walkon.cli._graph_paths import parse_styles
    from walkon.graphs.searching.random_walks import random_walks

    styles = parse_styles(style)
    if any(begin > 0.0 for begin, _ in styles):
        raise typer.BadParameter("a random walk keeps to one style: there is no path to change it on")
    labels = styles[0][1] if styles else None
    walks = random_walks(graph, seconds, answers, seed=seed, labels=labels)
    return [_keep(walk, _numbered(out, number), seed) for number, walk in enumerate(walks, start=1)]


def _follow(graph: MotionGraph, wanted: Array, style: list[str], answers: int, seed: int, out: Path) -> list[Made]:
    from walkon.cli._console import complain
    from walkon.cli._graph_paths import parse_styles
    from walkon.graphs.searching.fitting import fit_path

    fit = fit_path(graph, wanted, styles=parse_styles(style) or None, answers=answers, seed=seed)
    fits = [fit, *fit.others]
    if len(fits) < answers:
        complain(f"{len(fits)} of {answers} walks: others are too much like these")
    return [
        _keep(one.walk, _numbered(out, number), seed, deviations=one.deviations)
        for number, one in enumerate(fits, start=1)
    ]


def _act(graph: MotionGraph, script: Path, of: str, seed: int, out: Path) -> list[Made]:
    """Everybody in the scene who has a script, in one take."""
    from walkon.cli._console import progress
    from walkon.directing import act_script, take_of_walks
    from walkon.errors import SceneError
    from walkon.graphs.performing.seams import measure_seams
    from walkon.take import write_take
    from walkon.world import read_scene

    scene = read_scene(script, seed=seed)
    actors = [one for one in scene.characters if one.script and of in ("", one.name)]
    if not actors:
        raise SceneError(f"{script}: " + (f"{of!r} has no script" if of else "nobody has a script"))
    acted = {
        one.name: act_script(graph, one, seed=seed, bounds=scene.bounds)
        for one in progress(actors, "acting", total=len(actors))
    }
    write_take(take_of_walks(scene, acted, seed=seed), out)
    return [Made(out, one.walk, one.clip, measure_seams(one.walk, one.clip), acted=one) for one in acted.values()]


def _keep(walk: Walk, out: Path, seed: int, deviations: Array | None = None) -> Made:
    """Perform a walk, write its take, and measure it."""
    from walkon.directing import take_of_walks
    from walkon.graphs.performing.seams import measure_seams
    from walkon.graphs.performing.walks import perform_walk
    from walkon.take import write_take

    clip = perform_walk(walk, name=WHO)
    write_take(take_of_walks(None, {WHO: clip}, seed=seed), out)
    return Made(out, walk, clip, measure_seams(walk, clip), deviations)


def _numbered(out: Path, number: int) -> Path:
    return out if number == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")


def _report(made: Sequence[Made], as_json: bool) -> None:
    from walkon.cli._console import print_json, print_table

    rows = [_row(one) for one in made]
    if as_json:
        print_json({"walks": rows})
        return
    print_table(
        f"{made[0].take}: {'a walk' if len(made) == 1 else f'{len(made)} walks'}",
        COLUMNS,
        [_cells(row) for row in rows],
    )
    for one in made:
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
