"""How likely a clip is, in the eyes of a model."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip
from walkon.variation._kernels_transition import foresee, roll_out
from walkon.variation.model import VariationModel
from walkon.variation.preparing import prepare
from walkon.variation.transitions import FLOOR


def log_likelihood(model: VariationModel, clip: Clip, *, propagated: bool = False) -> float:
    """Mean log likelihood of a number in a frame of a clip; see `likelihood_by_number`."""
    return float(likelihood_by_number(model, clip, propagated=propagated).mean())


def likelihood_by_number(model: VariationModel, clip: Clip, *, propagated: bool = False) -> Array:
    """Mean log likelihood (d,) of every number that the model drives, over the frames of a clip.

    Each frame is foreseen from the two before it as they are, or, if propagated, as they were foreseen (equation
    5.4): the first tells whether a clip moves like the inputs, the second also whether it keeps their time.
    """
    (ready,) = prepare([clip], model.coordinates.fps, least=1)
    truth = model.coordinates.encode(ready).astype(np.float32)
    examples = model.examples
    means, deviations = truth.copy(), np.ones_like(truth)
    recall = model.regression.recall(examples)
    if propagated:
        everybody = np.ones(examples.frames, np.float32)
        roll_out(means, 2, model.edges, recall, examples.bars, everybody, np.zeros_like(truth), deviations)
    else:
        foresee(truth, model.edges, recall, examples.bars, means, deviations)
    spread = deviations[2:, model.driven].astype(np.float64) ** 2 + FLOOR
    gaps = (means - truth)[2:, model.driven].astype(np.float64) ** 2 / spread + np.log(2.0 * np.pi * spread)
    return -0.5 * gaps.mean(axis=0)
