"""Serving: from a file, or from nothing, to a page in the browser."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from walkon.confining import confined_to
from walkon.errors import MissingExtraError, WalkonError
from walkon.formats import TAKE_SUFFIX
from walkon.studio.addresses import is_wildcard, reachable_hosts

if TYPE_CHECKING:
    import uvicorn

    from walkon.studio.director import Director
    from walkon.studio.live_show import LiveShow
    from walkon.studio.playback import TakeShow

LOOPBACK = "127.0.0.1"
PORT = 8460
PEOPLE = 60
START_PATIENCE = 5.0
"""[s] after which somebody who waits for the address is told why."""

log = logging.getLogger("walkon.studio")


@dataclass(frozen=True)
class Settings:
    """What a studio is started with.

    what: a scene or a take; None for the plaza. host: None for this machine alone. port: 0 for any that is free.
    project: folder of the files; that of the scene, or the current one, if not said. people: on the plaza. bodies:
    the level at which they are seen; empty for what the scene says. token:
    whether a browser needs it; it must where other machines can listen. tls_cert, tls_key: files to encrypt with.
    """

    what: Path | None = None
    host: str | None = None
    port: int = PORT
    project: Path | None = None
    seed: int = 0
    people: int = PEOPLE
    planner: str = "search"
    bodies: str = ""
    token: bool = True
    tls_cert: Path | None = None
    tls_key: Path | None = None

    @property
    def folder(self) -> Path:
        """The project folder."""
        if self.project is not None:
            return self.project
        return Path.cwd() if self.what is None else self.what.resolve().parent


class Studio:
    """A server that is ready: its address is known, and it listens once it runs."""

    def __init__(
        self, settings: Settings, show: LiveShow | TakeShow, announce: Callable[[list[str]], None]
    ) -> None:
        import uvicorn

        from walkon.studio.app import make_app
        from walkon.studio.director import Director
        from walkon.studio.door import Doorkeeper, GuardedHTTP
        from walkon.studio.limits import IDLE_SECONDS, LARGEST_FRAME, LARGEST_HEADER
        from walkon.studio.project import Project
        from walkon.studio.security import Guard
        from walkon.studio.tls import make_tls
        from walkon.studio.uvicorn_socket import CuttableWebSocket

        host = settings.host or LOOPBACK
        self.door = Doorkeeper(make_tls(settings.tls_cert, settings.tls_key))
        self._host, self._secure = host, self.door.tls is not None
        self.guard = Guard(
            host,
            announce=lambda token: announce(self._addresses(token)),
            needed=settings.token,
            secure=self._secure,
        )
        self._socket = _listen(host, settings.port)
        self.port: int = self._socket.getsockname()[1]
        project = Project(settings.folder)
        self.director: Director = Director(show, project, opener=lambda path: open_show(path, settings))
        if settings.what is not None and settings.what.resolve().is_relative_to(project.folder):
            project.own(settings.what.resolve())
        self.server: uvicorn.Server = uvicorn.Server(
            uvicorn.Config(
                make_app(self.director, self.guard),
                http=partial(GuardedHTTP, self.door),  # type: ignore[arg-type]
                ws=partial(CuttableWebSocket, self.door),  # type: ignore[arg-type]
                h11_max_incomplete_event_size=LARGEST_HEADER,
                timeout_keep_alive=IDLE_SECONDS,
                # Headers in which a proxy says who is behind it: here anybody could.
                proxy_headers=False,
                ws_max_size=LARGEST_FRAME,
                # Compression costs the engine time, and lets a few bytes become many.
                ws_per_message_deflate=False,
                ws_ping_interval=10.0,
                ws_ping_timeout=20.0,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=2,
            )
        )

    @property
    def url(self) -> str:
        """What to open in a browser on this machine."""
        return self.urls[0]

    @property
    def urls(self) -> list[str]:
        """All addresses, the one for this machine first; they share a token, which is good for one browser."""
        return self._addresses(self.guard.token)

    def _addresses(self, token: str) -> list[str]:
        scheme, query = "https" if self._secure else "http", f"?token={token}" if token else ""
        return [f"{scheme}://{host}:{self.port}/{query}" for host in reachable_hosts(self._host)]

    def run(self) -> None:
        """Serve until stopped."""
        try:
            self.server.run(sockets=[self._socket])
        finally:
            self._socket.close()


def serve(
    settings: Settings,
    *,
    open_browser: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Run a studio until it is interrupted. say: told the address, and a new one whenever a token was used."""
    patience = threading.Timer(START_PATIENCE, say, ["getting ready; the first time this takes a minute or two"])
    patience.daemon = True
    patience.start()
    try:
        studio = make_studio(settings, announce=lambda urls: _tell(say, "for another browser", urls))
    finally:
        patience.cancel()
    _tell(say, "walkon studio", studio.urls)
    if open_browser:
        # The browser may ask before the server listens: the socket is bound already, so it is answered.
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(studio.url,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        studio.run()


def _tell(say: Callable[[str], None], what: str, urls: list[str]) -> None:
    say(f"{what}: {urls[0]}")
    for url in urls[1:]:
        say(f"  or from elsewhere: {url}")


def make_studio(settings: Settings, *, announce: Callable[[list[str]], None] = lambda urls: None) -> Studio:
    """Everything up to listening."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        raise MissingExtraError("starlette, uvicorn and websockets", "studio") from None
    with confined_to(_home(settings)):
        show = open_show(settings.what, settings)
    return Studio(settings, show, announce)


def _home(settings: Settings) -> Path:
    """Where the files must lie that the first scene names: in the project, or beside it if it is not in there."""
    project = settings.folder.resolve()
    beside = project if settings.what is None else settings.what.resolve().parent
    return project if beside.is_relative_to(project) else beside


@contextmanager
def background_studio(settings: Settings) -> Iterator[Studio]:
    """A studio in a thread of its own, for as long as the block lasts: for tests and notebooks."""
    studio = make_studio(settings)
    thread = threading.Thread(target=studio.run, name="walkon-studio", daemon=True)
    thread.start()
    try:
        yield studio
    finally:
        studio.server.should_exit = True
        thread.join(10.0)


def open_show(what: Path | None, settings: Settings) -> LiveShow | TakeShow:
    """What is shown: a take as it is, a scene as a live crowd, or the plaza."""
    from walkon.studio.live_show import LiveShow
    from walkon.studio.playback import TakeShow

    if what is not None and what.suffix.lower() == TAKE_SUFFIX:
        from walkon.take import read_take

        return TakeShow(read_take(what))
    from walkon.crowd.live import Live
    from walkon.studio.plaza import make_plaza
    from walkon.world import check_level, read_scene

    _warm_up()
    beside = None if what is None else what.resolve().parent
    if what is None:
        scene = make_plaza(settings.people, settings.seed)
    else:
        scene = read_scene(what, seed=settings.seed, folder=beside)
    if settings.bodies:
        scene = replace(scene, bodies=check_level(settings.bodies))
    live = Live(scene, seed=settings.seed, planner=settings.planner, folder=beside)
    return LiveShow(live, settings.seed, wander=what is None)


@cache
def _warm_up() -> None:
    """Walk somebody once round in private: what must be compiled is, before anybody looks; and trees are grown."""
    from walkon.crowd.live import Live
    from walkon.studio.plaza import make_plaza

    live = Live(make_plaza(2), planner="tree")
    live.step(0.5)
    live.move_obstacle("kiosk", 3.0, 3.0, 0.0)
    live.set_goals(list(live.people), [None] * len(live.people))
    live.step(1.0)
    live.history()
    live.close()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises WalkonError where it cannot."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, number)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6 and is_wildcard(host):
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # all addresses, old ones too
            listening.bind(address)
            listening.listen(64)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise WalkonError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    return listening
