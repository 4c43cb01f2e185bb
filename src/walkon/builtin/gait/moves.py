"""What people do with their gait: walk on and turn, set out, come to a halt, change pace, step on the spot.

Every move is a course. It begins and ends either standing or over the left foot of a steady walk or jog, after a
whole number of frames: a little more or less haste in its middle makes the steps fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.gait.course import ZERO, Course, Profile, constant, follow
from walkon.builtin.gait.engine import LEAD_CYCLES, locomote, mid_stance, natural_period
from walkon.builtin.gait.feet import LANDING_PHASE, Nudge
from walkon.builtin.gait.tables import cycle_period
from walkon.builtin.keyframes import Curve, ease
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score, envelope
from walkon.errors import ClipError

REST = 0.6
"""Seconds of standing that a course has before its first step and after its last."""

READY = 0.02
"""Phase [cycles] after one foot's landing in which people stand ready to lift the other."""

SETTLED_PHASE = 0.16
"""Phase [cycles] after the last landing by which people have come to rest."""

SPOT_HASTE = 1.8
"""How much quicker than in the slowest walk the steps are when stepping on the spot, as a factor on the rhythm."""

SLOWER_TURNING = 0.12
"""Share by which a turn of one radian slows people down."""

TAKES_OFF = 1.3
"""Seconds people take to reach their walking speed."""

HESITATES = 0.08
"""Seconds for which people who set out do not move yet."""

HASTE = 1.6
"""How much quicker than usual the first and last steps are, as a factor on the rhythm: nobody dawdles then."""

STEP = 0.5
"""Cycles that a single step is."""

SOON_SETTLED = 0.08
"""Phase [cycles] after the last landing by which people who lose no time have come to rest: the sole is just flat.
With less, it would not be."""

QUICK_START, QUICK_STOP = 3.7, 3.0
"""How much quicker than usual the one step is in which people get into a slow walk, or out of it: it takes 0.6 s,
and feet are not hurried more than in walking. With more, the pelvis is tossed about."""

CADENCE = 1.05
"""How long a step of a slow walk takes, over one of the own walk. In a crowd people who slow down shorten their
steps, and hardly take longer over them (Jelić et al. 2012). With more, people would look again less often at what
the others do, and keep further apart; from 1.7 on they would creep with the steps of somebody who is alone."""

FITTING_ROUNDS = 8
"""Times the duration of a move is corrected; each leaves a few hundredths of what it was off by."""


@dataclass(frozen=True)
class Pace:
    """A steady gait: speed [m/s], whether it is run, period [s] of its cycle, phase of mid-stance; rate: cycles a
    second over the usual at that speed, with steps that are shorter by as much."""

    speed: float
    running: float
    period: float
    over: float
    rate: float = 1.0


@dataclass(frozen=True)
class Move:
    """A course of which the frames 0 to `frames` at `fps` are wanted, and some before and after."""

    performer: Performer
    course: Course
    frames: int
    fps: float

    def score(self, before: int = 0, after: int | None = None, nudge: Nudge | None = None) -> Score:
        """The score with `before` and `after` more frames at its ends; as many after as before when not told."""
        last = self.frames + (before if after is None else after)
        return locomote(self.performer, self.course, np.arange(-before, last + 1) / self.fps, self.fps, nudge)

    @property
    def duration(self) -> float:
        """Seconds that the wanted frames take."""
        return self.frames / self.fps

    def end(self) -> tuple[float, float, float]:
        """Where the body is after them: x, z [m] and heading [rad]."""
        here = self.course.at(self.duration)
        return float(here.x), float(here.z), float(here.heading)


def walking(performer: Performer) -> Pace:
    """The performer's preferred walk."""
    return _pace(performer, performer.walk_speed, False)


