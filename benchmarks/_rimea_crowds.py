"""RiMEA's tests of crowds: corners, halls, cabins, bottlenecks and routes (6, 8, 9, 10, 12, 14, 15)."""

from __future__ import annotations

import numpy as np
from _flow_watch import Area, looks_within
from _rimea_pictures import gone_curves, top_view
from _rimea_results import Case, Result
from _rimea_runs import Evacuation, Limits, evacuate
from _rimea_scenes import (
    CABIN,
    CABINS,
    SECOND_FROM,
    around_corner,
    cabins,
    crowd_corner,
    four_exits,
    simple_room,
    two_rooms,
    two_routes,
)

DENSEST = 10.0
"""[s] Over which it is looked how dense it is. Shorter, and a few who pass together count as a jam."""

JAM = 0.75
"""Test 12: most of the density before the corridor that may be before the exit."""


def corner(limits: Limits) -> Result:
    """Test 6."""
    case = Case(
        6,
        "Around a corner",
        "Twenty people in a corridor of 2 m that turns by 90°.",
        "Nobody goes through a wall, and all get around.",
    )
    run = evacuate(around_corner(), limits)
    wrong = len(run.verdict.violations)
    said = f"The last is around after {run.when}; the audit finds {wrong} violations, at walls or elsewhere."
    shown = (top_view(run, limits, "test-06", "Ways around the corner."),)
    met = run.last is not None
    return case.judge(met, [run], said, value=float(wrong), unit="violations", wanted="0", pictures=shown)


def parameters(limits: Limits) -> Result:
    """Test 8."""
    count = 20 if limits.quick else 40
    case = Case(
        8,
        "Study of a parameter",
        f"{count} people, a room of 10 m by 8 m with a door of 1.2 m. The distance that people keep "
        "from all things is varied, then the width of the door.",
        "Documented: how the time depends on the parameter.",
    )
    kept, widths = ((0.02, 0.05), (0.8,)) if limits.quick else ((0.02, 0.05, 0.1, 0.2), (0.8, 1.6, 2.4))
    by_room = {f"{100 * gap:g} cm": evacuate(simple_room(count, clearance=gap), limits) for gap in kept}
    by_door = {f"{width:g} m": evacuate(simple_room(count, door=width), limits) for width in widths}
    rooms, doors = (", ".join(f"{name}: {run.when}" for name, run in runs.items()) for runs in (by_room, by_door))
    said = f"The last is out, by the distance kept, after {rooms}; by the width of the door, after {doors}."
    shown = (
        gone_curves(by_room, limits, "test-08"),
        top_view(by_room["5 cm"], limits, "test-08-ways", "Ways, with 5 cm."),
    )
    return case.judge(None, [*by_room.values(), *by_door.values()], said, pictures=shown)


def public_space(limits: Limits) -> Result:
    """Test 9."""
    count = 120 if limits.quick else 1000
    case = Case(
        9,
        "Leaving a large hall",
        f"{count} people, 1.67 for each square metre, and four exits of 1 m; then two of them are closed.",
        "With half of the exits it takes about twice as long: 1.6 to 2.4 times.",
    )
    four, two = (evacuate(four_exits(count, opened), limits) for opened in (4, 2))
    ratio = None if four.last is None or two.last is None else two.last / four.last
    said = f"With four exits the last is out after {four.when}, with two after {two.when}."
    shown = (
        gone_curves({"four exits": four, "two exits": two}, limits, "test-09"),
        top_view(four, limits, "test-09-four", "Four exits."),
        top_view(two, limits, "test-09-two", "Two exits."),
    )
    met = ratio is not None and 1.6 <= ratio <= 2.4
    return case.judge(met, [four, two], said, value=ratio, unit="times", wanted="1.6 to 2.4", pictures=shown)


