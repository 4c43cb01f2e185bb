"""What all records of the wire share: exact types, no unknown fields, no NaN."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from walkon.studio.limits import FARTHEST_COORDINATE


class WireRecord(BaseModel):
    """Part of a message."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


NewName = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^\w[^\x00-\x1f\x7f/\\]*$")]
"""A name that a scene file may have; see `walkon.world.document_parts`."""

Name = Annotated[str, Field(min_length=1, max_length=200)]
"""The name of something that is there."""

Coordinate = Annotated[float, Field(ge=-FARTHEST_COORDINATE, le=FARTHEST_COORDINATE)]