def strolling(performer: Performer, pace: float) -> Pace:
    """A walk of another speed: `pace` [m/s] for legs of the reference length, others go as fast as looks alike.

    A slow one has short steps that take `CADENCE` times as long as those of the own walk. Where people would be as
    quick of their own accord, as in a brisk walk, their steps are the usual ones.
    """
    usual = _pace(performer, pace * float(np.sqrt(performer.scale)), False)
    rate = max(1.0, usual.period / (CADENCE * walking(performer).period))
    return replace(usual, rate=rate, period=usual.period / rate)


def jogging(performer: Performer) -> Pace:
    """The performer's preferred jog."""
    return _pace(performer, performer.jog_speed, True)


def go_on(
    performer: Performer,
    pace: Pace,
    cycles: float,
    *,
    turn: float = 0.0,
    left: float = 0.0,
    shorten: float = 0.0,
    banking: float = 1.0,
    haste: float = 1.0,
    fps: float = 30.0,
) -> Move:
    """Walk or jog on for some `cycles`, turning to the left by `turn` [rad] and going `left` [m] besides, with
    steps shorter by a share.

    One `STEP` ends over the right foot, and has no time to slow down. banking: as in `Profile`. haste: how
    much quicker than usual, and so shorter, the steps are.
    """
    froude = float(np.sqrt(performer.scale))

    def shape(duration: float) -> Profile:
        lasts = duration - 0.55 * pace.period
        lull = envelope_between(0.0, lasts, min(0.5 * lasts, 0.55 * pace.period)) if cycles > STEP else ZERO

        def speed(time: ArrayLike) -> Array:
            # Who turns sharply slows down.
            return pace.speed * (1.0 - (shorten + SLOWER_TURNING * abs(turn)) * lull(time))

        def rate(time: ArrayLike) -> Array:
            usual = cycle_period(np.array([pace.speed, 0.0]) / froude, pace.running)[0]
            return pace.rate * cycle_period(speed(time) / froude, pace.running) / usual

        heading, sideways = _eased(0.0, duration, 0.0, turn), _travel(0.0, duration, left)
        run, often = constant(pace.running), rate if shorten else constant(pace.rate)
        return Profile(speed, heading, sideways, run, rate=often, banking=banking)

    phases = pace.over, pace.over + cycles
    return _move(performer, shape, phases, (pace, pace), cycles * pace.period, fps, haste)


def set_out(
    performer: Performer,
    pace: Pace,
    *,
    lead: str = "Right",
    cycles: int = 2,
    at_once: bool = False,
    turn: float = 0.0,
    fps: float = 30.0,
) -> Move:
    """From standing to walking or jogging in `cycles`, `lead` foot first, turning to the left by `turn` [rad].

    at_once: for who has but one cycle, which is a single step if the left foot leads: the speed comes with it.
    """
    departure = LANDING_PHASE["Left" if lead == "Right" else "Right"] + READY

    def shape(duration: float) -> Profile:
        # The foot that comes last is to swing as in a steady gait, so the speed is reached before the end. The one
        # that stays behind is to be within reach until it leaves: people turn once they are on the way.
        takes = 0.92 * duration - HESITATES if at_once else TAKES_OFF * (1.0 + 0.35 * pace.running)
        return Profile(
            _eased(HESITATES, HESITATES + takes, 0.0, pace.speed),
            _eased(0.2 * duration, duration, 0.0, turn),
            running=_eased(0.25 * takes, 0.75 * takes, 0.0, pace.running),
            stepping=_eased(0.0, 0.4, 0.0, 1.0),
            rate=_eased(0.2 * duration if at_once else 0.0, duration if at_once else takes, HASTE, pace.rate),
        )

    return _move(performer, shape, (departure, pace.over + cycles), (None, pace), cycles * pace.period, fps)


