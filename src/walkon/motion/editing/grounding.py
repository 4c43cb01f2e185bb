"""After a body has changed its proportions: feet as far off the ground as before, and no sliding."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, runs
from walkon.motion.clip import Clip, Contacts
from walkon.motion.easing import smooth_step
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.holding import Pin, hold_feet
from walkon.motion.feet.soles import leg_length, sole_clearances
from walkon.skeleton import Skeleton, find_roles

AIRBORNE = 0.25
"""Share of a leg's length above which a foot is in the air, and its exact height no longer matters."""


def stand_like(moved: Clip, source: Clip, ratio: float) -> Clip:
    """`moved`, which plays `source` on another body, with its feet on the ground as the source's are.

    ratio: by how much lengths grew on the way. Its soles are put `ratio` times as high as the source's: first all
    at once by shifting the body, then, near the ground, foot by foot by bending the legs. What is planted in the
    source is held where it stands, and rolls on and off the ground as in the source. Bodies with other numbers of
    feet are left as they are.
    """
    feet = find_roles(source.skeleton).feet
    if not feet or len(find_roles(moved.skeleton).feet) != len(feet):
        return moved
    known = source.contacts if source.contacts is not None else find_contacts(source)
    contacts, leaders = carry_contacts_over(known, source.skeleton, moved.skeleton)
    paths = source.positions[:, leaders][..., [0, 2]]
    wanted = ratio * sole_clearances(source.skeleton, source.positions)
    lifts = wanted - sole_clearances(moved.skeleton, moved.positions)
    # The feet that stand decide how high the body is; the median, since a crooked step or two must not.
    lowest = wanted <= np.percentile(wanted, 25)
    rise = float(np.median(lifts[lowest]))
    raised = moved.with_changes(
        root_positions=moved.root_positions + np.array([0.0, rise, 0.0]), contacts=contacts
    )
    pins = _pins_along(raised, contacts, ratio * paths)
    airborne = (wanted - wanted.min(axis=0)) / (AIRBORNE * leg_length(moved.skeleton))
    return hold_feet(raised, pins, lifts=(lifts - rise) * (1.0 - smooth_step(airborne)), lower_hips=True)


def _pins_along(clip: Clip, contacts: Contacts, paths: Array) -> list[Pin]:
    """One pin for every contact: where the clip has the joint on average, moving as `paths` (F, K, 2) [m] do."""
    pins = []
    for column, name in enumerate(contacts.joints):
        places = clip.positions[:, clip.skeleton.index(name)][:, [0, 2]]
        for start, stop in runs(contacts.planted[:, column]):
            path = paths[start:stop, column]
            moved = np.mean(places[start:stop] - path, axis=0)
            pins.append(Pin(clip.skeleton.index(name), start, path + moved))
    return pins


def carry_contacts_over(contacts: Contacts, source: Skeleton, target: Skeleton) -> tuple[Contacts, list[int]]:
    """Contacts of one skeleton's feet as another's, heel for heel and toe for toe; the source joint of each."""
    follower_of: dict[int, int] = {}
    for ours, theirs in zip(find_roles(source).feet, find_roles(target).feet, strict=True):
        for part in ("tip", "toe", "ankle", "heel"):
            follower_of[getattr(ours, part)] = getattr(theirs, part)
    columns: dict[int, int] = {}
    for column, name in enumerate(contacts.joints):
        follower = follower_of.get(source.index(name))
        if follower is not None:
            columns.setdefault(follower, column)
    carried = Contacts(
        tuple(target.names[joint] for joint in columns), contacts.planted[:, list(columns.values())]
    )
    return carried, [source.index(contacts.joints[column]) for column in columns.values()]


def hip_centres(skeleton: Skeleton, positions: Array) -> Array:
    """Middle (F, 3) [m] of the tops of the legs; the root where there are none."""
    roles = find_roles(skeleton)
    hips = [leg[0] for _, leg in roles.legs]
    return positions[:, hips].mean(axis=1) if hips else positions[:, 0]