def assigned_exits(limits: Limits) -> Result:
    """Test 10."""
    case = Case(
        10,
        "Assigned exits",
        "23 people in twelve cabins along a corridor; those of the last four cabins have the second exit.",
        "Everybody leaves by the exit it was given.",
    )
    scene, long, right = cabins(), CABIN * CABINS, 0
    run = evacuate(scene, limits)
    for one in scene.characters:
        end, second = float(run.path(one.name)[1][-1, 0]), one.start.x >= CABIN * SECOND_FROM
        right += int(one.name in run.gone and (end > long if second else end < 0.0))
    said = f"{right} of {run.people} leave by theirs; the last after {run.when}."
    shown = (top_view(run, limits, "test-10", "Ways from the cabins."),)
    met = right == run.people
    return case.judge(met, [run], said, value=float(right), unit="people", wanted=f"{run.people}", pictures=shown)


def bottlenecks(limits: Limits) -> Result:
    """Test 12."""
    count = 50 if limits.quick else 150
    case = Case(
        12,
        "Two bottlenecks",
        f"{count} people in the first of two rooms of 10 m by 10 m; a corridor of 1 m by 5 m between them, and an "
        "exit of 1 m from the second.",
        f"Nobody waits at the exit, since the corridor lets no more through: in the densest {DENSEST:g} s there "
        f"are at most {JAM:g} of the people before it that are before the corridor.",
    )
    run = evacuate(two_rooms(count), limits)
    first, second = (_densest(run, (x - 3.0, 3.5, x, 6.5)) for x in (10.0, 25.0))
    said = (
        f"Before the corridor {first:.2f} per m², before the exit {second:.2f} per m² in the densest seconds; the "
        f"last is out after {run.when}."
    )
    shown = (
        top_view(run, limits, "test-12", "Ways through both rooms."),
        gone_curves({"gone": run}, limits, "test-12-gone"),
    )
    share = second / max(first, 1e-9)
    met = run.last is not None and share <= JAM
    return case.judge(
        met, [run], said, value=share, unit="of the first", wanted=f"at most {JAM:g}", pictures=shown
    )


def _densest(run: Evacuation, area: Area) -> float:
    """[1/m²] People in an area, over the densest seconds."""
    times, _ = looks_within(run.paths, area, None, 0.0)
    counts, _ = np.histogram(times, bins=np.arange(0.0, float(times.max(initial=0.0)) + 2 * DENSEST, DENSEST))
    return float(counts.max()) / (DENSEST * run.paths.fps) / ((area[2] - area[0]) * (area[3] - area[1]))


def routes(limits: Limits) -> Result:
    """Test 14."""
    case = Case(
        14,
        "Choice of route",
        "A wall with a door of 1 m on the straight way, and a wide opening that is a detour of about 8 m.",
        "Documented: short, long, or both, depending on how many want through.",
    )
    counts, said, runs = (4, 20) if limits.quick else (5, 30, 60), [], []
    for count in counts:
        run = evacuate(two_routes(count), limits)
        long = sum(bool((run.path(name)[1][:, 1] > 8.0).any()) for name in run.paths.names)
        runs.append(run)
        said.append(f"of {count} people {long} take the long way, the last after {run.when}")
    shown = (top_view(runs[-1], limits, "test-14", f"Ways of {counts[-1]} people."),)
    return case.judge(None, runs, f"{'; '.join(said).capitalize()}.", pictures=shown)


def crowd_around_corner(limits: Limits) -> Result:
    """Test 15."""
    count = 24 if limits.quick else 60
    case = Case(
        15,
        "A crowd around a corner",
        f"{count} people through a corridor of 2.4 m with a corner, and through straight ones as long as its "
        "inner and as its outer side.",
        "With the corner it takes no less than the short corridor, and no longer than the long one.",
    )
    runs = {shape: evacuate(crowd_corner(count, shape), limits) for shape in ("corner", "short", "long")}
    times = [runs[shape].last for shape in ("short", "corner", "long")]
    known = [time for time in times if time is not None]
    met = len(known) == len(times) and known == sorted(known)
    said = ", ".join(f"{shape} after {run.when}" for shape, run in runs.items())
    shown = (
        gone_curves(runs, limits, "test-15"),
        top_view(runs["corner"], limits, "test-15-ways", "Ways around the corner."),
    )
    wanted = f"{times[0] or 0.0:.0f} to {times[2] or 0.0:.0f}"
    return case.judge(
        met,
        list(runs.values()),
        f"The last is out: {said}.",
        value=times[1],
        unit="s",
        wanted=wanted,
        pictures=shown,
    )