def halt(performer: Performer, pace: Pace, *, steps: int = 3, hurry: float = 0.0, fps: float = 30.0) -> Move:
    """From walking or jogging to standing in a few `steps`, the last of which closes the feet.

    hurry: 0 slowing down at leisure, which takes three steps; 1 for who has room for one and the closing one.
    """
    arrival = STEP * steps + SETTLED_PHASE

    def shape(duration: float) -> Profile:
        return Profile(
            _eased(0.0, (0.88 - 0.1 * hurry) * duration, pace.speed, 0.0),
            running=_eased(0.3 * duration, 0.65 * duration, pace.running, 0.0),
            stepping=_eased(duration - 0.55 + 0.15 * hurry, duration, 1.0, 0.0),
            rate=_eased(
                0.3 * (1.0 - hurry) * duration, (0.9 - 0.1 * hurry) * duration, pace.rate, HASTE + 0.4 * hurry
            ),
        )

    return _move(performer, shape, (pace.over, arrival), (pace, None), arrival * pace.period, fps)


def start_slowly(
    performer: Performer,
    pace: Pace,
    *,
    steps: int = 1,
    turn: float = 0.0,
    left: float = 0.0,
    haste: float = QUICK_START,
    fps: float = 30.0,
) -> Move:
    """From standing to a slow walk in one or two quick `steps`, the left foot first; it ends over the last of
    them, turned to the left by `turn` [rad] and `left` [m] of where it would be.

    haste: cycles a second over the usual at that speed.
    """
    # One step turns while the foot that stays behind is about to leave; of two, the first opens to the side.
    begin, end = (0.2, 1.0) if steps == 1 else (0.0, 0.83)

    def shape(duration: float) -> Profile:
        return Profile(
            _eased(0.0, 0.77 * duration, 0.0, pace.speed),
            _eased(begin * duration, end * duration, 0.0, turn),
            _travel(0.0, duration, left),
            stepping=_eased(0.0, 0.3 * duration, 0.0, 1.0),
            rate=_eased(0.2 * duration, duration, haste, pace.rate),
        )

    phases = LANDING_PHASE["Right"] + READY, pace.over + STEP * (steps + 1)
    return _move(performer, shape, phases, (None, pace), pace.period / haste, fps)


def stop_short(performer: Performer, pace: Pace, *, haste: float = QUICK_STOP, fps: float = 30.0) -> Move:
    """From a slow walk to standing: the foot that swings comes down at once, and the other closes up.

    haste: cycles a second over the usual at that speed.
    """

    def shape(duration: float) -> Profile:
        return Profile(
            _eased(0.0, 0.8 * duration, pace.speed, 0.0),
            stepping=_eased(0.67 * duration, duration, 1.0, 0.0),
            rate=_eased(0.0, 0.25 * duration, pace.rate, haste),
        )

    phases = pace.over, 2 * STEP + SOON_SETTLED
    return _move(performer, shape, phases, (pace, None), pace.period / haste, fps)


def change_pace(
    performer: Performer, before: Pace, after: Pace, *, cycles: float = 2, haste: float = 1.0, fps: float = 30.0
) -> Move:
    """From one steady gait to another in a few `cycles`; walking, one `STEP` will do.

    haste: how much quicker than usual the steps on the way are.
    """
    # Who breaks into a run is fast first; who falls into a walk has done with running first.
    begin, end, settled = (0.2, 0.47, 0.75) if after.running > before.running else (0.1, 0.4, 0.55)

    def shape(duration: float) -> Profile:
        return Profile(
            _eased(0.0, settled * duration, before.speed, after.speed),
            running=_eased(begin * duration, end * duration, before.running, after.running),
            rate=_eased(0.0, duration, before.rate, after.rate),
        )

    phases = before.over, after.over + cycles
    guess = cycles * 0.5 * (before.period + after.period)
    return _move(performer, shape, phases, (before, after), guess, fps, haste)


