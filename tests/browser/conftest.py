"""A studio with a few people and a browser to look at it; skipped where chromium or the bundle is missing.

The studio runs in a thread of the tests' own process: what the engine needs is read or compiled once for all.
"""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from walkon.studio import Settings
from walkon.studio.serve import background_studio

TOOLS = Path(__file__).resolve().parents[2] / "tools"

SCENE = """
name = "yard"
bounds = [-10, -10, 10, 10]

[[obstacles]]
name = "crate"
shape = "box"
at = [4, 4]
width = 2
depth = 1.5
height = 1.5

[[obstacles]]
name = "bar"
shape = "box"
at = [-5, 0]
width = 2.5
depth = 0.15
height = 0.3
passes = ["step_over"]

[[crowds]]
kind = "pairs"
count = 8
region = [-9, -9, 9, 9]
distance = 7
"""


def load_tool(name: str) -> ModuleType:
    """A file of tools/."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


@pytest.fixture(scope="session")
def build_tool() -> ModuleType:
    """tools/build_studio.py."""
    return load_tool("build_studio")


@pytest.fixture(scope="session")
def page_tool() -> ModuleType:
    """tools/studio_page.py."""
    return load_tool("studio_page")


@pytest.fixture(scope="session")
def bundle(build_tool: ModuleType) -> None:
    """The newest bundle is there."""
    try:
        build_tool.build()
    except build_tool.BuildError as error:
        pytest.skip(f"the studio's page is not built, and cannot be: {error}")


@pytest.fixture(scope="session")
def chromium(page_tool: ModuleType) -> Iterator[Any]:
    """Debian's chromium, drawing without a graphics card; one for all tests."""
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(page_tool.open_browser())
        except page_tool.NoBrowserError as error:
            pytest.skip(str(error))
        yield opened


@pytest.fixture(scope="session")
def browser(chromium: Any, bundle: None) -> Any:
    """The same, where the studio can be looked at."""
    return chromium


class Server:
    """A studio that shows a scene of the folder `project`."""

    def __init__(self, project: Path, scene: str, **more: Any) -> None:
        self.project = project
        self._running = ExitStack()
        (project / "yard.toml").write_text(scene)
        settings = Settings(project / "yard.toml", project=project, **{"port": 0, **more})
        self._studio = self._running.enter_context(background_studio(settings))

    @property
    def url(self) -> str:
        """What to open in one more browser: each has a token of its own."""
        return self._studio.url

    def stop(self) -> None:
        """The server is gone; its folder stays."""
        self._running.close()


@pytest.fixture(scope="session")
def serve(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Starts studios: serve(scene, port=...) -> Server. `browser` first, as nothing is started without one."""
    started: list[Server] = []

    def start(scene: str = SCENE, **settings: Any) -> Server:
        started.append(Server(tmp_path_factory.mktemp("project"), scene, **settings))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="module")
def server(serve: Callable[..., Server]) -> Iterator[Server]:
    """One studio for all tests of a file."""
    started = serve()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def look(browser: Any, page_tool: ModuleType) -> Iterator[Callable[..., Any]]:
    """Opens windows: look(server, density=...) -> studio_page.Window."""
    windows = []

    def show(server: Server, **options: Any) -> Any:
        windows.append(page_tool.Window(browser, server.url, **options))
        return windows[-1]

    yield show
    for window in windows:
        window.close()


@pytest.fixture(scope="module")
def shared_window(server: Server, look: Callable[..., Any]) -> Any:
    """One page for the tests of a file: opening one takes longer than most tests."""
    return look(server)


@pytest.fixture
def window(shared_window: Any) -> Iterator[Any]:
    """The page, with no tool in hand; an error in its console fails the test."""
    shared_window.press("Escape")
    shared_window.press("Escape")
    shared_window.problems.clear()
    yield shared_window
    assert not shared_window.problems


@pytest.fixture
def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
