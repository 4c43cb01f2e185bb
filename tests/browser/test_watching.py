"""The page shows what the engine does, the right way round, and finds its way back when the server goes away."""

from __future__ import annotations

import math
import threading

import pytest

from walkon.studio.director import Director


def test_the_page_opens_and_people_walk(window):
    assert window.read("walkon.state") == "open"
    assert window.read("walkon.people") == 8
    first = {who: (x, z) for who, x, z, _ in window.read("walkon.placesOf()")}
    start = window.read("walkon.frame")
    window.until(f"walkon.frame > {start} + 30")
    second = {who: (x, z) for who, x, z, _ in window.read("walkon.placesOf()")}
    assert sum(math.dist(first[who], second[who]) > 0.3 for who in first) >= 4
    assert window.read("walkon.cost.calls") < 60


def test_people_look_where_they_go_and_nothing_is_mirrored(window):
    window.press("Control+a")
    window.page.mouse.click(*window.screen("{x: -6, z: 6}"), button="right")
    along = []
    for _ in range(5):
        before = {who: (x, z, heading) for who, x, z, heading in window.read("walkon.placesOf()")}
        frame = window.read("walkon.frame")
        window.until(f"walkon.frame > {frame} + 8")
        for who, x, z, heading in window.read("walkon.placesOf()"):
            dx, dz = x - before[who][0], z - before[who][1]
            if math.hypot(dx, dz) > 0.2:
                along.append((dx * math.sin(heading) + dz * math.cos(heading)) / math.hypot(dx, dz))
    assert len(along) >= 3
    assert sum(along) / len(along) > 0.8
    # From the south, looking north: x grows to the right, z towards the viewer.
    window.read("walkon.look([0, 8, 14], [0, 0, 0])")
    pictures = window.read("walkon.pictures")
    window.until(f"walkon.pictures > {pictures} + 1")
    west, east, south = (window.screen(f"{{x: {x}, z: {z}}}") for x, z in ((-3, 0), (3, 0), (0, 3)))
    assert west[0] < south[0] < east[0]
    assert south[1] > west[1]


def test_the_past_can_be_looked_at_and_left_again(window):
    window.until("walkon.serverFrame > 60")
    window.page.locator("#scrub").focus()
    window.press("Home")
    window.until("walkon.mode === 'past' && walkon.frame < 5")
    window.page.get_by_role("button", name="Live").click()
    window.until("walkon.mode === 'live' && walkon.running")
    frame = window.read("walkon.serverFrame")
    window.until(f"walkon.serverFrame > {frame}")
    window.page.locator("#canvas").focus()
    window.press(" ")
    window.until("!walkon.running")
    frame = window.read("walkon.serverFrame")
    window.press(".")
    window.until(f"walkon.serverFrame === {frame} + 1")
    window.press(" ")
    window.until("walkon.running")


def test_who_looks_at_the_past_stays_there_while_a_slow_server_runs_on(serve, look, monkeypatch):
    hear = Director.hear
    monkeypatch.setattr(Director, "hear", lambda *heard: threading.Timer(1.0, hear, heard).start())
    window = look(serve())
    window.until("walkon.serverFrame > 30")
    window.page.locator("#scrub").focus()
    window.press("Home")
    with pytest.raises(TimeoutError):
        window.until("walkon.mode === 'live'", seconds=3.0)
    window.close()


def test_who_is_off_the_screen_is_not_drawn(window):
    def triangles(view):
        window.read(f"walkon.look({view})")
        window.settle(3)
        return window.read("walkon.cost.triangles")

    # From the same height, so that all bodies would be as fine.
    away, here = triangles("[90, 14, 90.1], [90, 0, 90]"), triangles("[0, 14, 0.1], [0, 0, 0]")
    assert window.read("walkon.drawn") == 8, "everybody is known all the same"
    assert away < 0.2 * here, (away, here)


def test_the_question_mark_shows_the_shortcuts(window):
    window.press("?")
    window.page.get_by_role("heading", name="Keyboard and mouse").wait_for()
    window.press("Escape")
    window.until("!document.querySelector('dialog[open]')")


def test_overlays_arrive_while_they_are_on(window):
    window.press("Control+a")
    for key in "123456":
        window.press(key)
    window.until("document.querySelectorAll('[data-overlay][aria-pressed=true]').length === 6")
    for kind in ("paths", "density", "gridmap", "reserved", "tree"):
        window.until(f"walkon.overlays.includes('{kind}')")
    for key in "123456":
        window.press(key)
    window.until("walkon.overlays.length === 0")


def test_the_page_comes_back_when_the_server_does(serve, look, free_port):
    server = serve(port=free_port, token=False)  # a studio knows no sessions of the one before
    window = look(server)
    server.stop()
    window.until("walkon.state === 'lost'")
    assert "trying again" in window.page.locator("#connection").inner_text()
    serve(port=free_port, token=False)
    window.until("walkon.state === 'open'")
    start = window.read("walkon.frame")
    window.until(f"walkon.frame > {start} + 5 && walkon.drawn === 8")
