"""Pictures of RiMEA's tests: ways from above, and who is gone by when."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from _flow_plots import OTHER, OURS, Series, draw
from _rimea_results import Picture
from _rimea_runs import Evacuation, Limits

COLOURS = (OURS, OTHER, (90, 150, 90), (130, 100, 170))
"""Of curves; there are no more of them in a picture."""


def top_view(run: Evacuation, limits: Limits, name: str, caption: str) -> Picture:
    """Everybody's way, from above."""
    from walkon.render import draw_overview

    limits.out.mkdir(parents=True, exist_ok=True)
    path = limits.out / f"{name}.png"
    draw_overview(run.take, path, width=1100)
    return path, caption


def gone_curves(runs: Mapping[str, Evacuation], limits: Limits, name: str) -> Picture:
    """How many are gone by when, of several runs."""
    limits.out.mkdir(parents=True, exist_ok=True)
    curves = [
        Series(said, colour, np.concatenate([np.zeros((1, 2)), run.curve()]), line=2.2)
        for (said, run), colour in zip(runs.items(), COLOURS, strict=False)
    ]
    last, people = np.max([one.points[-1] for one in curves], axis=0)
    most = (1.05 * float(last) + 1.0, 1.1 * float(people) + 1.0)
    path = draw(limits.out / f"{name}.png", "Who is gone", curves, ("s", "people"), most)
    return path, "People who are gone, over time."
