"""`walkon vary select` and `walkon vary measure`: which clips belong together, and how good variants are."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.motion import Clip

SELECTED_COLUMNS = [
    ("clip", "left"),
    ("kept", "left"),
    ("likelihood", "right"),
    ("needed", "right"),
    ("least foreseen", "left"),
]
"""Headings of the table of clips that were kept or left out."""


def select(
    clips: list[str] = typer.Argument(help="Clips of one motion, three or more: files, folders or builtin:NAME."),
    known: list[str] = typer.Option([], help="Clips that are known to fit each other; repeat it."),
    fps: float = typer.Option(30.0, min=1.0, max=240.0, help="Frames a second to compare at."),
    seed: int = typer.Option(0, min=0, help="Of everything that is left to chance."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Leave out clips that the others do not foresee: a turn among straight walks, a high swing of the arms."""
    from walkon.cli._console import print_json, print_table, progress_callback
    from walkon.cli._sources import read_sources
    from walkon.variation import select_inputs

    given = read_sources(clips, trim=True)
    trusted = read_sources(known, trim=True) if known else []
    with progress_callback("comparing") as advance:
        found = select_inputs(given, known=trusted, fps=fps, seed=seed, progress=advance)
    if as_json:
        left_out = [asdict(one) for one in found.left_out]
        print_json({"kept": found.likelihoods, "left_out": left_out, "threshold": found.threshold})
        return
    rows = [[name, "yes", f"{found.likelihoods[name]:.3f}", f"{found.threshold:.3f}", ""] for name in found.kept]
    rows += [
        [one.name, "no", f"{one.likelihood:.3f}", f"{one.threshold:.3f}", ", ".join(one.worst)]
        for one in found.left_out
    ]
    print_table(f"{len(found.kept)} of {len(given)} clips fit together", SELECTED_COLUMNS, rows)


def measure(
    inputs: list[str] = typer.Argument(help="What a model was learned from: files, folders or builtin:NAME."),
    variants: list[str] = typer.Option(..., help="What it made: a file or folder; repeat it."),
    held_out: list[str] = typer.Option(..., help="Clips of the same motion that it never saw; repeat it."),
    fps: float = typer.Option(0.0, min=0.0, max=240.0, help="Compare at this rate; 0 for that of the variants."),
    noise: bool = typer.Option(True, help="Measure both kinds of noise too, for comparison."),
    seed: int = typer.Option(0, min=0, help="Of noise and permutations."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Measure variants: no copies, alike, smooth, upright, planted; beside noise and beside real motion."""
    from walkon.cli._console import print_json
    from walkon.cli._sources import read_sources
    from walkon.variation.evaluation import evaluate

    made = read_sources(variants)
    rate = fps or made[0].fps
    sets = [
        _at(read_sources(inputs, trim=True), rate),
        _at(made, rate),
        _at(read_sources(held_out, trim=True), rate),
    ]
    evaluation = evaluate(*sets, noise=noise, seed=seed)
    if as_json:
        print_json(evaluation.as_dict())
        return
    typer.echo(evaluation.as_text())
    for name, lost in evaluation.losses().items():
        typer.echo(
            f"{name}: {'no less like the held-out clips in ' + ', '.join(lost) if lost else 'beaten in all'}"
        )


def _at(clips: list[Clip], fps: float) -> list[Clip]:
    from walkon.motion import resample

    return [clip if clip.fps == fps else resample(clip, fps) for clip in clips]
