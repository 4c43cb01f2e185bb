"""`walkon plan`: a scene becomes a take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import BODIES, seen_at, takes

if TYPE_CHECKING:
    from walkon.directing import Rehearsal
    from walkon.planning import Plan
    from walkon.world import Scene


def _list_planners(name: str) -> str:
    if name == "list":
        from walkon.directing import PLANNERS

        typer.echo("\n".join(f"{name:10} {choice.about}" for name, choice in PLANNERS.items()))
        raise typer.Exit
    return name


@dataclass(frozen=True)
class PlanOptions:
    """What can be asked for."""

    scene: Path = typer.Argument(help="Scene file (.toml).")
    out: Path = typer.Option(..., "--out", "-o", help="Take to write (.take).")
    seed: int = typer.Option(0, min=0, help="The same seed gives the same take, byte for byte.")
    planner: str = typer.Option(
        "auto", callback=_list_planners, is_eager=True, help="How ways are looked for; 'list' tells what there is."
    )
    bodies: str = BODIES
    budget: float = typer.Option(1.0, min=0.001, help="Seconds for each person, with --planner anytime.")
    seconds: float | None = typer.Option(
        None, min=0.001, help="For everybody together: who has no plan by then is left out."
    )
    expansions: int = typer.Option(900_000, min=3, help="Search nodes for each person, whatever is tried for it.")
    live: bool = typer.Option(
        True, help="Whether a live crowd steps in where others leave somebody no way, if it leaves out fewer."
    )
    library: str = typer.Option("", help="Everyone plays from this library: a cast or a folder.")
    overview: Path | None = typer.Option(None, help="Also draw everybody's paths from above (.png).")
    tree: Path | None = typer.Option(None, help="Also draw the search tree of --of, colored by cost (.png).")
    of: str = typer.Option("", help="Whose search tree; the first character's if not said.")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a summary.")


@takes(PlanOptions)
def plan(asked: PlanOptions) -> None:
    """Plan everybody in a scene and write the take. Ctrl-C keeps those who are finished.

    Exit code 1 if somebody has no plan; the take has the others.
    """
    from walkon.cli._console import progress_callback
    from walkon.crowd import CrowdBudget
    from walkon.directing import choose_planner, rehearse
    from walkon.errors import PlanError
    from walkon.take import write_take

    setting = _setting(asked)
    try:
        search = choose_planner(asked.planner, budget=asked.budget, people=len(setting.characters))
    except PlanError as error:
        raise typer.BadParameter(str(error), param_hint="--planner") from None
    with progress_callback("planning") as progress:
        # Trees that must be grown first move the same bar.
        rehearsal = rehearse(
            setting,
            seed=asked.seed,
            planner=search,
            folder=asked.scene.parent,
            progress=progress,
            growing=progress,
            budget=CrowdBudget(asked.expansions, asked.seconds),
            live=asked.live,
        )
    write_take(rehearsal.take, asked.out)
    _draw(asked, setting, rehearsal)
    _report(rehearsal, asked.out, asked.as_json)
    if rehearsal.take.unplanned:
        raise typer.Exit(1)


def _setting(asked: PlanOptions) -> Scene:
    """The scene, with everybody in the library, and seen at the level, that was asked for."""
    from walkon.world import read_scene

    setting = seen_at(asked.bodies, read_scene(asked.scene, seed=asked.seed))
    if not asked.library:
        return setting
    library = _found(asked.library)
    return replace(setting, characters=tuple(replace(one, library=library) for one in setting.characters))


def _draw(asked: PlanOptions, setting: Scene, rehearsal: Rehearsal) -> None:
    """The pictures that were asked for."""
    from walkon.directing import explore
    from walkon.render import draw_overview, draw_search_tree

    if asked.overview is not None:
        draw_overview(rehearsal.take, asked.overview)
    if asked.tree is not None:
        found = explore(setting, asked.of or setting.characters[0].name, folder=asked.scene.parent)
        if found.tree is not None:
            draw_search_tree(setting, found.tree, asked.tree, plan=found)


def _found(library: str) -> str:
    """A library named on the command line is looked for here first, then beside the scene."""
    here = Path(library)
    return str(here.resolve()) if here.exists() else library


def _report(rehearsal: Rehearsal, out: Path, as_json: bool) -> None:
    from walkon.cli._console import complain, print_json

    take, crowd, live = rehearsal.take, rehearsal.crowd, rehearsal.live
    plans = [made for made in crowd.plans if made is not None]
    motion = sum(take.end_frame(role) if role.arrival is None else role.arrival for role in take.roles)
    motion = (motion - sum(role.start_frame for role in take.roles)) / take.fps
    expanded = sum(made.statistics.expanded for made in plans)
    if as_json:
        print_json(
            {
                "take": str(out),
                "characters": len(crowd.plans),
                "planned": len(take.roles),
                "unplanned": dict(take.unplanned),
                "replanned": crowd.replanned,
                "bodies": take.scene.bodies,
                "seconds_of_motion": round(motion, 3),
                "planning_seconds": round(crowd.seconds, 4),
                "expanded": expanded,
                "trees": _looked_up(plans),
                "length_seconds": round(take.frames / take.fps, 3),
                "planner": take.planner,
                "live": None
                if live is None
                else {
                    "plays": live.take is not None,
                    "outcome": live.outcome,
                    "seconds": round(live.seconds, 4),
                    "unplanned_before": {} if live.take is None else crowd.reasons,
                },
            }
        )
        return
    typer.echo(
        f"{out}: {len(take.roles)} of {len(crowd.plans)} planned, {motion:.0f} s of motion in "
        f"{crowd.seconds:.2f} s ({expanded} nodes expanded, {crowd.replanned} plans changed for others); "
        f"the take is {take.frames / take.fps:.1f} s long"
    )
    if live is not None:
        kept = "the planned ways are kept" if live.take is None else "everybody plays as it did there"
        typer.echo(f"a live crowd, asked to step in: {live.outcome}; {kept} ({live.seconds:.2f} s)")
    looked = _looked_up(plans)
    if looked is not None:
        typer.echo(
            f"trees: {looked['lookups']} lookups; other sub-goals {looked['subgoals']}, waits {looked['waits']}, "
            f"forward searches {looked['searches']}"
        )
    for name, reason in take.unplanned:
        complain(f"no plan for {name}: {reason}")


def _looked_up(plans: list[Plan]) -> dict[str, int] | None:
    """How often trees were asked, and what was done where they had no answer; None if nobody asked them."""
    kinds = ("lookups", "checked", "subgoals", "waits", "searches")
    totals = {kind: sum(getattr(made.statistics, kind) for made in plans) for kind in kinds}
    return totals if totals["lookups"] else None
