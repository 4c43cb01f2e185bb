"""No outline misses a part of a body, and bodies whose outlines or capsules are apart are apart."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from walkon.behaviors import BehaviorClip
from walkon.behaviors.capsules import clip_capsules
from walkon.behaviors.outlines import clip_figures
from walkon.builtin import make
from walkon.builtin.casts import fetch_library
from walkon.motion import placement_at
from walkon.motion.features.outlines import BAND_SPLIT, outline_corners
from walkon.planning.kernels_bodies import outlines_gap
from walkon.planning.kernels_capsules import capsules_apart
from walkon.planning.sheets import Sheet, stack_capsules
from walkon.rotations import Placement, from_two_vectors, to_matrix
from walkon.skeleton import build_body

CASTS = ("human", "horse", "skateboarder", "dog")
EXACT = 1e-6
"""[m] Rounding of tables in single precision; they are rounded up by more."""

moments = st.tuples(st.sampled_from(CASTS), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
"""Who, which clip, which frame, and the share of the way to the next one."""

angles = st.floats(-math.pi, math.pi)


@cache
def clips_of(cast: str) -> list[BehaviorClip]:
    if cast == "dog":
        return [BehaviorClip(make("dog"), 5)]
    return [shown for behavior in fetch_library(cast, 1) for shown in behavior.clips]


def seen(moment: tuple[str, float, float, float]):
    """Capsules (K, 2, 3) [m] as the entry pose sees them, their radii (K,), and the row of the frame's figure."""
    cast, which, when, share = moment
    shown = clips_of(cast)[min(int(which * len(clips_of(cast))), len(clips_of(cast)) - 1)]
    frames = shown.last - shown.first
    frame = min(int(when * frames), frames - 1)
    points = (
        placement_at(shown.clip, shown.first)
        .inverse()
        .points(shown.clip.positions[shown.first + frame : shown.first + frame + 2])
    )
    body = build_body(shown.clip.skeleton)
    figures = clip_figures(shown)
    row = figures.circles[frame], figures.supports[frame].astype(np.float64), figures.covers[frame]
    return body.capsules(points[0] + share * (points[1] - points[0])), body.radii, *row


@settings(max_examples=300, deadline=None)
@given(moments, angles)
@example(("human", 0.5, 0.5, 0.5), 0.1)
def test_no_outline_misses_a_capsule(moment, angle):
    """In any direction the body reaches no further than its table says, nor out of its circle or cover."""
    ends, radii, circle, supports, cover = seen(moment)
    away = ends[..., [0, 2]] - circle[:2]
    direction = np.array([math.sin(angle), math.cos(angle)])
    reach = ((away @ direction).max(axis=1) + radii).max()
    assert reach <= (outline_corners(supports.max(axis=0)) @ direction).max() + EXACT
    assert (np.hypot(*np.moveaxis(away, -1, 0)) + radii[:, None]).max() <= circle[2] + EXACT
    farthest = ends.reshape(-1, 3)[:, [0, 2]] + np.repeat(radii, 2)[:, None] * direction
    apart = np.linalg.norm(farthest[:, None] - cover[:, :2], axis=2) - cover[:, 2]
    assert apart.min(axis=1).max() <= EXACT


def reach_of(ends, radii, direction, sign):
    """How far [m] what is below the split (sign 1) or above it (-1) reaches in a direction; -inf if nothing is."""
    points = ends[:, :1] + np.linspace(0.0, 1.0, 33)[:, None] * (ends[:, 1:] - ends[:, :1])
    beyond = np.maximum(sign * (points[..., 1] - BAND_SPLIT), 0.0)
    left = np.sqrt(np.maximum(radii[:, None] ** 2 - beyond**2, 0.0))
    reach = points[..., [0, 2]] @ direction + left
    return np.where(beyond < radii[:, None], reach, -np.inf).max()


@settings(max_examples=200, deadline=None)
@given(moments, angles)
def test_no_part_of_a_body_is_missed_below_or_above_the_split(moment, angle):
    check_parts(moment, angle)


def check_parts(moment, angle):
    ends, radii, circle, supports, _ = seen(moment)
    direction = np.array([math.sin(angle), math.cos(angle)])
    for part, sign in enumerate((1.0, -1.0)):
        reach = reach_of(ends, radii, direction, sign) - circle[:2] @ direction
        if np.isfinite(reach):
            assert reach <= (outline_corners(supports[part]) @ direction).max() + EXACT


@pytest.mark.parametrize(("cast", "behavior"), [("skateboarder", "jump"), ("horse", "gallop_left_35")])
def test_what_goes_up_or_down_fast_is_missed_on_neither_side(cast, behavior):
    """Hands and heads that cross the split from one frame to the next."""
    clips = clips_of(cast)
    which = next(n for n, shown in enumerate(clips) if shown.clip.name.startswith(behavior))
    frames = clips[which].last - clips[which].first
    for frame in range(frames):
        for turn in range(8):
            check_parts((cast, (which + 0.5) / len(clips), (frame + 0.5) / frames, 0.5), turn * math.pi / 4)


