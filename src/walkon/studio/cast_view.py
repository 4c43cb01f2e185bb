"""Performers as the browser knows them: which clips they have, and where in their motion file each begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from walkon.studio.motion_bytes import PlayedPart, bake

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph


@dataclass(frozen=True)
class ShownClip:
    """A clip that is played: its core, and what it shows."""

    core: PlayedPart
    behavior: str
    kind: str


class ShownCast:
    """All performers of a show, each with its clips; their motion is baked when it is first asked for."""

    def __init__(self, performers: Iterable[tuple[str, int, Sequence[ShownClip]]]) -> None:
        """performers: name, number of the first clip, clips."""
        self._performers = [(name, first, tuple(clips)) for name, first, clips in performers]
        self._baked: dict[int, bytes] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._performers)

    @cached_property
    def view(self) -> list[dict[str, Any]]:
        """For the hello."""
        return [self._view(number, *performer) for number, performer in enumerate(self._performers)]

    def _view(self, number: int, name: str, first_clip: int, clips: Sequence[ShownClip]) -> dict[str, Any]:
        rows, shown = 0, []
        for clip in clips:
            duration = clip.core.rows - 1
            shown.append({"first_row": rows, "duration": duration, "behavior": clip.behavior, "kind": clip.kind})
            rows += clip.core.rows
        return {
            "url": f"/motion/{number}.bin",
            "name": name,
            "joints": len(clips[0].core.clip.skeleton),
            "frames": rows,
            "first_clip": first_clip,
            "clips": shown,
        }

    def motion(self, number: int) -> bytes | None:
        """The motion file of a performer; None if there is none of that number. May be called from any thread."""
        if not 0 <= number < len(self._performers):
            return None
        with self._lock:
            if number not in self._baked:
                self._baked[number] = bake([clip.core for clip in self._performers[number][2]])
            return self._baked[number]


def clips_of(graph: BehaviorGraph) -> list[ShownClip]:
    """The clips of a behavior graph, by their numbers."""
    found = []
    for number in range(len(graph.durations)):
        shown, behavior = graph.clip(number), graph.library.behaviors[graph.behavior_of(number)]
        found.append(ShownClip(PlayedPart(shown.clip, shown.first, shown.last), behavior.name, behavior.kind))
    return found
