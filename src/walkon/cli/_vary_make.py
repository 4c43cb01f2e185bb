"""`walkon vary make`: a model becomes as many variants as one likes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.formats import either, export_suffixes

if TYPE_CHECKING:
    from walkon.motion import Clip
    from walkon.variation import VariationModel, Variety

FORMAT_HELP = f"Format of the files: {either(suffix[1:] for suffix in export_suffixes())}."


def make(
    model: Path = typer.Argument(dir_okay=False, help="Model, from walkon vary learn."),
    out: Path = typer.Option(..., "-o", "--out", file_okay=False, help="Folder to write files into."),
    count: int = typer.Option(
        32, "-n", "--count", min=1, max=100_000, help="How many variants; of each --of clip."
    ),
    of: list[str] = typer.Option(
        [], help="Vary this clip, with the structure of the model: file, folder or builtin:NAME; repeat it."
    ),
    seconds: float | None = typer.Option(None, min=0.1, help="How long; else about as long as the inputs."),
    stray: float | None = typer.Option(
        None, min=0.0, max=10.0, help="How far to stray, in the deviations foreseen; 0 gives the mean motion."
    ),
    tremble: float = typer.Option(0.0, min=0.0, max=10.0, help="Share of the inputs' own trembling; 0 is smooth."),
    performer: int | None = typer.Option(None, min=0, help="Variants of one person, who takes after some inputs."),
    seed: int = typer.Option(0, min=0, help="Other seeds give other variants."),
    suffix: str = typer.Option("bvh", "--format", help=FORMAT_HELP),
    constraints: bool = typer.Option(True, help="Hold planted feet in place."),
    picture: Path | None = typer.Option(None, dir_okay=False, help="Draw inputs beside variants into this PNG."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of lines."),
) -> None:
    """Make variants: new in space and timing, feet held where they stand."""
    from time import perf_counter

    from walkon.cli._console import print_json, progress
    from walkon.cli._sources import read_sources
    from walkon.export import write_clips
    from walkon.variation import Variety, read_model
    from walkon.variation.sampling import STRAY

    learned = read_model(model)
    given = read_sources(of, trim=True) if of else []
    variety = Variety(stray=STRAY if stray is None else stray, tremble=tremble, performer=performer)
    if seconds is not None and learned.is_partial:
        raise typer.BadParameter("with a model of a part of the body, variants are as long as the --of clips")
    begun = perf_counter()
    variants = make_of(learned, given, count, seed=seed, variety=variety, seconds=seconds)
    making = perf_counter() - begun
    misses = 0
    if constraints and not learned.is_partial:
        from walkon.variation.constraints import hold_and_report

        held = [hold_and_report(clip) for clip in progress(variants, "holding feet", total=len(variants))]
        variants = [one.clip for one in held]
        misses = sum(len(one.misses) for one in held)
    files = [out / f"{clip.name}.{suffix.lstrip('.')}" for clip in variants]
    for file, clip in progress(list(zip(files, variants, strict=True)), "writing", total=len(files)):
        write_clips(file, clip)
    if picture is not None:
        from walkon.render.variation_plots import draw_variation

        draw_variation(given_at(learned, given) or inputs_of(learned), variants, picture, title=model.stem)
    motion = sum(clip.duration for clip in variants)
    data = {
        "model": str(model),
        "files": [str(file) for file in files],
        "seconds_of_motion": round(motion, 3),
        "making_ms_per_second": round(1e3 * making / max(motion, 1e-9), 3),
        "out_of_reach": misses,
        "picture": None if picture is None else str(picture),
    }
    if as_json:
        print_json(data)
        return
    typer.echo(
        f"{out}: {len(files)} variants, {motion:.1f} s of motion, "
        f"made in {data['making_ms_per_second']:.1f} ms for a second"
    )
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
