"""Crowds by the hour: random scenes, level and hilly, classic scenes, live runs; every second is audited.

Counted are person-seconds: one person there for one second, looked at in every frame and between.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .forking import run_forked
from .progress import Keeper

if TYPE_CHECKING:
    from walkon.metrics.audit import Violation
    from walkon.take import Take
    from walkon.world import Scene

ROOT = Path(__file__).resolve().parents[2]
BATCH = 20
"""Random scenes of one try: each takes a fraction of a second."""

LONGEST = 1800.0
"""[s] for one try. The largest classic scenes take minutes to plan."""

LIVE_PEOPLE, LIVE_SECONDS = 300, 60.0
TURNS = ("level", "terrain", "classic") * 4 + ("live",)
"""Kinds of tries in their order: a live run takes as long as a dozen others."""

Found = tuple[float, list[tuple[str, str]]]
"""Person-seconds that were audited, and (what, message) of each violation."""


def run_people(keeper: Keeper) -> None:
    """One try after another, of all kinds by turns, until there were enough."""
    progress = keeper.progress
    for kind in ("level", "terrain"):
        # Children find compiled what their parent has used.
        KINDS[kind](0)
    while not keeper.over:
        kind, number = turn(progress.number)
        seconds, wrong = audited(kind, progress.seed * 100_000 + number)
        progress.count(kind, seconds)
        again = f"--parts people --seed {progress.seed} --number {progress.number}"
        for what, message in wrong:
            progress.fail(f"{kind}: {what}", message, again)
        progress.number += 1
    keeper.save()


def turn(number: int) -> tuple[str, int]:
    """Which kind the try of this number is, and the how-manieth of that kind."""
    rounds, place = divmod(number, len(TURNS))
    kind = TURNS[place]
    return kind, rounds * TURNS.count(kind) + TURNS[:place].count(kind)


def audited(kind: str, number: int) -> Found:
    """A try in a child."""
    ended = run_forked(lambda: sys.stdout.write("\nfound " + json.dumps(KINDS[kind](number))), longest=LONGEST)
    if ended.code != 0:
        why = ended.err.strip().splitlines()[-1:] or [f"nothing after {LONGEST:g} s"]
        return 0.0, [(f"number {number}", why[0])]
    seconds, wrong = json.loads(ended.out.rsplit("found ", 1)[1])
    return seconds, wrong


def _random(number: int, make: Callable[[int], Scene]) -> Found:
    """A batch of random scenes. Who cannot be planned is an answer; a scene that is refused is one too."""
    from walkon.directing import plan_scene
    from walkon.errors import WalkonError
    from walkon.metrics import audit
    from walkon.planning import AStar

    seconds, wrong = 0.0, []
    for seed in range(BATCH * number, BATCH * (number + 1)):
        try:
            take = plan_scene(make(seed), seed=seed, planner=AStar(inflation=2.0, max_expansions=2000))
        except WalkonError:
            continue
        seconds += person_seconds(take)
        wrong += told(f"scene {seed}", audit(take).violations if take.roles else ())
    return seconds, wrong


def _level(number: int) -> Found:
    return _random(number, scene_maker("test_random_scenes"))


def _terrain(number: int) -> Found:
    return _random(number, scene_maker("test_random_terrain"))


def scene_maker(name: str) -> Callable[[int], Scene]:
    """`random_scene` of one of the property tests, which try the first of these scenes."""
    path = ROOT / "tests" / "properties" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # noqa: S101
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.random_scene


def _classic(number: int) -> Found:
    from walkon.directing import plan_scene
    from walkon.metrics import audit
    from walkon.world import read_scene
    from walkon.world.classics import classic_names, classic_scene_text

    names = classic_names()
    name, seed = names[number % len(names)], number // len(names)
    take = plan_scene(read_scene(classic_scene_text(name, seed)), seed=0)
    wrong = [(f"{name}, seed {seed}", f"{who} has no plan: {why}") for who, why in take.unplanned]
    return person_seconds(take), wrong + told(f"{name}, seed {seed}", audit(take).violations)


def _live(number: int) -> Found:
    """A crowd that somebody meddles with: `tools/soak_live.py`."""
    sys.path[:0] = [str(ROOT / "tools")]
    soak = importlib.import_module("soak_live").soak
    outcome = soak(LIVE_SECONDS, people=LIVE_PEOPLE, seed=number, pace=0.0)
    wrong = told(f"live, seed {number}", outcome.wrong)
    if not outcome.same:
        wrong.append((f"live, seed {number}", "played again, the log gives other commits"))
    return LIVE_PEOPLE * LIVE_SECONDS, wrong


KINDS: dict[str, Callable[[int], Found]] = {
    "level": _level,
    "terrain": _terrain,
    "classic": _classic,
    "live": _live,
}


def told(what: str, violations: Iterable[Violation]) -> list[tuple[str, str]]:
    """One line for each kind of violation, with the first one's words."""
    found: dict[str, list[Any]] = {}
    for one in violations:
        found.setdefault(one.kind, []).append(one)
    return [
        (f"{kind}, {what}", f"{len(some)} of them: {some[0].message} ({some[0].time:.2f} s, {some[0].who})")
        for kind, some in found.items()
    ]


def person_seconds(take: Take) -> float:
    """Seconds for which somebody is there, of all people together."""
    ends = [
        int(role.frames[-1]) + take.clips[int(role.clips[-1])].duration if role.leaves else take.frames
        for role in take.roles
    ]
    return sum(end - role.start_frame for end, role in zip(ends, take.roles, strict=True)) / take.fps
