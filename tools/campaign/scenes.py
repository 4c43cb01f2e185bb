"""Everybody arrives: every example and classic scene, by every planner, with seeds 0 to 4; all of it audited.

Scenes with few people come first. `scenes.jsonl` gets a line for each try as it ends: who had a plan, who arrived,
how long it took.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .forking import run_forked
from .people import told
from .progress import Keeper

if TYPE_CHECKING:
    from walkon.world import Scene

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "scenes"
SEEDS = 5
LONGEST = 1800.0
"""[s] for one try. 300 people take minutes; with less, slow planners would count as failed."""


class Try(NamedTuple):
    """A scene, by the name of its file or of the classic scene, how it is planned, and the seed of both."""

    scene: str
    planner: str
    seed: int

    def __str__(self) -> str:
        return f"{self.scene}, {self.planner}, seed {self.seed}"


def run_scenes(keeper: Keeper) -> None:
    """One try after another until all are done."""
    progress, tries = keeper.progress, list(all_tries(all_names()))
    progress.wanted = min(progress.wanted, len(tries) - progress.number + progress.tries)
    outcome(tries[0])  # children find compiled what their parent has used
    while not keeper.over and progress.number < len(tries):
        one = tries[progress.number]
        ended = run_forked(
            lambda one=one: sys.stdout.write("\nfound " + json.dumps(outcome(one))), longest=LONGEST
        )
        found = json.loads(ended.out.rsplit("found ", 1)[1]) if ended.code == 0 else {}
        why = ended.err.strip().splitlines()[-1:] or [f"nothing after {LONGEST:g} s"]
        wrong = found.get("wrong", [(str(one), why[0])])
        with (keeper.folder / "scenes.jsonl").open("a") as lines:
            lines.write(json.dumps({**one._asdict(), "seconds": round(ended.seconds, 1), **found}) + "\n")
        progress.count(one.planner)
        for what, message in wrong:
            progress.fail(what, message, f"--parts scenes --number {progress.number}")
        progress.number += 1
    keeper.save()


def all_names() -> list[str]:
    """The scenes of examples, and the classic ones."""
    from walkon.world.classics import classic_names

    return [path.stem for path in sorted(EXAMPLES.glob("*.toml"))] + list(classic_names())


def all_tries(names: Sequence[str]) -> Iterator[Try]:
    """Every scene with every planner and seed, those with few people first."""
    from walkon.directing import PLANNERS

    for name in sorted(names, key=lambda name: len(read(name, 0).characters)):
        for planner in PLANNERS:
            yield from (Try(name, planner, seed) for seed in range(SEEDS))


def read(name: str, seed: int) -> Scene:
    """A scene as the seed makes it."""
    from walkon.world import read_scene
    from walkon.world.classics import classic_names, classic_scene_text

    return read_scene(
        classic_scene_text(name, seed) if name in classic_names() else EXAMPLES / f"{name}.toml", seed=seed
    )


def outcome(one: Try) -> dict[str, object]:
    """What came of a try. wrong: (what, message) of those without a plan, and of violations."""
    from walkon.directing import choose_planner, rehearse
    from walkon.metrics import audit

    scene = read(one.scene, one.seed)
    planner = choose_planner(one.planner, people=len(scene.characters))
    rehearsal = rehearse(scene, seed=one.seed, planner=planner, folder=EXAMPLES)
    take = rehearsal.take
    found = audit(take).violations if take.roles else ()
    missed = {violation.who for violation in found if violation.kind == "goal"}
    wrong = [(str(one), f"{who} has no plan: {why}") for who, why in take.unplanned]
    return {
        "people": len(scene.characters),
        "arrived": len({role.character for role in take.roles} - missed),
        "planning": round(rehearsal.crowd.seconds, 2),
        "violations": len(found),
        "wrong": wrong + told(str(one), found),
    }
