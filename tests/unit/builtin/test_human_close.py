"""The human cast in close quarters: slow steps are short, starts and stops take one, and both feet may begin."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, measure_seams
from walkon.builtin.casts.human_close import close_quarters_behaviors
from walkon.builtin.casts.human_locomotion import make_behavior, scores_of
from walkon.builtin.gait.moves import go_on, halt, set_out, walking
from walkon.builtin.performer import Performer
from walkon.motion import placement_at

FEET = ("left", "right")


@cache
def made(performer: Performer) -> dict[str, Behavior]:
    return {behavior.name: behavior for behavior in close_quarters_behaviors(performer)}


CHILD = Performer.average(height=1.2)
PEOPLE = {"average": Performer.average(), "short": Performer(3), "child": CHILD}


@pytest.fixture(params=PEOPLE)
def person(request) -> Performer:
    return PEOPLE[request.param]


def way(shown: BehaviorClip) -> tuple[float, float, float]:
    """How far a clip goes: to the left and forward [m], and how far it turns [degrees]."""
    moved = placement_at(shown.clip, shown.first).inverse() @ placement_at(shown.clip, shown.last)
    return moved.x, moved.z, float(np.degrees(moved.heading))


def speed(shown: BehaviorClip, person: Performer) -> float:
    """Metres a second of somebody whose legs were of the reference length."""
    return way(shown)[1] / shown.duration / float(np.sqrt(person.scale))


def test_slow_steps_are_short_single_steps_at_their_speed(person):
    pairs = (
        ("walk_step", 1.1, 1.5, 0.75),
        ("walk_slow_forward", 0.7, 0.8, 0.45),
        ("walk_creep_forward", 0.36, 0.44, 0.24),
    )
    for name, least, most, length in pairs:
        for foot in FEET:
            for shown in made(person)[f"{name}_on_{foot}"].clips:
                assert least < speed(shown, person) < most, shown.clip.name
                assert way(shown)[1] == pytest.approx(length * person.scale, rel=0.12), shown.clip.name
                assert shown.clip.contacts is not None
                assert shown.clip.contacts.planted.any(axis=1).all(), "who walks is never in the air"


def test_slow_steps_turn_to_both_sides_from_both_feet(person):
    for gait in ("walk_slow", "walk_creep"):
        for foot in FEET:
            for side, sign in (("left", 1.0), ("right", -1.0)):
                for shown in made(person)[f"{gait}_{side}_20_on_{foot}"].clips:
                    # Hips turn with the steps, the other way over the other foot.
                    assert way(shown)[2] == pytest.approx(20.0 * sign, abs=3.0), shown.clip.name


def test_who_is_slow_sets_off_and_stops_within_one_step(person):
    for name in (
        "set_off_slowly",
        *(f"{gait}_stop_on_{foot}" for gait in ("walk_slow", "walk_creep") for foot in FEET),
    ):
        for shown in made(person)[name].clips:
            roots = shown.clip.root_positions[shown.first : shown.last + 1]
            assert shown.duration <= 0.7, name
            assert 0.05 < way(shown)[1] < 0.3, name
            assert np.diff(roots[:, 2]).min() > -0.0005, f"{name}: nobody rocks back"
            assert np.abs(np.diff(roots[:, 1], 2)).max() * 900.0 < 10.0, f"{name}: nobody is tossed about"


def test_who_closes_up_in_a_queue_takes_one_short_step_in_less_than_a_second(person):
    for shown in made(person)["close_up"].clips:
        assert 0.15 < way(shown)[1] < 0.3
        assert shown.duration < 0.95


def test_a_step_over_the_right_foot_is_the_other_in_a_mirror():
    behaviors = made(PEOPLE["average"])
    one, other = behaviors["walk_slow_left_20_on_left"], behaviors["walk_slow_right_20_on_right"]
    assert (one.entry, one.exit) == ("slow_on_left", "slow_on_right")
    assert (other.entry, other.exit) == ("slow_on_right", "slow_on_left")
    here, there = (shown.clip for shown in (one.clips[0], other.clips[0]))
    hands = (
        clip.positions[:, clip.skeleton.index(f"{side}Hand")] for clip, side in ((here, "Left"), (there, "Right"))
    )
    np.testing.assert_allclose(next(hands) * (-1.0, 1.0, 1.0), next(hands), atol=1e-9)


def test_all_joins_of_slow_steps_are_exact(person):
    walk, slow = walking(person), made(person).values()
    ordinary = {
        "walk_forward": ("walk", "walk", go_on(person, walk, 1)),
        "set_off": ("stand", "walk", set_out(person, walk, lead="Left", cycles=1, at_once=True)),
        "halt": ("walk", "stand", halt(person, walk, steps=2, hurry=1.0)),
    }
    others = (
        make_behavior(person, name, entry, leaving, scores_of(lambda _, move=move: move), 1)
        for name, (entry, leaving, move) in ordinary.items()
    )
    for seam in measure_seams(BehaviorLibrary("human", (*slow, *others))):
        assert seam.pose_gap <= 0.0025, seam
        assert seam.velocity_gap <= 1.5 * seam.velocity_step + 1e-4, seam


def test_few_behaviors_begin_where_planners_look_most():
    begun = [behavior.entry for behavior in made(PEOPLE["average"]).values()]
    assert begun.count("walk") <= 5
    assert begun.count("stand") <= 5
