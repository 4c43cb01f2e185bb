"""Clips as curves: degrees of freedom over time and over each other, and principal components."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.errors import RenderError
from walkon.motion import Clip
from walkon.render.page import Page
from walkon.render.plot_axes import draw_axes, lay_out_axes
from walkon.skeleton import Skeleton, find_roles
from walkon.variation.evaluation.coverage import components
from walkon.variation.evaluation.dofs import TRAVEL, fit_dofs
from walkon.variation.poses import own_positions
from walkon.variation.warping import warp

Box = tuple[float, float, float, float]

INPUT, VARIANT = (28, 84, 160), (232, 138, 62)
INPUT_WIDTH, VARIANT_WIDTH = 1.9, 0.9
"""Widths of their lines [px]: the few inputs lie on top of the many variants."""

LONGEST_SHOWN = 1.3
"""How many times as long as the longest input a variant is shown at most: a stream has no end."""

LOOSE_ENDS = 1.0
"""Seconds that may be left out at the ends where clips are brought into step."""

SMOOTH = 4
"""Points of a curve for every frame: a spline through the values, as motion has no corners."""

FEW, THICK = 6, 1.5
"""Up to how many variants are few, and how much wider the curves of few are, as a factor."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Values of inputs and variants over their frames.

    names: of n degrees of freedom. inputs, variants: (F, n) each, angles in degrees. fps: [Hz]. starts: (C,) [s]
    when each clip, first the inputs, begins, so that the same moments of all are at the same time.
    """

    names: tuple[str, ...]
    skeleton: Skeleton
    inputs: list[Array]
    variants: list[Array]
    fps: float
    starts: Array

    @property
    def everything(self) -> Array:
        """All rows of all clips."""
        return np.concatenate([*self.inputs, *self.variants])

    def column(self, name: str) -> int:
        """Which degree of freedom has a name."""
        if name not in self.names:
            raise RenderError(f"nothing called {name!r} moves; there are: {', '.join(self.names)}")
        return self.names.index(name)


def gather_curves(inputs: Sequence[Clip], variants: Sequence[Clip]) -> Curves:
    """What moves in the clips: the height of the root [cm] and the rotations of all joints [degrees]."""
    if not inputs:
        raise RenderError("there is no input to draw")
    longest = round(LONGEST_SHOWN * max(len(clip) for clip in inputs))
    dofs = fit_dofs(list(inputs), list(variants))
    kept = [k for k, name in enumerate(dofs.names) if name == "height" or name not in TRAVEL]
    if not kept:
        raise RenderError("nothing moves in these clips")
    names = tuple(dofs.names[k] for k in kept)
    units = np.where([name == "height" for name in names], 100.0, 180.0 / np.pi)
    values = [[dofs.raw(clip)[:, kept] * units for clip in clips] for clips in (inputs, variants)]
    shown = [clip[:longest] for clip in values[1]]
    starts = _starts(inputs[0], [*inputs, *variants], longest)
    return Curves(names, inputs[0].skeleton, values[0], shown, inputs[0].fps, starts)


def _starts(reference: Clip, clips: Sequence[Clip], longest: int) -> Array:
    """When clips begin (C,) [s] against the reference: shifted as a whole, so that differences in timing stay."""
    flat = own_positions(reference).reshape(len(reference), -1)
    shifts = []
    for clip in clips:
        path = warp(flat, own_positions(clip).reshape(len(clip), -1)[:longest], loose=round(LOOSE_ENDS * clip.fps))
        shifts.append(np.median(path[:, 0] - path[:, 1]) / clip.fps)
    return np.array(shifts) - min(shifts)


def choose_dofs(curves: Curves, count: int) -> list[str]:
    """The degrees of freedom that vary most, each of another joint, the other side only where need be."""
    spread = np.concatenate(curves.inputs).std(axis=0)
    parts = {curves.skeleton.names[joint]: role for role, joint in find_roles(curves.skeleton).joints.items()}
    chosen: dict[str, str] = {}
    again: dict[str, str] = {}
    for name in (curves.names[k] for k in np.argsort(-spread) if curves.names[k] != "height"):
        joint = _joint(name)
        part = parts.get(joint, joint).removeprefix("left_").removeprefix("right_")
        if part not in chosen:
            chosen[part] = name
        elif joint != _joint(chosen[part]):
            again.setdefault(joint, name)
    return [*chosen.values(), *again.values(), *curves.names[:1]][: max(count, 1)]


def choose_pairs(curves: Curves, count: int) -> list[tuple[str, str]]:
    """Pairs to show, those first that move much and together: one of left and right limbs, one of neighbours in a
    limb, then the others."""
    roles = find_roles(curves.skeleton).joints
    sides = [(f"left_{part}", f"right_{part}") for part in ("shoulder", "elbow", "hip", "knee")]
    limbs = [
        (f"{side}_{upper}", f"{side}_{lower}")
        for side in ("left", "right")
        for upper, lower in (("shoulder", "elbow"), ("hip", "knee"))
    ]
    ranked = []
    for group in (sides, limbs):
        found = [_best_pair(curves, roles[a], roles[b]) for a, b in group if a in roles and b in roles]
        ranked.append(sorted((pair for pair in found if pair is not None), reverse=True))
    pairs = [group[0][1] for group in ranked if group]
    pairs += [pair for _, pair in sorted((one for group in ranked for one in group[1:]), reverse=True)]
    rest = choose_dofs(curves, 2 * count)
    return [*pairs, *zip(rest[::2], rest[1::2], strict=False)][:count]


def _best_pair(curves: Curves, first: int, second: int) -> tuple[float, tuple[str, str]] | None:
    """Of two joints, the axes that move most together: how much [degrees], and their names."""
    values = np.concatenate(curves.inputs)
    columns = [
        [k for k, name in enumerate(curves.names) if _joint(name) == curves.skeleton.names[joint]]
        for joint in (first, second)
    ]
    shared = np.abs(np.cov(values, rowvar=False).reshape(values.shape[1], -1))
    found = [(float(np.sqrt(shared[a, b])), a, b) for a in columns[0] for b in columns[1]]
    if not found:
        return None
    together, a, b = max(found)
    return together, (curves.names[a], curves.names[b])


def title_of(name: str, skeleton: Skeleton) -> str:
    """A degree of freedom as people call it: the part of the body, the axis, the unit."""
    if name == "height":
        return "height [cm]"
    roles = {skeleton.names[joint]: role for role, joint in find_roles(skeleton).joints.items()}
    joint = _joint(name)
    return f"{roles.get(joint, joint).replace('_', ' ')} {name[-1]} [°]"


def plot_over_time(page: Page, box: Box, curves: Curves, name: str) -> None:
    """One degree of freedom against time [s]."""
    column, beginnings = curves.column(name), iter(curves.starts)

    def points(values: Array) -> Array:
        return np.column_stack([next(beginnings) + np.arange(len(values)) / curves.fps, values[:, column]])

    _plot(page, box, curves, points, "time [s]", title_of(name, curves.skeleton))


def plot_pair(page: Page, box: Box, curves: Curves, across: str, up: str) -> None:
    """One degree of freedom against another."""
    columns = [curves.column(across), curves.column(up)]
    titles = (title_of(name, curves.skeleton) for name in (across, up))
    _plot(page, box, curves, lambda values: values[:, columns], *titles)


def plot_components(page: Page, box: Box, curves: Curves, first: int, second: int) -> None:
    """One principal component of all clips against another; 0 is the largest."""
    shares, axes = components(curves.everything)
    centre = curves.everything.mean(axis=0)
    chosen = [min(first, len(axes) - 1), min(second, len(axes) - 1)]
    titles = (f"component {k + 1} [°], {100.0 * shares[k]:.0f}%" for k in chosen)
    _plot(page, box, curves, lambda values: (values - centre) @ axes[chosen].T, *titles)


def _plot(page: Page, box: Box, curves: Curves, points: Callable[[Array], Array], across: str, up: str) -> None:
    inputs, variants = ([_smooth(points(values)) for values in part] for part in (curves.inputs, curves.variants))
    axes = lay_out_axes(box, np.concatenate([*inputs, *variants]))
    draw_axes(page, axes, across, up)
    for curve in variants:
        axes.curve(page, curve, VARIANT, VARIANT_WIDTH * (THICK if len(variants) <= FEW else 1.0))
    for curve in inputs:
        axes.curve(page, curve, INPUT, INPUT_WIDTH)


def _smooth(points: Array) -> Array:
    """Points (K, 2) with more between them."""
    from scipy.interpolate import CubicSpline

    if len(points) < 3:
        return points
    frames = np.arange(len(points))
    return CubicSpline(frames, points)(np.linspace(0, len(points) - 1, SMOOTH * (len(points) - 1) + 1))


def _joint(name: str) -> str:
    return name.rsplit(" ", 1)[0]
