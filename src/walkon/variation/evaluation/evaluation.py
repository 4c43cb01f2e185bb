"""Everything that can be measured about variants, beside noise and beside real motion, in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from walkon.motion import Clip
from walkon.motion.feet.sliding import slides_of
from walkon.variation.baselines import match_amount, naive_noise, perlin_noise
from walkon.variation.evaluation import distributions
from walkon.variation.evaluation.copies import Copies, among_themselves, find_copies
from walkon.variation.evaluation.coverage import measure_coverage
from walkon.variation.evaluation.dofs import fit_dofs
from walkon.variation.evaluation.smoothness import measure_smoothness
from walkon.variation.evaluation.spectra import spectral_distance
from walkon.variation.evaluation.two_sample import two_sample_test
from walkon.variation.evaluation.upright import trunk_tilts
from walkon.variation.poses import check_alike

VARIANTS, NAIVE, PERLIN, INPUTS, HELD_OUT = "variants", "naive noise", "perlin noise", "inputs", "held out"
LIKENESS = "likeness"


@dataclass(frozen=True)
class Row:
    """One measure of every set of clips.

    group: what it tells: "copies", "likeness", "smoothness", "uprightness", "slide" or "two-sample test". better:
    "less", "more", or "" where it is neither. values: by the name of the set; nan where it cannot be said.
    """

    group: str
    measure: str
    unit: str
    better: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Evaluation:
    """What was measured: a table of measures by sets of clips, and how many clips each set has."""

    table: tuple[Row, ...]
    clips: Mapping[str, int]
    amounts: Mapping[str, float]

    def rows(self) -> list[Row]:
        """The measures, in order."""
        return list(self.table)

    def value(self, measure: str, of: str = VARIANTS) -> float:
        """One number of the table."""
        return next(row.values[of] for row in self.table if row.measure == measure)

    def losses(self) -> dict[str, list[str]]:
        """By the name of every noise: measures of likeness in which the variants are not better than it."""
        lost: dict[str, list[str]] = {name: [] for name in (NAIVE, PERLIN) if name in self.clips}
        for row in self.table:
            if row.group != LIKENESS:
                continue
            for name, measures in lost.items():
                gain = row.values[name] - row.values[VARIANTS]
                if not (gain if row.better == "less" else -gain) > 0.0:
                    measures.append(row.measure)
        return lost

    def as_dict(self) -> dict:
        """All of it as plain values, for JSON; what cannot be said is None."""
        return {
            "clips": dict(self.clips),
            "amounts": dict(self.amounts),
            "measures": [
                {
                    "group": row.group,
                    "measure": row.measure,
                    "unit": row.unit,
                    "better": row.better,
                    "values": {name: value if np.isfinite(value) else None for name, value in row.values.items()},
                }
                for row in self.table
            ],
            "losses": self.losses(),
        }

    def as_text(self) -> str:
        """The table in columns of equal width."""
        names = list(self.clips)
        wide = max(len(f"{row.measure} [{row.unit}]") for row in self.table) + 2
        lines = [" " * wide + "".join(f"{name:>14}" for name in names)]
        for row in self.table:
            what = f"{row.measure} [{row.unit}]" if row.unit else row.measure
            cells = [f"{row.values[name]:14.4g}" if name in row.values else " " * 14 for name in names]
            lines.append(f"{what:<{wide}}" + "".join(cells))
        return "\n".join(lines)


def evaluate(
    inputs: Sequence[Clip],
    variants: Sequence[Clip],
    held_out: Sequence[Clip],
    *,
    noise: bool = True,
    permutations: int = 499,
    seed: int = 0,
) -> Evaluation:
    """Measure variants of `inputs` against `held_out` recordings of the same motion.

    noise: whether to make as many clips by both noises, changed as much as the variants are, and measure them too;
    naive noise needs two inputs. The inputs themselves are measured as well: as alike as they are to the held-out
    clips is as alike as one could hope for. All clips have one skeleton and rate.
    """
    check_alike([inputs, variants, held_out], ["inputs", "variants", "held-out clips"], least=4)
    sets: dict[str, list[Clip]] = {VARIANTS: list(variants)}
    amounts: dict[str, float] = {}
    for name, make in ((NAIVE, naive_noise), (PERLIN, perlin_noise)):
        if noise and (make is perlin_noise or len(inputs) > 1):
            amounts[name] = match_amount(inputs, variants, make, seed=seed)
            sets[name] = make(inputs, len(variants), seed=seed, amount=amounts[name])
    sets[INPUTS] = list(inputs)
    rows = _copy_rows(inputs, held_out, sets)
    rows += _likeness_rows(held_out, sets, seed)
    sets[HELD_OUT] = list(held_out)
    rows += _motion_rows(sets)
    rows += _two_sample_rows(held_out, sets, permutations, seed)
    return Evaluation(tuple(rows), {name: len(clips) for name, clips in sets.items()}, amounts)


def _copy_rows(inputs: Sequence[Clip], held_out: Sequence[Clip], sets: Mapping[str, Sequence[Clip]]) -> list[Row]:
    """How near the nearest input is; for the inputs, the nearest other input."""
    found: dict[str, Copies | None] = {
        name: among_themselves(clips) if name == INPUTS else find_copies(inputs, clips)
        for name, clips in {**sets, HELD_OUT: held_out}.items()
    }
    shown = {
        ("nearest frame, least", "mm", "more"): lambda one: 1e3 * one.least_position,
        ("nearest frame, median", "mm", ""): lambda one: 1e3 * float(np.median(one.positions)),
        ("nearest angles, least", "deg", "more"): lambda one: float(np.degrees(one.least_angle)),
        ("nearest angles, median", "deg", ""): lambda one: float(np.degrees(np.median(one.angles))),
        ("copied frames", "%", "less"): lambda one: 100.0 * float(one.copied.mean()),
        ("timing, least", "s", "more"): lambda one: float(one.timings.min()),
        ("timing, mean", "s", ""): lambda one: float(one.timings.mean()),
    }
    return [
        Row("copies", *what, {name: float("nan") if one is None else tell(one) for name, one in found.items()})
        for what, tell in shown.items()
    ]


def _likeness_rows(held_out: Sequence[Clip], sets: Mapping[str, Sequence[Clip]], seed: int) -> list[Row]:
    """Distances of every set to the held-out clips, in units of how those vary."""
    dofs = fit_dofs(held_out, [clip for clips in sets.values() for clip in clips])
    fps = held_out[0].fps
    real = [dofs.measure(clip) for clip in held_out]
    all_real = distributions.rows_of(real)
    rows: dict[tuple[str, str, str], dict[str, float]] = {}
    for name, clips in sets.items():
        values = [dofs.measure(clip) for clip in clips]
        mine = distributions.rows_of(values)
        covered = measure_coverage(values, real)
        for what, value in (
            (("distributions of DOFs", "sd", "less"), float(distributions.transport(mine, all_real).mean())),
            (
                ("greatest gap of distributions", "", "less"),
                float(distributions.greatest_gap(mine, all_real).mean()),
            ),
            (("correlations of DOFs", "", "less"), distributions.correlation_difference(mine, all_real)),
            (("pairs of DOFs", "sd", "less"), distributions.pair_transport(mine, all_real, seed=seed)),
            (("power spectra", "dB", "less"), float(spectral_distance(values, real, fps).mean())),
            (("held-out variance in span", "", "more"), covered.span),
            (("frames where real ones are", "", "more"), covered.precision),
            (("real frames reached", "", "more"), covered.recall),
        ):
            rows.setdefault(what, {})[name] = value
    return [Row(LIKENESS, *what, values) for what, values in rows.items()]


def _motion_rows(sets: Mapping[str, Sequence[Clip]]) -> list[Row]:
    """Measures of each set alone."""
    smooth = {name: measure_smoothness(clips) for name, clips in sets.items()}
    slides = {name: slides_of(clips) for name, clips in sets.items()}
    tilts = {name: max(float(trunk_tilts(clip).max()) for clip in clips) for name, clips in sets.items()}
    lows = {name: min(float(clip.root_positions[:, 1].min()) for clip in clips) for name, clips in sets.items()}
    return [
        Row("smoothness", "jerk, mean", "m/s³", "less", {k: float(v.means.mean()) for k, v in smooth.items()}),
        Row(
            "smoothness",
            "jerk, mean, worst clip",
            "m/s³",
            "less",
            {k: float(v.means.max()) for k, v in smooth.items()},
        ),
        Row(
            "smoothness",
            "jerk, 99%, worst clip",
            "m/s³",
            "less",
            {k: float(v.peaks.max()) for k, v in smooth.items()},
        ),
        Row(
            "uprightness",
            "trunk tilt, greatest",
            "deg",
            "less",
            {k: float(np.degrees(v)) for k, v in tilts.items()},
        ),
        Row("uprightness", "root height, least", "m", "", lows),
        Row("slide", "slide in a frame, mean", "mm", "less", {k: 1e3 * v.mean for k, v in slides.items()}),
        Row("slide", "slide in a frame, worst", "mm", "less", {k: 1e3 * v.worst for k, v in slides.items()}),
        Row(
            "slide", "drift in a contact, worst", "mm", "less", {k: 1e3 * v.worst_drift for k, v in slides.items()}
        ),
    ]


def _two_sample_rows(
    held_out: Sequence[Clip], sets: Mapping[str, Sequence[Clip]], permutations: int, seed: int
) -> list[Row]:
    """How well every set is told from the held-out clips."""
    dofs = fit_dofs(held_out, [clip for clips in sets.values() for clip in clips])
    real = [dofs.measure(clip) for clip in held_out]
    found = {
        name: two_sample_test(
            [dofs.measure(clip) for clip in clips], real, held_out[0].fps, permutations=permutations, seed=seed
        )
        for name, clips in sets.items()
        if name != HELD_OUT
    }
    group = "two-sample test"
    return [
        Row(group, "1-NN score", "", "less", {name: one.score for name, one in found.items()}),
        Row(group, "1-NN, these told", "", "", {name: one.first for name, one in found.items()}),
        Row(group, "1-NN, real ones told", "", "", {name: one.second for name, one in found.items()}),
        Row(group, "1-NN p-value", "", "more", {name: one.p_value for name, one in found.items()}),
    ]
