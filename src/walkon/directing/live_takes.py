"""Takes that a live crowd plays, of the scenes that planners are given."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

from walkon.basics import Progress
from walkon.crowd.live import Live
from walkon.directing.planning import TAIL
from walkon.take import Role, Take
from walkon.world import Character, Scene

LOOKED_AT = 10
"""Frames between two looks at who has arrived. With more, takes end later than they could; with fewer, it takes
longer to play them."""


def live_take(
    scene: Scene,
    *,
    seed: int = 0,
    folder: Path | None = None,
    progress: Progress | None = None,
    patience: float = math.inf,
    needed: int = 0,
    deadline: float = math.inf,
) -> Take:
    """A live crowd plays until everybody has arrived, or for as long as the scene allows. Who has not arrived is
    in the take as well, without an arrival; who never appeared is in `unplanned`.

    progress: called with (arrived so far, all). patience: [s] of the scene after which it ends if nobody has
    arrived in the meantime. needed: people; it ends after half of the time if less than a quarter of them have
    arrived by then. deadline: by the clock of `time.perf_counter` [s], when it ends.
    """
    live = Live(scene, seed=seed, folder=folder)
    try:
        _play(live, scene, progress, patience, needed, deadline)
        take = live.take()
    finally:
        live.close()
    # A live crowd writes down the goals that were reached; here all that were wanted count.
    goals = {one.name: one.goals for one in take.scene.characters}
    characters = tuple(_as_it_went(one, goals.get(one.name, ())) for one in scene.characters)
    roles = {role.character: role for role in take.roles}
    roles |= {name: replace(role, arrival=take.end_frame(role)) for name, role in roles.items() if role.leaves}
    present = tuple(roles[one.name] for one in characters if one.name in roles)
    missing = tuple((one.name, "never appeared") for one in characters if one.name not in roles)
    return replace(take, scene=replace(scene, characters=characters), roles=present, unplanned=missing)


def _play(
    live: Live, scene: Scene, progress: Progress | None, patience: float, needed: int, deadline: float
) -> None:
    """Step a live crowd through a scene."""
    people, most, since = len(scene.characters), -1, 0.0
    begins = max((one.start_time + one.premovement for one in scene.characters), default=0.0)
    for frame in range(max(round(scene.duration * scene.fps), 1)):
        live.step()
        if frame % LOOKED_AT:
            continue
        arrived = people - len(live.coming) - int((~live.state().arrived).sum())
        if progress is not None:
            progress(arrived, people)
        if arrived > most:
            most, since = arrived, live.time
        if arrived == people:
            live.step(TAIL)
            return
        stuck = live.time - max(since, begins) > patience
        slow = 2.0 * live.time > scene.duration + begins and 4 * arrived < needed
        if stuck or slow or time.perf_counter() > deadline:
            return


def _as_it_went(character: Character, reached: tuple) -> Character:
    """A character with the exit that it took, if it could choose."""
    if len(character.exits) < 2 or not reached:
        return character
    return replace(character, goals=(*character.goals[:-1], reached[-1]))


def arrived_only(take: Take) -> Take:
    """The take of a live crowd as planners write theirs: who has not arrived, or has appeared late, is in
    `unplanned`, and it ends soon after the last one has arrived."""
    characters = {one.name: one for one in take.scene.characters}
    missed = {role.character: _missed(take, characters[role.character], role) for role in take.roles}
    kept = [role for role in take.roles if not missed[role.character]]
    last = max((role.arrival for role in kept if role.arrival is not None), default=0)
    frames = min(last + 1 + round(TAIL * take.fps), take.frames)
    reasons = missed | dict(take.unplanned)
    return replace(
        take,
        frames=frames,
        roles=tuple(_until(role, frames) for role in kept),
        unplanned=tuple((name, reasons[name]) for name in characters if reasons[name]),
    )


def _missed(take: Take, character: Character, role: Role) -> str:
    """What somebody did not do that the scene asks for; empty if it did it all."""
    late = role.start_frame / take.fps - character.start_time
    if late * take.fps > 1.0:
        return f"live, it could not appear for {late:.1f} s: somebody was where it starts"
    return f"live, it has not arrived after {take.frames / take.fps:.0f} s" if role.arrival is None else ""


def _until(role: Role, frames: int) -> Role:
    """A role without the segments that begin after these frames."""
    shown = role.frames < frames
    return replace(role, clips=role.clips[shown], frames=role.frames[shown], placements=role.placements[shown])
