"""ASF files: the skeleton that goes with AMC motion, as Acclaim's format and Vicon's notes on it define it.

A bone starts where its parent ends and points along `direction`, given in the global axes of the base pose. Its
`axis` is the frame in which the motion's angles turn it. Here a bone becomes a joint at its start, so that a
bone's length shows as the offset of its children, and every last bone gets a tip at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion.readers.recording import RawMotion
from walkon.motion.readers.source import load_bytes, parse_number, shown, unique_name
from walkon.motion.readers.units import CMU_UNIT
from walkon.rotations import IDENTITY, from_euler
from walkon.skeleton import Skeleton
from walkon.skeleton.skeleton import MAX_JOINTS

INCH = 0.0254
SMALLEST, LARGEST = 0.3, 4.5
"""Sizes [m] between which a skeleton is believed to be in the unit it states."""

DOFS = ("rx", "ry", "rz", "tx", "ty", "tz", "l")

_BONE_FIELDS = ("id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass")
_ROOT_FIELDS = ("order", "axis", "position", "orientation")
_PUNCTUATION = str.maketrans("(),", "   ")


@dataclass(eq=False)
class Bone:
    """One bone, lengths in file units.

    direction: (3,) unit vector in the base pose. length: how long. axis: (4,) frame of the bone's angles.
    dofs: its motion channels in AMC order, which is also the order in which they turn it.
    """

    name: str
    direction: Array = field(default_factory=lambda: np.zeros(3))
    length: float = 0.0
    axis: Array = field(default_factory=lambda: IDENTITY)
    dofs: tuple[str, ...] = ()
    line: int = 0


@dataclass(eq=False)
class AsfSkeleton:
    """What an ASF file says: bones[0] is the root, whose direction and length are zero.

    bones:    B bones, parents first. parents: (B,) index of each one's parent, -1 for the root.
    position: (3,) where the root is set before any motion [file units]; its axis is how it is turned there.
    unit:     metres of a file unit as the file states it, or None. degrees: whether angles are.
    """

    name: str
    bones: list[Bone]
    parents: list[int]
    position: Array
    unit: float | None
    degrees: bool


def read_asf(path: Path | str) -> AsfSkeleton:
    """Read the skeleton of an ASF file."""
    path = Path(path)
    return parse_asf(load_bytes(path), path)


def parse_asf(data: bytes, path: Path) -> AsfSkeleton:
    """The skeleton in the bytes of an ASF file; `path` is for messages."""
    sections = _sections(data, path)
    units = {words[0].lower(): (words[1], line) for line, words in sections.get("units", ()) if len(words) > 1}
    degrees = units.get("angle", ("deg", 0))[0].lower().startswith("deg")
    root, position = _read_root(sections.get("root", []), degrees, path)
    bones = {"root": root}
    for bone in _read_bones(sections.get("bonedata", []), degrees, path):
        if bone.name in bones:
            raise ClipError(f"a second bone {shown(bone.name)}", path=path, line=bone.line)
        if len(bones) >= MAX_JOINTS:
            raise ClipError(f"more than {MAX_JOINTS} bones", path=path, line=bone.line)
        bones[bone.name] = bone
    order, parents = _read_hierarchy(sections.get("hierarchy", []), bones, path)
    unit = None
    if "length" in units:
        length = parse_number(units["length"][0], path, units["length"][1])
        unit = INCH / length if length > 0 else None
    named = sections.get("name")
    return AsfSkeleton(" ".join(named[0][1]) if named else path.stem, order, parents, position, unit, degrees)


def joints_of(asf: AsfSkeleton) -> RawMotion:
    """The base pose as raw motion of one frame: joint i is bone i, then come the tips."""
    names = [bone.name for bone in asf.bones]
    parents = list(asf.parents)
    ends = np.array([bone.length * bone.direction for bone in asf.bones])
    offsets = [asf.position, *(ends[parent] for parent in parents[1:])]
    used = dict.fromkeys(names, 1)
    for bone in sorted(set(range(len(names))) - set(parents)):
        if asf.bones[bone].length > 0:
            names.append(unique_name(f"{names[bone]}_end", used))
            parents.append(bone)
            offsets.append(ends[bone])
    rotations = np.tile(IDENTITY, (1, len(names), 1))
    rotations[:, 0] = asf.bones[0].axis
    raw = RawMotion(
        format="ASF",
        names=names,
        parents=parents,
        offsets=np.array(offsets),
        tips=[i >= len(asf.bones) for i in range(len(names))],
        fps=120.0,
        root_positions=asf.position[None].copy(),
        rotations=rotations,
        up="y",
    )
    # Many writers never set the unit: it is believed when it makes a creature of the skeleton.
    size = Skeleton(raw.names, raw.parents, raw.offsets, raw.tips).size
    if asf.unit is not None and SMALLEST < size * asf.unit < LARGEST:
        raw.unit = ("cmu" if np.isclose(asf.unit, CMU_UNIT) else "stated"), asf.unit
    return raw


Line = tuple[int, list[str]]


def _sections(data: bytes, path: Path) -> dict[str, list[Line]]:
    """Lines of words, with their numbers, under each :keyword in lower case; comments and blank lines gone."""
    sections: dict[str, list[Line]] = {}
    current: list[Line] | None = None
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        words = raw.decode("utf-8", "replace").partition("#")[0].translate(_PUNCTUATION).split()
        if words and words[0].startswith(":"):
            current = sections.setdefault(words[0][1:].lower(), [])
            words = words[1:]
        if words:
            if current is None:
                raise ClipError("an ASF file starts with a :keyword", path=path, line=number)
            current.append((number, words))
    for needed in ("root", "bonedata", "hierarchy"):
        if needed not in sections:
            raise ClipError(f"there is no :{needed} section", path=path)
    return sections


def _fields(lines: list[Line], known: tuple[str, ...]) -> dict[str, Line]:
    """Arguments of each field, with the line it starts on. A field runs until the next known word, or until a
    line that starts with an unknown one."""
    fields: dict[str, Line] = {}
    current: list[str] = []
    for line, words in lines:
        for place, word in enumerate(words):
            key = word.lower()
            if key in known or (place == 0 and key.isalpha() and key not in ("inf", "nan")):
                current = fields.setdefault(key, (line, []))[1]
            else:
                current.append(word)
    return fields


def _vector(field_line: Line, path: Path) -> Array:
    line, words = field_line
    if len(words) < 3:
        raise ClipError("three numbers expected", path=path, line=line)
    return np.array([parse_number(word, path, line) for word in words[:3]])


def _frame(angles: Array, order: str, degrees: bool, path: Path, line: int) -> Array:
    """The rotation that turns about the fixed global axes in `order`, first letter first."""
    if sorted(order.upper()) != ["X", "Y", "Z"]:
        raise ClipError(f"{shown(order)} is not an order of the axes X, Y, Z", path=path, line=line)
    by_axis = dict(zip("XYZ", np.radians(angles) if degrees else angles, strict=True))
    backwards = order.upper()[::-1]
    return from_euler([by_axis[letter] for letter in backwards], backwards)


def _read_root(lines: list[Line], degrees: bool, path: Path) -> tuple[Bone, Array]:
    fields = _fields(lines, _ROOT_FIELDS)
    line, order = fields.get("order", (0, ["TX", "TY", "TZ", "RX", "RY", "RZ"]))
    root = Bone("root", dofs=_dofs(order, path, line), line=line)
    if "orientation" in fields:
        line, axis = fields.get("axis", (0, ["XYZ"]))
        root.axis = _frame(_vector(fields["orientation"], path), "".join(axis), degrees, path, line)
    position = _vector(fields["position"], path) if "position" in fields else np.zeros(3)
    return root, position


def _dofs(words: list[str], path: Path, line: int) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in words)
    for dof in dofs:
        if dof not in DOFS or dofs.count(dof) > 1:
            raise ClipError(f"{shown(dof)} is no degree of freedom, or twice; valid: {DOFS}", path=path, line=line)
    return dofs


def _read_bones(lines: list[Line], degrees: bool, path: Path) -> Iterator[Bone]:
    block: list[Line] | None = None
    for line, words in lines:
        word = words[0].lower()
        if word == "begin":
            block = []
        elif word == "end" and block is not None:
            yield _read_bone(_fields(block, _BONE_FIELDS), degrees, path, line)
            block = None
        elif block is not None:
            block.append((line, words))
        else:
            raise ClipError(f"{shown(words[0])} where begin was expected", path=path, line=line)
    if block is not None:
        raise ClipError("the last bone has no end", path=path, line=lines[-1][0])


def _read_bone(fields: dict[str, Line], degrees: bool, path: Path, line: int) -> Bone:
    for needed in ("name", "direction", "length"):
        if needed not in fields or not fields[needed][1]:
            raise ClipError(f"a bone without {needed}", path=path, line=line)
    direction = _vector(fields["direction"], path)
    norm = np.linalg.norm(direction)
    length = parse_number(fields["length"][1][0], path, fields["length"][0])
    bone = Bone(" ".join(fields["name"][1]), direction / norm if norm > 0 else direction, length, line=line)
    if "axis" in fields:
        axis_line, words = fields["axis"]
        order = "".join(words[3:]) or "XYZ"
        bone.axis = _frame(_vector(fields["axis"], path), order, degrees, path, axis_line)
    if "dof" in fields:
        bone.dofs = _dofs(fields["dof"][1], path, fields["dof"][0])
    return bone


def _read_hierarchy(lines: list[Line], bones: dict[str, Bone], path: Path) -> tuple[list[Bone], list[int]]:
    """The bones in an order with parents first, and each one's parent."""
    children: dict[str, list[str]] = {}
    adopted: set[str] = {"root"}
    for line, words in lines:
        if words[0].lower() in ("begin", "end"):
            continue
        for name in words:
            if name not in bones:
                raise ClipError(f"there is no bone {shown(name)}", path=path, line=line)
        for name in words[1:]:
            if name in adopted:
                raise ClipError(f"{shown(name)} has two parents, or is its own ancestor", path=path, line=line)
            adopted.add(name)
            children.setdefault(words[0], []).append(name)
    order: list[Bone] = []
    parents: list[int] = []
    waiting = [("root", -1)]
    while waiting:
        name, parent = waiting.pop()
        waiting.extend((child, len(order)) for child in reversed(children.get(name, [])))
        order.append(bones[name])
        parents.append(parent)
    if len(order) < len(bones):
        lost = sorted(set(bones) - {bone.name for bone in order})
        raise ClipError(f"bones that hang on nothing: {', '.join(map(shown, lost[:5]))}", path=path)
    return order, parents
