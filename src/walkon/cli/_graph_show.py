"""`walkon graph show`: what a graph holds, as a table and as pictures."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from walkon.graphs import MotionGraph
    from walkon.graphs.statistics import GraphStatistics

LABEL_COLUMNS = [
    ("labels", "left"),
    ("recorded s", "right"),
    ("kept s", "right"),
    ("kept %", "right"),
    ("transitions", "right"),
    ("reached in s", "right"),
    ("worst s", "right"),
    ("speed m/s", "right"),
    ("left °/s", "right"),
    ("right °/s", "right"),
]


def show(
    file: Path = typer.Argument(metavar="GRAPH", help="Motion graph, as written by walkon graph build."),
    out: Path | None = typer.Option(
        None, "-o", "--out", dir_okay=False, help="Draw the graph by label, or the surface asked for (.png)."
    ),
    surface: tuple[str, str] | None = typer.Option(
        None, help="Draw how alike two clips are, by name; 'all' for all of them."
    ),
    metric: str = typer.Option("points", help="By which distance the surface is drawn: points, angles or mass."),
    width: int = typer.Option(1600, min=400, max=8000, help="Of the picture [px]."),
    clips: bool = typer.Option(False, "--clips", help="List the clips too."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
) -> None:
    """Say what a graph holds and how well connected it is, and draw it."""
    from walkon.cli._console import print_json
    from walkon.graphs.file import read_graph
    from walkon.graphs.statistics import measure_graph

    if surface is not None and out is None:
        raise typer.BadParameter("--surface draws a picture: say where to with -o")
    graph = read_graph(file)
    figures = measure_graph(graph)
    if out is not None and surface is not None:
        from walkon.render import draw_clip_surface

        draw_clip_surface(graph, surface, out, metric=metric, width=width)
    elif out is not None:
        from walkon.render import draw_graph

        draw_graph(graph, out, title=file.stem, width=width)
    if as_json:
        print_json({"graph": str(file), **statistics_data(figures), "clips": clip_rows(graph)})
        return
    print_statistics(graph, figures, file)
    if clips:
        _print_clips(graph)
    if out is not None:
        typer.echo(f"{out}: {'how alike ' + ' and '.join(surface) + ' are' if surface else 'the graph'}")


def statistics_data(figures: GraphStatistics) -> dict[str, object]:
    """Statistics as JSON has them."""
    data = asdict(figures)
    data["labels"] = [{**asdict(own), "labels": sorted(own.labels)} for own in figures.labels]
    return _rounded(data)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: _rounded(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(own) for own in value]
    return value


def print_statistics(graph: MotionGraph, figures: GraphStatistics, file: Path) -> None:
    """A table with a row for every set of labels, and the connectivity in words."""
    from math import degrees

    from walkon.cli._console import print_table

    rows = []
    for own in figures.labels:
        share = 100.0 * own.seconds_used / max(own.seconds, 1e-9)
        reached = own.times.reached > 0.0
        rows.append(
            [
                *(" + ".join(sorted(own.labels)) or "no label", f"{own.seconds:.1f}", f"{own.seconds_used:.1f}"),
                *(f"{share:.0f}", str(own.transitions), f"{own.times.mean:.1f}" if reached else "never"),
                *(f"{own.times.worst:.1f}" if reached else "-", f"{own.speed:.2f}"),
                *(f"{degrees(own.turns_left):.0f}", f"{degrees(own.turns_right):.0f}"),
            ]
        )
    print_table(f"{file}: {graph!r}", LABEL_COLUMNS, rows)
    between, into = figures.between_nodes, figures.to_clips
    sampled = "" if figures.sampled == figures.nodes else f" (from {figures.sampled} of them)"
    parts = "part" if figures.components == 1 else "parts"
    lines = [
        f"{figures.rows_used} of {figures.rows} frames in use, {figures.transitions_per_second:.1f} transitions a "
        f"second; {figures.mean_branching:.1f} edges leave a choice point, {figures.most_branching} at most",
        f"{figures.components} strongly connected {parts}, the largest has {100 * figures.in_largest:.1f} % of "
        "the choice points",
        f"from choice point to choice point{sampled} {between.mean:.1f} s, {between.worst:.1f} s at most; "
        f"into any clip {into.mean:.1f} s, {into.worst:.1f} s at most",
    ]
    typer.echo("\n".join(lines))


def clip_rows(graph: MotionGraph) -> list[dict[str, object]]:
    """What clips there are, and how many ways lead out of them and into them."""
    import numpy as np

    from walkon.graphs.statistics import rows_used

    library, clips = graph.corpus.library, graph.corpus.library.clip_of_frame
    leave = np.bincount(clips[graph.transitions.sources], minlength=len(library))
    enter = np.bincount(clips[graph.transitions.targets], minlength=len(library))
    used = np.bincount(clips, weights=rows_used(graph), minlength=len(library))
    sets, labels = graph.corpus.label_sets, graph.corpus.labels
    rows = []
    for number, name in enumerate(library.names):
        start, stop = int(library.starts[number]), int(library.stops[number])
        own = sorted({label for kind in np.unique(labels[start:stop]) for label in sets[kind]})
        rows.append(
            {
                "clip": name,
                "frames": stop - start,
                "used": int(used[number]),
                "leaving": int(leave[number]),
                "entering": int(enter[number]),
                "labels": own,
            }
        )
    return rows


def _print_clips(graph: MotionGraph) -> None:
    from walkon.cli._console import print_table

    columns = [
        *(("clip", "left"), ("frames", "right"), ("used %", "right"), ("leaving", "right"), ("entering", "right")),
        ("labels", "left"),
    ]
    cells = []
    for row in clip_rows(graph):
        frames, used, labels = row["frames"], row["used"], row["labels"]
        share = 100.0 * used / frames if isinstance(used, int) and isinstance(frames, int) else 0.0
        told = ", ".join(labels) if isinstance(labels, list) else ""
        cells.append(
            [str(row["clip"]), str(frames), f"{share:.0f}", str(row["leaving"]), str(row["entering"]), told]
        )
    print_table("clips", columns, cells)
