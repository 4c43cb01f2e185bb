"""Real drags of the mouse in a real browser, and how long each takes to come back as motion."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

TOOLS = Path(__file__).resolve().parents[1] / "tools"

STEPS = 8
"""Moves of the mouse in a drag."""
TRIES = 8
"""Somebody may stand before the box when it is reached for."""


def page_tool() -> ModuleType:
    """tools/studio_page.py."""
    before = list(sys.path)
    sys.path.insert(0, str(TOOLS))
    try:
        import studio_page  # pyright: ignore[reportMissingImports] - found by the path above
    finally:
        sys.path[:] = before
    return studio_page


def look_down_on(window: Any, name: str, height: float = 14.0) -> None:
    """The camera above an obstacle, so that nobody hides it."""
    place = window.read(f"walkon.obstacle('{name}')")
    x, z = place["x"], place["z"]
    window.read(f"walkon.look([{x}, {height}, {z + 0.25 * height}], [{x}, 0, {z}])")
    window.settle()


def drag_box(window: Any, name: str, dx: float, dz: float) -> dict[str, float]:
    """Drag an obstacle by about so many metres and let go; its sample: `sent`, `replied`, `answered` [ms]."""
    window.settle()
    for _ in range(TRIES):
        window.press("Escape")
        window.click(f"{{obstacle: '{name}'}}")
        if window.read("walkon.selected.obstacles") == [name]:
            break
    else:
        raise RuntimeError(f"{name} cannot be reached with the mouse")
    place = window.read(f"walkon.obstacle('{name}')")
    before = window.read("walkon.latencies.filter((each) => each.final).length")
    goal = f"{{x: {place['x'] + dx}, z: {place['z'] + dz}}}"
    foot = window.screen(f"{{x: {place['x']}, z: {place['z']}}}")
    start, end = window.screen(f"{{obstacle: '{name}'}}"), window.screen(goal)
    end = (start[0] + end[0] - foot[0], start[1] + end[1] - foot[1])
    window.drag(start, end, STEPS)
    window.until(f"walkon.latencies.filter((each) => each.final).length > {before}")
    return window.read("walkon.latencies.filter((each) => each.final).at(-1)")
