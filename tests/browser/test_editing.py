"""Real drags of the mouse in a real browser: what they change, and that it can be taken back."""

from __future__ import annotations

import contextlib
import math

import pytest

from walkon.world import read_scene

TRIES = 50
"""How often the mouse is pressed until it has caught what it should."""


def place_of_crate(window):
    place = window.read("walkon.obstacle('crate')")
    return place["x"], place["z"]


def drag_crate(window, x, z):
    """Drag the crate so that its middle comes to lie over a point of the ground, give or take its height."""
    mouse = window.page.mouse
    for _ in range(TRIES):
        window.press("Escape")
        start, end = window.screen("{obstacle: 'crate'}"), window.screen(f"{{x: {x}, z: {z}}}")
        mouse.move(*start)
        mouse.down()
        if window.read("walkon.selected.obstacles.includes('crate')"):
            break
        mouse.up()  # somebody walks by in front of it
        window.settle()
    window.pull(start, end)


def moved(x, z):
    return f"Math.hypot(walkon.obstacle('crate').x - {x}, walkon.obstacle('crate').z - {z}) > 1"


def stands(x, z):
    return f"Math.hypot(walkon.obstacle('crate').x - {x}, walkon.obstacle('crate').z - {z}) < 0.01"


def test_a_dragged_box_moves_is_answered_by_commits_and_comes_back_with_undo(window):
    x, z = place_of_crate(window)
    drag_crate(window, 0, 0)
    window.until(moved(x, z))
    window.until("walkon.latencies.some((sample) => sample.op === 'move_obstacle' && sample.final)")
    sample = window.read("walkon.latencies.find((each) => each.op === 'move_obstacle' && each.final)")
    assert sample["sent"] <= sample["replied"] <= sample["answered"]
    window.settle()
    there = place_of_crate(window)
    window.press("Control+z")
    window.until(stands(x, z))
    window.press("Control+Shift+z")
    window.until(stands(*there))
    window.press("Control+z")
    window.until(stands(x, z))


def test_bodies_are_seen_at_another_level_until_that_is_undone(window):
    chosen = "document.querySelector('select[aria-label=bodies]').value"
    assert window.read(chosen) == "outline"
    window.page.get_by_label("bodies").select_option("circle")
    window.until("document.getElementById('undo').disabled === false")
    assert window.read(chosen) == "circle"
    window.page.locator("#undo").click()
    window.until(f"{chosen} === 'outline'")


def test_two_windows_see_the_same_edit(window, server, look):
    mine, other = window, look(server)
    x, z = place_of_crate(other)
    # A window behind another draws nothing, and what is not drawn is not dragged: who misses it drags again.
    for _ in range(3):
        mine.page.bring_to_front()
        drag_crate(mine, 0, 0)
        with contextlib.suppress(TimeoutError):
            mine.until(moved(x, z), seconds=20.0)
            break
    other.until(moved(x, z))
    mine.until("document.getElementById('undo').disabled === false")
    other.press("Control+z")
    mine.until(stands(x, z))
    other.close()


def test_things_are_added_with_a_click_and_deleted(window):
    window.press("b")
    window.page.mouse.click(*window.screen("{x: -3, z: 6}"))
    window.until("walkon.obstacles.includes('box-1')")
    box = window.read("walkon.obstacle('box-1')")
    assert (box["x"], box["z"]) == pytest.approx((-3, 6), abs=0.1)
    window.press("w")
    corners = ["{x: -8, z: 4}", "{x: -6, z: 4}", "{x: -6, z: 7}"]
    for corner in corners:
        window.page.mouse.click(*window.screen(corner))
    window.press("Enter")
    window.until("walkon.obstacles.includes('wall-1')")
    window.press("m")
    window.drag(window.screen("{x: -8, z: 9}"), window.screen("{x: 6, z: 9}"))
    window.until("walkon.obstacles.includes('mover-1')")
    start = window.read("walkon.obstacle('mover-1').x")
    window.until(f"walkon.obstacle('mover-1').x > {start} + 0.5")
    window.press("Escape")
    window.page.mouse.click(*window.screen("{obstacle: 'box-1'}"))
    assert window.read("walkon.selected.obstacles") == ["box-1"]
    window.press("Delete")
    window.until("!walkon.obstacles.includes('box-1')")
    for _ in range(4):
        window.press("Control+z")
    window.until("walkon.obstacles.length === 2")


def test_selected_people_get_the_goal_of_a_right_click(window):
    window.press("Control+a")
    assert len(window.read("walkon.selected.people")) == window.read("walkon.people")
    window.page.mouse.click(*window.screen("{x: 0, z: -4}"), button="right")
    away = "walkon.placesOf().reduce((sum, [, x, z]) => sum + Math.hypot(x, z + 4), 0)"
    before = window.read(away)
    window.until(f"{away} < {before} - 4")  # half a metre each


def far_from_others(window):
    """Somebody whom a mouse cannot miss."""
    places = window.read("walkon.placesOf()")
    return max(
        places, key=lambda one: min(math.dist(one[1:3], other[1:3]) for other in places if other is not one)
    )


def test_somebody_is_carried_elsewhere_while_paused_and_comes_back(window):
    window.press(" ")
    window.until("!walkon.running")
    window.settle()
    who, x, z, _ = far_from_others(window)
    window.drag(window.screen(f"{{person: {who}}}"), window.screen("{x: -1, z: -8}"))
    window.until(f"walkon.selected.people.length === 1 && walkon.selected.people[0] !== {who}")
    new = window.read("walkon.selected.people[0]")
    window.until(f"walkon.placeOf({new})")
    assert window.read("walkon.drawn") == window.read("walkon.people") == 8
    place = window.read(f"walkon.placeOf({new})")
    assert math.dist((place["x"], place["z"]), (x, z)) > 1.0
    window.press("Control+z")
    window.until(f"walkon.drawn === 8 && walkon.placesOf().some(([, x, z]) => Math.hypot(x - {x}, z - {z}) < 0.3)")
    window.press(" ")
    window.until("walkon.running")


def test_the_flag_of_a_goal_is_dragged(window):
    who = far_from_others(window)[0]
    window.click(f"{{person: {who}}}")
    assert window.read("walkon.selected.people") == [who]
    window.click("{x: 7, z: -7}", button="right")
    goal = window.page.locator("#panel dt:text-is('goal') + dd")
    window.until("document.getElementById('panel').innerText.includes('7.0, -7.0')")
    window.settle()
    window.drag(window.screen("{x: 7, z: -7}"), window.screen("{x: 1, z: -8}"))
    window.until("!document.getElementById('panel').innerText.includes('7.0, -7.0')")
    x, z = (float(value) for value in goal.inner_text().split(","))
    assert (x, z) == pytest.approx((1.0, -8.0), abs=0.3)


def test_a_scene_is_saved_and_opened_again(window, server):
    x, z = place_of_crate(window)
    window.press("Control+s")
    path = window.page.locator("dialog input[name=path]")
    path.fill("kept.toml")
    path.press("Enter")
    window.page.get_by_text("Saved kept.toml").wait_for()
    assert "crate" in (server.project / "kept.toml").read_text()
    drag_crate(window, 0, 0)
    window.until(moved(x, z))
    window.press("Control+o")
    window.page.get_by_role("button", name="kept.toml").click()
    window.until(stands(x, z))
    # Who has no room to stand in comes when there is some.
    assert len(read_scene(server.project / "kept.toml").characters) == 8
    window.until("walkon.people > 0")
