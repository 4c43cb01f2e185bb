"""A studio on a free port of this machine, and browsers that are none."""

from __future__ import annotations

import importlib.util
import json
import struct
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from walkon.studio.live_show import LiveShow
from walkon.studio.serve import Settings, Studio

PATIENCE = 30.0


def _load(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def fake():
    """The module with the engine that is none."""
    return _load("fake_live")


class Browser:
    """A connection as a page has it: the scene and the commits so far, and requests that wait for their reply."""

    def __init__(self, port: int, **options) -> None:
        """options: of `websockets`; a session goes into `additional_headers`."""
        options = {"max_size": None, "compression": None, **options}
        self._manager = connect(f"ws://127.0.0.1:{port}/live", **options)
        self.socket = self._manager.__enter__()
        self.seen: list[dict] = []
        self.packets: list[dict] = []
        self._next = 1

    def read(self, timeout: float = PATIENCE) -> dict:
        """The next message; packets are taken apart."""
        data = self.socket.recv(timeout=timeout)
        if isinstance(data, bytes):
            message = {"type": "packet", **unpack(data)}
            self.packets.append(message)
        else:
            message = json.loads(data)
            self.seen.append(message)
        return message

    def until(self, kind: str, fits=lambda message: True) -> dict:
        """Read on until a message of that type that fits."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.read()
            if message["type"] == kind and fits(message):
                return message
            assert message["type"] != "problem", message
        raise AssertionError(f"no {kind} within {PATIENCE} s")

    def hello(self) -> tuple[dict, dict]:
        """The first two messages."""
        hello, history = self.read(), self.read()
        assert (hello["type"], history["type"], history["kind"]) == ("hello", "packet", 2)
        return hello, history

    def send(self, message) -> None:
        """A message as it is."""
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def ask(self, op: str, **fields) -> dict:
        """A request; its reply."""
        number, self._next = self._next, self._next + 1
        self.send({"op": op, "id": number, **fields})
        return self.until("reply", lambda message: message["id"] == number)

    def do(self, op: str, **fields) -> dict:
        """A request that must succeed."""
        reply = self.ask(op, **fields)
        assert reply["ok"], reply
        return reply

    def closed(self) -> tuple[int, str]:
        """Read on until the other side closes; code and reason."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                self.socket.recv(timeout=PATIENCE)
            except ConnectionClosed as end:
                return (end.rcvd.code, end.rcvd.reason) if end.rcvd is not None else (1006, "")
        raise AssertionError("the connection stayed open")

    def close(self) -> None:
        """Leave."""
        self.socket.close()


def unpack(data: bytes) -> dict:
    """A binary message, read as the page reads it: independent of how it was packed."""
    kind, version, zero, frame, people, segments = struct.unpack_from("<BBHIII", data)
    assert (version, zero) == (1, 0)
    sizes = (people, people + 1, segments, segments)
    arrays, at = [], 16
    for size in sizes:
        arrays.append(np.frombuffer(data, "<u4", size, at).tolist())
        at += 4 * size
    places = np.frombuffer(data, "<f4", 3 * segments, at).reshape(-1, 3)
    assert at + 12 * segments == len(data)
    return dict(zip(("who", "starts", "clips", "frames"), arrays, strict=True)) | {
        "kind": kind,
        "frame": frame,
        "placements": places,
    }


class Running:
    """A studio that runs."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.port = studio, studio.port
        self.address = f"http://127.0.0.1:{studio.port}"
        self._browsers: list[Browser] = []
        session = studio.guard.exchange(studio.guard.token)
        self.cookie = {"Cookie": f"walkon_{studio.port}={session}"}
        """What a browser sends that has opened the printed address."""

    def browser(self, **options) -> Browser:
        """One more window, with a session unless other headers are given."""
        self._browsers.append(Browser(self.port, **{"additional_headers": self.cookie, **options}))
        return self._browsers[-1]

    def close(self) -> None:
        for browser in self._browsers:
            browser.socket.close()


@contextmanager
def run_studio(show, project: Path, **settings):
    """A studio with this show."""
    studio = Studio(Settings(port=0, project=project, **settings), show, lambda urls: None)
    thread = threading.Thread(target=studio.run, daemon=True)
    thread.start()
    running = Running(studio)
    try:
        yield running
    finally:
        running.close()
        studio.server.should_exit = True
        thread.join(10.0)
        assert not thread.is_alive()


@pytest.fixture
def studio(fake, tmp_path):
    """A studio with four people of the engine that is none."""
    with run_studio(LiveShow(fake.FakeLive(fake.little_scene())), tmp_path) as running:
        yield running


@pytest.fixture
def launch():
    """`run_studio`, for tests that bring their own show."""
    return run_studio
