"""What the renderer complains about."""

from __future__ import annotations

from walkon.errors import WalkonError


class RenderError(WalkonError, ValueError):
    """A camera, a piece of scenery or a picture's settings make no picture."""
