"""Which clips belong together: those that do not fit the rest are left out, one by one.

Section 5.7 of Lau (2009): a clip is as likely as models of the others say. The least likely is left out as long as
it is less likely than clips of a set that is known to work; without such a set, than the others among
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Progress
from walkon.errors import VariationError
from walkon.motion import Clip
from walkon.variation.learning import FPS, learn_variation
from walkon.variation.likelihood import likelihood_by_number
from walkon.variation.transitions import Regression

HELD_OUT = 2
"""Clips that are held out together; with six clips, Lau (2009) held out two."""

QUANTILE = 0.1
"""The threshold is this quantile of the likelihoods of clips that are known to work."""

ODD = 3.5
"""Without clips that are known to work, a clip is odd if it is this many deviations below the median likelihood. A
deviation is 1.48 times the median absolute one, which for a Gaussian is the standard deviation. 3.5 is a usual
limit for outliers; with less, good clips are left out."""

LEAST_SPREAD = 0.05
"""Least such deviation, in log likelihood: among clips that are nearly the same, none is odd for a hair."""

FEWEST = 3
"""Clips that are kept in any case if no others are known to work: among two, nobody can say which is odd."""

JUDGING_ROUNDS = 4
"""Rounds of learning for every group: enough to tell likely from unlikely."""


@dataclass(frozen=True)
class UnlikelyClip:
    """A clip that does not fit.

    likelihood: mean log likelihood of its numbers. threshold: what it would have needed. worst: the numbers that
    were least foreseen.
    """

    name: str
    likelihood: float
    threshold: float
    worst: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """The clips that fit together, how likely each is, those left out in order, and the last threshold."""

    kept: tuple[str, ...]
    likelihoods: dict[str, float]
    left_out: tuple[UnlikelyClip, ...]
    threshold: float


def select_inputs(
    clips: Sequence[Clip],
    *,
    known: Sequence[Clip] = (),
    fps: float = FPS,
    regression: Regression | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Selection:
    """Leave out clips that do not fit the rest. known: clips that are known to fit each other, if there are
    any."""
    names = [clip.name for clip in clips]
    if len(set(names)) != len(names):
        raise VariationError("clips to select from need different names")
    if len(clips) < FEWEST:
        raise VariationError(f"{len(clips)} clips: which of them is odd cannot be told from fewer than {FEWEST}")
    learn = {"fps": fps, "regression": regression, "seed": seed}
    fixed = None
    if known:
        fixed = float(np.quantile(list(_likelihoods(known, learn, None)[0].values()), QUANTILE))
    remaining, left_out = list(clips), []
    while True:
        likelihoods, strangest = _likelihoods(remaining, learn, progress)
        threshold = fixed if fixed is not None else _threshold(np.array(list(likelihoods.values())))
        least = min(likelihoods, key=lambda name: likelihoods[name])
        if likelihoods[least] >= threshold or len(remaining) <= (0 if known else FEWEST):
            break
        left_out.append(UnlikelyClip(least, likelihoods[least], threshold, strangest[least]))
        remaining = [clip for clip in remaining if clip.name != least]
        if len(remaining) < FEWEST:
            left_out += [
                UnlikelyClip(clip.name, likelihoods[clip.name], threshold, strangest[clip.name])
                for clip in remaining
            ]
            remaining, likelihoods = [], {}
            break
    kept = tuple(clip.name for clip in remaining)
    return Selection(kept, {name: likelihoods[name] for name in kept}, tuple(left_out), threshold)


def _likelihoods(
    clips: Sequence[Clip], learn: dict, progress: Progress | None
) -> tuple[dict[str, float], dict[str, tuple[str, ...]]]:
    """Every clip's likelihood by models of the others, and its least foreseen numbers."""
    held = HELD_OUT if len(clips) >= 6 else 1
    groups = [list(range(first, min(first + held, len(clips)))) for first in range(0, len(clips), held)]
    likelihoods, strangest = {}, {}
    for done, group in enumerate(groups):
        model = learn_variation(
            [clip for index, clip in enumerate(clips) if index not in group],
            restarts=1,
            rounds=JUDGING_ROUNDS,
            beginning=False,
            **learn,
        )
        for index in group:
            name = clips[index].name
            parts = likelihood_by_number(model, clips[index])
            likelihoods[name] = float(parts.mean())
            order = np.argsort(parts)[:3]
            strangest[name] = tuple(model.coordinates.names[model.driven[number]] for number in order)
        if progress is not None:
            progress(done + 1, len(groups))
    return likelihoods, strangest


def _threshold(likelihoods: np.ndarray) -> float:
    """Below which a likelihood is odd among the others."""
    middle = float(np.median(likelihoods))
    spread = max(1.4826 * float(np.median(np.abs(likelihoods - middle))), LEAST_SPREAD)
    return middle - ODD * spread
