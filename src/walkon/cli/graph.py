"""`walkon graph`: motion graphs, from recordings to takes."""

from __future__ import annotations

import typer

from walkon.cli._graph_build import build
from walkon.cli._graph_encode import encode
from walkon.cli._graph_hubs import hubs
from walkon.cli._graph_show import show
from walkon.cli._graph_transitions import transitions
from walkon.cli._graph_walk import walk

graph = typer.Typer(
    name="graph",
    help="Motion graphs: build them of recordings, look at them, walk through them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

graph.command("build")(build)
graph.command("show")(show)
graph.command("walk")(walk)
graph.command("transitions")(transitions)
graph.command("hubs")(hubs)
graph.command("encode")(encode)
