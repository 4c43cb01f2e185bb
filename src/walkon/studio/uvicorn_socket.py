"""A websocket that can be cut: uvicorn waits until a client reads before it closes, which may be never."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState


class CuttableWebSocket(WebSocketsSansIOProtocol):
    """Gives the application `scope["extensions"]["walkon.drop"]`: a function of code, reason and seconds."""

    async def run_asgi(self) -> None:
        """See uvicorn."""
        extensions = self.scope.setdefault("extensions", {})
        extensions["walkon.drop"] = self._drop  # type: ignore[index]
        await super().run_asgi()

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
