"""What a scene file may say in a script: tables of one verb each."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from walkon.world.document_parts import Angle, Point, Table

Label = Annotated[str, Field(min_length=1, max_length=100)]
Tolerance = Annotated[float, Field(gt=0.0, le=50.0)]
HeadingTolerance = Annotated[float, Field(gt=0.0, le=180.0)]
Seconds = Annotated[float, Field(gt=0.0, le=3600.0)]

MOST_STEPS = 1000
MOST_POINTS = 10_000

NEAR_HELP = "how near is there [m]; `tolerance` of the character if left out"


class StepTable(Table):
    """What all steps have."""

    soft: bool = Field(False, description="meet it as nearly as possible; else it must be met")
    weight: float | None = Field(None, gt=0.0, le=1e6, description="how much a soft step counts; 1 if left out")

    @model_validator(mode="after")
    def _soft_alone(self) -> StepTable:
        if self.weight is not None and not self.soft:
            raise ValueError("weight is for steps with soft = true; others must be met")
        return self


class GoTable(StepTable):
    """Go there."""

    go: Point = Field(description="[x, z] [m]")
    tolerance: Tolerance | None = Field(None, description=NEAR_HELP)


class ViaTable(StepTable):
    """Pass by without stopping."""

    via: Point = Field(description="[x, z] [m]")
    tolerance: Tolerance | None = Field(None, description=NEAR_HELP)


class PathTable(StepTable):
    """Follow a line."""

    path: tuple[Point, ...] = Field(
        min_length=2, max_length=MOST_POINTS, description="[[x, z], ...] [m]: a line drawn by hand"
    )
    tolerance: Tolerance | None = Field(
        None, description="how far from it at most [m]; `tolerance` of the character if left out"
    )


class DoTable(StepTable):
    """Do something."""

    do: Label = Field(description="a label of the motion graph")
    times: int | None = Field(None, ge=1, le=1000, description="how often; once if nothing is said")
    seconds: Seconds | None = Field(None, description="instead of times: for how long [s]")

    @model_validator(mode="after")
    def _one_measure(self) -> DoTable:
        if self.times is not None and self.seconds is not None:
            raise ValueError("needs times or seconds, not both")
        return self


class FaceTable(StepTable):
    """Look somewhere."""

    face: Angle = Field(description="where to look [degrees]")
    tolerance: HeadingTolerance | None = Field(
        None, description="to either side [degrees]; `heading_tolerance` of the character if left out"
    )


class StyleTable(StepTable):
    """Get about differently."""

    style: Label = Field(description="a label of the motion graph: how to get about from here on")


class WaitTable(StepTable):
    """Stand."""

    wait: Seconds = Field(description="standing [s]")


STEP_TABLES: dict[str, type[StepTable]] = {
    "go": GoTable,
    "via": ViaTable,
    "path": PathTable,
    "do": DoTable,
    "face": FaceTable,
    "style": StyleTable,
    "wait": WaitTable,
}


def _verb_tag(value: Any) -> str:
    keys = value if isinstance(value, dict) else value.__class__.model_fields if isinstance(value, Table) else ()
    verbs = [verb for verb in STEP_TABLES if verb in keys]
    return f"kind:{verbs[0]}" if len(verbs) == 1 else "kind:none"


AnyStep = Annotated[
    Annotated[GoTable, Tag("kind:go")]
    | Annotated[ViaTable, Tag("kind:via")]
    | Annotated[PathTable, Tag("kind:path")]
    | Annotated[DoTable, Tag("kind:do")]
    | Annotated[FaceTable, Tag("kind:face")]
    | Annotated[StyleTable, Tag("kind:style")]
    | Annotated[WaitTable, Tag("kind:wait")],
    Discriminator(
        _verb_tag,
        custom_error_type="verb",
        custom_error_message="verb",
        custom_error_context={"choices": ", ".join(STEP_TABLES)},
    ),
]
