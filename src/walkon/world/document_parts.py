"""What every table of a scene file is made of: strict models, points, lengths, angles. Units are people's units.

Numbers in a scene file are metres, seconds and degrees. Everything has a greatest size, so that no file decides
how much memory we take.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Union

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

FARTHEST_PLACE = 10_000.0
"""[m] Nothing is further from the origin than this."""


class Table(BaseModel):
    """A table of the file: no unknown keys, no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def _numbers(count: int, what: str) -> Callable[[Any], Any]:
    """A check that says what is wanted in one sentence, instead of one complaint per element."""

    def check(value: Any) -> Any:
        good = isinstance(value, tuple) and len(value) == count
        if not good or not all(isinstance(part, int | float) and not isinstance(part, bool) for part in value):
            raise ValueError(f"needs {count} numbers {what}")
        if not all(abs(part) <= FARTHEST_PLACE for part in value):  # NaN is not either
            raise ValueError(f"needs {count} numbers {what} between -{FARTHEST_PLACE:g} and {FARTHEST_PLACE:g}")
        return tuple(float(part) for part in value)

    return check


def _in_order(value: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, near, right, far = value
    if not (left < right and near < far):
        raise ValueError("needs [x0, z0, x1, z1] with x0 < x1 and z0 < z1")
    return value


def _rectangle(value: Any) -> Any:
    return _in_order(_numbers(4, "[x0, z0, x1, z1]")(value))


def _several(value: Any) -> Any:
    """One rectangle may stand for a list of one."""
    single = isinstance(value, tuple) and value and not isinstance(value[0], tuple)
    return (value,) if single else value


Point = Annotated[tuple[float, float], BeforeValidator(_numbers(2, "[x, z]"))]
"""A place on the ground: x, z [m]."""

Vector = Annotated[tuple[float, float, float], BeforeValidator(_numbers(3, "[x, y, z]"))]

Rectangle = Annotated[tuple[float, float, float, float], BeforeValidator(_rectangle)]
"""x and z of the least corner, x and z of the greatest [m]."""

RECTANGLE_SCHEMA = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}

Rectangles = Annotated[
    tuple[Rectangle, ...],
    BeforeValidator(_several),
    Field(min_length=1, max_length=100),
    WithJsonSchema(
        {"anyOf": [RECTANGLE_SCHEMA, {"type": "array", "items": RECTANGLE_SCHEMA, "minItems": 1, "maxItems": 100}]}
    ),
]
"""One rectangle or a list of them."""

Length = Annotated[float, Field(gt=0.0, le=2000.0)]
Height = Annotated[float, Field(ge=-1000.0, le=1000.0)]
Angle = Annotated[float, Field(ge=-3600.0, le=3600.0)]
"""[degrees] 0 looks along +z, 90 along +x."""

Time = Annotated[float, Field(ge=0.0, le=3600.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=1, le=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^\w[^\x00-\x1f\x7f/\\]*$")]
FileName = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[^\x00]+$")]


def one_of(key: str, tables: Mapping[str, type[Table]]) -> Any:
    """The type of a table that is one of several, chosen by what it says under `key`."""
    names = tuple(tables)

    def tag(value: Any) -> str:
        said = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
        return f"{key}:{said}" if said in names else f"{key}:none"

    marked = tuple(Annotated[table, Tag(f"{key}:{name}")] for name, table in tables.items())
    context = {"key": key, "choices": ", ".join(names)}
    complaint = {"custom_error_type": "which", "custom_error_message": "which", "custom_error_context": context}
    return Annotated[Union[marked], Discriminator(tag, **complaint)]  # noqa: UP007 - made at run time


def radians(angle: float) -> float:
    """[degrees] to [rad]."""
    return math.radians(angle)
