"""How much the studio takes from whoever talks to it: a page gone astray must not take the machine with it."""

from __future__ import annotations

MOST_PEOPLE = 20_000
MOST_OBSTACLES = 2_000
FARTHEST = 10_000.0
"""[m] Coordinates lie within ± this."""

LARGEST_SIZE = 1_000.0
"""[m] of one obstacle, in any direction."""

MOST_POINTS = 500
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

MESSAGES_PER_SECOND = 60.0
MESSAGE_BURST = 180.0
"""A connection may send so many at once, and then so many a second."""

MOST_CLIENTS = 32

QUEUED_BYTES = 4 * 1024 * 1024
QUEUED_MESSAGES = 600
"""What may wait for a client before it counts as one that stopped reading. History does not count."""

SLOWEST_SEND = 20.0
"""[s] A single message that takes longer to send means the same."""

FASTEST = 8.0
SLOWEST = 0.05
"""Factors on real time."""

MOST_UNDO = 100

MOST_BODY_FRAMES = 500_000
"""People times frames of a take that is written as bodies (GLB, USD, BVH): about 1 GB while it is made."""
