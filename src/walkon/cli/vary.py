"""`walkon vary`: how a motion differs each time it is done, learned from a few clips of it."""

from __future__ import annotations

import typer

from walkon.cli._vary_check import measure, select
from walkon.cli._vary_learn import learn
from walkon.cli._vary_library import library
from walkon.cli._vary_make import make

vary = typer.Typer(
    name="vary",
    help="Variation: learn how a motion differs each time, make variants, enrich behavior libraries.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

vary.command("learn")(learn)
vary.command("make")(make)
vary.command("library")(library)
vary.command("select")(select)
vary.command("measure")(measure)
