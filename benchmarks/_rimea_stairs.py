"""RiMEA's tests of what only scene files say: stairs (2, 3, 13) and people who choose an exit (11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from _flow_watch import measure_within
from _rimea_pictures import gone_curves, top_view
from _rimea_results import Case, Result
from _rimea_runs import Evacuation, Limits, crossing, evacuate
from _rimea_scene_files import NEAR_EXIT, OTHER_EXIT, hall_size, stairs_crowd_text, stairs_text, two_exits_text

if TYPE_CHECKING:
    from walkon.world import Scene

UP, DOWN = 0.61, 0.69
"""[m/s] On stairs, after Weidmann (1993)."""


def _read(text: str) -> Scene | str:
    """A scene file, or what is wrong with it in a few words."""
    from walkon.world import SceneFileError, read_scene

    try:
        return read_scene(text)
    except SceneFileError as error:
        first = error.problems[0]
        return f"{first.place}: {first.message.partition(';')[0]}"


def upstairs(limits: Limits) -> Result:
    """Test 2."""
    return _alone(2, "Walking upstairs", UP, limits)


def downstairs(limits: Limits) -> Result:
    """Test 3."""
    return _alone(3, "Walking downstairs", DOWN, limits)


def _alone(number: int, title: str, wanted: float, limits: Limits) -> Result:
    case = Case(
        number,
        title,
        "One person on stairs of 2 m by 10 m.",
        f"It keeps the speed that is set for stairs, {wanted} m/s, within 5 %.",
    )
    scene = _read(stairs_text(wanted == UP))
    if isinstance(scene, str):
        return case.absent(scene)
    run = evacuate(scene, limits)
    first, second = (crossing(*run.path("p0"), x) for x in ((1.0, 9.0) if wanted == UP else (9.0, 1.0)))
    speed = None if first is None or second is None else 8.0 / (second - first)
    said = "The stairs are never passed." if speed is None else f"{speed:.2f} m/s between x = 1 m and x = 9 m."
    met = speed is not None and abs(speed / wanted - 1.0) <= 0.05
    shown = (top_view(run, limits, f"test-{number:02d}", "The way."),)
    return case.judge(met, [run], said, value=speed, unit="m/s", wanted=f"{wanted} ± 5 %", pictures=shown)


def choice_of_exit(limits: Limits) -> Result:
    """Test 11."""
    count = 60 if limits.quick else 300
    case = Case(
        11,
        "Choice of exit",
        f"{count} people in a hall with two exits, all nearer to the first.",
        "Most leave by the nearest exit, and some by the other because many wait: 5 % to 50 %.",
    )
    scene = _read(two_exits_text(count))
    if isinstance(scene, str):
        return case.absent(scene)
    run = evacuate(scene, limits)
    middle = 0.5 * (NEAR_EXIT + OTHER_EXIT) * hall_size(count)[0]
    other = sum(float(run.path(name)[1][-1, 0]) > middle for name in run.gone)
    share = 100.0 * other / max(len(run.gone), 1)
    said = f"{share:.0f} % take the other exit; the last is out after {run.when}."
    met = run.last is not None and 5.0 <= share < 50.0
    shown = (top_view(run, limits, "test-11", "Ways to both exits."),)
    return case.judge(met, [run], said, value=share, unit="%", wanted="5 to 50", pictures=shown)


def stairs_and_level(limits: Limits) -> Result:
    """Test 13."""
    count = 24 if limits.quick else 60
    case = Case(
        13,
        "Stairs and level ground",
        f"{count} people through a corridor of 2 m: level, and with stairs of 6 m up or down.",
        "On stairs there is less flow than on the level, and it is denser before them.",
    )
    scenes = {name: _read(stairs_crowd_text(count, name)) for name in ("level", "up", "down")}
    if isinstance(wrong := scenes["up"], str):
        return case.absent(wrong)
    runs = {name: evacuate(scene, limits) for name, scene in scenes.items() if not isinstance(scene, str)}
    flows = {name: _flow(run) for name, run in runs.items()}
    before = {name: measure_within(run.paths, (9.0, 1.5, 12.0, 3.5))[0] for name, run in runs.items()}
    met = max(flows["up"], flows["down"]) < flows["level"] and min(before["up"], before["down"]) > before["level"]
    said = "; ".join(f"{name}: {flows[name]:.2f} a second, {before[name]:.2f} per m² before" for name in runs)
    shown = (gone_curves(runs, limits, "test-13"),)
    share = flows["up"] / max(flows["level"], 1e-9)
    found = f"{said}."
    return case.judge(
        met, list(runs.values()), found, value=share, unit="of the level", wanted="below 1", pictures=shown
    )


def _flow(run: Evacuation) -> float:
    """[1/s] Between the first and the last who are gone."""
    times = run.curve()[:, 0]
    return (len(times) - 1) / max(float(times[-1] - times[0]), 1e-9) if len(times) > 1 else 0.0
