"""Single steps for live crowds: at every level to both sides from both feet, and each does what its name says."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from walkon.behaviors import Behavior, BehaviorLibrary, measure_seams
from walkon.builtin.casts.human_close import close_quarters_behaviors
from walkon.builtin.casts.human_steps import LEVELS, TURNS, paces, step_behaviors
from walkon.builtin.performer import Performer
from walkon.motion import placement_at

AVERAGE = Performer.average()
PEOPLE = {"average": AVERAGE, "tall": Performer(9), "child": Performer.average(height=1.2)}


@cache
def made(performer: Performer) -> dict[str, Behavior]:
    return {behavior.name: behavior for behavior in step_behaviors(performer)}


@cache
def ways_from(performer: Performer) -> dict[tuple[str, str], list[tuple[float, float, float]]]:
    """Entry and exit pose -> where single steps lead, those in close quarters included."""
    found = {}
    for behavior in (*close_quarters_behaviors(performer), *made(performer).values()):
        found.setdefault((behavior.entry, behavior.exit), []).append(way(behavior))
    return found


@pytest.fixture(params=PEOPLE)
def person(request) -> Performer:
    return PEOPLE[request.param]


def way(behavior: Behavior) -> tuple[float, float, float]:
    """How far a behavior goes: to the left and forward [m], and how far it turns [degrees]."""
    shown = behavior.clips[0]
    moved = placement_at(shown.clip, shown.first).inverse() @ placement_at(shown.clip, shown.last)
    return moved.x, moved.z, float(np.degrees(moved.heading))


def poses(level: str) -> tuple[str, str]:
    return ("walk", "walk_on_right") if level == "walk" else (f"{level}_on_left", f"{level}_on_right")


@cache
def straight(person: Performer, level: str, foot: str) -> tuple[float, float, float]:
    """Where the step straight on leads: hips sway and turn a little with every step."""
    known = made(person) | {behavior.name: behavior for behavior in close_quarters_behaviors(person)}
    names = {"walk": "walk_step", "slow": "walk_slow_forward", "creep": "walk_creep_forward"}
    return way(known[f"{names.get(level, f'{level}_step')}_on_{foot}"])


def test_levels_are_faster_one_after_another_for_everybody():
    for seed in range(12):
        speeds = [pace.speed for pace in paces(Performer(seed)).values()]
        assert tuple(paces(Performer(seed))) == LEVELS
        assert np.diff(speeds).min() > 0.1, seed


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_leads_to_both_sides_and_to_a_stop_over_both_feet(level):
    ways = ways_from(AVERAGE)
    for here, there in (poses(level), poses(level)[::-1]):
        turns = sorted({round(heading / 5.0) * 5 for _, _, heading in ways[here, there]})
        assert turns == sorted({0, *TURNS[level], *(-degrees for degrees in TURNS[level])})
        along = [left for left, _, heading in ways[here, there] if abs(heading) < 5.0]
        middle = np.mean([min(along), max(along)])
        assert len(along) >= 4, "straight on and aside"
        assert max(along) - min(along) == pytest.approx(0.3, abs=0.01)
        assert (middle > 0.0) == here.endswith("right"), "further to the side of the foot that swings"
        assert level == "walk" or ways[here, "stand"]


def test_every_level_leads_to_the_next_and_to_every_slower_one():
    ends = {(entry, leaving) for entry, leaving in ways_from(AVERAGE)}
    for number, level in enumerate(LEVELS):
        for other in LEVELS[: number + 2]:
            for foot in (0, 1):
                assert (poses(level)[foot], poses(other)[1 - foot]) in ends, (level, other)


def test_who_brakes_is_slow_after_one_step(person):
    for before, after in combinations(LEVELS[::-1], 2):
        for name in (f"{before}_to_{after}_on_left", f"{before}_to_{after}_on_right"):
            if behavior := made(person).get(name):
                fast, slow = (straight(person, level, "left")[1] for level in (before, after))
                assert behavior.clips[0].duration < 1.1 * paces(person)["creep"].period / 2, name
                assert slow < way(behavior)[1] < fast, name


def test_steps_do_what_their_names_say(person):
    for name, behavior in made(person).items():
        left, ahead, heading = way(behavior)
        turn = re.fullmatch(r"(?!small)(?:\w+_step|set_off_[a-z]+|turn)_(left|right)_(\d+)(_on_\w+)?", name)
        wanted = float(turn[2]) * (1.0 if turn[1] == "left" else -1.0) if turn else 0.0
        assert heading == pytest.approx(wanted, abs=3.0), name
        assert behavior.kind == "step"
        assert ahead > 0.0 or name.startswith(("turn", "small_step_back", "small_step_left", "small_step_right"))
        assert np.hypot(left, ahead) < 0.9, name


def test_a_step_aside_keeps_the_heading(person):
    for name, behavior in made(person).items():
        if found := re.fullmatch(r"(\w+)_aside_(left|right)_(\d+)_on_(left|right)", name):
            left, ahead, heading = way(behavior)
            usual = straight(person, found[1], found[4])
            aside = 0.01 * float(found[3]) * person.scale * (1.0 if found[2] == "left" else -1.0)
            assert left - usual[0] == pytest.approx(aside, abs=0.01), name
            assert heading == pytest.approx(usual[2], abs=0.5), name
            assert 0.85 * usual[1] < ahead < 1.05 * usual[1], name


def test_left_and_right_are_each_other_in_a_mirror():
    swapped = {"left": "right", "right": "left"}
    for name, behavior in made(AVERAGE).items():
        other = made(AVERAGE).get(re.sub("left|right", lambda found: swapped[found.group()], name))
        if other not in (None, behavior):  # one of them may be there under another name
            assert way(other) == pytest.approx(np.array(way(behavior)) * (-1.0, 1.0, -1.0), abs=1e-9), name


def test_steps_take_what_steps_take(person):
    pace = np.sqrt(person.scale)
    for name, behavior in made(person).items():
        seconds = behavior.clips[0].duration / pace
        if behavior.exit != "stand" and behavior.entry != "stand":
            assert 0.43 < seconds < 0.65, name
        elif behavior.entry == "stand":
            assert 0.5 < seconds < 1.1, name


def test_stops_are_short():
    for level, frames, metres in (("stroll", 20, 0.2), ("amble", 24, 0.32), ("walk", 30, 0.5), ("brisk", 31, 0.6)):
        stop = made(AVERAGE)[f"{level}_stop_on_left"]
        assert round(stop.clips[0].duration * 30) <= frames
        assert 0.0 < way(stop)[1] <= metres


def test_nobody_is_tossed_about(person):
    for name, behavior in made(person).items():
        shown = behavior.clips[0]
        roots = shown.clip.root_positions[shown.first : shown.last + 1]
        pushed = np.linalg.norm(np.diff(roots, 2, axis=0), axis=1).max() * 900.0
        assert pushed < 15.0, f"{name}: the pelvis is pushed with {pushed:.0f} m/s²"


def test_all_joins_of_steps_are_exact(person):
    library = BehaviorLibrary("human", (*close_quarters_behaviors(person), *made(person).values()))
    for seam in measure_seams(library):
        assert seam.pose_gap <= 0.004, seam
        assert seam.velocity_gap <= 1.5 * seam.velocity_step + 1e-4, seam
