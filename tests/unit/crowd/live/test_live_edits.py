"""People and things come, go and are put elsewhere while a crowd walks."""

from __future__ import annotations

import gc
import math
import weakref
from dataclasses import replace

import numpy as np
import pytest

from walkon.crowd.live import Live
from walkon.crowd.live.surroundings import Surroundings
from walkon.errors import SceneError
from walkon.metrics import audit
from walkon.world import Goal, Obstacle


def test_land_that_is_surveyed_again_around_an_edit_is_the_land_of_that_world(stage):
    """Rooms with doors, things put anywhere: what is taken over from before is what would be found anew."""
    rng = np.random.default_rng(4)
    walls = [stage.box(f"wall {k}", x, 0.0, 1.6, 0.2) for k, x in enumerate((-3.6, -1.2, 1.2, 3.6))]
    live = stage.live([stage.walker("anna", 0.0, -5.0, 0.0)], walls)
    known = set()
    for number in range(24):
        if number % 6 == 5:
            live.remove_obstacle(f"thing {number - 5}")
        elif number % 6 == 0:
            live.add_obstacle(stage.box(f"thing {number}", *rng.uniform(-6.5, 6.5, 2), *rng.uniform(0.2, 2.0, 2)))
        else:
            name = f"wall {number % 4}" if number % 2 else f"thing {number - number % 6}"
            live.move_obstacle(name, *rng.uniform(-4.0, 4.0, 2).tolist(), float(rng.uniform(0.0, 3.0)))
        now = live._engine.surroundings
        fresh = Surroundings(now.world, live.repertoire.moves).land
        assert now.changed is not None, "it is known where"
        for name in ("room", "spots", "doors", "door"):
            assert np.array_equal(getattr(now.land, name), getattr(fresh, name)), (number, name)
        known.add(len(fresh.doors))
    assert len(known) > 2, "doors come and go"


def test_what_was_found_out_about_an_obstacle_goes_when_it_is_elsewhere(stage):
    """Its story is kept for takes, but not the object to which much is tied."""
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0)], [stage.box("box", 3.0, 0.0)])
    kept = []
    for x in (3.5, 4.0):
        live.move_obstacle("box", x, 0.0)
        kept.append(weakref.ref(live.obstacles["box"]))
        live.step()
    live.remove_obstacle("box")
    live.step()
    gc.collect()
    assert [one() for one in kept] == [None, None]
    (told,) = live.take().scene.obstacles
    assert [float(told.positions[frame, 0]) for frame in (0, 1)] == [3.5, 4.0]


def test_nobody_is_added_where_somebody_or_something_is(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0)], [stage.box("box", 3.0, 0.0)])
    live.step(0.5)
    before = len(live.log.entries)
    for x, z in ((0.2, 0.2), (3.0, 0.4), (5.9, 0.0), (40.0, 0.0)):
        with pytest.raises(SceneError, match="not free"):
            live.add(stage.walker("ben", x, z, 0.0))
    with pytest.raises(SceneError, match="called 'anna'"):
        live.add(stage.walker("anna", -3.0, 0.0, 0.0))
    assert len(live.people) == 1
    assert len(live.log.entries) == before
    assert live.add(stage.walker("ben", -3.0, 0.0, 0.0)) == 1


def test_nobody_is_added_where_somebody_is_going_to_be(stage):
    """What is committed counts, not only where people are."""
    live = stage.live([stage.walker("anna", 0.0, -4.0, 0.0, (0.0, 5.0))])
    live.step(3.0)
    first, outlines = live.reserved(0)
    assert first == live.frame
    x, z = map(float, outlines[-1].mean(axis=0))
    now = live.state().circles[0]
    assert math.hypot(x - now[0], z - now[1]) > 0.6
    with pytest.raises(SceneError, match="not free"):
        live.add(stage.walker("ben", x, z, 0.0))


