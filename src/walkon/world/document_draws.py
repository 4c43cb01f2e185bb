"""Numbers of a scene file that differ from person to person: one for all, a range, or a normal distribution."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from walkon.basics import Array
from walkon.world.document_parts import Table


class NormalTable(Table):
    """A normal distribution that is cut at both ends: what lies beyond is drawn again."""

    mean: float = Field(description="of the whole distribution, before it is cut")
    deviation: float = Field(gt=0.0, description="standard deviation, before it is cut")
    least: float = Field(description="nothing less is drawn")
    most: float = Field(description="nothing more is drawn")

    @model_validator(mode="after")
    def _in_order(self) -> NormalTable:
        if not self.least < self.most:
            raise ValueError("needs least < most")
        return self


Draw = float | tuple[float, float] | NormalTable
"""A number for everybody, the ends of a range in which all are as likely, or a normal distribution."""


def draw_numbers(spec: Draw, count: int, rng: np.random.Generator) -> Array:
    """A number (count,) for everybody, rounded to thousandths: what a scene file shows is what was drawn."""
    if isinstance(spec, NormalTable):
        from scipy.special import ndtr, ndtri

        low, high = (ndtr((end - spec.mean) / spec.deviation) for end in (spec.least, spec.most))
        drawn = spec.mean + spec.deviation * ndtri(rng.uniform(low, high, count))
        return np.round(np.clip(drawn, spec.least, spec.most), 3)
    low, high = spec if isinstance(spec, tuple) else (spec, spec)
    return np.round(rng.uniform(low, high, count), 3)


def ends_of(spec: Draw) -> tuple[float, float]:
    """The least and the most that can be drawn."""
    if isinstance(spec, NormalTable):
        return spec.least, spec.most
    return spec if isinstance(spec, tuple) else (spec, spec)


def _range(value: Any) -> Any:
    good = len(value) == 2 and all(isinstance(part, int | float) and not isinstance(part, bool) for part in value)
    if not good or not value[0] <= value[1]:
        raise ValueError("needs a number, a range [low, high], or a table { mean, deviation, least, most }")
    return float(value[0]), float(value[1])


def _tag(value: Any) -> str:
    kinds = {tuple: "kind:range", dict: "kind:normal", NormalTable: "kind:normal"}
    return kinds.get(type(value), "kind:number")


def _within(least: float, most: float) -> Callable[[Draw], Draw]:
    def check(spec: Draw) -> Draw:
        low, high = ends_of(spec)
        if not (least <= low and high <= most):
            raise ValueError(f"must lie between {least:g} and {most:g}")
        return spec

    return check


def drawn_between(least: float, most: float) -> Any:
    """The type of a number that may be drawn, with the limits of everything that can be."""
    number = Annotated[float, Tag("kind:number")]
    schema = WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
    pair = Annotated[tuple[float, float], BeforeValidator(_range), schema, Tag("kind:range")]
    normal = Annotated[NormalTable, Tag("kind:normal")]
    return Annotated[Union[number, pair, normal], Discriminator(_tag), AfterValidator(_within(least, most))]  # noqa: UP007 - made at run time


SLOWEST, FASTEST = 0.1, 12.0
"""[m/s] Speeds that a scene file may ask for: from a creep to a horse at a canter."""

if TYPE_CHECKING:
    SpeedDraw = TimeDraw = Draw
else:
    SpeedDraw = drawn_between(SLOWEST, FASTEST)
    TimeDraw = drawn_between(0.0, 3600.0)

SPEED_BY_AGE = ((5, 0.74), (10, 1.2), (15, 1.5), (20, 1.61), (30, 1.54), (40, 1.5), (50, 1.41), (60, 1.28),
                (70, 1.07), (80, 0.69))  # fmt: skip
"""[years], [m/s] How fast people of an age walk on the level, after the curve of Weidmann (1993); straight lines
in between. Not read off the original: written from memory, most ages compared with another's approximation of the
figure in RiMEA's guideline (within 0.05 m/s there); 15 and 70 years were compared with nothing."""

AGE_DEVIATION = 0.15
"""[m/s] Standard deviation among people of one age, cut at twice this: ours, chosen so that adults of all ages
together differ by about Weidmann's 0.26. A larger one gives more variety and blurs the ages."""

ADULTS = {"18-30": 0.2, "30-50": 0.35, "50-65": 0.25, "65-80": 0.2}
"""What `ages = "adults"` stands for: shares of ages [years], made up by us; no census."""

_SPAN = re.compile(r"(\d{1,3})-(\d{1,3})")


def _spans(ages: dict[str, float]) -> list[tuple[int, int]]:
    """First and last years of spans such as "20-30"."""
    spans = []
    for text in ages:
        match = _SPAN.fullmatch(text)
        first, last = (int(match[1]), int(match[2])) if match else (1, 0)
        if not SPEED_BY_AGE[0][0] <= first < last <= SPEED_BY_AGE[-1][0]:
            raise ValueError(
                f'{text!r:.40} is no span of ages such as "20-30", within {SPEED_BY_AGE[0][0]} to '
                f"{SPEED_BY_AGE[-1][0]} years"
            )
        spans.append((first, last))
    return spans


def _check_ages(ages: Any) -> Any:
    if ages == "adults":
        return ages
    if not isinstance(ages, dict):
        raise ValueError('needs "adults", or spans and their shares such as { "20-30" = 0.5, "60-70" = 0.5 }')
    _spans(ages)
    return ages


Shares = dict[str, Annotated[float, Field(gt=0.0, le=1e6)]]

Ages = Annotated[
    Annotated[Literal["adults"], Tag("kind:name")]
    | Annotated[Shares, Field(min_length=1, max_length=100), Tag("kind:shares")],
    Discriminator(lambda value: "kind:shares" if isinstance(value, dict) else "kind:name"),
    BeforeValidator(_check_ages),
]
"""Spans of ages [years] with their shares, which need not add up to 1; or the name of some that we know."""


def draw_speeds_by_age(ages: str | dict[str, float], count: int, rng: np.random.Generator) -> Array:
    """How fast (count,) [m/s] people of these ages walk."""
    shares = ADULTS if isinstance(ages, str) else ages
    spans, weights = np.array(_spans(shares)), np.array(list(shares.values()))
    which = rng.choice(len(spans), size=count, p=weights / weights.sum())
    years = spans[which, 0] + rng.random(count) * (spans[which, 1] - spans[which, 0])
    usual = np.interp(years, *np.array(SPEED_BY_AGE).T)
    cut = NormalTable(mean=0.0, deviation=AGE_DEVIATION, least=-2.0 * AGE_DEVIATION, most=2.0 * AGE_DEVIATION)
    return np.round(usual + draw_numbers(cut, count, rng), 3)
