"""The first words to a browser: everything it must know before it can follow."""

from __future__ import annotations

from walkon.studio.limits import (
    LARGEST_MESSAGE,
    MESSAGES_PER_SECOND,
    MOST_DRAWN_POINTS,
    MOST_OBSTACLES,
    MOST_STUDIO_PEOPLE,
)
from walkon.studio.live_show import LiveShow
from walkon.studio.playback import TakeShow
from walkon.studio.protocol import OVERLAYS, PLANNERS, PROTOCOL
from walkon.studio.scene_view import write_json
from walkon.world import LEVELS_ABOUT


def welcome(show: LiveShow | TakeShow, client: int, running: bool, speed: float) -> list[str | bytes]:
    """The hello, the history, and for a take its length and marks."""
    live = isinstance(show, LiveShow)
    hello = {
        "type": "hello",
        "protocol": PROTOCOL,
        "client": client,
        "fps": show.fps,
        "frame": max(0, show.frame),
        "running": running,
        "speed": speed,
        "planner": show.planner,
        "planners": list(PLANNERS) if live else [],
        "levels": dict(LEVELS_ABOUT) if live else {},
        "title": show.title,
        "readonly": show.readonly,
        "performers": show.cast.view,
        "limits": {
            "people": MOST_STUDIO_PEOPLE,
            "obstacles": MOST_OBSTACLES,
            "points": MOST_DRAWN_POINTS,
            "message_bytes": LARGEST_MESSAGE,
            "rate": MESSAGES_PER_SECOND,
        },
        "overlays": list(OVERLAYS) if live else [],
        "undo": live and show.edits.can_undo,
        "redo": live and show.edits.can_redo,
        "scene": show.scene(),
    }
    first: list[str | bytes] = [write_json(hello), show.history()]
    return first if isinstance(show, LiveShow) else [*first, write_json(show.message())]
