"""`walkon behaviors`: make behavior libraries of recordings, and look at them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import takes

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph, BehaviorLibrary

behaviors = typer.Typer(
    name="behaviors",
    help="Behavior libraries: make them of recordings, list and draw what they hold.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

BEHAVIOR_COLUMNS = [
    ("behavior", "left"),
    ("kind", "left"),
    ("poses", "left"),
    ("clips", "right"),
    ("seconds", "right"),
    ("left m", "right"),
    ("ahead m", "right"),
    ("turn °", "right"),
    ("action s", "right"),
    ("cost", "right"),
    ("followers", "right"),
]
"""Headings of the table of behaviors."""


@dataclass(frozen=True)
class LibraryOptions:
    """What can be asked for when a library is cut from recordings."""

    folders: list[Path] = typer.Argument(help="Folders of recordings, or single files.")
    out: Path = typer.Option(..., "-o", "--out", help="Folder to write: clips and library.toml.")
    name: str = typer.Option("", help="Name of the library; by default that of the folder written.")
    only: list[str] = typer.Option(
        [], help="Use only recordings whose name fits this pattern, such as 16_*; repeat it."
    )
    fps: float = typer.Option(30.0, min=1.0, help="Frames a second of the clips.")
    mirror: bool = typer.Option(True, help="Use mirror images too, so that turns come to both sides.")
    bend: bool = typer.Option(True, help="Fit clips to the poses they meet in; without, they are only cut.")
    likeness: float = typer.Option(1.0, min=0.1, help="How far from a pose clips may begin and end, as a factor.")
    most_clips: int = typer.Option(4, min=1, help="Most clips of one behavior.")
    most_ways: int = typer.Option(2, min=1, help="Most behaviors of one name.")
    units: str = typer.Option("auto", help="Unit of the files: auto, m, cm, mm, in, ft, cmu, or a factor.")
    up: str = typer.Option("auto", help="Axis that points up in the files: auto, y or z.")
    as_json: bool = typer.Option(False, "--json", help="Print JSON: the behaviors, and the report.")


@behaviors.command("build")
@takes(LibraryOptions)
def build(asked: LibraryOptions) -> None:
    """Cut recordings into behaviors: gait cycles, turns, starts, stops, jumps, ducks."""
    from walkon.behaviors import build_graph, build_library, write_library
    from walkon.cli._console import print_json
    from walkon.cli._sources import read_recordings

    clips, failures = read_recordings(asked.folders, asked.only, units=asked.units, up=asked.up)
    library, report = build_library(
        clips,
        name=asked.name or asked.out.resolve().name,
        fps=asked.fps,
        mirrored=asked.mirror,
        bend=asked.bend,
        likeness=asked.likeness,
        most_clips=asked.most_clips,
        most_ways=asked.most_ways,
    )
    write_library(asked.out, library)
    graph = build_graph(library)
    if asked.as_json:
        print_json({"library": library.name, "behaviors": _rows(graph), "report": report.as_dict()})
    else:
        _print(graph)
        typer.echo("\n".join(report.lines()))
        typer.echo(f"{asked.out}: library.toml and {sum(len(behavior.clips) for behavior in library)} clips")
    if failures:
        raise typer.Exit(1)


@behaviors.command("show")
def show(
    library: str = typer.Argument(help="A library's folder, or a cast: human, skateboarder or horse."),
    svg: Path | None = typer.Option(None, help="Draw the graph that planners use into this file."),
    seed: int = typer.Option(0, min=0, help="Which performer, for a cast."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """List what a library holds: where each behavior leads, what it costs and what may follow it."""
    from walkon.behaviors import build_graph
    from walkon.cli._console import print_json
    from walkon.files import write_text

    graph = build_graph(open_library(library, seed), live=True)
    if svg is not None:
        from walkon.render.behavior_graphs import draw_behavior_graph

        write_text(svg, draw_behavior_graph(graph.planned))
    if as_json:
        print_json({"library": graph.library.name, "poses": list(graph.poses), "behaviors": _rows(graph)})
    else:
        _print(graph)
        if svg is not None:
            typer.echo(f"{svg}: the graph")


def open_library(given: str, seed: int) -> BehaviorLibrary:
    """The library in a folder, or of a cast."""
    from walkon.behaviors import read_library
    from walkon.builtin.casts import CASTS, make_library
    from walkon.errors import LibraryError

    if Path(given).exists():
        return read_library(given)
    if given in CASTS:
        return make_library(given, seed)
    raise LibraryError(f"no library folder {given!r}, and no such cast; there are: {', '.join(CASTS)}")


def _rows(graph: BehaviorGraph) -> list[dict[str, object]]:
    rows = []
    for index, behavior in enumerate(graph.library):
        clips = slice(int(graph.clip_starts[index]), int(graph.clip_starts[index + 1]))
        x, z, turn = (float(value) for value in graph.displacements[clips].mean(axis=0))
        times = [shown.action_time for shown in behavior.clips if shown.action_time is not None]
        rows.append(
            {
                "behavior": behavior.name,
                "kind": behavior.kind,
                "entry": behavior.entry,
                "exit": behavior.exit,
                "clips": len(behavior.clips),
                "seconds": round(float(graph.durations[clips].mean()) / graph.fps, 3),
                "left": round(x, 3),
                "ahead": round(z, 3),
                "turn_degrees": round(turn * 57.29577951308232, 1),
                "action": round(sum(times) / len(times), 3) if times else None,
                "weight": behavior.weight,
                "cost": round(float(graph.costs[index]), 3),
                "followers": [other.name for other in graph.library.followers(behavior)],
            }
        )
    return rows


def _print(graph: BehaviorGraph) -> None:
    from walkon.cli._console import print_table

    cells = []
    for row in _rows(graph):
        poses = str(row["entry"]) if row["entry"] == row["exit"] else f"{row['entry']} → {row['exit']}"
        action = "-" if row["action"] is None else f"{row['action']:.2f}"
        followers = row["followers"]
        cells.append(
            [
                *(str(row["behavior"]), str(row["kind"]), poses, str(row["clips"]), f"{row['seconds']:.2f}"),
                *(f"{row['left']:+.2f}", f"{row['ahead']:+.2f}", f"{row['turn_degrees']:+.0f}", action),
                *(f"{row['cost']:.2f}", str(len(followers) if isinstance(followers, list) else 0)),
            ]
        )
    library = graph.library
    clips = sum(len(behavior.clips) for behavior in library)
    title = f"{library.name}: {len(library)} behaviors, {clips} clips, poses {', '.join(graph.poses)}"
    print_table(title, BEHAVIOR_COLUMNS, cells)
