"""`walkon studio`: a live crowd, or a finished take, in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import typer

from walkon.cli._options import BODIES, takes

WITHOUT = "Every user of this machine may look, edit and save as you do: ask for no token. Not with --host."


class LivePlanner(StrEnum):
    """Who plans in a live crowd."""

    search = "search"
    quick = "quick"
    tree = "tree"


@dataclass(frozen=True)
class StudioOptions:
    """What can be asked for."""

    what: Path | None = typer.Argument(None, metavar="[SCENE_OR_TAKE]", help="Scene (.toml) or take (.take).")
    host: str | None = typer.Option(None, help="Listen there, not on this machine alone; 0.0.0.0: everywhere.")
    port: int = typer.Option(8460, min=0, max=65535, help="0: any that is free.")
    project: Path | None = typer.Option(None, help="Folder to open and save in; that of the scene if not said.")
    seed: int = typer.Option(0, min=0, help="The same seed and the same edits give the same run.")
    people: int = typer.Option(60, min=0, max=20_000, help="On the built-in plaza.")
    planner: LivePlanner = typer.Option(LivePlanner.search, help="Who plans; can be switched in the page.")
    bodies: str = BODIES
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the page.")
    no_token: bool = typer.Option(False, "--no-token", help=WITHOUT)
    tls_cert: Path | None = typer.Option(None, help="Encrypt, with the certificate in this PEM file.")
    tls_key: Path | None = typer.Option(None, help="Its key, if that is in a file of its own.")
    log: Path | None = typer.Option(None, help="Write what happens, and what fails, to this file.")


@takes(StudioOptions)
def studio(asked: StudioOptions) -> None:
    """Show a live crowd in the browser, to be watched, edited and saved; or a finished take, to be looked at.

    Without a scene: a plaza with people who stroll about. Ctrl-C ends it.
    """
    from walkon.studio import Settings, serve

    _keep_log(asked.log)
    settings = Settings(
        asked.what,
        asked.host,
        asked.port,
        asked.project,
        asked.seed,
        asked.people,
        str(asked.planner),
        asked.bodies,
        not asked.no_token,
        asked.tls_cert,
        asked.tls_key,
    )
    serve(settings, open_browser=asked.browser, say=typer.echo)


def _keep_log(file: Path | None) -> None:
    """To the file, or warnings to standard error."""
    import logging

    if file is None:
        logging.basicConfig(level=logging.WARNING, format="walkon: %(message)s")
        return
    logging.basicConfig(
        filename=file, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
