"""Models in files: arrays and a short header, nothing that could be run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from walkon.array_files import ArrayFormat, map_file, parse_arrays, write_arrays
from walkon.errors import SkeletonError, VariationError
from walkon.skeleton import Skeleton
from walkon.variation.coordinates import Coordinates
from walkon.variation.examples import Examples
from walkon.variation.model import VariationModel, check_model
from walkon.variation.networks import Network
from walkon.variation.noise import Noise
from walkon.variation.transitions import Regression

MODEL_FORMAT = ArrayFormat(b"walkon-variation", 1, "a model of variation", VariationError, most_header=1 << 20)
FLOATS, HALVES, NUMBERS, TRUTHS = ("<f8",), ("<f4",), ("<i8",), ("|b1",)
MODEL_ARRAYS = {
    "parents": NUMBERS,
    "offsets": FLOATS,
    "tips": TRUTHS,
    "means": FLOATS,
    "wide": TRUTHS,
    "center": FLOATS,
    "scale": FLOATS,
    "moving": NUMBERS,
    "rows": HALVES,
    "starts": NUMBERS,
    "driven": NUMBERS,
    "prior": NUMBERS,
    "prior_counts": NUMBERS,
    "transition": NUMBERS,
    "transition_counts": NUMBERS,
    "noise_factor": HALVES,
    "noise_lasting": HALVES,
    "tremble": HALVES,
}


def write_model(model: VariationModel, path: Path | str) -> None:
    """Write a model, whole or not at all."""
    told, examples = model.coordinates, model.examples
    settings = {
        "joints": list(told.skeleton.names),
        "fps": told.fps,
        "ends": told.ends,
        "clips": list(examples.names),
        "neighbours": model.regression.neighbours,
        "company": model.regression.company,
        "pull": model.regression.pull,
        "score": model.score,
    }
    arrays = {
        "parents": told.skeleton.parents.astype(np.int64),
        "offsets": told.skeleton.offsets,
        "tips": told.skeleton.tips,
        "means": told.means,
        "wide": told.wide,
        "center": told.center,
        "scale": told.scale,
        "moving": told.moving,
        "rows": examples.rows,
        "starts": examples.starts,
        "driven": model.driven,
        "prior": model.prior.parents,
        "prior_counts": model.prior.counts,
        "transition": model.transition.parents,
        "transition_counts": model.transition.counts,
        "noise_factor": model.noise.factor,
        "noise_lasting": model.noise.lasting,
        "tremble": model.tremble,
    }
    write_arrays(path, MODEL_FORMAT, settings, arrays)


def read_model(path: Path | str) -> VariationModel:
    """Read a model; what does not hold together raises a `VariationError` that names the file."""
    try:
        settings, arrays = parse_arrays(map_file(path, MODEL_FORMAT), MODEL_FORMAT, MODEL_ARRAYS)
        return _model(settings, {name: array.copy() for name, array in arrays.items()})
    except VariationError as error:
        text = str(error)
        raise VariationError(text if text.startswith(str(path)) else f"{path}: {text}") from None


def _model(settings: Any, arrays: dict[str, Any]) -> VariationModel:
    try:
        names = tuple(str(name) for name in settings["joints"])
        skeleton = Skeleton(names, arrays["parents"], arrays["offsets"], arrays["tips"])
        coordinates = Coordinates(
            skeleton,
            float(settings["fps"]),
            arrays["means"],
            arrays["wide"],
            arrays["center"],
            arrays["scale"],
            arrays["moving"],
            bool(settings["ends"]),
        )
        examples = Examples(arrays["rows"], arrays["starts"], tuple(str(name) for name in settings["clips"]))
        regression = Regression(int(settings["neighbours"]), float(settings["company"]), float(settings["pull"]))
        score = float(settings["score"])
        if not np.isfinite(score):
            raise ValueError("its score is not finite")
    except (KeyError, TypeError, ValueError, OverflowError, SkeletonError) as error:
        raise VariationError(f"the model does not hold together: {error}") from None
    model = VariationModel(
        coordinates,
        examples,
        arrays["driven"],
        Network(arrays["prior"], arrays["prior_counts"]),
        Network(arrays["transition"], arrays["transition_counts"]),
        regression,
        Noise(arrays["noise_factor"], arrays["noise_lasting"]),
        arrays["tremble"],
        score,
    )
    check_model(model)
    return model
