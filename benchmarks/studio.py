"""The studio: how soon does a crowd answer a hand? (chromium, real drags of the mouse)

A box is dragged about a plaza on which people stroll. Measured in the page, from letting go of the mouse to the
first commits that arrive after the server has said that the edit is done; beside it the server's reply alone. The
browser has no graphics card here: it draws with the same two cores that plan, which a real one would not. KB/s is
what the server sends to this one window, everything counted. real time: simulated over real seconds meanwhile.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import nullcontext
from typing import Any

import numpy as np
from _studio_drags import drag_box, look_down_on, page_tool

PEOPLE = 1000
DRAGS = 20
BOX = "kiosk"
WIDTH, HEIGHT = 760, 480
"""[pixels] A small window: the processor has to fill it."""
AIM = 100.0
"""[ms] p95 of the time from dropping an obstacle to the first changed commit."""


def measure(browser: Any = None) -> list[dict[str, object]]:
    """One row, and whether it is what it should be. browser: playwright's; starts one of its own if not given."""
    tool = page_tool()
    sys.stderr.write(f"{PEOPLE} people, {DRAGS} drags\n")
    with (
        tempfile.TemporaryDirectory() as project,
        tool.run_studio("--people", str(PEOPLE), "--project", project) as address,
        nullcontext(browser) if browser else tool.open_browser() as opened,
    ):
        window = tool.Window(opened, address, width=WIDTH, height=HEIGHT)
        window.until("walkon.figures && walkon.figures.realtime > 0")
        look_down_on(window, BOX)
        samples, figures = [], []
        for number in range(DRAGS):
            across = 2.0 if number % 2 else -2.0
            samples.append(drag_box(window, BOX, across, 0.0))
            figures.append(window.read("walkon.figures"))
            sys.stderr.write(f"drag {number + 1}: {samples[-1]['answered'] - samples[-1]['sent']:.0f} ms\n")
        window.close()
    load = os.getloadavg()[0]
    return [_row(samples, figures, load)]


def _row(samples: list[dict[str, float]], figures: list[dict[str, float]], load: float) -> dict[str, object]:
    answered = np.array([one["answered"] - one["sent"] for one in samples])
    replied = np.array([one["replied"] - one["sent"] for one in samples])
    p50, p95, p99 = (round(float(value), 1) for value in np.percentile(answered, [50, 95, 99]))
    return {
        "people": PEOPLE,
        "drags": len(samples),
        "ms p50": p50,
        "ms p95": p95,
        "ms p99": p99,
        "aim p95": AIM,
        "reply p95": round(float(np.percentile(replied, 95)), 1),
        "KB/s": round(float(np.mean([one["bytes_per_second"] for one in figures])) / 1024, 1),
        "real time": round(float(np.median([one["realtime"] for one in figures])), 2),
        "remark": f"p95 {p95:g} ms: aim {AIM:g} {'met' if p95 <= AIM else 'not met'}; load {load:.1f} at the end",
    }
