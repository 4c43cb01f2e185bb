"""The studio as a browser meets it: a real server, a real websocket, an engine that is none."""

from __future__ import annotations

import time

import pytest

from walkon.studio.live_show import LiveShow
from walkon.studio.protocol import TOO_SLOW
from walkon.world import BODY_LEVELS

BOX = {"kind": "box", "width": 1.0, "height": 1.0, "depth": 1.0}


def names(message: dict) -> list[str]:
    return [obstacle["name"] for obstacle in message["scene"]["obstacles"]]


def place(message: dict, name: str) -> list[float]:
    return next(one["position"] for one in message["scene"]["obstacles"] if one["name"] == name)


def added(name: str, x: float = 0.0) -> dict:
    return {"obstacle": {"name": name, "shape": BOX, "position": [x, 0.0, 0.0]}}


def test_hello_says_everything_and_history_has_everybody(studio):
    browser = studio.browser()
    hello, _ = browser.hello()
    assert hello["protocol"] == 1
    assert hello["readonly"] is False
    assert [person["name"] for person in hello["scene"]["people"]] == [f"walker_{n:03d}" for n in range(4)]
    (performer,) = hello["performers"]
    assert performer["frames"] == sum(clip["duration"] + 1 for clip in performer["clips"])
    browser.until("packet", lambda packet: set(packet["who"]) == {0, 1, 2, 3})
    late = studio.browser()
    _, history = late.hello()
    assert history["who"] == [0, 1, 2, 3]


def test_reconnecting_gives_the_same_history(studio):
    first = studio.browser()
    first.hello()
    first.do("step", frames=45)  # pauses
    first.close()
    again, other = studio.browser(), studio.browser()
    (hello, history), (_, same) = again.hello(), other.hello()
    assert hello["running"] is False
    assert len(history["frames"]) > 4
    for key in ("frame", "who", "starts", "clips", "frames"):
        assert history[key] == same[key]
    assert history["placements"].tolist() == same["placements"].tolist()


def test_history_and_commits_join_without_a_gap(studio):
    """What one window heard from the beginning is what another is told when it joins."""
    first = studio.browser()
    first.hello()
    first.do("step", frames=30)
    time.sleep(0.2)
    second = studio.browser()
    _, history = second.hello()
    first.do("step", frames=30)
    second.until("clock", lambda clock: clock["frame"] >= history["frame"] + 30)
    first.do("ping")

    def heard(packets):
        return {(w, f) for p in packets for m, w in enumerate(p["who"])
                for f in p["frames"][p["starts"][m] : p["starts"][m + 1]]}  # fmt: skip

    assert heard(second.packets) == heard(first.packets)


def test_two_windows_see_each_others_edits(studio):
    one, two = studio.browser(), studio.browser()
    hello, _ = one.hello()
    two.hello()
    one.do("add_obstacle", **added("crate"))
    seen = two.until("scene")
    assert names(seen) == ["crate"]
    assert seen["by"] == hello["client"]
    two.do("move_obstacle", name="crate", x=3.0, z=-2.0, heading=0.5, final=True)
    assert place(one.until("scene", lambda m: place(m, "crate")[0] != 0.0), "crate") == [3.0, 0.0, -2.0]


