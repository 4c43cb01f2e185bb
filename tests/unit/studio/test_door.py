"""Connections that say nothing, or say it slowly, or too much: each is cut, and a browser gets in all the same."""

from __future__ import annotations

import socket
import time

import httpx
import pytest

from walkon.studio.door import DoorLimits
from walkon.studio.limits import LARGEST_HEADER

QUICK = DoorLimits(connections=6, stranger_seconds=0.6, header_seconds=0.6)
PATIENCE = 10.0


@pytest.fixture
def hasty(studio):
    """A studio that waits for nobody."""
    studio.studio.door.limits = QUICK
    return studio


def dial(studio, said: bytes = b"") -> socket.socket:
    """A connection on which this was said."""
    line = socket.create_connection(("127.0.0.1", studio.port))
    line.settimeout(PATIENCE)
    line.sendall(said)
    return line


def request_for(studio, path: str, *more: str) -> bytes:
    """A request of a browser that has a session; more: lines of its header."""
    own = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{studio.port}", f"Cookie: {studio.cookie['Cookie']}")
    return "\r\n".join([*own, *more, "", ""]).encode()


def is_cut(line: socket.socket, data: bytes, times: int) -> bool:
    """Whether a connection ends while something is said on it again and again, whatever is answered."""
    try:
        for _ in range(times):
            line.sendall(data)
            time.sleep(0.02)
    except OSError:
        return True
    return False


def seconds_open(line: socket.socket, *, drip: bytes = b"") -> float:
    """How long it stays open; meanwhile a letter is said every now and then."""
    began = time.monotonic()
    line.settimeout(0.1)
    while time.monotonic() - began < PATIENCE:
        try:
            if drip:
                line.sendall(drip)
            if line.recv(65536) == b"":
                break
        except TimeoutError:
            continue
        except OSError:
            break
    else:
        pytest.fail("it stayed open")
    return time.monotonic() - began


def is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def how_many_stay(lines: list[socket.socket], expected: int) -> int:
    """How many are open, as soon as that is what is expected; a busy server takes its time."""
    deadline, found = time.monotonic() + PATIENCE, -1
    while found != expected and time.monotonic() < deadline:
        time.sleep(0.05)
        found = sum(map(is_open, lines))
    return found


@pytest.mark.parametrize(
    "said", [b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"POST / HTTP/1.1\r\nContent-"]
)
@pytest.mark.parametrize("drip", [b"", b"a"])
def test_whoever_does_not_come_to_the_point_is_cut(hasty, said, drip):
    assert 0.5 * QUICK.stranger_seconds < seconds_open(dial(hasty, said), drip=drip) < 0.5 * PATIENCE
    assert httpx.get(f"{hasty.address}/motion/0.bin", headers=hasty.cookie).status_code == 200


def test_a_stranger_that_asks_and_asks_is_cut_as_well(hasty):
    line = dial(hasty)
    assert is_cut(line, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400)


def test_a_session_may_stay_but_not_dawdle(hasty):
    """A further request on a connection that has a session must not take for ever either."""
    line = dial(hasty, request_for(hasty, "/motion/0.bin"))
    assert line.recv(15) == b"HTTP/1.1 200 OK"
    time.sleep(1.5 * QUICK.stranger_seconds)
    assert is_open(line)
    line.setblocking(True)
    line.sendall(b"GET / HT")
    assert seconds_open(line, drip=b"T") < 0.5 * PATIENCE


def test_a_connection_that_asks_for_nothing_more_is_closed(studio):
    studio.studio.server.config.timeout_keep_alive = 0.3
    assert seconds_open(dial(studio, request_for(studio, "/motion/77.bin"))) < 3.0


def test_the_oldest_of_too_many_strangers_goes_and_browsers_get_in(hasty):
    hasty.studio.door.limits = DoorLimits(strangers=1000, strangers_each=8)
    lines = [dial(hasty, b"GET") for _ in range(40)]
    for _ in range(3):
        assert httpx.get(f"{hasty.address}/motion/0.bin", headers=hasty.cookie).status_code == 200
    assert how_many_stay(lines[:30], 0) == 0
    assert sum(map(is_open, lines)) <= 8
    assert hasty.browser().hello()


def test_no_more_strangers_in_all_than_from_all_addresses(hasty):
    hasty.studio.door.limits = DoorLimits(strangers=5, strangers_each=50)
    lines = [dial(hasty) for _ in range(20)]
    assert how_many_stay(lines, 5) == 5
    assert all(map(is_open, lines[-5:]))


def test_a_window_outlives_the_time_of_strangers(hasty):
    window, refused = hasty.browser(), hasty.browser(additional_headers={})
    window.hello()
    refused.closed()
    time.sleep(1.5 * QUICK.stranger_seconds)
    assert window.do("ping")["ok"]


def test_a_refused_websocket_that_does_not_let_go_is_cut(hasty):
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", key)
    asked = request_for(hasty, "/live", *upgrade).replace(hasty.cookie["Cookie"].encode(), b"a=b")
    line = dial(hasty, asked)
    assert b"101" in line.recv(20)
    assert seconds_open(line) < 0.5 * PATIENCE


def test_too_many_connections_of_a_session_are_too_many(hasty):
    lines = [dial(hasty, request_for(hasty, "/motion/77.bin")) for _ in range(10)]
    answers = []
    for line in lines:
        try:
            answers.append(line.recv(12))
        except ConnectionError:
            answers.append(b"")
    assert sorted(answers) == [b""] * 4 + [b"HTTP/1.1 404"] * 6


def test_a_request_has_no_body(studio):
    for more in ("Content-Length: 5", "Content-Length: 99999999999", "Transfer-Encoding: chunked"):
        line = dial(studio, request_for(studio, "/", more))
        assert line.recv(12) == b"HTTP/1.1 413", more
        assert is_cut(line, b"x" * 1000, 200)
    assert httpx.get(studio.address, headers={"Content-Length": "0", **studio.cookie}).status_code in (200, 503)


def test_a_header_has_an_end(studio):
    line = dial(studio, request_for(studio, "/", "X: ").removesuffix(b"\r\n\r\n"))
    assert is_cut(line, b"x" * (LARGEST_HEADER // 8), 40)
    assert httpx.get(f"{studio.address}/motion/0.bin", headers=studio.cookie).status_code == 200
