"""The browsers that are connected. Nobody is waited for: who does not read in time loses the connection.

Everything here runs in the server's event loop; `Outlet` is for the engine's thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from walkon.studio.limits import (
    LARGEST_MESSAGE,
    MESSAGE_BURST,
    MESSAGES_PER_SECOND,
    MOST_CLIENTS,
    QUEUED_BYTES,
    QUEUED_MESSAGES,
    SLOWEST_SEND,
)
from walkon.studio.protocol import (
    BUSY,
    MALFORMED,
    TOO_LARGE,
    TOO_MANY,
    TOO_SLOW,
    MalformedError,
    Message,
    parse_message,
)

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

Payload = str | bytes
log = logging.getLogger("walkon.studio")

LINGER = 2.0
"""[s] A connection that does not end by itself after it was closed is cut."""


class Bucket:
    """Tokens that come back at a rate: how many messages a client may still send."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst = rate, burst
        self._left, self._when = burst, now

    def take(self, now: float) -> bool:
        """Take one; False if there is none."""
        self._left = min(self.burst, self._left + (now - self._when) * self.rate)
        self._when = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Client:
    """One connection: what waits to be sent, and why it ends."""

    def __init__(self, number: int, websocket: WebSocket, now: float) -> None:
        self.number = number
        self.websocket = websocket
        self.admitted = False
        self.ending: tuple[int, str] | None = None
        self.ended = asyncio.Event()
        self.bucket = Bucket(MESSAGES_PER_SECOND, MESSAGE_BURST, now)
        self._queue: deque[tuple[Payload, int]] = deque()
        self._waiting_bytes = 0
        self._ready = asyncio.Event()

    def put(self, payload: Payload, *, counts: bool = True) -> None:
        """Queue a message; one too many ends the connection."""
        if self.ending is not None:
            return
        size = len(payload) if counts else 0
        self._queue.append((payload, size))
        self._waiting_bytes += size
        self._ready.set()
        if self._waiting_bytes > QUEUED_BYTES or len(self._queue) > QUEUED_MESSAGES:
            self.end(TOO_SLOW, "this window stopped reading")

    def end(self, code: int, reason: str) -> None:
        """Close the connection, as soon as its task gets to it; the first reason stands."""
        if self.ending is None:
            self.ending = (code, reason)
        self._queue.clear()
        self.ended.set()

    async def next(self) -> Payload:
        """The next message to send."""
        while not self._queue:
            self._ready.clear()
            await self._ready.wait()
        payload, size = self._queue.popleft()
        self._waiting_bytes -= size
        return payload


Deliver = Callable[[int, Message, float], None]
"""Called with the number of a client, its message, and when that came [s]."""


class ClientHub:
    """All connections. deliver: gets what clients say; joined, left: their numbers as they come and go."""

    def __init__(self, deliver: Deliver, joined: Callable[[int], None], left: Callable[[int], None]) -> None:
        self._deliver, self._joined, self._left = deliver, joined, left
        self._clients: dict[int, Client] = {}
        self._numbers = count(1)
        self.bytes_sent = 0

    def __len__(self) -> int:
        return len(self._clients)

    async def serve(self, websocket: WebSocket) -> None:
        """Talk to a browser whose websocket was accepted, until either side ends it."""
        loop = asyncio.get_running_loop()
        if len(self._clients) >= MOST_CLIENTS:
            await part_with(websocket, BUSY, f"{MOST_CLIENTS} windows are open already")
            return
        client = Client(next(self._numbers), websocket, loop.time())
        self._clients[client.number] = client
        self._joined(client.number)
        tasks = [
            asyncio.create_task(work) for work in (self._receive(client), self._send(client), client.ended.wait())
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            del self._clients[client.number]
            self._left(client.number)
            await self._part(client)

    async def _receive(self, client: Client) -> None:
        loop = asyncio.get_running_loop()
        while True:
            event = await client.websocket.receive()
            if event["type"] == "websocket.disconnect":
                return None
            text, now = event.get("text"), loop.time()
            if text is None:
                return client.end(MALFORMED, "text messages only")
            # Characters first: counting bytes of a text that is far too long would be work for nothing.
            if len(text) > LARGEST_MESSAGE or len(text.encode()) > LARGEST_MESSAGE:
                return client.end(TOO_LARGE, f"a message has at most {LARGEST_MESSAGE} bytes")
            if not client.bucket.take(now):
                return client.end(TOO_MANY, f"more than {MESSAGES_PER_SECOND:g} messages a second")
            try:
                message = parse_message(text)
            except MalformedError as error:
                return client.end(MALFORMED, str(error))
            self._deliver(client.number, message, now)

    async def _send(self, client: Client) -> None:
        while True:
            payload = await client.next()
            try:
                async with asyncio.timeout(SLOWEST_SEND):
                    if isinstance(payload, bytes):
                        await client.websocket.send_bytes(payload)
                    else:
                        await client.websocket.send_text(payload)
            except TimeoutError:
                return client.end(TOO_SLOW, "this window stopped reading")
            except Exception:  # whatever the server says of a line that is gone
                return None
            self.bytes_sent += len(payload)

    async def _part(self, client: Client) -> None:
        """Say why, if the other side still listens; never wait for it."""
        if client.ending is None:
            return
        code, reason = client.ending
        log.info("connection %d closed: %d %s", client.number, code, reason)
        await part_with(client.websocket, code, reason)

    def broadcast(self, payload: Payload) -> None:
        """To everybody who was admitted."""
        for client in tuple(self._clients.values()):
            if client.admitted:
                client.put(payload)

    def send(self, number: int, payload: Payload) -> None:
        """To one, if it is still there."""
        client = self._clients.get(number)
        if client is not None:
            client.put(payload)

    def admit(self, number: int, payloads: Sequence[Payload]) -> None:
        """What a newcomer must know first; from then on it gets what everybody gets."""
        client = self._clients.get(number)
        if client is not None:
            for payload in payloads:
                client.put(payload, counts=False)
            client.admitted = True

    def end_all(self, code: int, reason: str) -> None:
        """Close every connection."""
        for client in tuple(self._clients.values()):
            client.end(code, reason)


async def part_with(websocket: WebSocket, code: int, reason: str) -> None:
    """Close a websocket with a reason; it is cut if the other side does not let go."""
    reason = reason.encode()[:120].decode("utf-8", "ignore")
    drop = websocket.scope.get("extensions", {}).get("walkon.drop")
    if drop is not None:
        drop(code, reason, LINGER)
        return
    with suppress(Exception):
        async with asyncio.timeout(LINGER):
            await websocket.close(code, reason)


class Outlet:
    """The hub for another thread. What is handed over there arrives here in the same order."""

    def __init__(self, hub: ClientHub, loop: asyncio.AbstractEventLoop) -> None:
        self._hub, self._loop = hub, loop

    @property
    def bytes_sent(self) -> int:
        """To all clients so far."""
        return self._hub.bytes_sent

    @property
    def clients(self) -> int:
        """How many there are."""
        return len(self._hub)

    def broadcast(self, payload: Payload) -> None:
        """See `ClientHub.broadcast`."""
        self._call(self._hub.broadcast, payload)

    def send(self, number: int, payload: Payload) -> None:
        """See `ClientHub.send`."""
        self._call(self._hub.send, number, payload)

    def admit(self, number: int, payloads: Sequence[Payload]) -> None:
        """See `ClientHub.admit`."""
        self._call(self._hub.admit, number, payloads)

    def _call(self, function: Callable[..., None], *values: object) -> None:
        # The loop closes before the engine's thread ends: then there is nobody left to tell.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *values)
