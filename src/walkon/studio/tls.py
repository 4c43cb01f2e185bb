"""Encryption by certificate files that the user has."""

from __future__ import annotations

import ssl
from pathlib import Path

from walkon.errors import WalkonError


def make_tls(cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """What connections are encrypted with; None without a certificate. key: None if the certificate's file has it.

    Raises WalkonError where the files cannot be read, do not belong together, or want a password.
    """
    if cert is None:
        if key is not None:
            raise WalkonError("a key for TLS needs a certificate as well: --tls-cert")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2

    def no_password() -> str:
        raise WalkonError(f"{key or cert}: the key is locked with a password; the studio needs one without")

    try:
        context.load_cert_chain(cert, key, no_password)
    except ssl.SSLError as error:
        reason = (error.reason or str(error)).replace("_", " ").lower()
        raise WalkonError(f"{cert}: no certificate with its key for TLS: {reason}") from None
    except OSError as error:
        raise WalkonError(f"{cert if key is None else f'{cert}, {key}'}: {error.strerror or error}") from None
    return context
