"""Learning a model of variation from a few clips of one motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from walkon.basics import Progress
from walkon.errors import VariationError
from walkon.motion import Clip
from walkon.variation.coordinates import Coordinates, fit_coordinates
from walkon.variation.examples import Examples
from walkon.variation.model import VariationModel
from walkon.variation.networks import Indices, Network, no_edges
from walkon.variation.noise import measure_noise
from walkon.variation.preparing import prepare
from walkon.variation.prior import MOST_PARENTS, PriorSearch, instances_of
from walkon.variation.progress_file import Checkpoint
from walkon.variation.sampling import make_values
from walkon.variation.shaking import shaken
from walkon.variation.transitions import MOST_ROUNDS, Regression, TransitionSearch
from walkon.variation.tremble import measure_tremble

FPS = 30.0
"""Frames a second [Hz] of models, as of behavior libraries. Lau (2009) had 60."""

REHEARSED = 8
"""Variants that are made after learning to see how smooth they are; the inputs tremble beyond that."""


def learn_variation(
    clips: Sequence[Clip],
    *,
    fps: float = FPS,
    only: Sequence[str] | None = None,
    regression: Regression | None = None,
    restarts: int = 2,
    rounds: int = MOST_ROUNDS,
    beginning: bool = True,
    seed: int = 0,
    store: Path | None = None,
    progress: Progress | None = None,
) -> VariationModel:
    """Learn how a motion varies from clips of it: two or more, better four, of one skeleton.

    only: joints that are to vary, the others being given (as with `upper_body`); all by default, and the way
    over the ground. restarts: searches for each network; those after the first begin from other edges, and are
    shorter. beginning: whether to learn how motions begin, which likelihoods do not need. store: a file that
    keeps what was found after every round, so that a learning that was stopped goes on there.
    """
    ready = prepare(clips, fps)
    coordinates, encoded = fit_coordinates(ready)
    examples = Examples.of(encoded, [clip.name for clip in ready])
    driven, regression = _driven(coordinates, only), regression or Regression()
    plan = (seed, max(1, restarts), rounds)
    checkpoint = Checkpoint.of(store, examples, driven, regression, plan)

    learned = beginning and len(driven) == len(coordinates.moving)
    prior = checkpoint.prior or _prior(examples, regression, seed, plan[1] if learned else 0)
    checkpoint.keep(prior=prior)
    score, transition = _transition(examples, driven, regression, plan, checkpoint, progress)
    noise = measure_noise(examples, transition, driven, regression)
    compared = (examples.frames - 2 * len(examples)) * len(driven)
    still = np.zeros((examples.rows.shape[0],) * 2, np.float32)
    model = VariationModel(
        coordinates, examples, driven, prior, transition, regression, noise, still, score / compared
    )
    if not model.is_partial:
        made = make_values(model, REHEARSED, seed=seed)
        model = replace(model, tremble=measure_tremble(examples, made))
    checkpoint.remove()
    return model


def _transition(
    examples: Examples,
    driven: Indices,
    regression: Regression,
    plan: tuple[int, int, int],
    checkpoint: Checkpoint,
    progress: Progress | None,
) -> tuple[float, Network]:
    """The best transition network that some searches find, and its score. plan: seed, searches, rounds of each."""
    seed, searches, rounds = plan
    total = 1 + rounds + (searches - 1) * (rounds // 2)
    best = checkpoint.best
    for attempt in range(checkpoint.attempt, searches):

        def told(search: TransitionSearch, attempt: int = attempt) -> None:
            checkpoint.keep(attempt=attempt, search=search)
            if progress is not None:
                progress(min(1 + attempt * rounds + search.rounds, total), total)

        begun = None if best is None else shaken(best[1], examples.rows.shape[0], driven, seed + attempt)
        search = checkpoint.resumed(examples, driven, regression, seed) or TransitionSearch.begin(
            examples, driven, regression, seed + attempt, begun
        )
        search.run(rounds if attempt == 0 else rounds // 2, told)
        if best is None or search.score > best[0]:
            best = (search.score, search.network)
        checkpoint.keep(attempt=attempt + 1, best=best)
    if best is None:
        raise VariationError("no search was run")
    if progress is not None:
        progress(total, total)
    return best


def _prior(examples: Examples, regression: Regression, seed: int, searches: int) -> Network:
    """The prior network. Where a part of the body is given, so are its first frames, and nothing is searched
    for."""
    instances, origins = instances_of(examples)
    if searches == 0:
        return no_edges(len(instances), MOST_PARENTS)
    return PriorSearch(instances, origins, regression.neighbours).run(seed, searches)


def _driven(coordinates: Coordinates, only: Sequence[str] | None) -> Indices:
    """Numbers that vary: all of the pose, or those of some joints, never those of the root."""
    joints, names = coordinates.joints[: len(coordinates.moving)], coordinates.skeleton.names
    if only is None:
        return np.arange(len(joints))
    unknown = [name for name in only if name not in names]
    if unknown:
        raise VariationError(f"the skeleton has no joints {', '.join(unknown)}; there are: {', '.join(names)}")
    wanted = {names.index(name) for name in only} - {0}
    driven = np.flatnonzero(np.isin(joints, list(wanted)))
    if not len(driven):
        raise VariationError(f"nothing moves in {', '.join(only)}, so there is nothing to vary")
    return driven
