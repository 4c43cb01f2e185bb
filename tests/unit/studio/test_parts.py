"""The small parts: pacing, spots, figures, what can be undone, who may come in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.errors import WalkonError
from walkon.studio.addresses import is_loopback
from walkon.studio.changes import History, SceneChange
from walkon.studio.crowding import Crowding
from walkon.studio.hub import Bucket
from walkon.studio.limits import MOST_UNDO
from walkon.studio.measuring import Latencies, Rate, milliseconds
from walkon.studio.pacing import Pacer
from walkon.studio.plaza import make_plaza
from walkon.studio.scene_view import group_of, show_obstacle, show_terrain
from walkon.studio.security import MOST_SESSIONS, Guard
from walkon.world import Gridmap, HeightField, Obstacle, Sphere, build_world
from walkon.world.placing import ClearGround

OPEN = Gridmap(-10.0, -10.0, 1.0, np.full((21, 21), 3.0))


def test_steps_come_in_time_at_any_speed():
    pacer = Pacer(30.0, 0.0)
    pacer.resume(0.0, speed=2.0)
    steps = 0
    for now in np.arange(0.0, 1.0, 0.001):
        if pacer.is_due(now):
            steps += 1
            pacer.stepped(now)
    assert steps == pytest.approx(60, abs=1)
    assert not pacer.is_late(1.0)
    assert pacer.realtime(1.0) == pytest.approx(2.0, abs=0.1)


def test_what_was_missed_is_let_go():
    pacer = Pacer(30.0, 0.0)
    now = 0.0
    for _ in range(20):
        assert pacer.is_due(now)
        now += 0.2  # each step takes six times too long
        pacer.stepped(now)
    assert pacer.is_late(now)
    assert pacer.realtime(now) == pytest.approx(1 / 6, rel=0.2)
    pacer.stepped(now)
    steps = 0
    while pacer.is_due(now):  # from here on steps take no time
        steps += 1
        pacer.stepped(now)
    assert steps <= 6, "two seconds are not caught up with"
    pacer.resume(now, running=False)
    assert not pacer.is_due(now + 10.0)
    assert pacer.wait(now) == float("inf")


def test_a_step_that_is_hastened_comes_at_once_and_time_passes_no_faster():
    """Somebody edits all the time: never more than one frame comes before its turn."""
    pacer, steps, now = Pacer(30.0, 0.0), 0, 0.0
    while now < 10.0:
        pacer.hasten(now)
        if pacer.is_due(now):
            assert pacer.wait(now) == 0.0
            pacer.stepped(now)
            steps += 1
        assert steps <= 30.0 * now + 2.0
        now += 0.004
    assert steps >= 300
    pacer.resume(now, running=False)
    pacer.hasten(now)
    assert not pacer.is_due(now)
    assert math.isinf(pacer.wait(now))


def test_a_bucket_runs_dry_and_fills():
    bucket = Bucket(rate=10.0, burst=3.0, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(0.1)
    assert not bucket.take(0.1)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_latency_is_until_a_commit_of_those_who_are_meant():
    latencies = Latencies()
    latencies.edited(10.0, frozenset([3]))
    latencies.edited(10.0, None)
    latencies.sent(np.array([1, 2]), 10.02)
    latencies.sent(np.array([3]), 10.05)
    assert latencies.percentiles()["p50"] == pytest.approx(35.0, abs=0.1)
    latencies.edited(11.0, frozenset([9]))
    latencies.sent(np.array([1]), 20.0)  # too late to be an answer
    latencies.sent(np.array([9]), 20.1)
    assert latencies.percentiles()["p99"] < 60.0
    assert milliseconds(np.zeros(0)) == {"p50": None, "p95": None, "p99": None}


def test_a_rate_is_over_the_last_seconds():
    rate = Rate(window=2.0)
    for now in range(10):
        found = rate(100.0 * now, float(now))
    assert found == pytest.approx(100.0)
    assert rate(0.0, 11.0) == 0.0


def test_undo_is_bounded_and_a_drag_is_one(fake):
    live, history = fake.FakeLive(fake.little_scene()), History()
    ball = Obstacle("ball", Sphere(0.5), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
    live.add_obstacle(ball)

    def dragged(x):
        before = live.obstacles["ball"]
        live.move_obstacle("ball", x, 0.0, 0.0)
        return SceneChange(obstacles={"ball": (before, live.obstacles["ball"])})

    for x in (1.0, 2.0, 3.0):
        history.add(dragged(x), drag=(1, "ball"), final=x == 3.0)
    history.add(dragged(9.0), drag=(1, "ball"), final=True)  # a second drag
    history.undo(live)
    assert live.obstacles["ball"].positions[0, 0] == 3.0
    history.undo(live)
    assert live.obstacles["ball"] is ball
    assert not history.can_undo
    for _ in range(MOST_UNDO + 20):
        history.add(SceneChange())
    steps = 0
    while history.can_undo:
        history.undo(live)
        steps += 1
    assert steps == MOST_UNDO


def test_wanderers_go_on(fake):
    live = fake.FakeLive(fake.little_scene())
    crowding = Crowding(live, 0)
    crowding.wanderers.update(live.people)
    before = live.people[0].goal
    for _ in range(400):
        crowding.tick()
        live.step()
    assert live.people[0].goal != before


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_loopback_may_need_no_token(host):
    assert is_loopback(host)
    guard = Guard(host, needed=False)
    assert guard.token == ""
    assert guard.knows_session(None)
    assert guard.exchange("") is None
    assert not Guard(host).knows_session(None), "unless it is said, it does: this machine has other users"
    assert len(Guard(host).token) > 40


def test_others_always_need_one():
    for host in ("0.0.0.0", "::", "192.168.1.7", "studio.example"):  # noqa: S104
        with pytest.raises(WalkonError, match="this machine alone"):
            Guard(host, needed=False)


def test_elsewhere_sessions_are_given_for_tokens():
    told = []
    guard = Guard("studio.example", announce=told.append)
    assert not guard.knows_session(None)
    assert not guard.knows_session("")
    assert guard.exchange(None) is None
    assert guard.exchange("") is None
    first = guard.exchange(guard.token)
    assert guard.knows_session(first)
    assert told == [guard.token]
    for _ in range(MOST_SESSIONS):
        guard.exchange(guard.token)
    assert not guard.knows_session(first), "the oldest of too many goes"
    assert guard.knows_host("studio.example:80")
    assert guard.knows_host("192.168.1.7:8460")
    assert not guard.knows_host("evil.example")


def test_terrain_and_tracks_are_thinned_out():
    heights = np.add.outer(np.arange(1000.0), np.zeros(1000))
    shown = show_terrain(HeightField(0.0, 0.0, 0.1, heights))
    assert shown is not None
    stride = round(shown["cell"] / 0.1)
    assert len(shown["heights"]) <= 400
    assert shown["heights"][1][0] == stride
    places = np.column_stack([np.arange(10_000.0), np.zeros(10_000), np.zeros(10_000)])
    ball = Obstacle("ball", Sphere(0.5), places, np.tile([[1.0, 0.0, 0.0, 0.0]], (10_000, 1)))
    track = show_obstacle(ball, 7)["track"]
    assert track["first"] == 7
    assert len(track["positions"]) <= 1202
    assert track["positions"][1][0] == track["every"]
    assert track["positions"][-1][0] == 9999.0
    assert (group_of("flow_012"), group_of("anna"), group_of("anna_b")) == ("flow", None, None)


def test_the_plaza_has_room_for_its_people():
    scene = make_plaza(80, seed=3)
    assert len(scene.characters) == 80
    clearance = build_world(scene).clearance
    starts = np.array([(one.start.x, one.start.z) for one in scene.characters])
    assert ClearGround(clearance).is_free(starts, 0.5).all()
    assert make_plaza(80, seed=3).characters == scene.characters
    assert not make_plaza(0).characters
