"""Rows of `walkon bench plausibility` about a thousand people for a minute: how long it takes to measure them."""

from __future__ import annotations

import gc
import resource
import time
from typing import TYPE_CHECKING

import numpy as np
from _plausibility_rows import EMPTY

if TYPE_CHECKING:
    from walkon.metrics import Trajectories
    from walkon.take import Take, TakeClip

PERFORMERS = 3
APART = 1.8
"""[m] Between those who start side by side."""

AIM = 10.0
"""[s] At most, of measuring a take without its audit."""

Row = dict[str, object]


def crowd_rows(people: int, seconds: float, few: int) -> list[Row]:
    """Trajectories, the take, and the plain twin."""
    from walkon.metrics import measure, of_take

    take = wandering(people, seconds)
    measure(wandering(3, 5.0), audited=False)  # compiles
    trajectories = of_take(take)
    pairs = people * (people - 1) // 2
    before = _megabytes()
    alone, _ = _timed(lambda: measure(trajectories))
    twin, _ = _timed(lambda: plain_pairs(trajectories.choose(range(few))))
    plain = few * (few - 1) // 2 / twin
    gc.collect()
    whole, cpu = _timed(lambda: measure(take, audited=False))
    used = {(a, b) for role in take.roles for a, b in zip(role.clips[:-1], role.clips[1:], strict=True)}
    met = "met" if whole <= AIM else "not met"
    ratio = pairs / alone / plain
    said = (
        f"{alone:.2f} s, {pairs / alone:.3g} pairs a second: {ratio:.0f} times those of plain Python "
        f"({plain:.3g}, proximity and synchronicity alone, of {few} people)"
    )
    segments = sum(len(role) for role in take.roles)
    told = (
        f"{whole:.2f} s ({cpu:.1f} s of processors): at most {AIM:g} s: {met}; {segments} segments, {len(used)} "
        f"pairs of clips; {_megabytes():.0f} MB at most, {before:.0f} before"
    )
    return [_row(people, "trajectories", said), _row(people, "take, not audited", told)]


def _row(people: int, who: str, remark: str) -> Row:
    return EMPTY | {"scene": f"{people} people", "who": who, "remark": remark}


def _timed(work) -> tuple[float, float]:
    begun, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begun, time.process_time() - busy


def _megabytes() -> float:
    """The most memory that the process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def wandering(people: int, seconds: float) -> Take:
    """A take in which people walk about at random: any clip of walking that may follow, one after another."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library
    from walkon.rotations import Placement
    from walkon.take import Role, Take, TakeClip
    from walkon.world import Character, Scene, flat_terrain

    graphs = [build_graph(fetch_library("human", performer)) for performer in range(PERFORMERS)]
    shown, first = [], []
    for graph in graphs:
        first.append(len(shown))
        for number in range(len(graph.durations)):
            behavior, clip = graph.library.behaviors[graph.behavior_of(number)], graph.clip(number)
            shown.append(
                TakeClip(
                    clip.clip, clip.margin, behavior.name, behavior.kind, behavior.entry, behavior.exit, "human"
                )
            )
    rng = np.random.default_rng(0)
    frames, side = round(seconds * graphs[0].fps), int(np.ceil(np.sqrt(people)))
    roles, characters = [], []
    for person in range(people):
        number, graph = first[person % PERFORMERS], graphs[person % PERFORMERS]
        walks = [clip for clip in range(len(graph.durations)) if _walks(shown[number + clip])]
        at = Placement(APART * (person % side), APART * (person // side), float(rng.uniform(-np.pi, np.pi)))
        start, pose, frame, played = at, "walk", 0, []
        while frame < frames:
            clip = int(rng.choice([clip for clip in walks if shown[number + clip].entry == pose]))
            played.append((number + clip, frame, (at.x, at.z, at.heading)))
            at = at @ Placement(*map(float, graph.displacements[clip]))
            frame, pose = frame + int(graph.durations[clip]), shown[number + clip].exit
        clips, begins, places = (np.array(column) for column in zip(*played, strict=True))
        roles.append(Role(f"person {person}", clips, begins, places, None, False))
        characters.append(Character(f"person {person}", start, (), performer=person % PERFORMERS))
    room = APART * side + 2.0 * seconds
    bounds = (-2.0 * seconds, -2.0 * seconds, room, room)
    scene = Scene("wandering", bounds, flat_terrain(bounds), characters=tuple(characters), duration=seconds)
    return Take(scene, graphs[0].fps, frames, tuple(shown), tuple(roles))


def _walks(clip: TakeClip) -> bool:
    return clip.kind in ("locomotion", "transition") and "jog" not in clip.behavior


def plain_pairs(trajectories: Trajectories) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float]]:
    """Nearest distances [m] at frames and mean synchronicities of all pairs, the plain way."""
    from walkon.metrics import resample
    from walkon.metrics.plausibility import measure_kinematics

    people = resample(trajectories)
    found = measure_kinematics(people)
    nearest, means = {}, {}
    for i in range(len(people)):
        for j in range(i + 1, len(people)):
            a, b = people.path(i), people.path(j)
            least, total = np.inf, 0.0
            for k in range(len(a)):
                dx, dz = a[k, 0] - b[k, 0], a[k, 1] - b[k, 1]
                least = min(least, dx * dx + dz * dz)
                if not 0 < k < len(a) - 1:
                    continue
                m, n = people.offsets[i] + k, people.offsets[j] + k
                normal = abs(found.normal[m]) - abs(found.normal[n])
                along = found.tangential[m] - found.tangential[n]
                total += 1.0 / ((1.0 + normal * normal) * (1.0 + along * along))
            nearest[i, j], means[i, j] = float(np.sqrt(least)), total / (len(a) - 2)
    return nearest, means
