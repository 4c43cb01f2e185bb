"""`walkon graph hubs`: poses that recordings come back to, and motion put together there by mere cuts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from walkon.graphs.hubs.hubs import HubGraph

HUB_COLUMNS = [
    *(("hub", "right"), ("moments", "right"), ("leaving", "right"), ("entering", "right"), ("labels", "left")),
]


def hubs(
    file: Path = typer.Argument(metavar="GRAPH", help="Motion graph, as written by walkon graph build."),
    out: Path | None = typer.Option(
        None, "-o", "--out", dir_okay=False, help="Draw the hubs (.png), or write motion between them (.take)."
    ),
    most: int = typer.Option(4, min=1, max=8, help="How many hubs to find at most."),
    seconds: float = typer.Option(60.0, min=0.1, max=86_400.0, help="How long the motion is."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same motion."),
    width: int = typer.Option(1600, min=400, max=8000, help="Of the picture [px]."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Find hubs: few poses that many pieces of motion begin and end in, so that a mere cut joins them.

    Snap-together motion needs no blend while it plays, as games want it (Gleicher et al. 2003).
    """
    from walkon.cli._console import print_json, print_table
    from walkon.graphs.file import read_graph
    from walkon.graphs.hubs.building import build_hubs

    if out is not None and out.suffix.lower() not in (".png", ".take"):
        raise typer.BadParameter(f"hubs are drawn as .png or played as .take, not {out.suffix or out.name!r}")
    found = build_hubs(read_graph(file).corpus, most=most)
    rows, motion = _rows(found), None
    if out is not None and out.suffix.lower() == ".png":
        from walkon.render import draw_hubs

        draw_hubs(found, out, title=f"hubs of {file.stem}", width=width)
    elif out is not None:
        motion = _play(found, out, seconds, seed)
    about = {"pieces": found.piece_count, "endless": len(found.endless), "threshold": round(found.threshold, 5)}
    if as_json:
        print_json({"graph": str(file), **about, "hubs": rows, "unused": list(found.unused), "motion": motion})
        return
    cells = [[*(str(row[key]) for key in list(row)[:-1]), ", ".join(row["labels"])] for row in rows]
    print_table(f"{file}: {found!r}", HUB_COLUMNS, cells)
    typer.echo(f"moments of a hub are within {100 * found.threshold:.1f} cm of each other, in the median")
    if found.unused:
        typer.echo(f"without a hub: {', '.join(found.unused)}")
    if motion is not None:
        typer.echo(
            f"{out}: {motion['seconds']:.1f} s of {len(motion['pieces'])} pieces; planted feet slide "
            f"{1000 * motion['worst_slide']:.2f} mm a frame at most"
        )
    elif out is not None:
        typer.echo(f"{out}: the hubs")


def _rows(found: HubGraph) -> list[dict[str, Any]]:
    """A row for each hub."""
    corpus, rows = found.corpus, []
    for number, hub in enumerate(found.hubs):
        kinds = {name for kind in corpus.labels[hub.rows] for name in corpus.label_sets[kind]}
        leave, enter = int((found.tails == number).sum()), int((found.heads == number).sum())
        rows.append(
            {"hub": number, "moments": len(hub.rows), "leaving": leave, "entering": enter, "labels": sorted(kinds)}
        )
    return rows


def _play(found: HubGraph, out: Path, seconds: float, seed: int) -> dict[str, Any]:
    """Write a take of pieces at random, and say what is in it."""
    from walkon.directing import take_of_walks
    from walkon.graphs.hubs.hubs import assemble, wander
    from walkon.graphs.performing.seams import contact_slides
    from walkon.take import write_take

    pieces = wander(found, round(seconds * found.corpus.fps), seed)
    clip = assemble(found, pieces)
    write_take(take_of_walks(None, {"walker": clip}, seed=seed), out)
    worst = float(contact_slides(clip).max(initial=0.0))
    return {"pieces": pieces, "seconds": round(clip.duration, 3), "worst_slide": round(worst, 6)}
