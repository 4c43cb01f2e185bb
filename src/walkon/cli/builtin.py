"""`walkon builtin`: the motion that ships with the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorLibrary

builtin = typer.Typer(
    name="builtin",
    help="Make the motion that ships with walkon: casts of behaviors, ready to plan with.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@builtin.command("list")
def list_casts(
    seed: int = typer.Option(0, min=0, help="Which performer."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """List the casts and what each can do."""
    from walkon.builtin.casts import CASTS, make_library
    from walkon.cli._console import print_json, progress

    libraries = [make_library(cast, seed) for cast in progress(CASTS, "making", total=len(CASTS))]
    if as_json:
        print_json({library.name: _rows(library) for library in libraries})
        return
    for library in libraries:
        _print(library)


@builtin.command("make")
def make_cast(
    cast: str = typer.Argument(help="human, skateboarder or horse."),
    out: Path = typer.Argument(help="Folder to write: clips and library.toml."),
    seed: int = typer.Option(0, min=0, help="Which performer: another seed is another body and manner."),
    bvh: bool = typer.Option(False, "--bvh", help="Also write every clip as BVH, into the folder bvh."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Make a behavior library: clip files and one readable library.toml."""
    from walkon.behaviors import write_library
    from walkon.builtin.casts import make_library
    from walkon.cli._console import print_json, progress
    from walkon.export import write_bvh

    library = make_library(cast, seed)
    write_library(out, library)
    shown = [(behavior, number, clip) for behavior in library for number, clip in enumerate(behavior.clips, 1)]
    for behavior, number, clip in progress(shown if bvh else [], "writing BVH", total=len(shown)):
        write_bvh(out / "bvh" / f"{behavior.name}_{number}.bvh", clip.clip)
    if as_json:
        print_json({library.name: _rows(library)})
    else:
        _print(library)
        typer.echo(f"{out}: library.toml and {len(shown)} clips")


def _rows(library: BehaviorLibrary) -> list[dict[str, object]]:
    return [
        {
            "behavior": behavior.name,
            "kind": behavior.kind,
            "entry": behavior.entry,
            "exit": behavior.exit,
            "clips": len(behavior.clips),
            "seconds": round(sum(shown.duration for shown in behavior.clips) / len(behavior.clips), 2),
            "action": behavior.clips[0].action_time,
        }
        for behavior in library
    ]


def _print(library: BehaviorLibrary) -> None:
    from walkon.cli._console import print_table

    rows = _rows(library)
    clips = sum(len(behavior.clips) for behavior in library)
    columns = [(key, "right" if key in ("clips", "seconds", "action") else "left") for key in rows[0]]
    cells = [["-" if value is None else f"{value:.2f}" if key in ("seconds", "action") else str(value)
              for key, value in row.items()] for row in rows]  # fmt: skip
    print_table(f"{library.name}: {len(library)} behaviors, {clips} clips", columns, cells)
