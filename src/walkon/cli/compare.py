"""`walkon compare`: one scene by several planners and rivals, audited, measured, and reported side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import BODIES, seen_at

if TYPE_CHECKING:
    from walkon.graphs.graph import MotionGraph
    from walkon.rivals import Contender


def compare(
    scene: Path = typer.Argument(help="Scene file (.toml)."),
    planners: str = typer.Option(
        "auto,orca,steering,forces,pairs",
        help="Names, separated by commas. Ours: those of `walkon plan --planner`, and live. Rivals: orca, "
        "steering, forces, pairs.",
    ),
    html: Path | None = typer.Option(None, help="Write a report: one self-contained page."),
    out: Path | None = typer.Option(None, "--out", "-o", help="Folder for the takes."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same takes."),
    bodies: str = BODIES,
    fitting: str = typer.Option(
        "roots",
        help="How rivals get bodies. roots: put exactly on their ways; paths: walks of --graph.",
    ),
    graph: Path | None = typer.Option(None, help="A motion graph, for --fitting paths."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    csv: Path | None = typer.Option(None, help="Write a .csv file, or a folder of them; as `walkon measure`."),
) -> None:
    """Let planners and rivals play the same scene; audit, measure and compare what they make of it.

    Who fails is said so, and the others go on. Exit code 1 if nobody made anything.
    """
    from walkon.cli._console import complain, progress_phases
    from walkon.cli._measured import print_figures, write_csv, write_page
    from walkon.render.report import Entry, Failure
    from walkon.rivals import compare as play
    from walkon.take import write_take
    from walkon.world import read_scene

    names, walks = _chosen(planners), _walks(fitting, graph)
    setting = seen_at(bodies, read_scene(scene, seed=seed))
    found: list[Contender] = []
    with progress_phases() as progress:
        for one in play(setting, names, seed=seed, graph=walks, folder=scene.parent, progress=progress):
            found.append(one)
            if one.take is None:
                complain(f"{one.name}: {one.failure}")
            elif out is not None:
                write_take(one.take, out / f"{one.name}.take")
    entries = [
        Entry(one.name, one.measures, one.take, one.audited, one.rival, one.seconds)
        for one in found
        if one.measures is not None
    ]
    if csv is not None:
        write_csv(csv, entries)
    if html is not None:
        title = f"{setting.name or scene.stem}: {', '.join(names)}"
        people = len(setting.characters)
        subtitle = f"{scene.name}, {people} people, seed {seed}, ours plan with bodies at level {setting.bodies}, "
        subtitle += f"bodies of rivals by {_FITTINGS[fitting]}"
        failures = [Failure(one.name, one.failure) for one in found if one.failure]
        lines = "walking and running of the motion library that everybody plays from"
        write_page(html, entries, title=title, subtitle=subtitle, lines=lines, failures=failures)
    if as_json:
        _print_json(scene, setting.bodies, seed, found, out)
    elif entries:
        print_figures(entries)
        if html is not None:
            typer.echo(f"report: {html}")
    if not entries:
        raise typer.Exit(1)


_FITTINGS = {"roots": "root fixing", "paths": "path following"}


def _chosen(planners: str) -> list[str]:
    from walkon.rivals import contender_names

    names = [name.strip() for name in planners.split(",") if name.strip()]
    unknown = [name for name in names if name not in contender_names()]
    if unknown or not names or len(set(names)) < len(names):
        wrong = f"no planner called {', '.join(unknown)}" if unknown else "name each planner once"
        raise typer.BadParameter(f"{wrong}; there are: {', '.join(contender_names())}", param_hint="--planners")
    return names


def _walks(fitting: str, graph: Path | None) -> MotionGraph | None:
    """The graph whose walks follow rivals' ways; None for root fixing."""
    if fitting not in _FITTINGS:
        raise typer.BadParameter(f"{fitting!r}; there are: {', '.join(_FITTINGS)}", param_hint="--fitting")
    if (fitting == "paths") != (graph is not None):
        raise typer.BadParameter("--fitting paths and --graph FILE go together")
    if graph is None:
        return None
    from walkon.graphs.file import read_graph

    return read_graph(graph)


def _print_json(scene: Path, bodies: str, seed: int, found: list[Contender], out: Path | None) -> None:
    from walkon.cli._console import print_json

    rows = []
    for one in found:
        rows.append(
            {
                "planner": one.name,
                "rival": one.rival,
                "failure": one.failure or None,
                "seconds": round(one.seconds, 4),
                "take": str(out / f"{one.name}.take") if out is not None and one.take is not None else None,
                "measures": None if one.measures is None else one.measures.as_dict(),
                "audit": None if one.audited is None else one.audited.to_json(),
            }
        )
    print_json({"scene": str(scene), "bodies": bodies, "seed": seed, "planners": rows})