def test_whoever_is_removed_is_gone_at_once_and_its_place_is_free(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0), stage.walker("ben", 2.0, 0.0, 0.0)])
    live.step(3.0)
    live.remove(0)
    assert list(live.people) == [1]
    assert live.add(stage.walker("cleo", 0.0, 0.0, 0.0)) == 2, "numbers are never used again"
    live.step(2.0)
    with pytest.raises(SceneError, match="number 0"):
        live.remove(0)
    take = live.take()
    assert {role.character for role in take.roles} == {"anna", "ben", "cleo"}
    assert audit(take).violations == ()
    assert live.state().who.tolist() == [1, 2]


def test_somebody_of_the_same_name_may_come_after_another_has_left(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0)])
    live.step(3.0)
    live.remove(0)
    live.add(stage.walker("anna", 2.0, 0.0, 0.0))
    live.step(3.0)
    take = live.take()
    assert len({role.character for role in take.roles}) == 2
    assert audit(take).violations == ()


def test_the_name_of_somebody_still_to_come_is_taken(stage):
    live = stage.live([stage.walker("late", 3.0, 0.0, 0.0, start_time=2.0)])
    with pytest.raises(SceneError, match="called 'late'"):
        live.add(stage.walker("late", 0.0, 0.0, 0.0))


def test_a_box_put_onto_somebody_is_counted_and_nobody_else_is(stage):
    people = [stage.walker("anna", 0.0, 0.0, 0.0), stage.walker("ben", 3.0, 0.0, 0.0, (-4.0, 3.0))]
    live = stage.live(people, [stage.box("box", 0.0, -4.0, 0.8, 0.8)])
    live.step(1.0)
    assert live.dropped == {}
    assert live.figures().dropped == 0
    live.move_obstacle("box", 0.0, 0.0)
    assert list(live.dropped) == [0]
    live.step(8.0)
    assert list(live.dropped) == [0]
    assert live.figures().dropped == 1
    touched = {found.who for found in audit(live.take()).violations}
    assert touched == {"anna"}


def test_whoever_is_caught_in_a_box_gets_out_of_it_and_into_nothing_else(stage):
    """Being inside one thing is no leave to walk through the next."""
    pillars = [stage.box(f"pillar {k}", 2.1, -1.8 + 1.2 * k, 0.6, 1.2) for k in range(4)]
    live = stage.live(
        [stage.walker("anna", 0.0, 0.0, math.pi / 2)], [*pillars, stage.box("box", -4.0, 0.0, 1.4, 1.4)]
    )
    live.step(1.0)
    live.move_obstacle("box", 0.0, 0.0)
    live.set_goal(0, Goal(4.0, 0.0))
    assert stage.until(live, lambda: bool(live.state().arrived.all()), 60.0)
    caught = live.dropped[0]
    assert caught == list(range(caught[0], caught[-1] + 1)), "every frame until it is out"
    assert {found.other for found in audit(live.take()).violations} == {"box"}


def test_nobody_makes_way_for_somebody_who_has_left(stage):
    """Its row may be taken by somebody else, or be tried for somebody who is then refused."""
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0), stage.walker("ben", 2.0, 0.0, 0.0)])
    live.step(1.0)
    crew = live._engine.crew
    row, other = live.people[0].row, live.people[1].row
    crew.asked_by[other], crew.asked_ticket[other], crew.asked_until[other] = row, 3, 10_000
    live.remove(0)
    assert crew.asked_by[other] == -1
    assert crew.asked_ticket[other] > 2**40


def test_a_box_put_into_the_way_is_gone_around_and_drops_onto_nobody(stage):
    live = stage.live([stage.walker("anna", 0.0, -5.0, 0.0, (0.0, 5.0))], [stage.box("box", 4.0, 4.0)])
    live.step(2.0)
    live.move_obstacle("box", 0.0, live.state().circles[0, 1] + 3.6)
    assert stage.until(live, lambda: bool(live.state().arrived.all()), 40.0)
    assert live.dropped == {}
    assert audit(live.take()).violations == ()


