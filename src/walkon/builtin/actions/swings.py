"""Feet that do more in a swing than a gait needs: lifted over things, carried by a body in the air."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.actions.plain_gait import PlainGait
from walkon.builtin.footwork import FootTrack, Plant, bridged
from walkon.builtin.gait.feet import Nudge, footfalls
from walkon.builtin.human import human_feet
from walkon.builtin.keyframes import Curve, Keys, read_table, sequence
from walkon.builtin.performer import Performer
from walkon.builtin.posing import turned
from walkon.builtin.score import Score, envelope
from walkon.rotations import multiply, rotate, rotation_about_y

IMPACT = 0.6
"""Share of the body's fall that a foot takes part in until it lands."""

Swung = tuple[Plant, Plant]
"""The plants that a foot leaves and reaches."""


def swing_of(way: PlainGait, side: str, landing: float, nudge: Nudge | None = None) -> Swung:
    """The plants that a foot leaves and reaches when it lands at a phase of the way."""
    plants = [fall.plant for fall in footfalls(way.performer, side, way.course, nudge)]
    starts = np.array([plant.start for plant in plants])
    last = int(np.argmin(np.abs(starts - way.when(landing))))
    return plants[last - 1], plants[last]


def lift_foot(score: Score, side: str, swing: Swung, table: str) -> Score:
    """The score with one foot taking another way in a swing.

    table: by fractions of the swing, how far "up" and "ahead" the foot goes further [m], and how much higher its
    toes point, "pitch" [degrees].
    """
    changes = {name: _over_swing(swing, keys)(score.times) for name, keys in read_table(table).items()}
    track = score.feet[side]
    shift = np.stack([np.zeros(len(score)), changes["up"], changes["ahead"]], axis=1)
    rotations = multiply(track.foot_rotations, turned(bend=-changes["pitch"]))
    return score.with_foot(side, replace(track, ankles=track.ankles + shift, foot_rotations=rotations))


@dataclass(frozen=True)
class Flown:
    """A foot's way through the air, relative to a carrier such as the pelvis.

    side: of the foot. moments [s]: when it leaves, a moment between, when it lands; keys are at beats from 0 to 2
    that count them. keys: "ahead" and "up" of the carrier [m], and "pitch" [degrees] of the foot in the world.
    """

    side: str
    moments: tuple[float, float, float]
    keys: Mapping[str, Keys]

    def turned(self, track: FootTrack, times: Array) -> FootTrack:
        """The track with the pitch of the keys."""
        leave, _, land = self.moments
        goals = {self._when(beat): pitch for beat, pitch in self.keys["pitch"].items()}
        heading, pitch = heading_and_pitch(track.foot_rotations)
        hull = envelope(times, leave, min(goals), max(goals), land)
        pitch = pitch + hull * (sequence(goals)(times) - pitch)
        rotations = multiply(rotation_about_y(heading), turned(bend=-pitch))
        away = self._away(times)
        return replace(track, foot_rotations=np.where(away[:, None], rotations, track.foot_rotations))

    def carried(self, track: FootTrack, times: Array, carrier: Curve) -> FootTrack:
        """The track with the way of the keys from where it leaves to where it lands; carrier: (..., 3) [m]."""
        leave, _, land = self.moments
        path = CubicSpline(times, track.ankles - carrier(times))
        ends = np.array([leave, land])
        places, speeds = path(ends), path(ends, 1)
        # The ground stops a landing foot, which until then falls with the body.
        speeds[1, 1] *= 1.0 - IMPACT
        via = (None, self._fractions("up"), self._fractions("ahead"))
        away = self._away(times)
        ankles = track.ankles.copy()
        ankles[away] = carrier(times[away]) + bridged(leave, land, places, speeds, via)(times[away])
        return replace(track, ankles=ankles)

    def _when(self, beat: float) -> float:
        return float(np.interp(beat, [0.0, 1.0, 2.0], self.moments))

    def _fractions(self, name: str) -> Keys:
        leave, _, land = self.moments
        return {(self._when(beat) - leave) / (land - leave): value for beat, value in self.keys[name].items()}

    def _away(self, times: Array) -> NDArray[np.bool_]:
        return (times > self.moments[0]) & (times < self.moments[2])


def heading_and_pitch(foot_rotations: Array) -> tuple[Array, Array]:
    """Where feet (F, 4) point (F,) [rad], and how far their toes are up (F,) [degrees]."""
    across, toes = (rotate(foot_rotations, axis) for axis in np.eye(3)[[0, 2]])
    heading = np.arctan2(-across[:, 2], across[:, 0])
    forward = np.sin(heading) * toes[:, 0] + np.cos(heading) * toes[:, 2]
    return heading, np.degrees(np.unwrap(np.arctan2(toes[:, 1], forward)))


def between_feet(performer: Performer, trail: Swung, lead: Swung, share: float) -> float:
    """A place along +z [m]: at this share of the way from the toes that take off to the heel that lands first."""
    foot = human_feet(performer.skeleton())["Left"]
    near = trail[0].z + float(foot.to_ball[2] + foot.to_tip[2])
    far = lead[1].z + float(foot.to_heel[2])
    return near + share * (far - near)


def _over_swing(swing: Swung, keys: Keys) -> Curve:
    """The curve of time [s] with keys at fractions of a swing, nothing before it and after."""
    leave, land = swing[0].stop, swing[1].start
    return sequence(
        {leave: 0.0, land: 0.0} | {leave + share * (land - leave): value for share, value in keys.items()}
    )
