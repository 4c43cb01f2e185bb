"""The tree of commands. Imports nothing heavy: `walkon --help` must answer at once."""

from __future__ import annotations

import typer

from walkon import __version__
from walkon.cli.audit import audit
from walkon.cli.behaviors import behaviors
from walkon.cli.bench import bench
from walkon.cli.builtin import builtin
from walkon.cli.clips import clips
from walkon.cli.compare import compare
from walkon.cli.convert import convert
from walkon.cli.export import export
from walkon.cli.graph import graph
from walkon.cli.measure import measure
from walkon.cli.plan import plan
from walkon.cli.render import render
from walkon.cli.scene import scene
from walkon.cli.studio import studio
from walkon.cli.tree import tree
from walkon.cli.vary import vary

app = typer.Typer(
    name="walkon",
    help="Direct virtual actors: read, convert, picture and measure motion.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Rich markup would import rich for every --help; plain text is instant.
    rich_markup_mode=None,
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"walkon {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print it."),
) -> None:
    """Direct virtual actors: read, convert, picture and measure motion."""


for command in (clips, convert, render, plan, audit, measure, compare, bench, export, studio):
    app.command()(command)
app.add_typer(behaviors)
app.add_typer(builtin)
app.add_typer(graph)
app.add_typer(scene)
app.add_typer(tree)
app.add_typer(vary)
