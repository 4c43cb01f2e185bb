"""The clips and roles of a take as JSON and arrays, and back. Skeletons are shared, as are equal arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from walkon.errors import TakeError
from walkon.motion import Clip, Contacts, Label
from walkon.records import JsonObject
from walkon.skeleton import Skeleton
from walkon.take.arrays import ArrayReader, ArrayWriter
from walkon.take.model import Role, Take, TakeClip
from walkon.world import Scene


def describe_cast(take: Take, arrays: ArrayWriter) -> dict[str, Any]:
    """All of a take but its scene; its arrays go to `arrays`, and their names here."""
    skeletons: list[Skeleton] = []
    clips = [_describe_clip(shown, skeletons, arrays) for shown in take.clips]
    return {
        "fps": float(take.fps),
        "frames": int(take.frames),
        "seed": int(take.seed),
        "planner": take.planner,
        "unplanned": [{"character": name, "reason": reason} for name, reason in take.unplanned],
        "skeletons": [_describe_skeleton(skeleton, arrays) for skeleton in skeletons],
        "clips": clips,
        "roles": [_describe_role(role, arrays) for role in take.roles],
    }


def build_take(record: JsonObject, scene: Scene, arrays: ArrayReader) -> Take:
    """The take that was described."""
    skeletons = [_build_skeleton(item, arrays) for item in record.records("skeletons")]
    return Take(
        scene=scene,
        fps=record.number("fps"),
        frames=record.integer("frames"),
        clips=tuple(_build_clip(item, skeletons, arrays) for item in record.records("clips")),
        roles=tuple(_build_role(item, arrays) for item in record.records("roles")),
        unplanned=tuple((item.text("character"), item.text("reason")) for item in record.records("unplanned")),
        seed=record.integer("seed"),
        planner=record.text("planner"),
    )


def _number_of(skeleton: Skeleton, skeletons: list[Skeleton]) -> int:
    """Where the skeleton, or one exactly like it, stands in the list; it is added if it is new."""
    for index, known in enumerate(skeletons):
        same = known.same_topology(skeleton) and np.array_equal(known.tips, skeleton.tips)
        if known is skeleton or (same and np.array_equal(known.offsets, skeleton.offsets)):
            return index
    skeletons.append(skeleton)
    return len(skeletons) - 1


def _describe_skeleton(skeleton: Skeleton, arrays: ArrayWriter) -> dict[str, Any]:
    return {
        "names": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "tips": np.flatnonzero(skeleton.tips).tolist(),
        "offsets": arrays.add(skeleton.offsets, "<f8"),
    }


def _build_skeleton(record: JsonObject, arrays: ArrayReader) -> Skeleton:
    names = record.texts("names")
    tips = np.isin(np.arange(len(names)), record.integers("tips"))
    offsets = arrays.get(record, "offsets", "<f8", (len(names), 3))
    return Skeleton(names, record.integers("parents"), offsets, tips)


def _describe_clip(shown: TakeClip, skeletons: list[Skeleton], arrays: ArrayWriter) -> dict[str, Any]:
    clip, contacts = shown.clip, shown.clip.contacts
    return {
        "name": clip.name,
        "behavior": shown.behavior,
        "kind": shown.kind,
        "entry": shown.entry,
        "exit": shown.exit,
        "library": shown.library,
        "margin": int(shown.margin),
        "skeleton": _number_of(clip.skeleton, skeletons),
        "fps": float(clip.fps),
        "root_positions": arrays.add(clip.root_positions, "<f8"),
        "rotations": arrays.add(clip.rotations, "<f8"),
        "bone_offsets": None if clip.bone_offsets is None else arrays.add(clip.bone_offsets, "<f8"),
        "labels": [
            {"name": label.name, "start": int(label.start), "stop": int(label.stop)} for label in clip.labels
        ],
        "contacts": None
        if contacts is None
        else {"joints": list(contacts.joints), "planted": arrays.add(contacts.planted, "|b1")},
    }


def _build_clip(record: JsonObject, skeletons: list[Skeleton], arrays: ArrayReader) -> TakeClip:
    number = record.integer("skeleton")
    if not 0 <= number < len(skeletons):
        raise TakeError(f"{record.place}.skeleton: there is no skeleton {number}")
    joints = len(skeletons[number])
    stretched = (
        arrays.get(record, "bone_offsets", "<f8", (None, joints, 3)) if record.has("bone_offsets") else None
    )
    clip = Clip(
        name=record.text("name"),
        skeleton=skeletons[number],
        fps=record.number("fps"),
        root_positions=arrays.get(record, "root_positions", "<f8", (None, 3)),
        rotations=arrays.get(record, "rotations", "<f8", (None, joints, 4)),
        bone_offsets=stretched,
        labels=tuple(
            Label(label.text("name"), label.integer("start"), label.integer("stop"))
            for label in record.records("labels")
        ),
        contacts=_build_contacts(record.record("contacts"), arrays) if record.has("contacts") else None,
    )
    names = (record.text(field) for field in ("behavior", "kind", "entry", "exit", "library"))
    return TakeClip(clip, record.integer("margin"), *names)


def _build_contacts(record: JsonObject, arrays: ArrayReader) -> Contacts:
    joints = record.texts("joints")
    return Contacts(joints, arrays.get(record, "planted", "|b1", (None, len(joints))))


def _describe_role(role: Role, arrays: ArrayWriter) -> dict[str, Any]:
    return {
        "character": role.character,
        "clips": arrays.add(role.clips, "<i8"),
        "frames": arrays.add(role.frames, "<i8"),
        "placements": arrays.add(role.placements, "<f8"),
        "arrival": None if role.arrival is None else int(role.arrival),
        "leaves": bool(role.leaves),
    }


def _build_role(record: JsonObject, arrays: ArrayReader) -> Role:
    return Role(
        character=record.text("character"),
        clips=arrays.get(record, "clips", "<i8", (None,)),
        frames=arrays.get(record, "frames", "<i8", (None,)),
        placements=arrays.get(record, "placements", "<f8", (None, 3)),
        arrival=record.integer("arrival") if record.has("arrival") else None,
        leaves=record.flag("leaves"),
    )
