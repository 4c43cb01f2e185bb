"""RiMEA's sixteen tests, for `walkon bench rimea`: each plays its scenes live, and judges what came of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from _flow_loop import Span, run_loop
from _flow_plots import OTHER, OURS, Series, draw, draw_flow
from _flow_questions import How, ask
from _flow_scenes import corridor
from _flow_watch import looks_within, measure_within
from _rimea_results import ABSENT, FAIL, PASS, SHOWN, Result
from _rimea_runs import Evacuation, Limits, crossing, evacuate
from _rimea_scenes import (
    CABIN,
    CABINS,
    SECOND_FROM,
    around_corner,
    cabins,
    crowd_corner,
    four_exits,
    free_corridor,
    lanes,
    simple_room,
    stairs_crowd_text,
    stairs_text,
    two_exits_text,
    two_rooms,
    two_routes,
    waiting_room,
)

if TYPE_CHECKING:
    from pathlib import Path

    from walkon.world import Scene

Array = np.ndarray
Picture = tuple["Path", str]

ADULTS = ((20.0, 1.61), (30.0, 1.54), (50.0, 1.41), (80.0, 0.68))
"""Ages and speeds [m/s] on level ground after Weidmann (1993), as the guideline's table has them; linear
between."""


def _top_view(run: Evacuation, limits: Limits, name: str, caption: str) -> Picture:
    """A picture of a run from above."""
    from walkon.render import draw_overview

    limits.out.mkdir(parents=True, exist_ok=True)
    path = limits.out / f"{name}.png"
    # Goals of those who are gone would hide the ways.
    draw_overview(run.take, path, width=1100)
    return path, caption


def _gone_curves(runs: dict[str, Evacuation], limits: Limits, name: str) -> Picture:
    """How many are gone by when, of several runs."""
    colours = (OURS, OTHER, (90, 150, 90), (130, 100, 170))
    limits.out.mkdir(parents=True, exist_ok=True)
    curves = [
        Series(said, colour, np.concatenate([[[0.0, 0.0]], run.curve()]), line=2.2)
        for (said, run), colour in zip(runs.items(), colours, strict=False)
    ]
    last = max(float(one.points[-1, 0]) for one in curves)
    most = max(float(one.points[-1, 1]) for one in curves)
    path = draw(
        limits.out / f"{name}.png", "Who is gone", curves, ("s", "people"), (1.05 * last + 1, 1.1 * most + 1)
    )
    return path, "People who are gone, over time."


def _totals(runs: list[Evacuation]) -> dict:
    return {
        "people": max(run.people for run in runs),
        "violations": sum(len(run.verdict.violations) for run in runs),
        "spent": sum(run.spent for run in runs),
    }


def _read(text: str) -> Scene | str:
    """A scene file, or why it cannot be read."""
    from walkon.errors import SceneError
    from walkon.world import SceneFileError, read_scene

    try:
        return read_scene(text)
    except (SceneError, SceneFileError) as error:
        return str(error).replace("\n", " ")[:300]


def _absent(number: int, title: str, about: str, criterion: str, why: str) -> Result:
    return Result(number, title, about, criterion, f"Scenes cannot say it yet: {why}", ABSENT)


def _judged(met: bool, run: Evacuation | None = None) -> str:
    return PASS if met and (run is None or not run.verdict.violations) else FAIL


def free_walk(limits: Limits) -> Result:
    """Test 1."""
    run = evacuate(free_corridor(), limits)
    taken = crossing(*run.path("p0"), 40.0)
    met = taken is not None and 26.0 <= taken <= 34.0
    said = "The person never gets there." if taken is None else f"40 m take {taken:.1f} s, from a stand."
    return Result(
        1, "Walking at a speed", "One person in a corridor of 2 m by 40 m, at 1.33 m/s.",
        "It takes 26 s to 34 s.", said, _judged(met, run), taken, "s", "26 to 34", **_totals([run]),
        pictures=(_top_view(run, limits, "test-01", "The way."),),
    )  # fmt: skip


def _stairs(number: int, up: bool, limits: Limits) -> Result:
    title, set_speed = ("Walking upstairs", 0.61) if up else ("Walking downstairs", 0.69)
    about = "One person on stairs of 2 m by 10 m."
    criterion = f"It keeps the speed that is set for stairs, {set_speed} m/s, within 5 %."
    scene = _read(stairs_text(up))
    if isinstance(scene, str):
        return _absent(number, title, about, criterion, scene)
    run = evacuate(scene, limits)
    first, second = (crossing(*run.path("p0"), x) for x in ((1.0, 9.0) if up else (9.0, 1.0)))
    speed = None if first is None or second is None else 8.0 / (second - first)
    met = speed is not None and abs(speed / set_speed - 1.0) <= 0.05
    said = "The stairs are never passed." if speed is None else f"{speed:.2f} m/s between x = 1 m and x = 9 m."
    return Result(
        number, title, about, criterion, said, _judged(met, run), speed, "m/s", f"{set_speed} ± 5 %", **_totals([run]),
        pictures=(_top_view(run, limits, f"test-{number:02d}", "The way."),),
    )  # fmt: skip


def upstairs(limits: Limits) -> Result:
    """Test 2."""
    return _stairs(2, True, limits)


def downstairs(limits: Limits) -> Result:
    """Test 3."""
    return _stairs(3, False, limits)


def _how(limits: Limits) -> How:
    return How(Span(24.0, 10.0, 5.0) if limits.quick else Span(), seed=limits.seed)


def fundamental_diagram(limits: Limits) -> Result:
    """Test 4."""
    densities = (0.5, 1.0, 2.0) if limits.quick else (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5)
    rows = [ask("one_way", density, _how(limits)) for density in densities]
    refused = []
    for density in (3.0, 4.0, 5.0, 6.0):
        scene, streams, _ = corridor(4.0, density, limits.seed)
        tried = run_loop(scene, streams, Span(0.1, 0.0, 0.1), limits.seed)
        refused.append(f"{density:g}: {tried.placed} of {tried.wanted}")
    said = "; ".join(f"{row['density']} per m²: {row['value']} m/s ({row['%']} % of Weidmann)" for row in rows)
    drawn = draw_flow(rows, limits.out / "test-04")
    return Result(
        4, "Speed by density", "A corridor of 4 m that is a ring in effect, people for each m² from 0.5 to 6.",
        "Documented: how speed and flow depend on the density.", f"{said}.", SHOWN,
        people=max(int(str(row["people"])) for row in rows), violations=sum(int(str(row["violations"])) for row in rows),
        spent=sum(float(str(row["s"])) for row in rows),
        pictures=tuple((path, "Ours, Weidmann's curve and what was measured of people.") for path in drawn),
        notes=f"Bodies that could be placed at higher densities: {', '.join(refused)}.",
    )  # fmt: skip


def premovement(limits: Limits) -> Result:
    """Test 5."""
    from walkon.world import Character

    scene, times = waiting_room(), np.linspace(10.0, 100.0, 10)
    if limits.quick:
        times = np.linspace(4.0, 22.0, 10)
    known = "premovement" in Character.__dataclass_fields__
    tell: Callable | None = None
    if known:
        people = [replace(one, premovement=float(t)) for one, t in zip(scene.characters, times, strict=True)]  # type: ignore[call-arg]
        scene = replace(scene, characters=tuple(people))
    else:
        wanted = {one.name: (float(t), one.goals) for one, t in zip(scene.characters, times, strict=True)}
        scene = replace(scene, characters=tuple(replace(one, goals=()) for one in scene.characters))

        def tell(live) -> None:
            for number, person in list(live.people.items()):
                if person.name in wanted and live.time >= wanted[person.name][0]:
                    live.set_agenda(number, wanted.pop(person.name)[1])

    run = evacuate(scene, limits, tell=tell)
    late = []
    for one, time in zip(scene.characters, times, strict=True):
        when, places = run.path(one.name)
        moved = np.flatnonzero(np.hypot(*(places - places[0]).T) > 0.3)
        late.append(float(when[moved[0]]) - time if len(moved) else np.inf)
    met = bool(min(late) >= 0.0 and max(late) <= 3.0 and run.last is not None)
    how = "premovement times of the scene" if known else "goals that are given at that time"
    return Result(
        5, "Premovement times", f"Ten people in a room of 8 m by 5 m, who set off after {times[0]:g} s to {times[-1]:g} s ({how}).",
        "Everybody sets off at its time: has moved by 0.3 m within 3 s of it, and not before.",
        f"They have moved by 0.3 m between {min(late):.1f} s and {max(late):.1f} s after their times.",
        _judged(met, run), max(late), "s", "0 to 3", **_totals([run]),
        pictures=(_top_view(run, limits, "test-05", "Ways to the exit."),),
    )  # fmt: skip


def corner(limits: Limits) -> Result:
    """Test 6."""
    run = evacuate(around_corner(), limits)
    met = run.last is not None
    walls = [one for one in run.verdict.violations if one.kind not in ("bodies", "haste")]
    return Result(
        6, "Around a corner", "Twenty people in a corridor of 2 m that turns by 90°.",
        "Nobody goes through a wall, and all get around.",
        f"{len(run.gone)} of {run.people} are around after {run.last or limits.patience:.0f} s; the audit finds "
        f"{len(walls)} violations at walls, {len(run.verdict.violations)} in all.",
        _judged(met, run), run.last, "s", "all, no wall", **_totals([run]),
        pictures=(_top_view(run, limits, "test-06", "Ways around the corner."),),
    )  # fmt: skip


def speeds_by_age(limits: Limits) -> Result:
    """Test 7."""
    from walkon.world import Character

    title, about = "Speeds by age", "Fifty adults side by side, with the speeds of their ages (Weidmann 1993)."
    criterion = "Speeds that are walked are those of the table: within 10 % for nine of ten."
    if "speed" not in Character.__dataclass_fields__:
        return _absent(7, title, about, criterion, "a character has no field `speed`.")
    ages = np.random.default_rng(limits.seed).uniform(20.0, 80.0, 20 if limits.quick else 50)
    wanted = np.interp(ages, *np.array(ADULTS).T)
    run = evacuate(lanes(wanted), limits)
    walked = []
    for k in range(len(wanted)):
        first, second = (crossing(*run.path(f"p{k}"), x) for x in (5.0, 18.0))
        walked.append(np.nan if first is None or second is None else 13.0 / (second - first))
    near = float(np.mean(np.abs(np.array(walked) / wanted - 1.0) <= 0.1))
    limits.out.mkdir(parents=True, exist_ok=True)
    series = [
        Series("table", (58, 64, 74), np.array(ADULTS), line=1.6),
        Series("walkon", OURS, np.column_stack([ages, walked]), dots=4.0),
    ]
    drawn = draw(limits.out / "test-07.png", "Speed by age", series, ("years", "m/s"), (90.0, 2.0))
    return Result(
        7, title, about, criterion, f"{100 * near:.0f} % of them walk within 10 % of the speed of their age.",
        _judged(near >= 0.9, run), 100 * near, "%", "at least 90", **_totals([run]),
        pictures=((drawn, "Speeds that are walked, beside the table."),),
    )  # fmt: skip


def parameters(limits: Limits) -> Result:
    """Test 8."""
    count = 20 if limits.quick else 40
    runs, said = {}, []
    for clearance in (0.02, 0.05, 0.1, 0.2)[: 2 if limits.quick else 4]:
        run = runs[f"{100 * clearance:g} cm apart"] = evacuate(simple_room(count, clearance=clearance), limits)
        said.append(f"{100 * clearance:g} cm: {_when(run)}")
    widths = []
    for width in (0.8, 1.6, 2.4)[: 1 if limits.quick else 3]:
        run = evacuate(simple_room(count, door=width), limits)
        runs[f"door of {width:g} m"] = run
        widths.append(f"{width:g} m: {_when(run)}")
    return Result(
        8, "Study of a parameter", f"{count} people, a room of 10 m by 8 m, a door of 1.2 m; the least distance that people "
        "keep from all things is varied, then the width of the door.",
        "Documented: how the time depends on the parameter.",
        f"Until all are out, by distance kept: {', '.join(said)}; by width of the door: {', '.join(widths)}.", SHOWN,
        **_totals(list(runs.values())),
        pictures=(_gone_curves(dict(list(runs.items())[:4]), limits, "test-08"),
                  _top_view(runs["5 cm apart"], limits, "test-08-ways", "Ways, with 5 cm.")),
    )  # fmt: skip


def _when(run: Evacuation) -> str:
    if run.last is not None:
        return f"{run.last:.0f} s"
    return f"{len(run.gone)} of {run.people} out ({run.cut or 'the others stay'})"


def public_space(limits: Limits) -> Result:
    """Test 9."""
    count = 120 if limits.quick else 1000
    four, two = (evacuate(four_exits(count, opened), limits) for opened in (4, 2))
    both = four.last is not None and two.last is not None
    ratio = (two.last or 0.0) / (four.last or 1.0) if both else None
    met = ratio is not None and 1.6 <= ratio <= 2.4
    return Result(
        9, "Leaving a large hall", f"{count} people, 1.67 for each m², and four exits of 1 m; then two of them are closed.",
        "With half of the exits it takes about twice as long: 1.6 to 2.4 times.",
        f"Four exits: {_when(four)}; two: {_when(two)}." + ("" if ratio is None else f" {ratio:.2f} times as long."),
        PASS if met and not four.verdict.violations and not two.verdict.violations else FAIL, ratio, "times",
        "1.6 to 2.4", **_totals([four, two]),
        pictures=(_gone_curves({"four exits": four, "two exits": two}, limits, "test-09"),
                  _top_view(four, limits, "test-09-four", "Four exits."), _top_view(two, limits, "test-09-two", "Two exits.")),
    )  # fmt: skip


def assigned_exits(limits: Limits) -> Result:
    """Test 10."""
    scene = cabins()
    run = evacuate(scene, limits)
    long, right = CABIN * CABINS, 0
    for one in scene.characters:
        ends = run.path(one.name)[1][-1, 0]
        second = one.start.x >= CABIN * SECOND_FROM
        right += int(one.name in run.gone and (ends > long if second else ends < 0.0))
    return Result(
        10, "Assigned exits", "23 people in twelve cabins along a corridor; those of the last four leave by the second exit.",
        "Everybody leaves by the exit it was given.", f"{right} of {run.people} leave by theirs; the last after {_when(run)}.",
        _judged(right == run.people, run), float(right), "people", f"{run.people}", **_totals([run]),
        pictures=(_top_view(run, limits, "test-10", "Ways from the cabins."),),
    )  # fmt: skip


def choice_of_exit(limits: Limits) -> Result:
    """Test 11."""
    count = 60 if limits.quick else 300
    title, about = "Choice of exit", f"{count} people in a hall with two exits, all nearer to the first."
    criterion = (
        "Most leave by the nearest exit, and some by the other, because many wait: at least 5 %, fewer than half."
    )
    scene = _read(two_exits_text(count))
    if isinstance(scene, str):
        return _absent(11, title, about, criterion, scene)
    run = evacuate(scene, limits)
    long = 30.0 * float(np.sqrt(count / 1000.0))
    other = sum(run.path(name)[1][-1, 0] > 0.575 * long for name in run.gone)
    share = other / max(len(run.gone), 1)
    return Result(
        11, title, about, criterion, f"{100 * share:.0f} % take the other exit; all are out after {_when(run)}.",
        _judged(run.last is not None and 0.05 <= share < 0.5, run), 100 * share, "%", "5 to 50", **_totals([run]),
        pictures=(_top_view(run, limits, "test-11", "Ways to both exits."),),
    )  # fmt: skip


def bottlenecks(limits: Limits) -> Result:
    """Test 12."""
    count = 50 if limits.quick else 150
    run = evacuate(two_rooms(count), limits)
    first, second = (_crowding(run, (x - 3.0, 3.5, x, 6.5)) for x in (10.0, 25.0))
    met = run.last is not None and second < 0.75 * first
    return Result(
        12, "Two bottlenecks", f"{count} people in the first of two rooms of 10 m by 10 m; a corridor of 1 m between them, an exit "
        "of 1 m from the second.",
        "Nobody waits at the exit, because the corridor lets no more through: before the exit, the densest 10 s have less "
        "than three quarters of the people that they have before the corridor.",
        f"Before the corridor {first:.2f} per m², before the exit {second:.2f} per m² in the densest 10 s; all are out after "
        f"{_when(run)}.",
        _judged(met, run), second / max(first, 1e-9), "of the first", "at most 0.75", **_totals([run]),
        pictures=(_top_view(run, limits, "test-12", "Ways through both rooms."),
                  _gone_curves({"gone": run}, limits, "test-12-gone")),
    )  # fmt: skip


def _crowding(run: Evacuation, area) -> float:
    """[1/m²] People in an area, over the densest 10 s."""
    times, _ = looks_within(run.paths, area, None, 0.0)
    if not len(times):
        return 0.0
    counts, _ = np.histogram(times, bins=np.arange(0.0, float(times.max()) + 10.0, 10.0))
    return float(counts.max()) / (10.0 * run.paths.fps) / ((area[2] - area[0]) * (area[3] - area[1]))


def stairs_and_level(limits: Limits) -> Result:
    """Test 13."""
    count = 24 if limits.quick else 60
    title, about = "Stairs and level ground", f"{count} people, a corridor of 2 m, level or with stairs of 6 m."
    criterion = "On stairs there is less flow than on the level, and it is denser before them."
    runs: dict[str, Evacuation] = {}
    for stairs in ("none", "up", "down"):
        scene = _read(stairs_crowd_text(count, stairs))
        if isinstance(scene, str):
            return _absent(13, title, about, criterion, scene)
        if stairs == "none" and isinstance(checked := _read(stairs_crowd_text(1, "up")), str):
            return _absent(13, title, about, criterion, checked)
        runs[stairs] = evacuate(scene, limits)
    flows = {name: _flow(run) for name, run in runs.items()}
    before = {name: measure_within(run.paths, (9.0, 1.5, 12.0, 3.5))[0] for name, run in runs.items()}
    met = max(flows["up"], flows["down"]) < flows["none"] and min(before["up"], before["down"]) > before["none"]
    said = "; ".join(f"{name}: {flows[name]:.2f} a second, {before[name]:.2f} per m² before" for name in runs)
    met = met and not any(run.verdict.violations for run in runs.values())
    return Result(
        13, title, about, criterion, f"{said}.", PASS if met else FAIL, flows["up"] / flows["none"], "of the level", "below 1",
        **_totals(list(runs.values())), pictures=(_gone_curves(runs, limits, "test-13"),),
    )  # fmt: skip


def _flow(run: Evacuation) -> float:
    """[1/s] Between the first and the last who are gone."""
    times = run.curve()[:, 0]
    return (len(times) - 1) / max(float(times[-1] - times[0]), 1e-9) if len(times) > 1 else 0.0


def routes(limits: Limits) -> Result:
    """Test 14."""
    counts = (4, 20) if limits.quick else (5, 30, 60)
    said, runs = [], []
    for count in counts:
        run = evacuate(two_routes(count), limits)
        ways = [run.path(name)[1] for name in run.paths.names]
        long = sum(bool((way[:, 1] > 6.0).any()) for way in ways)
        runs.append(run)
        said.append(f"{count} people: {long} by the long way, the last after {_when(run)}")
    return Result(
        14, "Choice of route", "A wall with a door of 1 m on the straight way, and a wide opening that is a detour of about 8 m.",
        "Documented: short, long, or both, depending on how many want through.", f"{'; '.join(said)}.", SHOWN,
        **_totals(runs), pictures=(_top_view(runs[-1], limits, "test-14", f"Ways of {counts[-1]} people."),),
    )  # fmt: skip


def crowd_around_corner(limits: Limits) -> Result:
    """Test 15."""
    count = 24 if limits.quick else 60
    runs = {shape: evacuate(crowd_corner(count, shape), limits) for shape in ("corner", "short", "long")}
    times = {shape: run.last for shape, run in runs.items()}
    known = all(time is not None for time in times.values())
    met = known and (times["short"] or 0.0) <= (times["corner"] or 0.0) <= (times["long"] or 0.0)
    met = met and not any(run.verdict.violations for run in runs.values())
    said = "; ".join(f"{shape}: {_when(run)}" for shape, run in runs.items())
    return Result(
        15, "A crowd around a corner", f"{count} people through a corridor of 2.4 m with a corner, and through straight ones as long "
        "as its inner and as its outer side.",
        "With the corner it takes no less than the short corridor, and no longer than the long one.", f"{said}.",
        PASS if met else FAIL, times["corner"], "s", f"{times['short'] or 0:.0f} to {times['long'] or 0:.0f}",
        **_totals(list(runs.values())),
        pictures=(_gone_curves(runs, limits, "test-15"), _top_view(runs["corner"], limits, "test-15-ways", "Ways.")),
    )  # fmt: skip


def single_file(limits: Limits) -> Result:
    """Test 16."""
    densities = (0.5, 1.0) if limits.quick else (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75)
    rows = [ask("single_file", density, _how(limits)) for density in densities]
    said = "; ".join(f"{row['density']} per m: {row['value']} m/s ({row['%']} % of people)" for row in rows)
    drawn = draw_flow(rows, limits.out / "test-16")
    return Result(
        16, "Single file", "A corridor of 0.8 m in which nobody can pass anybody, a ring in effect.",
        "Documented: speed by density beside that of people.", f"{said}.", SHOWN,
        people=max(int(str(row["people"])) for row in rows), violations=sum(int(str(row["violations"])) for row in rows),
        spent=sum(float(str(row["s"])) for row in rows),
        pictures=tuple((path, "Ours, and what was measured of people.") for path in drawn),
    )  # fmt: skip


TESTS: dict[int, Callable[[Limits], Result]] = {
    1: free_walk, 2: upstairs, 3: downstairs, 4: fundamental_diagram, 5: premovement, 6: corner, 7: speeds_by_age,
    8: parameters, 9: public_space, 10: assigned_exits, 11: choice_of_exit, 12: bottlenecks, 13: stairs_and_level,
    14: routes, 15: crowd_around_corner, 16: single_file,
}  # fmt: skip
"""All tests, by their numbers in the guideline."""
