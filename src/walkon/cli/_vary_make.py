"""`walkon vary make`: a model becomes as many variants as one likes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import takes
from walkon.formats import either, export_suffixes

if TYPE_CHECKING:
    from walkon.motion import Clip
    from walkon.variation import VariationModel, Variety

FORMAT_HELP = f"Format of the files: {either(suffix[1:] for suffix in export_suffixes())}."


@dataclass(frozen=True)
class VariantOptions:
    """What can be asked for when variants are made."""

    model: Path = typer.Argument(dir_okay=False, help="Model, from walkon vary learn.")
    out: Path = typer.Option(..., "-o", "--out", file_okay=False, help="Folder to write files into.")
    count: int = typer.Option(
        32, "-n", "--count", min=1, max=100_000, help="How many variants; of each --of clip."
    )
    of: list[str] = typer.Option(
        [], help="Vary this clip, with the structure of the model: file, folder or builtin:NAME; repeat it."
    )
    seconds: float | None = typer.Option(None, min=0.1, help="How long; else about as long as the inputs.")
    stray: float | None = typer.Option(
        None, min=0.0, max=10.0, help="How far to stray, in the deviations foreseen; 0 gives the mean motion."
    )
    tremble: float = typer.Option(0.0, min=0.0, max=10.0, help="Share of the inputs' own trembling; 0 is smooth.")
    performer: int | None = typer.Option(None, min=0, help="Variants of one person, who takes after some inputs.")
    seed: int = typer.Option(0, min=0, help="Other seeds give other variants.")
    suffix: str = typer.Option("bvh", "--format", help=FORMAT_HELP)
    constraints: bool = typer.Option(True, help="Hold planted feet in place.")
    picture: Path | None = typer.Option(None, dir_okay=False, help="Draw inputs beside variants into this PNG.")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of lines.")


@takes(VariantOptions)
def make(asked: VariantOptions) -> None:
    """Make variants: new in space and timing, feet held where they stand."""
    from time import perf_counter

    from walkon.cli._console import progress
    from walkon.cli._sources import read_sources
    from walkon.export import write_clips
    from walkon.variation import Variety, read_model
    from walkon.variation.sampling import STRAY

    learned = read_model(asked.model)
    given = read_sources(asked.of, trim=True) if asked.of else []
    stray = STRAY if asked.stray is None else asked.stray
    variety = Variety(stray=stray, tremble=asked.tremble, performer=asked.performer)
    if asked.seconds is not None and learned.is_partial:
        raise typer.BadParameter("with a model of a part of the body, variants are as long as the --of clips")
    begun = perf_counter()
    variants = make_of(learned, given, asked.count, seed=asked.seed, variety=variety, seconds=asked.seconds)
    making, misses = perf_counter() - begun, 0
    if asked.constraints and not learned.is_partial:
        variants, misses = _held(variants)
    files = [asked.out / f"{clip.name}.{asked.suffix.lstrip('.')}" for clip in variants]
    for file, clip in progress(list(zip(files, variants, strict=True)), "writing", total=len(files)):
        write_clips(file, clip)
    if asked.picture is not None:
        from walkon.render.variation_plots import draw_variation

        inputs = given_at(learned, given) or inputs_of(learned)
        draw_variation(inputs, variants, asked.picture, title=asked.model.stem)
    _tell(asked, files, sum(clip.duration for clip in variants), making, misses)


def _held(variants: list[Clip]) -> tuple[list[Clip], int]:
    """Variants with their feet held, and how often a foot could not be."""
    from walkon.cli._console import progress
    from walkon.variation.constraints import hold_and_report

    held = [hold_and_report(clip) for clip in progress(variants, "holding feet", total=len(variants))]
    return [one.clip for one in held], sum(len(one.misses) for one in held)


def _tell(asked: VariantOptions, files: list[Path], motion: float, making: float, misses: int) -> None:
    """Say what was made: seconds of motion, in how many seconds."""
    from walkon.cli._console import print_json

    pace = round(1e3 * making / max(motion, 1e-9), 3)
    if asked.as_json:
        print_json(
            {
                "model": str(asked.model),
                "files": [str(file) for file in files],
                "seconds_of_motion": round(motion, 3),
                "making_ms_per_second": pace,
                "out_of_reach": misses,
                "picture": None if asked.picture is None else str(asked.picture),
            }
        )
        return
    typer.echo(f"{asked.out}: {len(files)} variants, {motion:.1f} s of motion, made in {pace:.1f} ms for a second")
    if misses:
        typer.echo(f"  {misses} times a foot could not be held to the millimetre: its place was out of reach")


def make_of(
    model: VariationModel,
    given: list[Clip],
    count: int,
    *,
    seed: int,
    variety: Variety,
    seconds: float | None = None,
) -> list[Clip]:
    """Variants of what the model was learned from, or of given clips, `count` of each."""
    from walkon.variation import make_variants, vary_clip

    if model.is_partial:
        if not given:
            raise typer.BadParameter("this model varies a part of the body; give the rest: --of CLIP")
        return [one for clip in given for one in vary_clip(model, clip, count, seed=seed, variety=variety)]
    if not given:
        return make_variants(model, count, seed=seed, variety=variety, seconds=seconds)
    return [
        one
        for clip in given
        for one in make_variants(
            model.given([clip]), count, seed=seed, variety=variety, seconds=seconds, name=clip.name
        )
    ]


def given_at(model: VariationModel, given: list[Clip]) -> list[Clip]:
    """Given clips at the rate of the model."""
    from walkon.motion import resample

    fps = model.coordinates.fps
    return [clip if clip.fps == fps else resample(clip, fps) for clip in given]


def inputs_of(model: VariationModel) -> list[Clip]:
    """What the model was learned from, as it remembers it."""
    examples = model.examples
    return [model.coordinates.decode(examples.clip(k), name) for k, name in enumerate(examples.names)]