def test_undo_and_redo_take_a_whole_drag_as_one_step(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("add_obstacle", **added("crate"))
    for x in (1.0, 2.0, 3.0):
        browser.do("move_obstacle", name="crate", x=x, z=0.0, final=False)
    browser.do("move_obstacle", name="crate", x=4.0, z=0.0, final=True)
    browser.do("undo")
    assert place([m for m in browser.seen if m["type"] == "scene"][-1], "crate") == [0.0, 0.0, 0.0]
    browser.do("redo")
    assert place([m for m in browser.seen if m["type"] == "scene"][-1], "crate") == [4.0, 0.0, 0.0]
    browser.do("undo")
    browser.do("undo")
    last = [m for m in browser.seen if m["type"] == "scene"][-1]
    assert (names(last), last["undo"], last["redo"]) == ([], False, True)
    assert "nothing to undo" in browser.ask("undo")["error"]


def test_the_level_of_bodies_is_told_changed_and_undone(studio):
    browser, other = studio.browser(), studio.browser()
    hello, _ = browser.hello()
    other.hello()
    live = studio.studio.director.show.live
    assert (hello["scene"]["bodies"], list(hello["levels"])) == ("outline", list(BODY_LEVELS))
    browser.do("set_bodies", level="circle")
    told = other.until("scene")
    assert (told["scene"]["bodies"], live.bodies, live.scene.bodies) == ("circle", "circle", "circle")
    browser.do("set_bodies", level="circle")
    for op, level in (("undo", "outline"), ("redo", "circle"), ("undo", "outline")):
        browser.do(op)
        assert [m for m in browser.seen if m["type"] == "scene"][-1]["scene"]["bodies"] == live.bodies == level
    assert "nothing to undo" in browser.ask("undo")["error"], "what was so already is no edit"


def test_people_come_are_sent_and_go_and_undo_brings_them_back(studio):
    browser = studio.browser()
    browser.hello()
    reply = browser.do("add_people", count=3, x=5.0, z=5.0, radius=2.0, goal=[0.0, 0.0])
    new = reply["people"]
    assert len(new) == 3
    browser.do("set_goal", people=new, x=6.0, z=6.0, spread=2.0)
    told = [m for m in browser.seen if m["type"] == "people"][-1]
    assert {person["who"] for person in told["added"]} == set(new)
    assert all(abs(person["goal"][0] - 6.0) <= 2.0 for person in told["added"])
    browser.do("remove", people=new)
    assert [m for m in browser.seen if m["type"] == "people"][-1]["removed"] == new
    back = browser.do("undo")["people"]
    assert len(back) == 3
    assert not set(back) & set(new), "numbers are never used again"
    assert all(person["name"].startswith("group-1_") for person in browser.seen[-1].get("added", []))


def test_somebody_put_elsewhere_comes_back_by_undo(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("pause")
    (moved,) = browser.do("move_person", who=0, x=8.0, z=8.0)["people"]
    live = studio.studio.director.show.live
    # One frame passes, so that there is something to be seen of whoever was put there.
    assert (live.people[moved].x, live.people[moved].z) == pytest.approx((8.0, 8.0), abs=0.2)
    assert live.people[moved].name == "walker_000"
    (back,) = browser.do("undo")["people"]
    assert live.people[back].x == pytest.approx(-8.0)


def test_a_flow_comes_over_time_and_undo_stops_it(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("pause")
    flow = {"from": [4, -9, 9, -4], "to": [-9, 4, -4, 9]}
    browser.do("add_flow", **flow, count=12, over=4.0)
    live = studio.studio.director.show.live
    before = len(live.people)
    browser.do("step", frames=60)
    assert before < len(live.people) < 16, "some have come, some have not"
    browser.do("undo")
    browser.do("step", frames=90)
    assert len(live.people) == 4


def test_pause_step_and_speed(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("pause")
    frame = browser.do("ping", t=1.5)["frame"]
    time.sleep(0.15)
    assert browser.do("ping", t=2.5) == {**browser.seen[-1], "t": 2.5, "frame": frame}
    browser.do("step", frames=7)
    assert browser.do("ping")["frame"] == frame + 7
    browser.do("speed", value=4.0)
    browser.do("play")
    clock = browser.until("clock", lambda clock: clock["running"])
    assert clock["speed"] == 4.0
    browser.until("clock", lambda clock: clock["frame"] > frame + 20)


def test_figures_and_planner_are_told(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("planner", name="quick")
    assert studio.studio.director.show.live.planner == "quick"
    browser.do("set_goal", people=[0], x=1.0, z=1.0)
    figures = browser.until("figures", lambda figures: figures["latency_ms"]["p95"])
    assert figures["people"] == 4
    assert figures["collisions"] >= 0  # these people walk through each other; real ones do not
    assert figures["plan_ms"]["p50"] == pytest.approx(0.1)
    assert figures["bytes_per_second"] >= 0


def test_overlays_come_while_subscribed_and_one_that_fails_stops_nothing(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("overlay", kind="tree", on=True, who=0)  # this engine has none, and says so by an exception
    assert "tree cannot be shown" in browser.until("problem")["error"]
    browser.do("overlay", kind="paths", on=True, who=2)
    overlay = browser.until("overlay")
    assert (overlay["kind"], overlay["paths"][0]["who"]) == ("paths", 2)
    browser.do("overlay", kind="paths", on=False)
    browser.do("overlay", kind="gridmap", on=True)
    grid = browser.until("overlay", lambda overlay: overlay["kind"] == "gridmap")
    assert len(grid["values"]) * grid["cell"] >= 19.0
    assert browser.do("ping")["ok"]


@pytest.mark.parametrize(
    ("op", "fields", "why"),
    [
        ("move_obstacle", {"name": "nothing", "x": 0, "z": 0}, "nothing called"),
        ("remove", {"people": [99]}, "any more"),
        ("set_goal", {"people": [99], "x": 0, "z": 0}, "any more"),
        ("add_people", {"count": 2, "x": 500.0, "z": 0.0}, "no room"),
        ("add_flow", {"from": [50, 50, 60, 60], "to": [0, 0, 1, 1], "count": 1}, "outside"),
        ("open", {"path": "absent.toml"}, "no such file"),
        ("save", {"what": "scene", "path": "../escape.toml"}, "inside the project"),
        (
            "add_obstacle",
            {"obstacle": {"shape": {"kind": "polygon", "corners": [[0, 0], [1, 1], [1, 0], [0, 1]], "height": 1},
                          "position": [0, 0, 0]}},
            "crosses itself",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_a_reply_and_changes_nothing(studio, op, fields, why):
    browser = studio.browser()
    browser.hello()
    browser.do("pause")
    reply = browser.ask(op, **fields)
    assert reply["ok"] is False
    assert why in reply["error"]
    live = studio.studio.director.show.live
    assert sorted(person.name for person in live.people.values()) == [f"walker_{n:03d}" for n in range(4)]
    assert browser.do("ping")["ok"]


def test_nobody_is_put_onto_somebody(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("pause")
    live = studio.studio.director.show.live
    assert "not free" in browser.ask("move_person", who=1, x=live.people[0].x, z=live.people[0].z)["error"]
    (moved,) = [person for person in live.people.values() if person.name == "walker_001"]
    assert moved.x == pytest.approx(-7.0)


def test_a_name_is_given_once(studio):
    browser = studio.browser()
    browser.hello()
    browser.do("add_obstacle", **added("crate"))
    assert "already" in browser.ask("add_obstacle", **added("crate", 3.0))["error"]
    unnamed = {"shape": BOX, "position": [2.0, 0.0, 2.0]}
    assert browser.do("add_obstacle", obstacle=unnamed)["obstacles"] == ["box 1"]
    assert browser.do("add_obstacle", obstacle=unnamed)["obstacles"] == ["box 2"]


def test_an_engine_that_stumbles_is_paused_and_can_go_on(studio, caplog):
    browser = studio.browser()
    browser.hello()
    studio.studio.director.show.live.trouble = RuntimeError("stumbled on purpose")
    assert "paused" in browser.until("problem")["error"]
    assert browser.until("clock", lambda clock: not clock["running"])
    assert "stumbled on purpose" in caplog.text
    browser.do("play")
    browser.until("packet")


def test_a_slow_engine_is_late_and_still_answers(fake, tmp_path, launch):
    slow = LiveShow(fake.FakeLive(fake.little_scene(), pause=0.08))
    with launch(slow, tmp_path) as studio:
        browser = studio.browser()
        browser.hello()
        browser.until("clock", lambda clock: clock["late"])
        assert browser.do("ping")["ok"]
        figures = browser.until("figures", lambda figures: figures["realtime"] > 0.0)
        assert figures["realtime"] < 0.9


def test_a_window_that_stops_reading_is_dropped_and_the_others_go_on(fake, tmp_path, launch):
    chatty = LiveShow(fake.FakeLive(fake.little_scene(), chatter=20_000))
    with launch(chatty, tmp_path) as studio:
        lazy, keen = studio.browser(max_queue=1), studio.browser()
        keen.hello()
        clients = studio.studio.director._teller.outlet
        assert clients.clients == 2
        deadline = time.monotonic() + 20.0
        while clients.clients == 2:
            assert time.monotonic() < deadline, "the lazy one is still waited for"
            keen.until("packet")
        before = keen.do("ping")["frame"]
        keen.until("clock", lambda clock: clock["frame"] > before + 10)
        assert studio.browser().hello()
        # Whoever begins to read again soon enough is told why; after that the line is simply cut.
        assert lazy.closed()[0] in (TOO_SLOW, 1006)
