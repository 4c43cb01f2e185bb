"""One motion: learning, making, memory, and everything that can be measured about variants.

Times are wall clock without compilation; making is the best of some rounds, without the holding of feet. Likeness
counts in how many of the measures of likeness variants beat noise that changes the inputs as much. The likelihood
is that of a held-out clip by the model, minus that of the same clip with naive noise.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from _variation_motions import Motion

    from walkon.motion import Clip
    from walkon.variation import VariationModel
    from walkon.variation.evaluation import Evaluation

ROUNDS, RESTARTS = 12, 2
VARIANTS = 15
MAKING_ROUNDS = 3
STREAM = 600.0
"""Seconds of the stream that has to stay upright."""

PERMUTATIONS = 499
Row = dict[str, object]


def model_rows(motion: Motion) -> list[Row]:
    """Rows of one motion."""
    from walkon.variation import hold_contacts, learn_variation, make_variants

    learn_variation(motion.inputs[:2], rounds=1, restarts=1)
    begun = time.perf_counter()
    model = learn_variation(motion.inputs, rounds=ROUNDS, restarts=RESTARTS)
    seconds = time.perf_counter() - begun
    best, made = np.inf, []
    for _ in range(MAKING_ROUNDS):
        begun = time.perf_counter()
        made = make_variants(model, VARIANTS)
        best = min(best, (time.perf_counter() - begun) / sum(clip.duration for clip in made))
    held = [hold_contacts(clip) for clip in made]
    clips = [f"{len(motion.inputs)} clips, {sum(map(len, motion.inputs))} frames"]
    return [
        _row(motion, "learning", round(seconds, 1), "s", "60", "1800 to 7200", ", ".join(clips)),
        _row(motion, "making a second of motion", round(1e3 * best, 2), "ms", "5", "200"),
        *_memory(motion, model),
        *_quality(motion, held),
        *(_trembling(motion, model) if motion.recorded else ()),
        *_likelihood(motion, model),
        *_stream(motion, model),
    ]


def _memory(motion: Motion, model: VariationModel) -> list[Row]:
    from walkon.variation import write_model

    with tempfile.TemporaryDirectory() as folder:
        write_model(model, Path(folder) / "model")
        size = (Path(folder) / "model").stat().st_size
    given = sum(clip.rotations.nbytes + clip.root_positions.nbytes for clip in motion.inputs)
    return [
        _row(motion, "model", round(size / given, 2), "times the inputs", "about 1", "about 1", f"{size} bytes")
    ]


def _quality(motion: Motion, held: list[Clip]) -> list[Row]:
    """What the evaluation says."""
    from walkon.variation.evaluation import evaluate

    found = evaluate(motion.inputs, held, motion.held_out, permutations=PERMUTATIONS)
    rows = []
    for measure, of, aim in (
        ("nearest frame, least", "variants", "> 0"),
        ("copied frames", "variants", "0"),
        ("timing, least", "variants", "> 0"),
        ("timing, mean", "variants", ""),
        ("jerk, mean", "variants", ""),
        ("jerk, mean", "inputs", ""),
        ("jerk, mean, worst clip", "inputs", ""),
        ("drift in a contact, worst", "variants", "2"),
        ("1-NN score", "variants", "0.5"),
        ("1-NN score", "inputs", ""),
        ("1-NN score", "naive noise", ""),
        ("1-NN score", "perlin noise", ""),
    ):
        unit = next(row.unit for row in found.rows() if row.measure == measure)
        rows.append(_row(motion, f"{measure}, {of}", round(found.value(measure, of), 4), unit, aim))
    return rows + _likeness(motion, found, "")


def _trembling(motion: Motion, model: VariationModel) -> list[Row]:
    """The same of variants that tremble as recordings do: smooth ones have other spectra."""
    from walkon.variation import Variety, hold_contacts, make_variants
    from walkon.variation.evaluation import evaluate

    held = [hold_contacts(clip) for clip in make_variants(model, VARIANTS, variety=Variety(tremble=1.0))]
    found = evaluate(motion.inputs, held, motion.held_out, permutations=PERMUTATIONS)
    jerk = round(found.value("jerk, mean", "variants"), 1)
    return [
        _row(motion, "jerk, mean, variants that tremble", jerk, "m/s³"),
        *_likeness(motion, found, ", trembling"),
    ]


def _likeness(motion: Motion, found: Evaluation, which: str) -> list[Row]:
    """In how many measures of likeness variants beat noise."""
    measures, rows = sum(row.group == "likeness" for row in found.rows()), []
    for noise, lost in found.losses().items():
        what, won = f"likeness better than {noise}{which}", measures - len(lost)
        remark = f"lost: {', '.join(lost)}" if lost else ""
        rows.append(_row(motion, what, won, f"of {measures}", f"{measures}", "", remark))
    return rows


def _likelihood(motion: Motion, model: VariationModel) -> list[Row]:
    from walkon.variation import log_likelihood
    from walkon.variation.baselines import naive_noise

    noisy = naive_noise(motion.held_out, len(motion.held_out), seed=1)
    gains = [
        log_likelihood(model, clip) - log_likelihood(model, other)
        for clip, other in zip(motion.held_out, noisy, strict=True)
    ]
    remark = f"{sum(gain > 0.0 for gain in gains)} of {len(gains)} held-out clips are likelier than with noise"
    return [
        _row(motion, "likelihood over that with noise", round(float(np.mean(gains)), 3), "nats", "> 0", "", remark)
    ]


def _stream(motion: Motion, model: VariationModel) -> list[Row]:
    """A stream in memory, if the motion can go on."""
    from walkon.variation import stream_values
    from walkon.variation.evaluation import measure_steadiness

    if not model.is_cyclic:
        return []
    blocks, frames = [], 0
    for block in stream_values(model):
        blocks.append(block)
        frames += len(block)
        if frames >= STREAM * model.coordinates.fps:
            break
    steady = measure_steadiness(model.coordinates.decode(np.concatenate(blocks), "stream"), motion.inputs)
    upright = "upright" if steady.is_upright else "fallen"
    stays = "stays" if steady.stays else "drifts away"
    remark = f"{upright}, {stays}; trend {steady.trend:+.2f}, spread {steady.spreads.min():.2f} times or more"
    drift = round(float(steady.drifts.max()), 3)
    return [_row(motion, f"drift in a stream of {STREAM:g} s", drift, "deviations", "1", "", remark)]


def _row(
    motion: Motion, what: str, value: float, unit: str, aim: str = "", paper: str = "", remark: str = ""
) -> Row:
    return {
        "motion": motion.name,
        "what": what,
        "value": value,
        "unit": unit,
        "aim": aim,
        "thesis": paper,
        "remark": remark,
    }