def test_the_audit_sees_a_thing_where_it_was_put_and_not_where_it_was(stage):
    live = stage.live(
        [stage.walker("anna", -4.0, 0.0, 1.57), stage.walker("ben", 4.0, -2.0, 0.0)], [stage.box("box", 0.0, 0.0)]
    )
    live.step(0.5)
    live.move_obstacle("box", 4.0, 3.0)
    live.set_goal(0, Goal(3.0, 0.0))
    crossed = False
    for _ in range(400):
        live.step()
        crossed |= float(np.hypot(*live.state().circles[0, :2])) < 0.4
    assert crossed, "she went through where the box had been"
    take = live.take()
    assert audit(take).violations == ()
    # Ben, who never moved, put by force to where the box is now.
    ben = next(number for number, role in enumerate(take.roles) if role.character == "ben")
    forged = take.roles[ben].placements + np.array([0.0, 5.0, 0.0])
    roles = [replace(r, placements=forged) if n == ben else r for n, r in enumerate(take.roles)]
    found = [f for f in audit(replace(take, roles=tuple(roles))).violations if f.kind == "obstacle"]
    assert {(f.who, f.other) for f in found} == {("ben", "box")}
    assert min(f.first_frame for f in found) >= 15, "but not before it was put there"


def cart(stage, warning):
    """Comes along x = 0 from the south, so many frames after it was added."""
    z = np.concatenate([np.full(warning, -5.2), np.linspace(-5.2, 5.2, 120)])
    places = np.stack([np.zeros(len(z)), np.zeros(len(z)), z], axis=1)
    box = stage.box("cart", 0.0, 0.0)
    return Obstacle("cart", box.shape, places, np.tile(box.rotations, (len(z), 1)))


def test_what_moves_is_kept_clear_of_from_when_it_is_added(stage):
    people = [
        stage.walker("ben", -5.0, 3.0, 1.57, (5.0, -3.0)),
        stage.walker("cleo", 5.0, 0.0, -1.57, (-5.0, 0.0)),
    ]
    live = stage.live(people)
    live.step(1.0)
    live.add_obstacle(cart(stage, 30))
    assert stage.until(live, lambda: bool(live.state().arrived.all()), 40.0)
    assert live.dropped == {}
    take = live.take()
    assert audit(take).violations == ()
    track = next(thing for thing in take.scene.obstacles if thing.name == "cart")
    assert track.positions[29, 1] < -100.0
    assert track.positions[30, 1] == 0.0
    assert track.positions[60, 2] == pytest.approx(-5.2)
    assert track.positions[30 + 149, 2] == pytest.approx(5.2)


@pytest.mark.parametrize("goals", [(), ((0.0, 0.0),)], ids=["without a goal", "at its goal"])
def test_who_stands_steps_aside_for_what_is_known_to_come(stage, goals):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0, *goals)])
    live.step(2.0)
    live.add_obstacle(cart(stage, 150))
    live.step(12.0)
    assert live.dropped == {}
    assert audit(live.take()).violations == ()
    if goals:
        # It goes back when the cart has passed, and has not arrived before.
        assert stage.until(live, lambda: bool(live.state().arrived.all()), 20.0)
        assert live.people[0].reached[-1][0] > 60 + 150
        assert audit(live.take()).violations == ()


def test_wrong_names_and_places_are_refused(stage):
    live = stage.live([], [stage.box("box", 0.0, 0.0)])
    with pytest.raises(SceneError, match="'box' already"):
        live.add_obstacle(stage.box("box", 2.0, 0.0))
    for doing in (lambda: live.move_obstacle("bix", 0.0, 0.0), lambda: live.remove_obstacle("bix")):
        with pytest.raises(SceneError, match="'bix'"):
            doing()
    with pytest.raises(SceneError, match="cannot be put"):
        live.move_obstacle("box", math.nan, 0.0)
    assert live.log.entries == []
    assert isinstance(live, Live)
