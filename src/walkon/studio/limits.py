"""How much the studio takes from whoever talks to it: a page gone astray must not take the machine with it."""

from __future__ import annotations

MOST_STUDIO_PEOPLE, MOST_OBSTACLES = 20_000, 2_000
"""People and obstacles in one scene: more than an engine can follow, and few enough to be told at once."""

FARTHEST_COORDINATE = 10_000.0
"""[m] Coordinates lie between minus and plus this: more is a slip of the pen."""

LARGEST_SIZE = 1_000.0
"""[m] of one obstacle, in any direction."""

MOST_DRAWN_POINTS = 500
"""Points of a wall, a polygon or a path."""

MOST_ADDED = 5_000
"""People in one message."""

MOST_TRACK_FRAMES = 18_000
"""Frames of one moving obstacle: ten minutes."""

MOST_REPEATED_FRAMES = 3_600
"""Frames for which a path that repeats is laid out: two minutes, after which the obstacle stands still."""

MOST_MOVING_FRAMES = 1_000_000
"""Frames of all moving obstacles together: 56 MB."""

LARGEST_MESSAGE = 256 * 1024
"""[bytes] A larger message closes the connection with 4409."""

LARGEST_FRAME = 1024 * 1024
"""[bytes] A larger one is not even read: the websocket library closes the connection with 1009."""

MESSAGES_PER_SECOND, MESSAGE_BURST = 60.0, 180.0
"""Messages that a connection may send per second, and in one burst: a drag sends one in each frame of a page."""

MOST_CLIENTS = 32
"""Browsers that are connected at the same time."""

MOST_CONNECTIONS = 256
"""Connections that have a session, at the same time: a browser has six, and one for its websocket."""

MOST_STRANGERS, MOST_STRANGERS_EACH = 64, 24
"""Connections without one: in all, and from one address. With one more the oldest is cut. With fewer, browsers
that open several at once might lose some; with more, whoever means harm holds more memory."""

STRANGER_SECONDS = 10.0
"""[s] after which a connection without a session is cut, whatever it does. A slow line needs one or two."""

HEADER_SECONDS = 10.0
"""[s] that the header of a further request may take on a connection that has a session."""

IDLE_SECONDS = 5
"""[s] after which a connection is closed that asks for nothing more."""

LARGEST_HEADER = 32 * 1024
"""[bytes] of a request: other servers of this machine may have given a browser many cookies, and all come here."""

QUEUED_BYTES = 4 * 1024 * 1024
QUEUED_MESSAGES = 600
"""What may wait for a client before it counts as one that stopped reading. History does not count."""

SLOWEST_SEND = 20.0
"""[s] A single message that takes longer to send means the same."""

FASTEST_PLAY, SLOWEST_PLAY = 8.0, 0.05
"""Factors on real time that may be asked for."""

MOST_UNDO = 100
"""Edits that can be undone."""

MOST_BODY_FRAMES = 500_000
"""People times frames of a take that is written as bodies (GLB, USD, BVH): about 1 GB while it is made."""
