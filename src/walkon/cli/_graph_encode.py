"""`walkon graph encode`: a graph in the forms of other authors, as arrays for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer


class Encoding(StrEnum):
    """Forms of a graph beside its own."""

    chain = "chain"
    clips = "clips"


def encode(
    file: Path = typer.Argument(metavar="GRAPH", help="Motion graph, as written by walkon graph build."),
    out: Path = typer.Option(..., "-o", "--out", dir_okay=False, help="Arrays to write (.npz)."),
    form: Encoding = typer.Option(
        Encoding.chain,
        "--as",
        help="A Markov chain over frames (Lee et al. 2002), or clips with clusters of transitions between them, "
        "from coarse to fine (Arikan & Forsyth 2002).",
    ),
    sigma: float | None = typer.Option(
        None, help="Of a chain: distance [m] that makes a step e times less likely; else the mean distance."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a line."),
) -> None:
    """Write a graph down as arrays, to compare it with other methods or to read it in other programs.

    The file of a chain is one that scipy.sparse.load_npz reads: how likely each frame follows each other.
    """
    from walkon.cli._console import print_json
    from walkon.graphs.encodings import as_clip_graph, as_markov_chain, save_encoding
    from walkon.graphs.file import read_graph

    if out.suffix.lower() != ".npz":
        raise typer.BadParameter(f"arrays are written as .npz, not {out.suffix or out.name!r}")
    if sigma is not None and form is not Encoding.chain:
        raise typer.BadParameter("--sigma goes with --as chain")
    graph = read_graph(file)
    made = as_markov_chain(graph, sigma) if form is Encoding.chain else as_clip_graph(graph)
    save_encoding(out, made)
    if as_json:
        print_json({"graph": str(file), "file": str(out), "form": form.value, **made.about()})
    else:
        typer.echo(f"{out}: {', '.join(f'{value:g} {name}' for name, value in made.about().items())}")
