"""Messages, requests and pages that mean no good: each loses its own connection, and disturbs nobody."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import random
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from walkon.studio.app import find_asset
from walkon.studio.limits import LARGEST_MESSAGE, MESSAGE_BURST
from walkon.studio.protocol import MALFORMED, TOO_LARGE, TOO_MANY, WRONG_ORIGIN

ROUNDS = 300


@pytest.fixture(scope="module")
def fuzz():
    """The fuzz target, which is a script."""
    path = Path(__file__).resolve().parents[3] / "fuzz" / "fuzz_studio.py"
    spec = importlib.util.spec_from_file_location("fuzz_studio", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


HOSTILE = {
    "not JSON": "drop everything",
    "nothing": "",
    "a list": "[]",
    "no operation": "{}",
    "an unknown one": '{"op": "shutdown"}',
    "an unknown field": '{"op": "play", "sudo": true}',
    "NaN": '{"op": "move_obstacle", "name": "a", "x": NaN, "z": 0}',
    "infinity": '{"op": "move_obstacle", "name": "a", "x": 1e999, "z": 0}',
    "too far": '{"op": "move_obstacle", "name": "a", "x": 10001, "z": 0}',
    "a text for a number": '{"op": "step", "frames": "1"}',
    "a number for a text": '{"op": "open", "path": 7}',
    "too many people": '{"op": "add_people", "count": 1000000, "x": 0, "z": 0}',
    "a negative number": '{"op": "step", "frames": -1}',
    "deep": '{"op":' * 300,
    "deep lists": "[" * 100_000,
    "a long id": json.dumps({"op": "ping", "id": "x" * 65}),
    "too many points": json.dumps(
        {"op": "add_obstacle",
         "obstacle": {"shape": {"kind": "wall", "points": [[n, 0] for n in range(501)]}, "position": [0, 0, 0]}}
    ),
    "a box without size": json.dumps(
        {"op": "add_obstacle",
         "obstacle": {"shape": {"kind": "box", "width": 0, "height": 1, "depth": 1}, "position": [0, 0, 0]}}
    ),
    "bytes": b"\x00\x01\x02",
    "half a surrogate": '{"op": "open", "path": "\\ud800"}',
}  # fmt: skip


@pytest.mark.parametrize("message", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_malformed_message_closes_its_connection_alone(studio, message):
    good, bad = studio.browser(), studio.browser()
    good.hello()
    bad.hello()
    bad.send(message)
    code, reason = bad.closed()
    assert code == MALFORMED
    assert reason
    assert len(reason.encode()) <= 123
    assert good.do("ping")["ok"]


def test_a_message_that_is_too_large(studio):
    good, bad, worse = studio.browser(), studio.browser(), studio.browser()
    bad.send('{"op": "ping", "id": "' + "x" * LARGEST_MESSAGE + '"}')
    assert bad.closed()[0] == TOO_LARGE
    with contextlib.suppress(ConnectionClosed):  # it may be cut off before it has said all
        worse.send("x" * 3_000_000)
    # Who is cut off while it still sends may find the line reset, and the reason lost: that is 1006.
    assert worse.closed()[0] in (1009, 1006)
    assert good.do("ping")["ok"]


def test_characters_count_as_the_bytes_they_are(studio):
    bad = studio.browser()
    bad.send("é" * (LARGEST_MESSAGE // 2 + 1))
    assert bad.closed()[0] == TOO_LARGE


def test_too_many_messages(studio):
    good, bad = studio.browser(), studio.browser()
    good.hello()
    with contextlib.suppress(ConnectionClosed):
        for _ in range(int(MESSAGE_BURST) + 60):
            bad.send('{"op": "ping"}')
    assert bad.closed()[0] == TOO_MANY
    for _ in range(30):
        assert good.do("ping")["ok"]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://localhost"]
)
def test_a_page_from_elsewhere_is_turned_away(studio, origin):
    assert studio.browser(origin=origin).closed()[0] == WRONG_ORIGIN


def test_our_own_page_is_not(studio):
    hello, _ = studio.browser(origin=f"http://127.0.0.1:{studio.port}").hello()
    assert hello["title"] == "little"


def test_a_name_that_was_made_to_point_here_is_turned_away(studio):
    with httpx.Client(base_url=f"http://127.0.0.1:{studio.port}") as client:
        for host in (
            "evil.example",
            f"evil.example:{studio.port}",
            "127.0.0.1.evil.example",
            "user@127.0.0.1",
            "",
        ):
            assert client.get("/", headers={"Host": host}).status_code in (400, 421), host
        for host in (f"127.0.0.1:{studio.port}", f"localhost:{studio.port}", f"[::1]:{studio.port}"):
            assert client.get("/", headers={"Host": host, **studio.cookie}).status_code in (200, 503), host


def test_every_answer_has_the_safe_headers(studio):
    for path in ("", "assets/absent.js", "motion/0.bin", "motion/77.bin", "absent"):
        headers = httpx.get(f"http://127.0.0.1:{studio.port}/{path}").headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "script-src 'self';" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_nothing_but_the_bundle_is_served(tmp_path):
    bundle = tmp_path / "assets"
    (bundle / "deep").mkdir(parents=True)
    (bundle / "deep" / "main.js").write_text("1")
    (bundle / ".secret").write_text("2")
    (tmp_path / "outside.js").write_text("3")
    (bundle / "link.js").symlink_to(tmp_path / "outside.js")
    (bundle / "loop").symlink_to(bundle / "loop")
    assert find_asset(bundle, "deep/main.js") == bundle / "deep" / "main.js"
    strange = ("../outside.js", "deep/../../outside.js", "link.js", "/etc/passwd", ".secret", "", "deep", "loop")
    for name in (*strange, "a\0b", "x" * 5000, str(tmp_path / "outside.js"), "deep/main.js/x"):
        assert find_asset(bundle, name) is None, name


def test_paths_of_requests_lead_nowhere_else(studio):
    for path in ("assets/../limits.py", "assets/%2e%2e/limits.py", "assets/..%2flimits.py", "assets//etc/passwd"):
        address = f"http://127.0.0.1:{studio.port}/{path}"
        assert httpx.get(address, headers=studio.cookie).status_code == 404, path


def test_the_seeds_of_the_fuzz_target_are_good_messages(fuzz):
    assert all(fuzz.read_one(seed) for seed in fuzz.seeds())


def test_hundreds_of_damaged_messages_are_messages_or_malformed(fuzz):
    done, good = fuzz.repeat(count=20 * ROUNDS, seed=5)
    assert done == 20 * ROUNDS
    assert 0 < good < done


def test_damaged_messages_to_a_server_disturb_nobody(studio, fuzz):
    """Each is sent over a connection of its own, unless the one before survived."""
    rng, watcher, victim = random.Random(3), studio.browser(), None
    watcher.hello()
    codes = []
    for _ in range(ROUNDS):
        victim = victim or studio.browser()
        try:
            victim.send(fuzz.damaged(rng).decode("utf-8", "replace"))
            victim.send('{"op": "ping", "id": "still there"}')
            victim.until("reply", lambda reply: reply["id"] == "still there")
        except ConnectionClosed as end:
            codes.append(end.rcvd.code if end.rcvd else None)
            victim = None
    assert len(codes) > ROUNDS // 4
    assert set(codes) <= {MALFORMED, TOO_MANY}
    assert watcher.do("ping")["ok"]
    assert watcher.do("step", frames=3)["ok"]
