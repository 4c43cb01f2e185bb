"""What the page brings along: its style sheet, its script, colours, and the rule that it loads nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

PLOT_WIDTH = 380.0
"""Width of all plots [px]: three fit side by side on a desk, one on a telephone."""

COLOURS = (
    ("#2166ac", "#6fb1f0"),
    ("#d95f02", "#ff9d57"),
    ("#1b8a5a", "#52c794"),
    ("#8e44ad", "#c58be0"),
    ("#b8860b", "#e3b94d"),
    ("#c2185b", "#f2739f"),
    ("#00838f", "#4fc3d0"),
    ("#6d4c41", "#bf9a8a"),
    ("#3f51b5", "#95a1f2"),
    ("#558b2f", "#9ccc65"),
    ("#e64a19", "#ff8a65"),
    ("#607d8b", "#a7bcc7"),
)
"""Of the first entry, the second ...: by day and by night."""


@cache
def page_style() -> str:
    """The style sheet."""
    return (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


@cache
def page_script() -> str:
    """The few lines that copy a table."""
    return (Path(__file__).parent / "page.js").read_text(encoding="utf-8")


def colour_rules(count: int) -> str:
    """CSS for the colours of `count` entries, by day and by night."""
    day = "".join(f".c{k}{{--c:{COLOURS[k][0]}}}" for k in range(count))
    night = "".join(f".c{k}{{--c:{COLOURS[k][1]}}}" for k in range(count))
    return f"{day}@media screen and (prefers-color-scheme:dark){{{night}}}"


def policy() -> str:
    """What the page may load: nothing but what is in it, and no script but ours."""
    script = base64.b64encode(hashlib.sha256(page_script().encode()).digest()).decode("ascii")
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{script}'"
