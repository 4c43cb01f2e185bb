"""Options that commands share; and commands with many: their function takes one record, whose fields they are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from walkon.world import Scene


def takes(record: type) -> Callable[[Callable[[Any], None]], Callable[..., None]]:
    """Make a command of a function of one record: a frozen dataclass with `typer.Option`s as defaults.

    Typer reads options from the parameters of a function, so a function is made that has the fields of the record
    as parameters, and hands them on together.
    """
    hints = get_type_hints(record)
    kind = inspect.Parameter.KEYWORD_ONLY
    options = [
        inspect.Parameter(own.name, kind, default=own.default, annotation=hints[own.name])
        for own in fields(record)
    ]

    def wrap(function: Callable[[Any], None]) -> Callable[..., None]:
        def command(**given: Any) -> None:
            function(record(**given))

        command.__name__, command.__doc__ = function.__name__, function.__doc__
        command.__annotations__ = {**hints, "return": None}
        command.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        return command

    return wrap


def _known_level(name: str) -> str:
    from walkon.errors import SceneError
    from walkon.world import LEVELS_ABOUT, check_level

    if name == "list":
        typer.echo("\n".join(f"{level:10} {about}" for level, about in LEVELS_ABOUT.items()))
        raise typer.Exit
    try:
        return check_level(name) if name else ""
    except SceneError as error:
        raise typer.BadParameter(str(error)) from None


BODIES: Any = typer.Option(
    "",
    metavar="LEVEL",
    callback=_known_level,
    is_eager=True,
    help="How exactly planners see bodies, whatever the scene says; 'list' tells what there is.",
)
"""The option `--bodies`; see `seen_at`."""


def seen_at(level: str, scene: Scene) -> Scene:
    """The scene with bodies seen at the level that was asked for; as it is if none was."""
    from walkon.world import check_level

    return replace(scene, bodies=check_level(level)) if level else scene
