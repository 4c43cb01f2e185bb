"""A websocket that can be cut: uvicorn waits until a client reads before it closes, which may be never."""

from __future__ import annotations

from functools import partial
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from walkon.studio.door import Doorkeeper


class CuttableWebSocket(WebSocketsSansIOProtocol):
    """Gives the application two functions in `scope["extensions"]`: `walkon.drop`, of code, reason and seconds, as
    well as `walkon.vouch`, which HTTP has too."""

    def __init__(self, door: Doorkeeper, **options: Any) -> None:
        super().__init__(**options)
        self.door = door

    async def run_asgi(self) -> None:
        """See uvicorn."""
        extensions: dict[str, Any] = self.scope.setdefault("extensions", {})  # type: ignore[assignment]
        extensions["walkon.drop"] = self._drop
        extensions["walkon.vouch"] = partial(self.door.vouch, self.transport)
        await super().run_asgi()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self.door.leave(self.transport)
        super().connection_lost(exc)

    def _drop(self, code: int, reason: str, linger: float) -> None:
        """Put a close frame behind what was written, and cut the line if it is not gone after `linger` [s]."""
        if not self.close_sent and not self.transport.is_closing():
            try:
                self.conn.send_close(code, reason)
            except InvalidState:
                self.transport.abort()
                return
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            if self.read_paused:
                self.read_paused = False
                self.transport.resume_reading()
            self.close_timer = self.loop.call_later(linger, self.transport.abort)
        else:
            self.transport.abort()
