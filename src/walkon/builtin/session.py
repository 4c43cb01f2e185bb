"""A recording session without a studio: a person walks and runs about, stops, turns, jumps and waves, for minutes.

Casts are cut for planners: short clips that begin and end in agreed poses. A session is the opposite, and what
motion graphs are made of: long clips that nobody cut, of somebody who goes where they like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from walkon.basics import Array, stretches
from walkon.behaviors import BehaviorLibrary
from walkon.builtin.casts import fetch_library
from walkon.builtin.gait.course import Profile, follow
from walkon.builtin.gait.engine import LEAD_CYCLES, locomote, natural_period
from walkon.builtin.keyframes import ease
from walkon.builtin.performer import Performer
from walkon.builtin.score import play
from walkon.errors import ClipError
from walkon.motion import Clip, Label, crop, join, resample

FPS = 30.0
"""Frames a second of the clips when nothing else is asked; the casts, of which errands are made, have the same."""

TURNING_COST = 0.22
"""Share of the speed that the sharpest turns cost, chosen by eye."""

BEHAVIOR_LABELS = {
    "idle": "stand", "pause": "stand", "hold": "stand", "turn": "stand", "walk": "walk", "start_walk": "walk",
    "stop_walk": "walk", "halt": "walk", "set_off": "walk", "side_step": "walk", "step": "walk",
    "close_up": "walk", "sidle": "walk", "jog": "run", "start_jog": "run", "stop_jog": "run",
    "walk_to_jog": "run", "jog_to_walk": "run", "jump_over": "jump", "duck_under": "duck", "wave": "wave",
    "cheer": "cheer", "sit_down": "sit", "sit": "sit", "rise": "sit",
}  # fmt: skip
"""How the names of behaviors begin -> the label of what is done; the longest beginning counts."""


@dataclass(frozen=True)
class Wander:
    """How somebody goes about for a while: speed in shares of the preferred one, turns up to `turn` [rad/s].

    every: seconds after which they have another mind where to. running: at first. changes: the times [s] at which
    walking becomes running and the other way round, in turn.
    """

    seconds: float
    turn: float
    speed: float = 1.0
    every: float = 1.7
    running: bool = False
    changes: tuple[float, ...] = ()


WANDERS = {
    "walk_about_1": Wander(20.0, 1.0),
    "walk_about_2": Wander(20.0, 0.7),
    "walk_slowly": Wander(20.0, 1.3, 0.75),
    "walk_in_loops": Wander(24.0, 1.7, 0.7, every=2.8),
    "run_about_1": Wander(14.0, 1.0, running=True),
    "run_about_2": Wander(14.0, 0.6, running=True),
    "walk_and_run_1": Wander(18.0, 0.3, changes=(4.0, 10.0)),
    "walk_and_run_2": Wander(18.0, 0.6, changes=(6.0, 13.0)),
}

ERRANDS = {
    "stop_and_go_1": """idle start_walk walk_forward walk_left_45 walk_forward stop_walk pause turn_left_90 idle
        start_walk walk_right_80 walk_forward halt pause turn_right_180 start_walk walk_left_20 stop_walk idle""",
    "stop_and_go_2": """pause turn_right_90 start_walk walk_right_45 walk_short_steps walk_left_80 halt
        turn_left_45 set_off walk_forward walk_right_20 stop_walk turn_left_180 pause""",
    "jumps": """start_jog jog_forward jump_over_low jog_forward jog_left_45 jump_over_long jog_forward jog_to_walk
        walk_forward walk_to_jog jog_right_45 jump_over_low jog_forward stop_jog idle""",
    "greetings": "idle wave pause cheer idle start_walk walk_forward stop_walk wave turn_left_90 cheer pause",
}
"""Behaviors of the human cast, one after the other."""


def make_session(seed: int = 0, *, fps: float = FPS) -> tuple[Clip, ...]:
    """The clips of one person's session, four minutes, labelled by what is done; the same for the same seed.

    fps [Hz]: errands are made at 30 and brought to any other rate.
    """
    performer = Performer(seed)
    library = fetch_library("human", seed)
    about = [wander(performer, name, how, fps=fps) for name, how in WANDERS.items()]
    errands = [run_errands(library, name, names.split()) for name, names in ERRANDS.items()]
    return (*about, *(clip if fps == clip.fps else resample(clip, fps) for clip in errands))


def wander(performer: Performer, name: str, how: Wander, *, fps: float = FPS) -> Clip:
    """A person who goes about as they like, walking, running or both, and never stands."""
    if not how.seconds > 0.0:
        raise ClipError(f"nobody goes about for {how.seconds} s")
    random = performer.rng(name, 0)
    lead = LEAD_CYCLES * natural_period(performer, performer.walk_speed, False)
    knots = np.arange(-lead - how.every, how.seconds + lead + 2.0 * how.every, how.every)
    sides = np.cumprod(np.where(random.random(len(knots)) < 0.5, -1.0, 1.0))
    turning = CubicSpline(knots, how.turn * sides * random.uniform(0.0, 1.0, len(knots)))
    heading = turning.antiderivative()

    def running(times: ArrayLike) -> Array:
        done = float(how.running) + np.zeros(np.shape(times))
        for number, change in enumerate(how.changes):
            sign = 1.0 if (number % 2 == 0) != how.running else -1.0
            done = done + sign * ease((np.asarray(times) - change) / 0.9)
        return done

    def speed(times: ArrayLike) -> Array:
        # Who breaks into a run is fast first; who falls into a walk has done with running first.
        share = running(np.asarray(times) + 0.35) if how.changes else running(times)
        preferred = performer.walk_speed + (performer.jog_speed - performer.walk_speed) * share
        return how.speed * preferred * (1.0 - TURNING_COST * np.abs(turning(times)) / max(how.turn, 1e-6))

    profile = Profile(speed, lambda times: heading(times) - heading(0.0), running=running)
    course = follow(performer, profile, (-lead, how.seconds + lead), (0.0, 0.0))
    times = np.arange(round(how.seconds * fps)) / fps
    score = locomote(performer, course, times, fps)
    fast = running(times) > 0.5
    return play(
        score, name, [Label("run" if fast[start] else "walk", start, stop) for start, stop in stretches(fast)]
    )


def run_errands(library: BehaviorLibrary, name: str, names: Sequence[str]) -> Clip:
    """One clip of behaviors that follow each other, labelled by what is done."""
    played: Clip | None = None
    starts, kinds = [0], []
    for index, behavior in enumerate(names):
        if index and library[behavior] not in library.followers(library[names[index - 1]]):
            raise ClipError(f"{library.name}: {behavior} cannot follow {names[index - 1]}")
        shown = library[behavior].clips[index % len(library[behavior].clips)]
        core = crop(shown.clip, shown.first, shown.last + 1).with_changes(labels=())
        played = core if played is None else join(played, core, blend=0.0)
        starts.append(len(played))
        kinds.append(kind_of(behavior))
    if played is None:
        raise ClipError("errands need at least one behavior")
    labels = (Label(kinds[first], starts[first], starts[last]) for first, last in stretches(kinds))
    return played.with_changes(name=name, labels=tuple(labels))


def kind_of(behavior: str) -> str:
    """The label of what is done in a behavior of the human cast."""
    found = [start for start in BEHAVIOR_LABELS if behavior.startswith(start)]
    if not found:
        raise ClipError(f"nobody has said what is done in behavior {behavior!r}")
    return BEHAVIOR_LABELS[max(found, key=len)]
