"""Commands with many options: their function takes one record, whose fields are the options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_type_hints


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
