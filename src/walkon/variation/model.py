"""A model of how a motion varies: its inputs, and which of their numbers tell something about which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from walkon.errors import VariationError
from walkon.motion import Clip
from walkon.variation._kernels_regression import Edges
from walkon.variation.coordinates import Coordinates
from walkon.variation.examples import Examples, Floats
from walkon.variation.networks import Indices, Network
from walkon.variation.noise import Noise
from walkon.variation.preparing import LEAST_FRAMES, prepare
from walkon.variation.prior import instances_of, order_of
from walkon.variation.transitions import Regression

LARGEST_NUMBER = 1e6
"""Limit of the numbers in a model file. They spread by about 1; larger ones mean that the file is broken."""


@dataclass(frozen=True, eq=False)
class VariationModel:
    """Everything that is needed to make variants.

    coordinates: in which poses are told. examples: the inputs. driven: (d,) numbers that vary; the others are
    given. prior, transition: the networks. regression: how neighbours are used. noise: how numbers stray.
    tremble: (n, n) see `measure_tremble`. score: of the transition network, mean log likelihood of a number in a
    frame when clips were held out.
    """

    coordinates: Coordinates
    examples: Examples
    driven: Indices
    prior: Network
    transition: Network
    regression: Regression
    noise: Noise
    tremble: Floats
    score: float

    @property
    def is_partial(self) -> bool:
        """Whether some numbers are given: the lower body, in a model of the upper body."""
        return len(self.driven) < len(self.coordinates.moving)

    @cached_property
    def instances(self) -> Floats:
        """(2n, M) instances of the first two frames."""
        return instances_of(self.examples)[0]

    @cached_property
    def origins(self) -> Indices:
        """(M,) the clip that each instance is from."""
        return instances_of(self.examples)[1]

    @cached_property
    def order(self) -> Indices:
        """(2n,) the nodes of the prior network, each after its parents."""
        return order_of(self.prior)

    @property
    def edges(self) -> Edges:
        """The transition network as kernels take it."""
        return Edges(self.driven, self.transition.parents, self.transition.counts)

    def given(self, clips: Sequence[Clip]) -> VariationModel:
        """The same structure with other inputs, one or more: variants of those."""
        ready = prepare(clips, self.coordinates.fps, least=1)
        encoded = [self.coordinates.encode(clip).astype(np.float32) for clip in ready]
        return replace(self, examples=Examples.of(encoded, [clip.name for clip in ready]))

    @property
    def is_cyclic(self) -> bool:
        """Whether the motion comes back to where it began, and can go on for ever."""
        return not self.coordinates.ends


def check_model(model: VariationModel) -> None:
    """Raise if parts of a model do not fit together; kernels do not look."""
    told, examples, n = model.coordinates, model.examples, model.coordinates.count
    joints = len(told.skeleton)
    numbers = 4 + int(np.where(told.wide, 6, 3).sum()) if told.wide.shape == (joints,) else -1
    fits = (
        told.means.shape == (joints, 4)
        and told.center.shape == told.scale.shape == (numbers,)
        and told.moving.ndim == 1
        and len(told.moving) > 0
        and bool(((told.moving >= 0) & (told.moving < numbers)).all())
        and 0.0 < told.fps < 1e4
        and bool((told.scale > 0.0).all())
        and examples.rows.ndim == 2
        and examples.rows.shape[0] == n
        and examples.starts.shape == (len(examples) + 1,)
        and len(examples) > 0
        and examples.starts[0] == 0
        and examples.starts[-1] == examples.frames
        and bool((np.diff(examples.starts) >= LEAST_FRAMES).all())
        and model.driven.ndim == 1
        and len(model.driven) > 0
        and bool(((model.driven >= 0) & (model.driven < n)).all())
        and model.noise.factor.shape == (n, n)
        and model.noise.lasting.shape == (n,)
        and model.tremble.shape == (n, n)
        and bool(np.isfinite(model.tremble).all())
        and bool(((model.noise.lasting >= 0.0) & (model.noise.lasting < 1.0)).all())
        and all(np.isfinite(array).all() for array in (told.means, told.center, told.scale))
        and bool((np.abs(np.linalg.norm(np.clip(told.means, -2.0, 2.0), axis=1) - 1.0) < 1e-3).all())
        and bool((np.abs(examples.rows) < LARGEST_NUMBER).all())
        and bool(np.isfinite(model.noise.factor).all())
    )
    if not fits:
        raise VariationError("the parts of the model do not fit together")
    model.prior.check(2 * n, 2 * n)
    model.transition.check(n, 3 * n)
    if len(model.order) != 2 * n:
        raise VariationError("the prior network of the model goes round in a circle")
