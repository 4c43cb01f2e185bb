"""`walkon graph build`: recordings become a motion graph."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import takes

if TYPE_CHECKING:
    from walkon.graphs.building import Built
    from walkon.graphs.choosing.choices import Choices
    from walkon.motion import Clip

FOUND = "# found:"
"""How comment lines begin that are written anew by every build."""

MOST_WARNINGS = 12
"""Warnings that are printed; JSON has all of them."""

THRESHOLD_COLUMNS = [
    ("from", "left"),
    ("to", "left"),
    ("up to cm", "right"),
    ("candidates", "right"),
    ("near enough", "right"),
    ("told by", "left"),
]


class MetricName(StrEnum):
    """The distances that can be asked for."""

    points = "points"
    angles = "angles"
    mass = "mass"


class BuiltinCast(StrEnum):
    """Who can be asked for a session of built-in motion."""

    human = "human"


@dataclass(frozen=True)
class BuildOptions:
    """What can be asked for."""

    files: list[Path] = typer.Argument(None, help="Recordings: files and folders.")
    out: Path = typer.Option(..., "-o", "--out", dir_okay=False, help="Motion graph to write (.graph).")
    builtin: BuiltinCast | None = typer.Option(None, help="Use a session of built-in motion, besides any files.")
    performer: int = typer.Option(0, min=0, help="Whose session, with --builtin.")
    only: list[str] = typer.Option(
        [], help="Use only recordings whose name fits this pattern, such as 16_*; repeat it."
    )
    mirror: bool = typer.Option(False, help="Use mirror images too: twice the motion, four times the work.")
    fps: float = typer.Option(30.0, min=1.0, max=240.0, help="Frames a second of the graph.")
    window: float = typer.Option(1.0 / 3.0, min=0.05, max=2.0, help="Seconds of a blend.", show_default="1/3")
    metric: MetricName = typer.Option(MetricName.points, help="Distance of poses: by points, angles or masses.")
    fast: bool | None = typer.Option(
        None,
        "--fast/--exact",
        help="Look only where recordings may be alike, or everywhere; else everywhere if that is soon done.",
        show_default=False,
    )
    threshold: list[str] = typer.Option(
        [], help="Take transitions up to a distance [m], whatever they look like: walk:run=0.08; repeat it."
    )
    choices: Path | None = typer.Option(None, dir_okay=False, help="File of choices; else beside the graph.")
    store: Path | None = typer.Option(None, file_okay=False, help="Folder that remembers what took long.")
    units: str = typer.Option("auto", help="Unit of the files: auto, m, cm, mm, in, ft, cmu, or a factor.")
    up: str = typer.Option("auto", help="Axis that points up in the files: auto, y or z.")
    thresholds: bool = typer.Option(False, "--thresholds", help="List the distances up to which any were taken.")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of tables.")


@takes(BuildOptions)
def build(asked: BuildOptions) -> None:
    """Find out where recordings are alike, and make a graph of them in which one can go on for ever.

    The file of choices, beside the graph unless said otherwise, is read if it is there, and written: thresholds,
    and transitions that were accepted or rejected (see walkon graph transitions).
    """
    from time import perf_counter

    from walkon.cli._console import progress_phases
    from walkon.cli._graph_transitions import choices_beside
    from walkon.graphs.building import build_motion_graph
    from walkon.graphs.choosing.choices import read_choices, write_choices
    from walkon.graphs.comparing.clips import Comparison
    from walkon.graphs.file import write_graph

    clips, failures = _gather(asked)
    kept = asked.choices or choices_beside(asked.out)
    decided = _with_thresholds(read_choices(kept), asked.threshold)
    began = perf_counter()
    with progress_phases() as progress:
        built = build_motion_graph(
            clips,
            comparison=Comparison(
                metric=asked.metric.value,
                window=max(2, round(asked.window * asked.fps)),
                search="auto" if asked.fast is None else "fast" if asked.fast else "exact",
            ),
            mirrored=asked.mirror,
            fps=asked.fps,
            choices=decided,
            store=asked.store,
            progress=progress,
        )
    seconds = perf_counter() - began
    write_graph(asked.out, built.graph)
    write_choices(kept, _with_findings(decided, built))
    _report(built, asked, kept, seconds)
    if failures:
        raise typer.Exit(1)


def _gather(asked: BuildOptions) -> tuple[list[Clip], int]:
    """Everything that was asked for, and how many files could not be read."""
    from walkon.cli._sources import read_recordings

    clips: list[Clip] = []
    failures = 0
    if not asked.files and asked.builtin is None:
        raise typer.BadParameter("give recordings, or --builtin human")
    if asked.files:
        clips, failures = read_recordings(asked.files, asked.only, units=asked.units, up=asked.up)
    if asked.builtin is not None:
        from walkon.builtin.session import make_session

        clips += make_session(asked.performer)
    return clips, failures


def _with_thresholds(choices: Choices, given: list[str]) -> Choices:
    """The choices with thresholds from the command line in place of those for the same motions."""
    from walkon.cli._graph_paths import parse_threshold
    from walkon.graphs.choosing.choices import ThresholdChoice

    for text in given:
        source, target, distance = parse_threshold(text)
        others = tuple(one for one in choices.thresholds if one.labels != (source, target))
        choices = replace(choices, thresholds=(*others, ThresholdChoice(distance, (source, target))))
    return choices


def _with_findings(choices: Choices, built: Built) -> Choices:
    """The choices with comments at their end that say which thresholds were found, in place of earlier ones."""
    notes = dict(choices.notes)
    kept = tuple(line for line in notes.get("", ()) if not line.startswith(FOUND))
    found = [
        f"{FOUND} {one.source} to {one.target} up to {one.distance:.3f} m: {one.within} of {one.candidates} fit"
        for one in built.chosen.thresholds
        if one.by in ("labels", "all") and one.candidates
    ]
    return replace(choices, notes=tuple({**notes, "": (*kept, *found)}.items()))


def _report(built: Built, asked: BuildOptions, kept: Path, seconds: float) -> None:
    from walkon.cli._console import complain, print_json, print_table
    from walkon.cli._graph_show import print_statistics, statistics_data

    out = asked.out
    if asked.as_json:
        print_json(
            {
                "graph": str(out),
                "choices": str(kept),
                "clips": len(built.corpus.library),
                "seconds": round(seconds, 3),
                "candidates": built.candidates,
                "taken": len(built.chosen.transitions),
                "compared": built.compared,
                "known": built.known,
                "thresholds": [asdict(one) for one in built.chosen.thresholds],
                "warnings": list(built.warnings),
                "statistics": statistics_data(built.statistics),
            }
        )
        return
    print_statistics(built.graph, built.statistics, out)
    if asked.thresholds:
        rows = [
            [one.source, one.target, f"{100 * one.distance:.1f}", str(one.candidates), str(one.within), one.by]
            for one in built.chosen.thresholds
            # Pairs of clips are too many to read; JSON has them.
            if one.by != "clips"
        ]
        print_table("thresholds", THRESHOLD_COLUMNS, rows)
    known = f", {built.known} known from before" if built.known else ""
    typer.echo(
        f"{out}: {built.candidates} candidates, {len(built.chosen.transitions)} taken, "
        f"{len(built.graph.transitions)} left after pruning; {built.compared} pairs of clips compared{known}, "
        f"{seconds:.1f} s\n{kept}: what you decide about transitions"
    )
    for warning in built.warnings[:MOST_WARNINGS]:
        complain(warning)
    if len(built.warnings) > MOST_WARNINGS:
        complain(f"and {len(built.warnings) - MOST_WARNINGS} more warnings; see --json")
