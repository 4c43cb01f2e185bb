"""Who may talk to the studio: whoever has the token; and only pages that the studio served.

Other users of this machine can reach its loopback too, and a page of another site can make a browser send requests
here. Three things stop them: the Host header must be ours (against names that are made to point here), the Origin
header must be that host, and a session is needed, which a one-time token in the printed address is exchanged for.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from walkon.errors import WalkonError
from walkon.studio.addresses import is_loopback, is_wildcard
from walkon.studio.protocol import NO_TOKEN, WRONG_ORIGIN

MOST_SESSIONS = 64

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Sent with every answer. No referrer: the address may hold the token."""


class Guard:
    """Decides about requests. host: listened on. announce: told of the next token when one was used up. needed:
    whether a session is, without which nobody may listen but this machine. secure: it is reached by TLS."""

    def __init__(
        self,
        host: str,
        *,
        announce: Callable[[str], None] | None = None,
        needed: bool = True,
        secure: bool = False,
    ) -> None:
        self.host = host.lower()
        self.local = is_loopback(self.host)
        if not needed and not self.local:
            raise WalkonError(f"without a token the studio listens on this machine alone, not on {host}")
        self.open, self.secure = not needed, secure
        self._names = {self.host, "localhost"} | ({socket.gethostname().lower()} if is_wildcard(host) else set())
        self.token = "" if self.open else secrets.token_urlsafe(32)
        self._announce = announce
        self._sessions: list[str] = []

    def knows_host(self, header: str | None) -> bool:
        """Whether a Host header means us, and is no name that somebody else made point here."""
        name = _host_of(header)
        if name is None:
            return False
        if self.local:
            return is_loopback(name)
        return name in self._names or _is_address(name)

    def allows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether the page that asks came from here. Programs that are no browsers send no origin, and may ask."""
        if origin is None:
            return True
        parts = urlsplit(origin)
        if parts.scheme not in (("https",) if self.secure else ("http", "https")) or not host:
            return False
        return hmac.compare_digest(parts.netloc.lower().encode(), host.lower().encode())

    def exchange(self, token: str | None) -> str | None:
        """A session for the token, which is used up by it; None for a wrong one."""
        if self.open or not _same(token, self.token):
            return None
        self.token = secrets.token_urlsafe(32)
        session = secrets.token_urlsafe(32)
        self._sessions = [*self._sessions[1 - MOST_SESSIONS :], session]
        if self._announce is not None:
            self._announce(self.token)
        return session

    def knows_session(self, session: str | None) -> bool:
        """Whether a session was given out by us, or none is needed."""
        return self.open or any(_same(session, known) for known in self._sessions)

    def refusal(self, headers: Mapping[str, str], session: str | None) -> tuple[int, str] | None:
        """Why a websocket is closed at once: code and reason; None if it is not."""
        host = headers.get("host")
        if not self.knows_host(host):
            return WRONG_ORIGIN, "this address is not the studio's"
        if not self.allows_origin(headers.get("origin"), host):
            return WRONG_ORIGIN, "this page was not opened from the studio"
        if not self.knows_session(session):
            return NO_TOKEN, "open the address that walkon studio printed"
        return None


def _same(given: str | None, known: str) -> bool:
    return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


def _host_of(header: str | None) -> str | None:
    """The name in a Host header, without its port."""
    if not header or len(header) > 300:
        return None
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises where it is none
    except ValueError:
        return None
    return parts.hostname if parts.username is None and not parts.path and not parts.query else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
