"""`walkon graph walk`: motion from a graph, written as a take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import takes

if TYPE_CHECKING:
    from walkon.cli._graph_walks import Made


@dataclass(frozen=True)
class WalkOptions:
    """What can be asked for."""

    file: Path = typer.Argument(metavar="GRAPH", help="Motion graph, as written by walkon graph build.")
    out: Path = typer.Option(..., "-o", "--out", dir_okay=False, help="Take to write (.take).")
    random: bool = typer.Option(False, "--random", help="Go about at random; the default.")
    path: str = typer.Option(
        "", help="Follow a path: a file of x,z lines [m], or line, circle, s or hello (a written word)."
    )
    to: str = typer.Option("", help="End at this place: x,z [m]. Walks begin at 0,0 and face towards +z.")
    steer: str = typer.Option(
        "", help="Go in these directions: 0,90@5 is towards +z, and from 5 s on towards +x [degrees]."
    )
    script: Path | None = typer.Option(None, help="Scene whose characters' scripts are acted.")
    seconds: float | None = typer.Option(
        None, min=0.1, max=86_400.0, help="How long: 60 at random or steered; with --to at most, else 30."
    )
    scale: float = typer.Option(1.0, min=0.01, help="Make the path this many times as large.")
    via: list[str] = typer.Option([], help="With --to: pass this place x,z [m] on the way; repeat it.")
    facing: float | None = typer.Option(None, help="With --to: head this way at the end [degrees]; 90 is +x.")
    style: list[str] = typer.Option(
        [], help="What to do: walk; with --path walk@0 run@12, which runs from 12 m on; repeat it or use commas."
    )
    of: str = typer.Option("", help="Act the script of this character only.")
    answers: int = typer.Option(1, min=1, max=50, help="How many different walks: OUT, OUT-2 and so on.")
    seed: int = typer.Option(0, min=0, help="The same seed gives the same walk.")
    picture: Path | None = typer.Option(None, dir_okay=False, help="Also draw it from above (.png).")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table.")


@takes(WalkOptions)
def walk(asked: WalkOptions) -> None:
    """Walk through a motion graph and write the motion as a take: for walkon render, export and audit.

    At random, along a path, to a place, in directions, or as a script says. Exit code 1 if a hard step of a
    script was not met.
    """
    if (asked.random + bool(asked.path) + bool(asked.to) + bool(asked.steer) + (asked.script is not None)) > 1:
        raise typer.BadParameter("--random, --path, --to, --steer and --script exclude each other")
    if (asked.via or asked.facing is not None) and not asked.to:
        raise typer.BadParameter("--via and --facing go with --to")
    from walkon.cli._graph_walk_report import report_walks
    from walkon.cli._graph_walks import make_walks
    from walkon.graphs.file import read_graph

    made = make_walks(read_graph(asked.file), asked)
    if asked.picture is not None:
        _draw(asked, made, asked.picture)
    report_walks(made, asked.as_json)
    if asked.picture is not None and not asked.as_json:
        typer.echo(f"{asked.picture}: from above")
    if any(one.acted is not None and not one.acted.met for one in made):
        raise typer.Exit(1)


def _draw(asked: WalkOptions, made: Sequence[Made], out: Path) -> None:
    from walkon.cli._graph_paths import parse_places, read_path, script_marks
    from walkon.render import draw_walks

    lines, marks = [], []
    if asked.path:
        lines = [asked.scale * read_path(asked.path)]
    elif asked.to:
        names = [*("via" for _ in asked.via), "to"]
        marks = [(x, z, name) for (x, z), name in zip(parse_places([*asked.via, asked.to]), names, strict=True)]
    elif asked.script is not None:
        lines, marks = script_marks(
            report.step for one in made if one.acted is not None for report in one.acted.reports
        )
    title = f"random walk, seed {asked.seed}"
    if asked.script is not None:
        title = asked.script.stem
    elif asked.path or asked.to or asked.steer:
        title = Path(asked.path).stem if asked.path else f"to {asked.to}" if asked.to else f"steered {asked.steer}"
    draw_walks([one.walk for one in made], out, asked=lines, marks=marks, title=title)
