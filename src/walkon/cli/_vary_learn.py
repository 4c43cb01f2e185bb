"""`walkon vary learn`: a few clips of a motion become a model of how it varies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import takes

if TYPE_CHECKING:
    from walkon.motion import Clip
    from walkon.variation import VariationModel

UPPER = "upper"
"""What --only calls all that bears no leg."""

UNFINISHED = ".learning"
"""Added to the name of a model's file: what was found so far."""


@dataclass(frozen=True)
class LearningOptions:
    """What can be asked for when a model is learned."""

    clips: list[str] = typer.Argument(help="Clips of one motion: files, folders or builtin:NAME; four are good.")
    out: Path = typer.Option(..., "-o", "--out", dir_okay=False, help="Model to write.")
    only: str = typer.Option(
        "", help="Vary only these joints, the rest being given: upper, or names with commas between."
    )
    fps: float = typer.Option(30.0, min=1.0, max=240.0, help="Frames a second of the model.")
    neighbours: int = typer.Option(20, min=2, max=1000, help="Frames of the clips that foresee the next one.")
    restarts: int = typer.Option(2, min=1, max=100, help="Searches for each network.")
    rounds: int = typer.Option(12, min=1, max=1000, help="Most rounds of a search.")
    seed: int = typer.Option(0, min=0, help="Of everything that is left to chance.")
    units: str = typer.Option("auto", help="Unit of the files: auto, m, cm, mm, in, ft, cmu, or a factor.")
    up: str = typer.Option("auto", help="Axis that points up in the files: auto, y or z.")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of lines.")


@takes(LearningOptions)
def learn(asked: LearningOptions) -> None:
    """Learn how a motion varies. Stopped half-way, the same command goes on where it was."""
    from time import perf_counter

    from walkon.cli._console import print_json, progress_callback
    from walkon.cli._sources import read_sources
    from walkon.variation import Regression, learn_variation, write_model

    given = read_sources(asked.clips, units=asked.units, up=asked.up, trim=True)
    begun = perf_counter()
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    with progress_callback("learning") as advance:
        model = learn_variation(
            given,
            fps=asked.fps,
            only=joints_of(asked.only, given),
            regression=Regression(asked.neighbours),
            restarts=asked.restarts,
            rounds=asked.rounds,
            seed=asked.seed,
            store=asked.out.with_name(asked.out.name + UNFINISHED),
            progress=advance,
        )
    seconds = perf_counter() - begun
    write_model(model, asked.out)
    data = {"model": str(asked.out), "learning_seconds": round(seconds, 3), **model_data(model)}
    data["bytes"] = asked.out.stat().st_size
    if asked.as_json:
        print_json(data)
        return
    typer.echo(
        f"{asked.out}: {len(given)} clips, {data['frames']} frames at {data['fps']:g} Hz, "
        f"learned in {seconds:.1f} s"
    )
    typer.echo(
        f"  {data['varying']} of {data['numbers']} numbers vary, {data['edges']} edges; score {model.score:.3f}"
    )
    typer.echo(f"  the motion {'comes back and can go on for ever' if model.is_cyclic else 'ends'}")


def joints_of(only: str, clips: list[Clip]) -> tuple[str, ...] | None:
    """The joints that --only asks for; none for all."""
    from walkon.variation import upper_body

    if not only:
        return None
    if only == UPPER:
        return upper_body(clips[0].skeleton) if clips else ()
    return tuple(name.strip() for name in only.split(",") if name.strip())


def model_data(model: VariationModel) -> dict:
    """A model as plain values."""
    return {
        "clips": list(model.examples.names),
        "frames": model.examples.frames,
        "fps": model.coordinates.fps,
        "numbers": model.coordinates.count,
        "varying": len(model.driven),
        "partial": model.is_partial,
        "cyclic": model.is_cyclic,
        "edges": int(model.transition.counts.sum()),
        "score": model.score,
    }
