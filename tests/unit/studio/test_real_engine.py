"""The studio with the engine it is made for: a few people who really walk."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.crowd.live import Live
from walkon.motion.features.outlines import DIRECTIONS
from walkon.rotations import Placement
from walkon.studio.live_show import LiveShow
from walkon.studio.overlays import MOST_OUTLINES
from walkon.studio.playback import TakeShow, audit_marks
from walkon.studio.serve import Settings, _warm_up, background_studio
from walkon.take import read_take, write_take
from walkon.world import Character, Goal, Scene, flat_terrain, read_scene

BOUNDS = (-8.0, -8.0, 8.0, 8.0)
BOX = {"kind": "box", "width": 1.5, "height": 1.0, "depth": 1.5}


def crossing(people: int = 4) -> Scene:
    """People who walk from left to right."""
    cast = tuple(
        Character(f"walker_{n:03d}", Placement(-6.0, 2.0 * n - 3.0, 0.5 * np.pi), (Goal(6.0, 2.0 * n - 3.0),))
        for n in range(people)
    )
    return Scene("crossing", BOUNDS, flat_terrain(BOUNDS), (), cast)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """What the engine compiles, it compiles here: no test waits for it."""
    _warm_up()


@pytest.fixture
def studio(launch, tmp_path):
    """A studio with a real crowd."""
    with launch(LiveShow(Live(crossing(), workers=1)), tmp_path) as running:
        yield running


def test_people_walk_and_an_edit_comes_back_as_motion(studio):
    browser = studio.browser()
    hello, _ = browser.hello()
    clips = hello["performers"][0]["clips"]
    assert {clip["kind"] for clip in clips} >= {"locomotion", "wait"}
    browser.do("pause")
    browser.do("step", frames=60)
    browser.packets.clear()
    browser.do("add_obstacle", obstacle={"name": "crate", "shape": BOX, "position": [1.0, 0.0, -1.0]})
    browser.do("set_goal", people=[0], x=-6.0, z=-6.0)
    browser.do("step", frames=90)
    assert any(0 in packet["who"] for packet in browser.packets)
    assert browser.do("undo")["people"] == [0]
    assert browser.until("figures")["collisions"] == 0
    for packet in browser.packets:
        assert packet["starts"][0] == 0
        assert max(packet["clips"]) < len(clips)
        assert np.isfinite(packet["placements"]).all()
        for m in range(len(packet["who"])):
            frames = packet["frames"][packet["starts"][m] : packet["starts"][m + 1]]
            lengths = [
                clips[c]["duration"] for c in packet["clips"][packet["starts"][m] : packet["starts"][m + 1]]
            ]
            assert np.diff(frames).tolist() == lengths[:-1], "segments follow each other without a gap"


def test_what_two_windows_know_is_the_same_in_the_end(studio):
    """One follows from the beginning, the other comes late: both can play the same past and future."""
    first = studio.browser()
    first.hello()
    first.do("pause")
    first.do("step", frames=120)
    first.do("ping")
    second = studio.browser()
    _, history = second.hello()

    def played(packets: list[dict]) -> dict:
        known: dict[int, list] = {}
        for packet in packets:
            for m, who in enumerate(packet["who"]):
                part = range(packet["starts"][m], packet["starts"][m + 1])
                rows = [(packet["frames"][s], packet["clips"][s]) for s in part]
                if rows:
                    before = [row for row in known.get(who, []) if row[0] < rows[0][0]]
                    known[who] = before + rows
        return known

    assert played(first.packets) == played([history])


def test_save_and_reload(studio, tmp_path):
    browser = studio.browser()
    browser.hello()
    browser.do("step", frames=30)
    browser.do("add_obstacle", obstacle={"name": "crate", "shape": BOX, "position": [1.0, 0.0, 5.0]})
    cart = {"name": "cart", "shape": BOX, "position": [0, 0, -6]}
    cart["track"] = {"every": 30, "positions": [[0, 0, -6], [3, 0, -6]]}
    browser.do("add_obstacle", obstacle=cart)
    assert browser.do("save", what="scene", path="evening")["path"] == "evening.toml"
    saved = read_scene(tmp_path / "evening.toml")
    assert {one.name for one in saved.obstacles} == {"crate", "cart"}
    assert len(saved.characters) == 4
    assert max(one.start.x for one in saved.characters) > -6.0, "people are saved where they are"
    browser.do("remove", obstacles=["crate"], people=[0])
    assert browser.do("save", what="scene", path="evening.toml"), "our own file may be written over"
    assert len(read_scene(tmp_path / "evening.toml").characters) == 3
    files = browser.do("files")["files"]
    assert [(file["path"], file["kind"]) for file in files] == [("evening.toml", "scene")]
    other = studio.browser()
    other.hello()
    browser.do("open", path="evening.toml")
    for window in (browser, other):
        hello = [m for m in window.seen if m["type"] == "hello"]
        again = hello[1] if len(hello) > 1 else window.until("hello")
        assert [one["name"] for one in again["scene"]["obstacles"]] == ["cart"]
        assert len(again["scene"]["people"]) == 3
        assert again["undo"] is False
    assert browser.do("step", frames=10)["ok"]


def test_what_is_saved_can_be_opened_whatever_was_put_on_people(studio, tmp_path):
    browser = studio.browser()
    browser.hello()
    browser.do("pause")
    browser.do("step", frames=30)
    here = read_saved(browser, tmp_path / "before.toml").characters
    for number, (x, z) in enumerate(
        [(here[0].start.x, here[0].start.z), (here[1].goals[-1].x, here[1].goals[-1].z)]
    ):
        crate = {"name": f"crate-{number}", "shape": BOX, "position": [x, 0.0, z]}
        browser.do("add_obstacle", obstacle=crate)
    saved = read_saved(browser, tmp_path / "after.toml").characters
    assert [one.name for one in saved] == [one.name for one in here]
    assert saved[0].start != here[0].start
    assert saved[1].goals != here[1].goals
    assert saved[2:] == here[2:]


def read_saved(browser, path):
    """What a studio says the scene is."""
    browser.do("save", what="scene", path=path.name)
    return read_scene(path)


def test_a_take_is_saved_opened_and_marked(studio, tmp_path):
    browser = studio.browser()
    browser.hello()
    browser.do("step", frames=90)
    played = browser.do("ping")["frame"]
    browser.do("save", what="take", path="out.take")
    take = read_take(tmp_path / "out.take")
    assert take.frames >= played
    browser.do("open", path="out.take")
    hello = [m for m in browser.seen if m["type"] == "hello"][-1]
    assert hello["readonly"] is True
    history = browser.packets[-1]
    assert history["kind"] == 2
    assert history["who"] == [0, 1, 2, 3]
    marks = browser.until("take", lambda message: message["audited"])
    assert marks["frames"] == take.frames
    assert marks["marks"] == []
    refused = browser.ask("add_people", count=1, x=0.0, z=0.0)
    assert "finished take" in refused["error"]
    browser.do("save", what="bvh", path="walkers")
    assert len(list((tmp_path / "walkers").glob("*.bvh"))) == 4
    assert browser.do("save", what="glb", path="all.glb")["bytes"] > 1000


def test_exports_that_are_too_much_are_refused(studio, monkeypatch):
    monkeypatch.setattr("walkon.studio.errands.MOST_BODY_FRAMES", 10)
    browser = studio.browser()
    browser.hello()
    browser.do("step", frames=30)
    assert "walkon export" in browser.ask("save", what="glb", path="a.glb")["error"]
    assert "already" in browser.ask("save", what="take", path="a.take").get("error", "already")


@pytest.mark.parametrize("kind", ["paths", "gridmap", "reserved", "density", "waiting", "tree"])
def test_overlays_of_the_engine(studio, kind):
    browser = studio.browser()
    browser.hello()
    browser.do("step", frames=40)
    browser.do("overlay", kind=kind, on=True, who=1 if kind in ("reserved", "tree") else None)
    overlay = browser.until("overlay")
    assert overlay["kind"] == kind
    if kind == "paths":
        assert {path["who"] for path in overlay["paths"]} == {0, 1, 2, 3}
    if kind == "reserved":
        assert 2 < len(overlay["outlines"]) <= MOST_OUTLINES
        assert np.shape(overlay["outlines"])[1:] == (DIRECTIONS, 2)


def test_a_take_with_somebody_who_leaves(little_take):
    show = TakeShow(little_take)
    people = {person["name"]: person for person in show.scene()["people"]}
    assert people["anna"]["left"] is None
    assert people["cleo"]["left"] == little_take.end_frame(little_take.role("cleo")) + 1
    assert show.message() == {"type": "take", "frames": little_take.frames, "audited": False, "marks": []}
    tracks = {one["name"]: one["track"] for one in show.scene()["obstacles"]}
    assert tracks["wall"] is None
    assert tracks["rolling ball"]["first"] == 0


def test_marks_name_who_what_and_when(little_take):
    marks = audit_marks(little_take)  # made up by hand, it breaks rules
    assert marks
    for mark in marks:
        assert 0 <= mark["frame_first"] <= mark["frame_last"] <= little_take.frames
        assert mark["who"] in (0, 1, 2, None)
        assert mark["message"]


def test_a_studio_opens_what_it_is_given(tmp_path, little_take):
    write_take(little_take, tmp_path / "a.take")
    with background_studio(Settings(tmp_path / "a.take", port=0)) as studio:
        assert studio.director.show.readonly
        assert studio.url == f"http://127.0.0.1:{studio.port}/?token={studio.guard.token}"
    with background_studio(Settings(None, port=0, project=tmp_path, people=5)) as studio:
        assert len(studio.director.show.live.people) == 5
        assert len(studio.director.show.crowding.wanderers) == 5
