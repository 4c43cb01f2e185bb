"""DeepMimic's motion files: JSON, one list of numbers per frame, each frame with a duration of its own.

A frame is [duration, root position (3), root rotation (4), joint rotations ...]. Which character it moves is known
from its length. Those files look along +x; here the motion is turned to look along +z.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion.readers.assembly import build_recording
from walkon.motion.readers.deepmimic_characters import CHARACTERS, NUMBERS_OF, DeepMimicFigure
from walkon.motion.readers.frame_rate import snap_rate
from walkon.motion.readers.recording import RawMotion, Recording, Trim
from walkon.motion.readers.source import MAX_MAGNITUDE, check_unfolding, load_bytes
from walkon.rotations import IDENTITY, continuous, from_axis_angle, normalize, slerp

_HINGE_AXIS = np.array([0.0, 0.0, 1.0])


def read_deepmimic(
    path: Path | str,
    *,
    units: str | float = "auto",
    up: str = "auto",
    trim: Trim = "none",
    keep_t_pose: bool = False,
) -> Recording:
    """Read a DeepMimic motion file of a known character; see `read_recording` for the options."""
    path = Path(path)
    raw = parse_deepmimic(load_bytes(path), path)
    return build_recording(raw, path, units=units, up=up, trim=trim, keep_t_pose=keep_t_pose)


def parse_deepmimic(data: bytes, path: Path) -> RawMotion:
    """The motion in the bytes of a DeepMimic file, at a steady rate; `path` is for messages."""
    frames = _read_frames(data, path)
    character = next((c for c in CHARACTERS if c.frame_length == frames.shape[1]), None)
    if character is None:
        known = ", ".join(f"{c.frame_length} ({c.name})" for c in CHARACTERS)
        raise ClipError(f"frames of {frames.shape[1]} numbers; known characters have {known}", path=path)
    raw = _stand(character, len(frames))
    raw.root_positions = _towards_z(frames[:, 1:4])
    column = 4
    for joint, definition in enumerate(character.joints):
        numbers = frames[:, column : column + NUMBERS_OF[definition.kind]]
        column += NUMBERS_OF[definition.kind]
        if definition.kind == "hinge":
            numbers = from_axis_angle(_HINGE_AXIS, numbers[:, 0])
        if definition.kind != "fixed":
            raw.rotations[:, joint, 0] = numbers[:, 0]
            raw.rotations[:, joint, 1:] = _towards_z(numbers[:, 1:])
    raw.rotations = continuous(normalize(raw.rotations))
    _keep_steady_time(raw, frames[:, 0], len(data), path)
    return raw


def _read_frames(data: bytes, path: Path) -> Array:
    """Frames (F, N) as the file has them."""
    try:
        content = json.loads(data)
    except json.JSONDecodeError as error:
        raise ClipError(f"not a JSON file: {error.msg}", path=path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise ClipError(f"not a JSON file: {error}", path=path) from None
    rows = content.get("Frames") if isinstance(content, dict) else None
    if not isinstance(rows, list) or not rows:
        raise ClipError("there is no list of Frames", path=path)
    width = len(rows[0]) if isinstance(rows[0], list) else 0
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != width or not all(type(x) in (int, float) for x in row):
            raise ClipError(f"frame {number} is not a list of {width} numbers", path=path)
        if not all(abs(x) <= MAX_MAGNITUDE for x in row):
            raise ClipError(f"frame {number} has a number that is not finite or too large", path=path)
    return np.array(rows, np.float64)


def _stand(character: DeepMimicFigure, frames: int) -> RawMotion:
    """The character in its rest pose for that many frames."""
    names = [joint.name for joint in character.joints] + [f"{parent}_end" for parent, _ in character.tips]
    index = {name: i for i, name in enumerate(names)}
    parents = [-1, *(index[joint.parent] for joint in character.joints[1:])]
    parents += [index[parent] for parent, _ in character.tips]
    offsets = [joint.offset for joint in character.joints] + [offset for _, offset in character.tips]
    return RawMotion(
        format="DeepMimic",
        names=names,
        parents=parents,
        offsets=_towards_z(np.array(offsets)),
        tips=[i >= len(character.joints) for i in range(len(names))],
        fps=60.0,
        root_positions=np.zeros((frames, 3)),
        rotations=np.tile(IDENTITY, (frames, len(names), 1)),
        unit=("m", 1.0),
        up="y",
    )


def _towards_z(vectors: Array) -> Array:
    """Vectors (..., 3), or rotation axes, turned about the up axis so that +x becomes +z."""
    return np.stack([-vectors[..., 2], vectors[..., 1], vectors[..., 0]], axis=-1)


def _keep_steady_time(raw: RawMotion, durations: Array, size: int, path: Path) -> None:
    """Set the frame rate of `raw`, and resample it when its frames do not all last as long.

    The last frame's duration is the way to nothing and does not count.
    """
    lasting = durations[:-1]
    if len(lasting) == 0:
        return
    if not (lasting >= 0).all() or lasting.sum() <= 0:
        raise ClipError("frames last no time", path=path)
    usual = float(np.median(lasting[lasting > 0]))
    if usual < 1e-6:
        raise ClipError(f"frames last {usual:g} s", path=path)
    raw.fps = snap_rate(f"{usual:.6f}", usual)
    if np.abs(lasting - usual).max() <= 1e-4 * usual:
        return
    times = np.concatenate([[0.0], np.cumsum(lasting)])
    count = int(times[-1] * raw.fps + 1e-6) + 1
    check_unfolding(count, len(raw.names), size, path)
    _resample(raw, times, np.arange(count) / raw.fps)
    raw.warnings.append(f"frames last {lasting.min():g} to {lasting.max():g} s; resampled at {raw.fps:g} Hz")


def _resample(raw: RawMotion, times: Array, wanted: Array) -> None:
    """Interpolate `raw`, whose frames are at `times` (F,), at the times `wanted` (G,) [s]."""
    after = np.clip(np.searchsorted(times, wanted, side="right"), 1, len(times) - 1)
    before = after - 1
    span = times[after] - times[before]
    weight = np.clip((wanted - times[before]) / np.where(span > 0, span, 1.0), 0.0, 1.0)
    straight = weight[:, None]
    raw.root_positions = (1 - straight) * raw.root_positions[before] + straight * raw.root_positions[after]
    raw.rotations = continuous(slerp(raw.rotations[before], raw.rotations[after], weight[:, None]))


__all__ = ["parse_deepmimic", "read_deepmimic"]
