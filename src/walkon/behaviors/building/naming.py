"""What a clip is called, what kind of behavior it shows and how dear that is, by what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.behaviors.building.hubs import SharedPose
from walkon.behaviors.building.measuring import ClipMeasures
from walkon.behaviors.kinds import BEHAVIOR_KINDS

HIGH = 0.14
"""Share of its stature that a body must clear to have gone over something."""

LEAP = 0.62
"""Share of the stature to which hips rise only in a jump; they stand at about 0.53."""

SOLES_UP = 0.07
"""Share of the stature by which both soles rise together only in a jump."""

LOW, VERY_LOW = 0.71, 0.42
"""Shares of the stature under which a body must fit to have ducked, or crawled."""

ROLLING = 0.16
"""Share of the stature below which hips are on the ground."""

NO_TURN = 0.21
"""Turns of less than this [rad] are none."""

RANGES = (NO_TURN, 0.5, 0.95)
"""Where gentle, middling and hard turns begin [rad]."""

LEADS_ASIDE = 0.3
"""Angle [rad] beyond what its turn explains by which a way that turns little leads aside."""

ON_THE_SPOT = 0.25
"""Whoever gets no further than this [m] has stayed where they were."""

PAUSE = 0.4
"""Speed [m/s] below which someone on the way has stopped."""

TURN_WEIGHT = 0.13
"""What a quarter turn adds to the weight, as a share."""

SETTING_OUT = 0.4
"""What setting out and halting cost beyond their way [m], so that nobody stops on the way for nothing."""

WAITING = 1.0
"""What a second on the spot costs [m]: nothing is dearer, since it leads nowhere."""

IN_PLACE = ("wait", "turn", "step")


@dataclass(frozen=True)
class Title:
    """What a clip is: `kind` of behavior, `base` of its name, and whether the turn belongs into the name.

    action: what a special behavior does, without its poses; else empty.
    """

    kind: str
    base: str
    turns: bool = False
    action: str = ""


def title_of(deed: ClipMeasures, entry: SharedPose, leave: SharedPose) -> Title:
    """The kind and the name of what a clip does, from `entry` pose to `leave` pose."""
    special = _special(deed)
    if special is not None:
        return Title(special[0], special[1] + _between(entry, leave), action=special[1])
    if entry is not leave:
        return _change(entry, leave)
    if entry.kind == "rest":
        return _at_rest(deed)
    if deed.slowest < min(PAUSE, 0.5 * entry.speed):
        return Title("wait", f"{entry.name}_stop_and_go")
    if entry.kind == "glide" and deed.pushes:
        return Title("locomotion", "push", turns=True)
    return Title("locomotion", entry.name, turns=True)


def _between(entry: SharedPose, leave: SharedPose) -> str:
    """How a special behavior that is not done on the way, from a pose to the same, tells so in its name."""
    if entry is leave:
        return "" if entry.kind != "rest" else "_from_stand"
    if leave.kind == "rest":
        return "_and_stop"
    return "_and_go" if entry.kind == "rest" else f"_to_{leave.name}"


def _special(deed: ClipMeasures) -> tuple[str, str] | None:
    """Kind and name of what gets over or under something; None for all else."""
    if deed.distance < ON_THE_SPOT:
        return ("gesture", "jump") if deed.highest > LEAP * deed.stature and deed.flight > 0 else None
    if any(high > 1.0 for high in _heights(deed)):
        if deed.lowest < ROLLING * deed.stature:
            return "jump_over", "dive_over"
        return ("jump_over", "jump_over") if deed.flight > 0 else ("step_over", "step_over")
    if deed.under < VERY_LOW * deed.stature:
        return "crawl_under", "crawl_under"
    if deed.under < LOW * deed.stature:
        return "duck_under", "duck_under"
    return None


def _heights(deed: ClipMeasures) -> tuple[float, float, float]:
    """How high a body got, by what it cleared, its hips and its soles, each as a share of what makes a jump."""
    stature = deed.stature
    return deed.over / (HIGH * stature), deed.highest / (LEAP * stature), deed.leap / (SOLES_UP * stature)


def action_moment(deed: ClipMeasures, kind: str) -> float:
    """When [s] a special behavior is over, or under, what it needs."""
    if kind.endswith("under"):
        return deed.under_time
    return deed.over_time if deed.over > HIGH * deed.stature else deed.leap_time


def _change(entry: SharedPose, leave: SharedPose) -> Title:
    """What a way from one pose to another is: a step, from one foot to the other, if it is the same gait."""
    if entry.cut is leave.cut:
        return Title("locomotion", f"{min(entry.name, leave.name, key=len)}_step", turns=True)
    if entry.kind == "rest" and leave.kind != "rest":
        return Title("transition", f"start_{leave.name}")
    if leave.kind == "rest" and entry.kind != "rest":
        return Title("transition", f"stop_{entry.name}")
    return Title("transition", f"{entry.name}_to_{leave.name}")


def _at_rest(deed: ClipMeasures) -> Title:
    if deed.distance < ON_THE_SPOT:
        return Title("wait", "wait") if abs(deed.turn) < NO_TURN else Title("locomotion", "turn", turns=True)
    return Title("locomotion", "step", turns=True)


def full_name(title: Title, deeds: Sequence[ClipMeasures], straight: float) -> str:
    """The name of a group of clips: the base, and where it leads.

    straight: [rad] the direction, as the body sees it, of clips that go straight on: a rider stands sideways.
    """
    if not title.turns:
        return title.base
    turn = float(np.mean([deed.turn for deed in deeds]))
    if abs(turn) >= NO_TURN:
        return f"{title.base}_{'left' if turn > 0 else 'right'}_{5 * round(abs(np.degrees(turn)) / 5)}"
    if title.base == "turn":
        return "turn"
    way = float(np.mean([_bearing(deed, straight) - 0.5 * deed.turn for deed in deeds]))
    if abs(way) > np.pi - LEADS_ASIDE * 2:
        return f"{title.base}_back"
    if abs(way) > LEADS_ASIDE:
        return f"{title.base}_aside_{'left' if way > 0 else 'right'}"
    return f"{title.base}_forward"


def turn_range(deeds: Sequence[ClipMeasures]) -> int:
    """Which range of angles a group of clips turns in: 0 for none, 1 to 3 to the left, -1 to -3 to the right."""
    turn = float(np.mean([deed.turn for deed in deeds]))
    size = int(np.searchsorted(RANGES, abs(turn), side="right"))
    return size if turn > 0 else -size


def straight_on(deeds: Sequence[ClipMeasures]) -> float:
    """The direction [rad], as the body sees it, of ways that turn little: 0 for who walks, aside for who rides."""
    ways = [deed for deed in deeds if abs(deed.turn) < NO_TURN and deed.distance > ON_THE_SPOT]
    if not ways:
        return 0.0
    angles = np.array([np.arctan2(deed.displacement.x, deed.displacement.z) for deed in ways])
    return float(np.arctan2(np.median(np.sin(angles)), np.median(np.cos(angles))))


def weight_of(title: Title, deeds: Sequence[ClipMeasures], running: bool, root_length: float) -> float:
    """How dear a behavior is per metre; root_length: [m] mean length of the root's paths, which costs go by."""
    duration = float(np.mean([deed.duration for deed in deeds]))
    if title.base in IN_PLACE or title.kind == "gesture":
        return float(round(np.clip(WAITING * duration / max(root_length, 1e-3), 1.0, 1000.0), 1))
    turn = float(np.mean([abs(deed.turn) for deed in deeds]))
    weight = (
        BEHAVIOR_KINDS[title.kind].weight * (1.0 + TURN_WEIGHT * turn / (0.5 * np.pi)) * (1.2 if running else 1.0)
    )
    if title.base.startswith(("start_", "stop_")):
        weight += SETTING_OUT / max(root_length, 0.1)
    return float(round(weight, 3))


def _bearing(deed: ClipMeasures, straight: float) -> float:
    """Direction [rad] in which a clip leads, as the body sees it, relative to straight on."""
    angle = np.arctan2(deed.displacement.x, deed.displacement.z) - straight
    return float(np.arctan2(np.sin(angle), np.cos(angle)))
