"""A finished take on show: no engine, only its roles as one history, and what the audit says about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from walkon.studio.cast_view import ShownCast, ShownClip
from walkon.studio.motion_bytes import PlayedPart
from walkon.studio.packing import HISTORY, pack
from walkon.studio.scene_view import show_ground, show_obstacle, show_person

if TYPE_CHECKING:
    from walkon.take import Take

MOST_MARKS = 2_000


@dataclass(frozen=True, eq=False)
class _Roles:
    """All roles as commits; see `packing.Committed`."""

    who: NDArray
    starts: NDArray
    clips: NDArray
    frames: NDArray
    placements: NDArray


class TakeShow:
    """A take that can be looked at and nothing else. Browsers play and scrub it by themselves."""

    readonly = True
    planner = ""

    def __init__(self, take: Take) -> None:
        self.take = take
        self.title = take.scene.name
        self.fps = float(take.fps)
        self.frame = max(0, take.frames - 1)
        self.marks: list[dict[str, Any]] | None = None
        groups, numbers, self._performer_of = _group_clips(take)
        self.cast = ShownCast(groups)
        self._roles = _join_roles(take, numbers)

    def scene(self, *, people: bool = True) -> dict[str, Any]:
        """The scene of the take; left: the frame after which someone is gone, if before the end."""
        shown = {
            **show_ground(self.take.scene),
            "obstacles": [show_obstacle(obstacle) for obstacle in self.take.scene.obstacles],
        }
        if people:
            characters = {character.name: character for character in self.take.scene.characters}
            shown["people"] = []
            for who, role in enumerate(self.take.roles):
                goals = characters[role.character].goals
                performer = self._performer_of[int(role.clips[0])]
                person = show_person(who, role.character, performer, goals[-1] if goals else None)
                person["left"] = self.take.end_frame(role) + 1 if role.leaves else None
                shown["people"].append(person)
        return shown

    def history(self) -> bytes:
        """Everything that anybody plays."""
        return pack(HISTORY, self.frame, self._roles)

    def close(self) -> None:
        """Nothing to end."""

    def message(self) -> dict[str, Any]:
        """How long it is and what is wrong with it; audited: whether that is known yet."""
        return {
            "type": "take",
            "frames": self.take.frames,
            "audited": self.marks is not None,
            "marks": self.marks or [],
        }


def audit_marks(take: Take) -> list[dict[str, Any]]:
    """What the audit finds, as marks on the time line. Takes a while: not for the engine's thread."""
    from walkon.metrics import audit

    numbers = {role.character: who for who, role in enumerate(take.roles)}
    marks = []
    for found in audit(take).violations[:MOST_MARKS]:
        marks.append(
            {
                "frame_first": found.first_frame,
                "frame_last": found.last_frame,
                "kind": found.kind,
                "who": numbers.get(found.who),
                "other": numbers.get(found.other, found.other or None),
                "at": None if found.place is None else [round(value, 3) for value in found.place],
                "message": found.message,
            }
        )
    return marks


def _group_clips(take: Take) -> tuple[list[tuple[str, int, list[ShownClip]]], NDArray, dict[int, int]]:
    """Performers by skeleton: name, first clip, clips; the new number of every clip; clip -> performer."""
    firsts: list[int] = []
    members: list[list[int]] = []
    for number, shown in enumerate(take.clips):
        skeleton = shown.clip.skeleton
        for group, first in enumerate(firsts):
            if take.clips[first].clip.skeleton.matches(skeleton):
                members[group].append(number)
                break
        else:
            firsts.append(number)
            members.append([number])
    numbers, performer_of, groups, next_number = np.zeros(len(take.clips), dtype=np.int64), {}, [], 0
    for group, clips in enumerate(members):
        shown = [take.clips[clip] for clip in clips]
        views = [ShownClip(PlayedPart(one.clip, one.first, one.last), one.behavior, one.kind) for one in shown]
        groups.append((f"{shown[0].library} {group}", next_number, views))
        for clip in clips:
            numbers[clip], performer_of[clip] = next_number, group
            next_number += 1
    return groups, numbers, performer_of


def _join_roles(take: Take, numbers: NDArray) -> _Roles:
    roles = take.roles
    lengths = np.array([len(role) for role in roles], dtype=np.int64)
    return _Roles(
        np.arange(len(roles)),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        numbers[np.concatenate([role.clips for role in roles])] if roles else np.zeros(0, dtype=np.int64),
        np.concatenate([role.frames for role in roles]) if roles else np.zeros(0, dtype=np.int64),
        np.concatenate([role.placements for role in roles]) if roles else np.zeros((0, 3)),
    )
