"""Gait: which feet carry the body, when they strike, and the cycles they make."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts
from walkon.motion.feet.contacts import find_contacts
from walkon.skeleton import Foot, find_roles


class Support(IntEnum):
    """What carries a biped: the sum of 1 for the left foot and 2 for the right."""

    FLIGHT = 0
    LEFT = 1
    RIGHT = 2
    DOUBLE = 3


@dataclass(frozen=True)
class GaitStep:
    """One stance of one foot, from its strike on the ground to its leaving it.

    foot: its name. strike, leave: the first planted frame and the first after it that is not.
    x, z: [m] where it stands.
    """

    foot: str
    strike: int
    leave: int
    x: float
    z: float


@dataclass(frozen=True)
class GaitCycle:
    """From one strike of a foot to its next.

    foot: its name. start, stop: frames of the two strikes. duration: [s]. duty: share of it on the ground.
    stride_length: [m] between the two places the foot stood.
    """

    foot: str
    start: int
    stop: int
    duration: float
    duty: float
    stride_length: float


@dataclass(frozen=True)
class Gait:
    """The gait of a clip.

    steps: stances that begin within the clip, in order of their strikes. cycles: of every foot, in order.
    cadence: [steps/min] of all feet together; 0 when there are no cycles.
    cycle_duration [s], duty, stride_length [m]: medians over the cycles; NaN when there are none.
    flight: share of the clip's frames in which no foot is on the ground.
    """

    steps: tuple[GaitStep, ...]
    cycles: tuple[GaitCycle, ...]
    cadence: float
    cycle_duration: float
    duty: float
    stride_length: float
    flight: float


def foot_supports(clip: Clip, contacts: Contacts | None = None) -> NDArray[np.bool_]:
    """Whether each foot, (F, feet) in the order of `find_roles(...).feet`, has any joint planted.

    `contacts` defaults to the clip's own, or else to those `find_contacts` finds.
    """
    contacts = _contacts_of(clip, contacts)
    feet = find_roles(clip.skeleton).feet
    columns = {name: k for k, name in enumerate(contacts.joints)}
    supports = np.zeros((len(clip), len(feet)), dtype=np.bool_)
    for i, foot in enumerate(feet):
        own = [columns[name] for name in _joint_names(clip, foot) if name in columns]
        supports[:, i] = contacts.planted[:, own].any(axis=1)
    return supports


def support_phases(clip: Clip, contacts: Contacts | None = None) -> NDArray[np.int8]:
    """What carries the body in every frame (F,): a `Support`; for more feet the sum of 2ⁱ over planted feet i."""
    supports = foot_supports(clip, contacts)
    return (supports * 2 ** np.arange(supports.shape[1])).sum(axis=1).astype(np.int8)


def measure_gait(clip: Clip, contacts: Contacts | None = None) -> Gait:
    """Steps and gait cycles of a clip. A foot already planted in the first frame has not struck in the clip."""
    supports = foot_supports(clip, contacts)
    feet = find_roles(clip.skeleton).feet
    by_foot = [_steps(clip, foot, supports[:, i]) for i, foot in enumerate(feet)]
    steps = sorted((step for steps in by_foot for step in steps), key=lambda step: (step.strike, step.foot))
    cycles = sorted(
        (_cycle(clip, a, b) for steps in by_foot for a, b in pairwise(steps)),
        key=lambda cycle: (cycle.start, cycle.foot),
    )
    duration = _median([cycle.duration for cycle in cycles])
    return Gait(
        tuple(steps),
        tuple(cycles),
        cadence=60.0 * len(feet) / duration if cycles else 0.0,
        cycle_duration=duration,
        duty=_median([cycle.duty for cycle in cycles]),
        stride_length=_median([cycle.stride_length for cycle in cycles]),
        flight=float((~supports.any(axis=1)).mean()) if len(feet) else 0.0,
    )


def _contacts_of(clip: Clip, contacts: Contacts | None) -> Contacts:
    contacts = contacts or clip.contacts or find_contacts(clip)
    if contacts.planted.shape != (len(clip), len(contacts.joints)):
        raise ClipError(
            f"contacts are {contacts.planted.shape}, expected {(len(clip), len(contacts.joints))} "
            f"for clip {clip.name!r}"
        )
    return contacts


def _joint_names(clip: Clip, foot: Foot) -> tuple[str, ...]:
    return tuple(clip.skeleton.names[joint] for joint in foot.joints)


def _steps(clip: Clip, foot: Foot, planted: NDArray[np.bool_]) -> list[GaitStep]:
    """Stances of one foot that begin after the first frame."""
    edges = np.flatnonzero(np.diff(planted.astype(np.int8)))
    strikes = [int(edge) + 1 for edge in edges if not planted[edge]]
    steps = []
    for strike in strikes:
        later = edges[edges >= strike]
        leave = int(later[0]) + 1 if len(later) else len(clip)
        x, _, z = np.median(clip.positions[strike:leave, foot.toe], axis=0)
        steps.append(GaitStep(foot.name, strike, leave, float(x), float(z)))
    return steps


def _cycle(clip: Clip, step: GaitStep, following: GaitStep) -> GaitCycle:
    frames = following.strike - step.strike
    return GaitCycle(
        step.foot,
        step.strike,
        following.strike,
        duration=frames / clip.fps,
        duty=(step.leave - step.strike) / frames,
        stride_length=float(np.hypot(following.x - step.x, following.z - step.z)),
    )


def _median(values: list[float]) -> float:
    return float(np.median(values)) if values else float("nan")
