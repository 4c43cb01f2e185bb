"""More people than there is time for: decisions are put off, never made for what is over, and nobody is met."""

from __future__ import annotations

import numpy as np

from walkon.crowd.live import engine
from walkon.metrics import audit


def crowded(stage, monkeypatch, budget, batch=4):
    """Sixteen people who all want to the other side, and plan in small batches."""
    monkeypatch.setattr(engine, "DECIDING_BATCH", batch)
    monkeypatch.setattr(engine, "BUDGET", budget)
    places = [(x, z) for x in (-4.5, -1.5, 1.5, 4.5) for z in (-4.5, -1.5, 1.5, 4.5)]
    return [stage.walker(f"p{k}", x, z, 0.0, (-x, -z + 0.5)) for k, (x, z) in enumerate(places)]


def test_all_have_their_turn_within_the_budget(stage, monkeypatch):
    live = stage.live(crowded(stage, monkeypatch, 400_000))
    live.step(6.0)
    stage.assert_sound(live)
    assert audit(live.take()).violations == ()


def test_many_newcomers_may_be_left_over(stage, monkeypatch):
    live = stage.live(crowded(stage, monkeypatch, 0))
    live.step()
    assert len(live.history()) == 16


def test_nobody_decides_about_what_was_played(stage, monkeypatch):
    live = stage.live(crowded(stage, monkeypatch, 400_000, batch=1))
    live.step(1.0)
    live.drain()
    monkeypatch.setattr(engine, "BUDGET", 0)
    late = []
    for _ in range(240):
        live.step()
        commits = live.drain()
        late += [int(live.frame - frame) for frame in commits.frames[commits.starts[:-1]] if frame < live.frame]
        stage.assert_sound(live)
    assert late == []
    assert np.isfinite(live.state().circles).all()