def step_about(
    performer: Performer,
    *,
    steps: int = 2,
    lead: str = "Left",
    turn: float = 0.0,
    left: float = 0.0,
    ahead: float = 0.0,
    haste: float = SPOT_HASTE,
    at_once: bool = False,
    splay: tuple[float, float] = (0.0, 0.0),
    fps: float = 30.0,
) -> Move:
    """From standing to standing in a few steps: turn by `turn` [rad], go `left` and `ahead` [m].

    haste: cycles a second over the usual at that speed. at_once: without a moment lost at either end. splay [rad]:
    how much further outwards than usual the toes point before and after.
    """
    departure = LANDING_PHASE["Left" if lead == "Right" else "Right"] + READY
    arrival = departure - READY + STEP * steps + (SOON_SETTLED if at_once else SETTLED_PHASE)

    def shape(duration: float) -> Profile:
        start, stop = (0.05 if at_once else 0.1) * duration, 0.9 * duration
        heading = _eased(start, stop, 0.0, turn)
        return Profile(
            speed=_travel(start, stop, ahead),
            sideways=_travel(start, stop, left),
            heading=heading,
            stepping=envelope_between(0.0, duration, 0.2 * duration if at_once else 0.4),
            rate=constant(haste),
            splay=_eased(start, stop, *splay),
        )

    return _move(performer, shape, (departure, arrival), (None, None), 0.6 * steps + 0.4, fps)


def envelope_between(start: float, stop: float, ramp: float) -> Curve:
    """0 until `start` [s] and from `stop`, 1 between; it takes `ramp` seconds to rise and to fall."""
    return lambda time: envelope(time, start, start + ramp, stop - ramp, stop)


def _pace(performer: Performer, speed: float, running: bool) -> Pace:
    period = natural_period(performer, speed, running)
    return Pace(speed, float(running), period, mid_stance(performer, speed, running))


def _eased(start: float, stop: float, first: float, last: float) -> Curve:
    """The curve from one value to another between two times [s]."""
    if first == last:
        return ZERO if first == 0.0 else constant(first)
    return lambda time: first + (last - first) * ease((np.asarray(time) - start) / (stop - start))


def _travel(start: float, stop: float, distance: float) -> Curve:
    """The speed [m/s] that covers a distance between two times, from rest to rest."""

    def speed(time: ArrayLike) -> Array:
        s = np.clip((np.asarray(time) - start) / (stop - start), 0.0, 1.0)
        return 30.0 * distance / (stop - start) * (s * (1.0 - s)) ** 2

    return speed


def _move(
    performer: Performer,
    shape: Callable[[float], Profile],
    phases: tuple[float, float],
    paces: tuple[Pace | None, Pace | None],
    guess: float,
    fps: float,
    haste: float = 1.0,
) -> Move:
    """The move of a profile that is shaped by its duration, from one phase to another, between two gaits."""
    if phases[1] <= phases[0]:
        raise ClipError("a move takes at least one step")
    frames = max(round(_duration(performer, shape, phases[1] - phases[0], guess) / haste * fps), 2)
    before, after = (REST if pace is None else LEAD_CYCLES * pace.period for pace in paces)
    stands = (
        phases[0] if paces[0] is None else -np.inf,
        phases[1] if paces[1] is None else np.inf,
    )
    course = follow(
        performer,
        shape(frames / fps),
        (-before, frames / fps + after),
        (0.0, phases[0]),
        (frames / fps, phases[1]),
        stands,
    )
    return Move(performer, course, frames, fps)


def _duration(performer: Performer, shape: Callable[[float], Profile], cycles: float, guess: float) -> float:
    """Seconds in which a performer in no haste gets through a number of `cycles` of a profile."""
    froude = float(np.sqrt(performer.scale))
    duration = guess
    for _ in range(FITTING_ROUNDS):
        profile, times = shape(duration), (np.arange(200) + 0.5) * duration / 200
        running = profile.running(times)
        period = (
            froude
            * performer.stride(running)
            * cycle_period(np.maximum(profile.speed(times), 0.0) / froude, running)
        )
        beats = profile.rate(times) * profile.stepping(times) / period
        duration *= cycles / float(duration * beats.mean())
    return duration
