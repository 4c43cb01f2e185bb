"""Feet that stand where they were put and hands that are where they should be: equation 5.7 of Lau (2009).

For every limb the angles q are found that stay near the sampled ones and change smoothly,

    least  w1 |q_t - qbar_t|² + w2 |q_t - 2 q_{t-1} + q_{t-2}|²   such that   f(q_t) = pos_t,

by sequential quadratic programming. Lau goes frame by frame, which looks back only; here the sum over all
frames of a stretch is minimised at once, so that a foot glides into its place as it glides out of it. Angles are
rotation vectors about the joints' sampled rotations: they are small and cannot wrap, and the smoothness asked for
is that of the correction, not of the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, runs
from walkon.motion import Clip, Contacts
from walkon.skeleton import Foot
from walkon.variation import _kernels_constraints as _kernels
from walkon.variation.goals import Goals, arm_goals, drop_for, leg_goals, pull_in
from walkon.variation.limbs import MovableLimb, find_limbs, in_degrees_of_freedom, limb_that_ends_in, turned
from walkon.variation.plants import Hold, find_ground, find_plants, spots_of
from walkon.variation.targets import Target, checked_contacts, checked_means, checked_targets

CLOSENESS, SMOOTHNESS = 1.0, 5.0
"""w1 and w2 of equation 5.7."""

MOST_ROUNDS = 12
"""Most rounds of quadratic programming; two to five are usual."""

SETTLED_ANGLE, SETTLED_PLACE = 1e-3, 1e-5
"""Rounds end when no angle changes by more than the first [rad] and all places are met to the second [m]: less
than anybody sees. Smaller ones cost rounds."""

MISS = 2e-3
"""Metres off its place from which a held joint is reported."""


@dataclass(frozen=True)
class Miss:
    """A held joint that could not get to its place: at `frame` it is `distance` [m] away from it."""

    joint: str
    frame: int
    distance: float


@dataclass(frozen=True, eq=False)
class Held:
    """A clip whose contacts hold. lowered: (F,) [m] by how much the body came down. misses: worst one a hold."""

    clip: Clip
    lowered: Array
    misses: tuple[Miss, ...]


def hold_contacts(
    clip: Clip,
    contacts: Contacts | None = None,
    *,
    targets: Sequence[Target] = (),
    means: Array | None = None,
) -> Clip:
    """The clip with planted feet on one spot each, and targets met; its contacts are those that were held.

    contacts: who is planted when, taken as given; by default found in the clip, without rolling on and off
    (`find_plants`). Joints that no leg or arm ends in are left alone, and so are toe tips where the toes are held.
    means: (F, J, 4) local rotations to stay near to while held, where the sampler knows better than the clip
    itself. Where a leg is too short the body comes down a little, and feet that sink below where they rest are
    lifted; all other frames, and a clip without contacts, stay exactly as they are.
    """
    return hold_and_report(clip, contacts, targets=targets, means=means).clip


def hold_and_report(
    clip: Clip,
    contacts: Contacts | None = None,
    *,
    targets: Sequence[Target] = (),
    means: Array | None = None,
) -> Held:
    """Like `hold_contacts`, and says how far the body was lowered and which places were out of reach."""
    limbs = find_limbs(clip.skeleton)
    means = checked_means(clip, means)
    given = checked_targets(clip, limbs, targets)
    contacts = find_plants(clip) if contacts is None else checked_contacts(clip, contacts)
    asked, holds = _ask(clip, limbs, contacts, given)
    held_contacts = _contacts_of(clip, contacts, holds)
    if not holds:
        return Held(clip.with_changes(contacts=held_contacts), np.zeros(len(clip)), ())
    drop = drop_for(clip, [goals for goals in asked if goals.limb.foot is not None])
    rotations = clip.rotations.copy()
    for goals in asked:
        _hold_limb(clip, goals, drop, means, rotations)
    lowered = clip.root_positions.copy()
    lowered[:, 1] -= drop
    held = clip.with_changes(root_positions=lowered, rotations=rotations, contacts=held_contacts)
    return Held(held, drop, tuple(_misses(held, holds)))


def _ask(
    clip: Clip, limbs: list[MovableLimb], contacts: Contacts, given: list[Hold]
) -> tuple[list[Goals], list[Hold]]:
    """What is asked of every limb, and all that is held.

    As soon as one foot is held every leg has goals, since the body may be lowered and nobody sinks into the floor.
    """
    planted = {clip.skeleton.index(name): contacts.planted[:, k].copy() for k, name in enumerate(contacts.joints)}
    for hold in given:
        if hold.joint in planted:
            planted[hold.joint][hold.start : hold.stop] = False
    if not given and not any(on.any() for on in planted.values()):
        return [], []
    ground = find_ground(clip, {joint: on for joint, on in planted.items() if on.any()})
    feet, hands = [], []
    for limb in limbs:
        own = [hold for hold in given if limb_that_ends_in(clip.skeleton, limbs, hold.joint) is limb]
        beyond = {j: on for j, on in planted.items() if limb_that_ends_in(clip.skeleton, limbs, j) is limb}
        if limb.foot is None:
            own += [hold for joint in beyond for hold in spots_of(clip, joint, joint, beyond, ground)]
            own = [hold for hold in own if hold.joint == own[0].joint]
            hands += [(limb, own)] if own else []
        else:
            ends = _ends(limb.foot, {hold.joint for hold in own}, {j for j, on in beyond.items() if on.any()})
            own = [hold for hold in own if hold.joint in ends] + spots_of(clip, ends[1], ends[0], beyond, ground)
            feet.append((limb, ends, own))
    holds = [hold for *_, own in (*feet, *hands) for hold in own]
    asked = [arm_goals(clip, limb, own[0].joint, own) for limb, own in hands]
    if any(own for *_, own in feet):
        asked += [leg_goals(clip, limb, ends, own, ground) for limb, ends, own in feet]
    return asked, holds


def _ends(foot: Foot, given: set[int], planted: set[int]) -> tuple[int, int]:
    """Front and rear joint of a foot: of those that are held, as far as there are any."""
    rear = next((j for j in (foot.heel, foot.ankle) if j in given | planted), foot.heel)
    for held in (given, planted):
        beyond = held - {foot.heel, foot.ankle}
        if beyond:
            return (foot.toe if foot.toe in beyond else min(beyond)), rear
    return foot.toe, rear


def _hold_limb(clip: Clip, goals: Goals, drop: Array, means: Array | None, rotations: Array) -> None:
    """Write the limb's new rotations into rotations (F, J, 4), stretch by stretch."""
    asked = goals.moved | (drop > 1e-9)
    if not asked.any():
        return
    chain = goals.chain
    places, distances = pull_in(goals, drop)
    poses = chain.poses - drop[:, None] * [0.0, 1.0, 0.0]
    n = len(chain.dof_joints)
    guess, wanted = np.zeros((len(clip), n)), np.zeros((len(clip), n))
    if goals.limb.foot is not None:
        guess[:, chain.hinge] = chain.turns_to_span(distances)
    if means is not None:
        wanted = goals.firmness[:, None] * in_degrees_of_freedom(clip, goals.limb, chain, means)
    least = -np.maximum(chain.bends, 0.0) if goals.limb.foot is None else -chain.bends
    for start, stop in runs(asked | (chain.bends < 0.0)):
        frames = slice(start, stop)
        if not asked[frames].any():
            continue
        d, left = guess[frames].copy(), np.empty(stop - start)
        _kernels.hold_limb(
            (poses[frames], chain.offsets[frames], chain.turns[frames], chain.dof_joints, chain.dof_axes),
            places[frames],
            goals.both,
            wanted[frames],
            (chain.hinge, least[frames]),
            (np.zeros((2, n)), min(2, start), min(2, len(clip) - stop)),
            (CLOSENESS, SMOOTHNESS),
            (MOST_ROUNDS, SETTLED_ANGLE, SETTLED_PLACE),
            d,
            left,
        )
        turned(clip, goals.limb, chain, frames, d, rotations)


def _contacts_of(clip: Clip, contacts: Contacts, holds: Sequence[Hold]) -> Contacts:
    """The contacts that are held, for the joints that were named."""
    planted = np.zeros_like(contacts.planted)
    for column, name in enumerate(contacts.joints):
        for hold in holds:
            if hold.joint == clip.skeleton.index(name):
                planted[hold.start : hold.stop, column] = contacts.planted[hold.start : hold.stop, column]
    return Contacts(contacts.joints, planted)


def _misses(held: Clip, holds: Sequence[Hold]) -> list[Miss]:
    found = []
    for hold in holds:
        off = np.linalg.norm(held.positions[hold.start : hold.stop, hold.joint] - hold.path, axis=1)
        worst = int(np.argmax(off))
        if off[worst] > MISS:
            found.append(Miss(held.skeleton.names[hold.joint], hold.start + worst, float(off[worst])))
    return found
