"""Under which addresses this machine can be reached: what to print for `--host 0.0.0.0`."""

from __future__ import annotations

import ipaddress
import socket

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")

_FAR_AWAY = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Addresses that are kept for examples: nobody has them, and nothing is sent to them."""


def is_loopback(host: str) -> bool:
    """Whether a host to listen on is reached from this machine alone."""
    try:
        return host in LOOPBACK_NAMES or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_wildcard(host: str) -> bool:
    """Whether a host to listen on means all addresses of this machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def reachable_hosts(host: str) -> list[str]:
    """What to put into an address for a host that is listened on. All addresses: this machine's own first."""
    if not is_wildcard(host):
        return [_in_url(host)]
    four = ["127.0.0.1", *_outgoing(socket.AF_INET)]
    if ":" not in host:
        return four
    return [_in_url(one) for one in ("::1", *_outgoing(socket.AF_INET6), *four)]


def _outgoing(family: socket.AddressFamily) -> list[str]:
    """The address that others see, if there is any: that of a socket which would send far away, and does not."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(_FAR_AWAY[family])
            found = probe.getsockname()[0]
    except OSError:
        return []
    address = ipaddress.ip_address(found)
    return [] if address.is_loopback or address.is_unspecified or address.is_link_local else [found]


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
