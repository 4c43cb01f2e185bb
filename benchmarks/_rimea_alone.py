"""RiMEA's tests of single people: 1 and 5 to 7 without 6. Speeds, and when people set off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from _flow_plots import CURVE, OURS, Series, draw
from _flow_watch import Array
from _rimea_pictures import top_view
from _rimea_results import Case, Result
from _rimea_runs import Limits, crossing, evacuate
from _rimea_scenes import free_corridor, lanes, waiting_room

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.world import Scene

ADULTS = ((20.0, 1.61), (30.0, 1.54), (50.0, 1.41), (80.0, 0.68))
"""Ages and speeds [m/s] on level ground after Weidmann (1993), as the guideline's table has them; linear
between."""

SET_OFF, SOON = 0.3, 3.0
"""[m] Who has moved so far has set off; a sway is less. [s] That may take: a decision, and one step or two."""


def free_walk(limits: Limits) -> Result:
    """Test 1."""
    case = Case(
        1, "Walking at a speed", "One person in a corridor of 2 m by 40 m, at 1.33 m/s.", "It takes 26 s to 34 s."
    )
    run = evacuate(free_corridor(), limits)
    taken = crossing(*run.path("p0"), 40.0)
    said = "The person never gets there." if taken is None else f"40 m take {taken:.1f} s, from a stand."
    met = taken is not None and 26.0 <= taken <= 34.0
    shown = (top_view(run, limits, "test-01", "The way."),)
    return case.judge(met, [run], said, value=taken, unit="s", wanted="26 to 34", pictures=shown)


def premovement(limits: Limits) -> Result:
    """Test 5."""
    times = np.linspace(4.0, 22.0, 10) if limits.quick else np.linspace(10.0, 100.0, 10)
    scene, tell = _late(waiting_room(), times)
    how = "goals that are given at that time" if tell else "premovement times of the scene"
    case = Case(
        5,
        "Premovement times",
        f"Ten people in a room of 8 m by 5 m, who set off after {times[0]:g} s to {times[-1]:g} s ({how}).",
        f"Everybody has moved by {SET_OFF:g} m within {SOON:g} s of its time, and not before.",
    )
    run = evacuate(scene, limits, tell=tell)
    late = []
    for one, time in zip(scene.characters, times, strict=True):
        when, places = run.path(one.name)
        moved = np.flatnonzero(np.hypot(*(places - places[0]).T) > SET_OFF)
        late.append(float(when[moved[0]] - time) if len(moved) else float("inf"))
    met = min(late) >= 0.0 and max(late) <= SOON and run.last is not None
    said = f"They have moved by {SET_OFF:g} m between {min(late):.1f} s and {max(late):.1f} s after their times."
    shown = (top_view(run, limits, "test-05", "Ways to the exit."),)
    return case.judge(met, [run], said, value=max(late), unit="s", wanted=f"0 to {SOON:g}", pictures=shown)


def _late(scene: Scene, times: Array) -> tuple[Scene, Callable[[Live], None] | None]:
    """The scene with people who set off at times [s]: by themselves if they can, or as somebody tells them to."""
    people = list(zip(scene.characters, times.tolist(), strict=True))
    if "premovement" in type(scene.characters[0]).__dataclass_fields__:
        moved = [replace(one, **{"premovement": time}) for one, time in people]
        return replace(scene, characters=tuple(moved)), None
    wanted = {one.name: (time, one.goals) for one, time in people}

    def tell(live: Live) -> None:
        for number, person in live.people.items():
            if person.name in wanted and live.time >= wanted[person.name][0]:
                live.set_agenda(number, wanted.pop(person.name)[1])

    return replace(scene, characters=tuple(replace(one, goals=()) for one in scene.characters)), tell


def speeds_by_age(limits: Limits) -> Result:
    """Test 7."""
    from walkon.world import Character

    count = 20 if limits.quick else 50
    case = Case(
        7,
        "Speeds by age",
        f"{count} adults side by side, with the speeds of their ages (Weidmann 1993).",
        "Speeds that are walked are those of the table: within 10 % for nine of ten.",
    )
    if "speed" not in Character.__dataclass_fields__:
        return case.absent("a character has no speed")
    ages = np.random.default_rng(limits.seed).uniform(20.0, 80.0, count)
    wanted = np.interp(ages, *np.array(ADULTS).T)
    run = evacuate(lanes(wanted), limits)
    walked = np.full(count, np.nan)
    for k in range(count):
        first, second = (crossing(*run.path(f"p{k}"), x) for x in (5.0, 18.0))
        if first is not None and second is not None:
            walked[k] = 13.0 / (second - first)
    near = 100.0 * float(np.mean(np.abs(walked / wanted - 1.0) <= 0.1))
    table = Series("table", CURVE, np.array(ADULTS), line=1.6)
    ours = Series("walkon", OURS, np.column_stack([ages, walked]), dots=4.0)
    limits.out.mkdir(parents=True, exist_ok=True)
    drawn = draw(limits.out / "test-07.png", "Speed by age", [table, ours], ("years", "m/s"), (90.0, 2.0))
    said = f"{near:.0f} % of them walk within 10 % of the speed of their age."
    shown = ((drawn, "Speeds that are walked, beside the table."),)
    return case.judge(near >= 90.0, [run], said, value=near, unit="%", wanted="at least 90", pictures=shown)
