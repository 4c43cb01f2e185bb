"""The web application: one page, its bundle, the motion files, and the websocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from walkon.errors import WalkonError
from walkon.studio.hub import ClientHub, Outlet, part_with
from walkon.studio.security import HEADERS, Guard

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from walkon.studio.director import Director

ASSETS = Path(__file__).resolve().parent / "assets"
"""The bundle, made by `make studio`."""

NOT_BUILT = """<!doctype html><meta charset="utf-8"><title>walkon studio</title>
<h1>The studio's page is not built yet</h1>
<p>Run <code>make studio</code> once in walkon's folder, then reload this page.</p>
"""
NO_SESSION = """<!doctype html><meta charset="utf-8"><title>walkon studio</title>
<h1>This address needs its token</h1>
<p>Open the address that <code>walkon studio</code> printed last. Each token is good for one browser.</p>
"""

ON_TO_THE_PAGE = """<!doctype html><meta charset="utf-8"><title>walkon studio</title>
<meta http-equiv="refresh" content="0; url=/"><p><a href="/">On to the studio</a></p>
"""

GOING_AWAY = 1001
MONTH = 30 * 86400


class Application:
    """Answers requests. assets: folder of the bundle."""

    def __init__(self, director: Director, guard: Guard, assets: Path = ASSETS) -> None:
        self.director, self.guard, self.assets = director, guard, assets.resolve()
        self.hub = ClientHub(director.hear, director.join, director.leave)

    @asynccontextmanager
    async def life(self, _: Starlette) -> AsyncIterator[None]:
        """The engine runs while the server does."""
        self.director.start(Outlet(self.hub, asyncio.get_running_loop()))
        yield
        self.hub.end_all(GOING_AWAY, "the studio was closed")
        await run_in_threadpool(self.director.stop)

    async def page(self, request: Request) -> Response:
        """The page itself; with a token in the address, a session for it."""
        token = request.query_params.get("token")
        if token is not None and self._knows(request):
            return RedirectResponse("/", status_code=303)
        session = self.guard.exchange(token)
        if session is not None:
            return _give(session, request)
        if not self._knows(request):
            return HTMLResponse(NO_SESSION, status_code=401)
        index = self.assets / "index.html"
        return FileResponse(index) if index.is_file() else HTMLResponse(NOT_BUILT, status_code=503)

    async def asset(self, request: Request) -> Response:
        """A file of the bundle."""
        if not self._knows(request):
            return PlainTextResponse("no session", status_code=401)
        path = find_asset(self.assets, request.path_params["path"])
        return PlainTextResponse("no such file", status_code=404) if path is None else FileResponse(path)

    async def motion(self, request: Request) -> Response:
        """The clips of a performer."""
        if not self._knows(request):
            return PlainTextResponse("no session", status_code=401)
        try:
            baked = await run_in_threadpool(self.director.show.cast.motion, request.path_params["number"])
        except WalkonError as error:
            return PlainTextResponse(str(error), status_code=422)
        if baked is None:
            return PlainTextResponse("no such performer", status_code=404)
        return Response(baked, media_type="application/octet-stream")

    async def live(self, websocket: WebSocket) -> None:
        """A browser that follows."""
        # Accepted first: a browser tells its page the code of a close, but not why it was never let in.
        await websocket.accept()
        refusal = self.guard.refusal(websocket.headers, _session(websocket))
        if refusal is not None:
            await part_with(websocket, *refusal)
            return
        _vouch(websocket)
        await self.hub.serve(websocket)

    def _knows(self, request: Request) -> bool:
        known = self.guard.knows_session(_session(request))
        if known:
            _vouch(request)
        return known


def make_app(director: Director, guard: Guard, assets: Path = ASSETS) -> Starlette:
    """The application as a server runs it."""
    own = Application(director, guard, assets)
    app = Starlette(
        routes=[
            Route("/", own.page, methods=["GET"]),
            Route("/assets/{path:path}", own.asset, methods=["GET"]),
            Route("/motion/{number:int}.bin", own.motion, methods=["GET"]),
            WebSocketRoute("/live", own.live),
        ],
        lifespan=own.life,
    )
    app.add_middleware(Gate, guard=guard)
    return app


class Gate:
    """In front of everything: requests for other hosts, or that bring something along, are turned away, and every
    answer has the safe headers."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        headers = HTTPConnection(scope).headers
        answer = self.app
        if not self.guard.knows_host(headers.get("host")):
            answer = PlainTextResponse("this address is not the studio's", status_code=421)
        elif headers.get("content-length", "0").strip("0") or "transfer-encoding" in headers:
            # Nothing that is asked for here has a body: it is not read, and nor is what would come after it.
            answer = PlainTextResponse(
                "a request here has no body", status_code=413, headers={"Connection": "close"}
            )
        await answer(scope, receive, send_safely)


def find_asset(folder: Path, name: str) -> Path | None:
    """A file of the bundle; None for anything else, wherever a name may lead."""
    try:
        path = (folder / name).resolve()
        hidden = any(part.startswith(".") for part in Path(name).parts)
        return path if not hidden and path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError, RuntimeError):  # a zero byte, a name that is too long, links in a circle
        return None


def _give(session: str, request: Request) -> Response:
    """The cookie of a session, and on to the page without the token in its address."""
    # If a link on another site's page led here, such as a terminal's in a browser, a strict cookie is sent only
    # with what a page of ours asks for next.
    led = request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
    answer = HTMLResponse(ON_TO_THE_PAGE) if led else RedirectResponse("/", status_code=303)
    secure = request.url.scheme == "https"
    name = _cookie_name(request)
    answer.set_cookie(name, session, max_age=MONTH, httponly=True, samesite="strict", secure=secure)
    _vouch(request)
    return answer


def _vouch(connection: HTTPConnection) -> None:
    """Tell the door that this connection has a session."""
    vouch = connection.scope.get("extensions", {}).get("walkon.vouch")
    if vouch is not None:
        vouch()


def _cookie_name(connection: HTTPConnection) -> str:
    """Cookies know no ports: two studios on one machine need two names."""
    url = connection.url
    return f"walkon_{url.port or (443 if url.scheme in ('https', 'wss') else 80)}"


def _session(connection: HTTPConnection) -> str | None:
    return connection.cookies.get(_cookie_name(connection))
