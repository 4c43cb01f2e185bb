"""A take of what a live crowd has played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from walkon.crowd.live.commits import Diary
from walkon.crowd.live.people import LivePerson
from walkon.crowd.live.repertoire import Repertoire
from walkon.rotations import Placement
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, Scene


def write_take(
    base: Scene,
    people: Sequence[LivePerson],
    diary: Diary,
    repertoire: Repertoire,
    *,
    frames: int,
    seed: int,
    planner: str,
) -> Take:
    """Everything up to a frame. base: the scene without people. Whoever played nothing is left out."""
    who, clips, starts, places = diary.read()
    order = np.argsort(who, kind="stable")
    who, clips, starts, places = who[order], clips[order], starts[order], places[order]
    book: dict[int, int] = {}
    characters, roles = [], []
    names: set[str] = set()
    for person in people:
        first, stop = np.searchsorted(who, [person.number, person.number + 1])
        own = slice(first, first + _played(clips[first:stop], starts[first:stop], person.left, frames, repertoire))
        if own.stop <= own.start:
            continue
        # Somebody who left and another who came may have had the same name.
        name = person.name if person.name not in names else f"{person.name}~{person.number}"
        names.add(name)
        numbers = [book.setdefault(int(clip), len(book)) for clip in clips[own]]
        characters.append(_as_it_was(person, name, starts[own], places[own], base.fps))
        arrival = person.reached[-1][0] if characters[-1].goals else None
        roles.append(Role(name, np.array(numbers), starts[own], places[own], arrival, person.left is not None))
    scene = replace(base, characters=tuple(characters), duration=max(frames / base.fps, 1.0))
    shown = tuple(_take_clip(repertoire, clip) for clip in book)
    return Take(scene, base.fps, max(frames, 0), shown, tuple(roles), (), seed, planner)


def _played(clips: np.ndarray, starts: np.ndarray, left: int | None, frames: int, repertoire: Repertoire) -> int:
    """How many of somebody's segments a take of this many frames shows.

    A role plays its clips to the end: whoever was taken away in the middle of one is gone when it begins.
    """
    if left is None:
        return int(np.searchsorted(starts, frames))
    return int(np.searchsorted(starts + repertoire.moves.durations[clips], left, side="right"))


def _as_it_was(person: LivePerson, name: str, starts: np.ndarray, places: np.ndarray, fps: float) -> Character:
    """The character with the start it had; with a goal only if that is where it ended up."""
    arrived = bool(person.reached) and not person.agenda
    if arrived and person.character.at_goal == "leave":
        arrived = person.left == person.reached[-1][0]  # it left because it was there
    return replace(
        person.character,
        name=name,
        start=Placement(*map(float, places[0])),
        start_time=float(starts[0]) / fps,
        goals=(person.reached[-1][1],) if arrived else (),
        # Who was taken away has left, whatever was planned.
        at_goal=person.character.at_goal if person.left is None else "leave",
    )


def _take_clip(repertoire: Repertoire, number: int) -> TakeClip:
    performer = repertoire.performer_of(number)
    own = number - performer.first_clip
    shown, behavior = (
        performer.graph.clip(own),
        performer.graph.library.behaviors[performer.graph.behavior_of(own)],
    )
    return TakeClip(
        shown.clip, shown.margin, behavior.name, behavior.kind, behavior.entry, behavior.exit, performer.library
    )
