"""Scripts taken apart: what is gone in one go, and what is done."""

from __future__ import annotations

from walkon.directing.courses import Corner
from walkon.directing.legs import ScriptDeed, ScriptLeg, plan_legs
from walkon.world import Do, Face, Follow, Go, Style, Via, Wait


def test_a_place_to_go_to_ends_a_leg_and_one_to_pass_does_not():
    script = (
        Via(0, 1),
        Style("run"),
        Via(0, 2),
        Go(0, 3, 0.2),
        Go(0, 4),
        Face(1.0),
        Wait(2.0),
        Face(2.0),
        Do("x"),
    )
    before, first, second, wait, turn, do = plan_legs(script)
    assert isinstance(before, ScriptLeg)
    assert [number for number, _ in before.places] == [0]
    assert isinstance(first, ScriptLeg)
    assert [number for number, _ in first.places] == [2, 3]
    assert [number for number, _ in first.styles] == [1]
    assert first.corners()[-1] == Corner(0, 3, 0.2)
    assert isinstance(second, ScriptLeg)
    assert ([n for n, _ in second.places], [n for n, _ in second.faces]) == ([4], [5])
    assert wait == ScriptDeed(6, Wait(2.0))
    assert isinstance(turn, ScriptLeg)
    assert (turn.places, [n for n, _ in turn.faces]) == ([], [7])
    assert do == ScriptDeed(8, Do("x"))


def test_a_style_after_a_place_belongs_to_the_next_leg():
    legs = plan_legs((Go(0, 1), Style("run"), Follow(((0, 1), (0, 5)))))
    assert [len(leg.places) for leg in legs if isinstance(leg, ScriptLeg)] == [1, 1]
    assert isinstance(legs[1], ScriptLeg)
    assert legs[1].styles == [(1, Style("run"))]
    assert [corner.sharp for corner in legs[1].corners()] == [True, True]
