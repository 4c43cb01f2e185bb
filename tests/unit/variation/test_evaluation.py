"""The whole table: real motion beside noise, on hand-made motion and on recordings."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import crop, read_clip, resample
from walkon.variation.evaluation import evaluate

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
several, swing = moving.several, moving.swing


def test_every_measure_is_there_for_every_set():
    found = evaluate(
        *(several(count, first=first, leans=0.05) for count, first in ((4, 0), (6, 20), (6, 40))), permutations=49
    )
    assert found.clips == {"variants": 6, "naive noise": 6, "perlin noise": 6, "inputs": 4, "held out": 6}
    groups = {row.group for row in found.rows()}
    assert groups == {"copies", "likeness", "smoothness", "uprightness", "slide", "two-sample test"}
    for row in found.rows():
        needed = {"variants", "naive noise", "perlin noise", "inputs"}
        assert needed <= row.values.keys()
    assert found.value("copied frames") == 0.0
    assert found.value("jerk, mean", "perlin noise") > found.value("jerk, mean")
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["clips"]["variants"] == 6
    assert found.as_text().count("\n") == len(found.rows())


def test_who_is_beaten_by_noise_is_told():
    inputs, held_out = several(4), several(4, first=40)
    worse = evaluate(inputs, several(4, first=20, height=1.2), held_out, permutations=9)
    assert "distributions of DOFs" in worse.losses()["naive noise"]


def test_without_noise_and_with_one_input():
    found = evaluate(several(1), several(3, first=20), several(3, first=40), noise=False, permutations=9)
    assert list(found.clips) == ["variants", "inputs", "held out"]
    assert np.isnan(found.value("timing, mean", "inputs"))
    assert "naive noise" not in evaluate(several(1), several(3), several(3, first=9), permutations=9).clips


def test_bad_input_is_refused():
    with pytest.raises(ClipError, match="held-out clips"):
        evaluate(several(2), several(2), [])
    with pytest.raises(ClipError, match="frames a second"):
        evaluate(several(2), [resample(swing(), 60.0)], several(2))
    with pytest.raises(ClipError, match="3 frames; 4 is the least"):
        evaluate(several(2), [swing(3)], several(2))


def test_recorded_walks_are_told_from_noise_and_not_from_each_other(mocap):
    walks = [resample(crop(read_clip(mocap / "cmu" / "bvh" / f"35_{k:02d}.bvh"), 1), 30.0) for k in range(1, 15)]
    found = evaluate(walks[:4], walks[4:9], walks[9:], permutations=49)
    assert found.losses() == {"naive noise": [], "perlin noise": []}
    real = found.value("1-NN score")
    assert real < 0.7
    assert min(found.value("1-NN score", noise) for noise in ("naive noise", "perlin noise")) > real + 0.1
    assert found.value("nearest frame, least") > 1.0
