"""Universal Scene Description: many characters as UsdSkel, metres, Y up, one time code per frame.

Characters of one skeleton share it and its body: both are written once and referenced. Each character has its own
animation; one whose clip is shorter holds its last pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from walkon.errors import ExportError, MissingExtraError, OutputError
from walkon.export.cast import as_cast, entrances
from walkon.export.scenery import Prop
from walkon.files import atomic_path
from walkon.formats import suffixes_of
from walkon.motion import Clip

USD_SUFFIXES = suffixes_of("usd")


def write_usd(
    path: Path | str,
    clips: Clip | Sequence[Clip],
    *,
    body: bool = True,
    starts: Sequence[int] | None = None,
    frames: int | None = None,
    props: Sequence[Prop] = (),
) -> None:
    """Write characters, one per clip, as a USD file: text for .usda, binary ("crate") for .usdc and .usd.

    body: give every character a skinned mesh; without it a character is a skeleton and its animation.
    starts: frame in which each one appears. frames: of the whole; whoever's clip ends earlier becomes invisible.
    Without it all hold their last pose. props: what else there is. Needs the extra `usd`.
    """
    cast = as_cast(clips)
    begins = entrances(cast, starts)
    suffix = Path(path).suffix.lower()
    if suffix not in USD_SUFFIXES:
        raise ExportError(f"a USD file ends in {', '.join(USD_SUFFIXES)}, not {suffix!r}")
    try:
        from pxr import Tf
    except ImportError as error:
        raise MissingExtraError("usd-core", "usd") from error
    from walkon.export.usd_stage import build_stage

    # A layer dies with its stage, so the stage is what we hold.
    stage = build_stage(cast, body=body, starts=begins, frames=frames, props=props)
    with atomic_path(path) as temporary:
        try:
            written = stage.GetRootLayer().Export(str(temporary))
        except Tf.ErrorException as error:
            raise OutputError(path, str(error.args[0].commentary)) from None
        if not written:
            raise OutputError(path, "USD does not say why")