def placed(ends, circle, at: Placement):
    """Capsules (K, 2, 3) with the middle of the body's circle at a place."""
    middle = Placement(float(circle[0]), float(circle[1]))
    return (at @ middle.inverse()).points(ends.reshape(-1, 3)).reshape(-1, 2, 3)


def models(fcl, ends, radii):
    """Capsules of the exact oracle."""
    found = []
    for (a, b), radius in zip(ends, radii, strict=True):
        along = b - a
        length = float(np.linalg.norm(along))
        turn = (
            to_matrix(from_two_vectors(np.array([0.0, 0.0, 1.0]), along / length)) if length > 1e-9 else np.eye(3)
        )
        place = fcl.Transform(turn, 0.5 * (a + b))
        found.append(fcl.CollisionObject(fcl.Capsule(float(radius), length), place))
    return found


def least_distance(fcl, ours, theirs, near):
    """[m] Between two bodies by the oracle, of all pairs of capsules that may be within `near`."""
    boxes = [
        (np.concatenate([ends.min(axis=1), ends.max(axis=1)], axis=1) + [[-r] * 3 + [r] * 3 for r in radii])
        for ends, radii in (ours, theirs)
    ]
    gaps = np.maximum(boxes[0][:, None, :3] - boxes[1][None, :, 3:], boxes[1][None, :, :3] - boxes[0][:, None, 3:])
    one, two = models(fcl, *ours), models(fcl, *theirs)
    least = math.inf
    for i, j in np.argwhere(np.linalg.norm(np.maximum(gaps, 0.0), axis=2) <= near):
        if fcl.collide(one[i], two[j], fcl.CollisionRequest(), fcl.CollisionResult()):
            return -1.0
        least = min(least, fcl.distance(one[i], two[j], fcl.DistanceRequest(), fcl.DistanceResult()))
    return least


@settings(max_examples=60, deadline=None)
@given(moments, moments, angles, angles, angles, st.floats(0.001, 0.3))
def test_bodies_whose_outlines_are_apart_are_apart(first, second, heading, other_heading, bearing, gap):
    """Two bodies put as near as planners let them at some gap: by the exact oracle they are so far apart."""
    fcl = pytest.importorskip("fcl")
    (a, a_radii, a_circle, ours, _), (b, b_radii, b_circle, theirs, _) = seen(first), seen(second)
    low, high = 0.0, float(a_circle[2] + b_circle[2]) + 0.5
    way = math.sin(bearing), math.cos(bearing)
    for _ in range(40):
        middle = 0.5 * (low + high)
        found = outlines_gap(middle * way[0], middle * way[1], heading, ours, other_heading, theirs, 9.0)
        low, high = (low, middle) if found >= gap else (middle, high)
    found = outlines_gap(high * way[0], high * way[1], heading, ours, other_heading, theirs, 9.0)
    assert found >= gap
    one = placed(a, a_circle, Placement(0.0, 0.0, heading)), a_radii
    two = placed(b, b_circle, Placement(high * way[0], high * way[1], other_heading)), b_radii
    assert least_distance(fcl, one, two, found) >= found - 1e-5


def capsule_rows(moment):
    """The clip and the frame that a moment means, and the capsules of all its frames as kernels read them."""
    cast, which, when, _ = moment
    shown = clips_of(cast)[min(int(which * len(clips_of(cast))), len(clips_of(cast)) - 1)]
    frame = min(int(when * (shown.last - shown.first)), shown.last - shown.first - 1)
    return frame, stack_capsules([Sheet(clip_figures(shown), clip_capsules(shown))])


@settings(max_examples=50, deadline=None)
@given(moments, moments, angles, angles, angles, st.floats(0.001, 0.3))
def test_bodies_whose_capsules_are_apart_are_apart(first, second, heading, other_heading, bearing, gap):
    """The same at the level of bodies, at both frames and between: nearer than outlines allow, never too near."""
    fcl = pytest.importorskip("fcl")
    (frame, ours), (other_frame, theirs) = capsule_rows(first), capsule_rows(second)
    low, high = 0.0, float(seen(first)[2][2] + seen(second)[2][2]) + 0.5
    way = math.sin(bearing), math.cos(bearing)
    place = 0.0, 0.0, float(seen(first)[2][2]), heading
    for _ in range(20):
        middle = 0.5 * (low + high)
        there = middle * way[0], middle * way[1], float(seen(second)[2][2]), other_heading
        apart = capsules_apart(place, frame, ours, there, other_frame, theirs, gap)
        low, high = (low, middle) if apart else (middle, high)
    for share in (0.0, first[3], 1.0):
        a, a_radii, a_circle, *_ = seen((*first[:3], share))
        b, b_radii, b_circle, *_ = seen((*second[:3], share))
        one = placed(a, a_circle, Placement(0.0, 0.0, heading)), a_radii
        two = placed(b, b_circle, Placement(high * way[0], high * way[1], other_heading)), b_radii
        assert least_distance(fcl, one, two, gap) >= gap - 1e-5
