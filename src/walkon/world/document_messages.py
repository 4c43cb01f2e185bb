"""The schema's complaints in plain words: what is wrong and what would be right."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import Tag

from walkon.world.document import SceneDocument
from walkon.world.document_parts import Table
from walkon.world.toml_lines import Place

WANTED = {
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text in quotes",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "finite_number": "a finite number",
}
LIMITS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def place_of(detail: Mapping[str, Any]) -> Place:
    """Where a complaint points, without the marks of unions and of checks on keys."""
    place = tuple(part for part in detail["loc"] if not _is_mark(part))
    if detail["type"] == "which" and isinstance(detail["input"], dict) and detail["ctx"]["key"] in detail["input"]:
        place += (detail["ctx"]["key"],)
    return place


def is_echo(detail: Mapping[str, Any]) -> bool:
    """Whether it only repeats that elements are wrong: the schema also calls a list of those too short."""
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


def message_of(detail: Mapping[str, Any]) -> str:
    """A complaint in plain words."""
    kind, value = detail["type"], detail["input"]
    if kind in WANTED:
        return f"needs {WANTED[kind]}, not {shown_value(value)}"
    if kind in LIMITS:
        words, limit = LIMITS[kind]
        return f"must be {words} {detail['ctx'][limit]:g}, not {shown_value(value)}"
    if kind in PHRASES:
        return PHRASES[kind](detail)
    return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}{_not_this(value)}"


def _unknown_key(detail: Mapping[str, Any]) -> str:
    keys = _keys_at(detail["loc"][:-1])
    return f"unknown key{did_you_mean(detail['loc'][-1], keys)} it may be one of: {', '.join(keys)}"


def _no_choice(detail: Mapping[str, Any]) -> str:
    value = detail["input"]
    choices = detail["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
    return f"no {shown_value(value)}{did_you_mean(value, choices)} it may be one of: {', '.join(choices)}"


def _length(detail: Mapping[str, Any]) -> str:
    context = detail["ctx"]
    limit = f"at most {context['max_length']}" if "max_length" in context else f"at least {context['min_length']}"
    return f"needs {limit} elements, not {context['actual_length']}"


def _bad_name(detail: Mapping[str, Any]) -> str:
    return (
        f"{shown_value(detail['input'])}: must begin with a letter or digit and hold no slash or control character"
    )


def _which(detail: Mapping[str, Any]) -> str:
    key, value = detail["ctx"]["key"], detail["input"]
    choices = detail["ctx"]["choices"].split(", ")
    if not isinstance(value, dict):
        return f"needs a table, not {shown_value(value)}"
    if key not in value:
        return f"{key} is missing: one of {', '.join(choices)}"
    return f"no {key} {shown_value(value[key])}{did_you_mean(value[key], choices)} there are: {', '.join(choices)}"


def _verb(detail: Mapping[str, Any]) -> str:
    value, choices = detail["input"], detail["ctx"]["choices"].split(", ")
    if not isinstance(value, dict):
        return f"needs a table, not {shown_value(value)}"
    verbs = [key for key in choices if key in value]
    if verbs:
        return f"needs one of {', '.join(choices)}, not {' and '.join(verbs)}: each is a step of its own"
    near = next((hint for key in value if (hint := did_you_mean(key, choices)) != ";"), "")
    return f"needs one of {', '.join(choices)}, and has none{near}"


PHRASES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "missing": lambda detail: "is missing",
    "extra_forbidden": _unknown_key,
    "which": _which,
    "verb": _verb,
    "literal_error": _no_choice,
    "too_long": _length,
    "too_short": _length,
    "value_error": lambda detail: f"{detail['ctx']['error']}{_not_this(detail['input'])}",
    "string_pattern_mismatch": _bad_name,
}


def did_you_mean(word: Any, choices: Iterable[str]) -> str:
    """`; did you mean 'size'?`, or a bare semicolon when nothing is like it."""
    near = difflib.get_close_matches(str(word)[:100], list(choices), n=1)
    return f"; did you mean {near[0]!r}?" if near else ";"


def shown_value(value: Any) -> str:
    """A value of the file, shortened, more or less as TOML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown_value, value[:6]))}{', ...' if len(value) > 6 else ''}]"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > 10**30:
        return "a huge number"  # Python refuses to print the largest
    return reprlib.repr(value)


def _not_this(value: Any) -> str:
    return "" if isinstance(value, dict) else f", not {shown_value(value)}"


def _is_mark(part: str | int) -> bool:
    return isinstance(part, str) and (part.startswith(("shape:", "kind:")) or part == "[key]")


def _keys_at(place: Place) -> list[str]:
    """The keys that the table at this place may have."""
    model = _models().get(tuple(part for part in place if isinstance(part, str)))
    return [] if model is None else sorted(field.alias or key for key, field in model.model_fields.items())


@cache
def _models() -> dict[Place, type[Table]]:
    """Which model describes which table; places without the positions in lists, with the marks of unions."""
    return dict(_walk(SceneDocument, ()))


def _walk(model: type[Table], place: Place) -> Iterator[tuple[Place, type[Table]]]:
    yield place, model
    for key, field in model.model_fields.items():
        for mark, inner in _inside(field.annotation, ()):
            yield from _walk(inner, (*place, field.alias or key, *mark))


def _inside(annotation: Any, mark: Place) -> Iterator[tuple[Place, type[Table]]]:
    """The models in an annotation, with the mark by which a union knows them."""
    if isinstance(annotation, type) and issubclass(annotation, Table):
        yield mark, annotation
        return
    for part in getattr(annotation, "__metadata__", ()):
        mark = (part.tag,) if isinstance(part, Tag) else mark
    for part in get_args(annotation):
        yield from _inside(part, mark)
