"""Who is at the door: connections that have shown no session yet are few, and do not stay long.

Whoever can reach the port can open connections and say nothing, or a letter a second, for as long as it is let.
So a stranger has a few seconds, whatever it does, and where there are too many of them the oldest has to go: a
browser that has a session says so in its first request, and is let in long before it is the oldest.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from walkon.studio.limits import (
    HEADER_SECONDS,
    MOST_CONNECTIONS,
    MOST_STRANGERS,
    MOST_STRANGERS_EACH,
    STRANGER_SECONDS,
)


@dataclass(frozen=True)
class DoorLimits:
    """See `limits`."""

    strangers: int = MOST_STRANGERS
    strangers_each: int = MOST_STRANGERS_EACH
    connections: int = MOST_CONNECTIONS
    stranger_seconds: float = STRANGER_SECONDS
    header_seconds: float = HEADER_SECONDS


class Doorkeeper:
    """Knows all connections by their transports. tls: what they must be encrypted with, if so."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.tls = tls
        self.limits = DoorLimits()
        self._strangers: dict[asyncio.Transport, tuple[str, asyncio.TimerHandle]] = {}
        self._known: set[asyncio.Transport] = set()

    def enter(self, line: asyncio.Transport) -> None:
        """Somebody connected."""
        address = str((line.get_extra_info("peername") or ("",))[0])
        timer = asyncio.get_running_loop().call_later(self.limits.stranger_seconds, self._drop, line)
        self._strangers[line] = (address, timer)
        of_there = [other for other, (theirs, _) in self._strangers.items() if theirs == address]
        if len(of_there) > self.limits.strangers_each:
            self._drop(of_there[0])
        if len(self._strangers) > self.limits.strangers:
            self._drop(next(iter(self._strangers)))

    def vouch(self, line: asyncio.Transport) -> None:
        """It has a session."""
        found = self._strangers.pop(line, None)
        if found is None:
            return
        found[1].cancel()
        if len(self._known) >= self.limits.connections:
            line.abort()
        self._known.add(line)

    def leave(self, line: asyncio.Transport) -> None:
        """It is gone."""
        self._known.discard(line)
        found = self._strangers.pop(line, None)
        if found is not None:
            found[1].cancel()

    def knows(self, line: asyncio.Transport) -> bool:
        """Whether it has shown a session."""
        return line in self._known

    def _drop(self, line: asyncio.Transport) -> None:
        self.leave(line)
        line.abort()


class GuardedHTTP(H11Protocol):
    """HTTP behind a door. The application calls `scope["extensions"]["walkon.vouch"]` if it knows who asks."""

    def __init__(self, door: Doorkeeper, **options: Any) -> None:
        super().__init__(**options)
        self.door = door
        self._served, self.app = self.app, self._answer
        self._early = bytearray()
        self._header_timer: asyncio.TimerHandle | None = None

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        scope.setdefault("extensions", {})["walkon.vouch"] = partial(self.door.vouch, self.transport)
        await self._served(scope, receive, send)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio. Where TLS is asked for, hands are shaken first; that too takes no longer than it may."""
        self.door.enter(transport)
        if self.door.tls is None:
            super().connection_made(transport)
            return
        transport.pause_reading()
        task = self.loop.create_task(self._encrypt(transport, self.door.tls))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _encrypt(self, bare: asyncio.Transport, tls: ssl.SSLContext) -> None:
        try:
            secured = await self.loop.start_tls(bare, self, tls, server_side=True)
        except OSError:  # no TLS, of a kind that we do not speak, or cut
            bare.abort()
            secured = None
        finally:
            self.door.leave(bare)
        if secured is not None:
            self.door.enter(secured)
            super().connection_made(secured)
            if self._early:
                self.data_received(bytes(self._early))

    def data_received(self, data: bytes) -> None:
        """See asyncio. What comes with the last of a handshake may come before we know that it was the last."""
        if self.transport is None:
            self._early += data
            return
        super().data_received(data)
        half_said = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if half_said and self._header_timer is None and self.door.knows(self.transport):
            self._header_timer = self.loop.call_later(self.door.limits.header_seconds, self.transport.abort)
        elif not half_said:
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._stop_timer()
        if self.transport is not None:
            self.door.leave(self.transport)
            super().connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
