"""Whoever is hemmed in looks for a way out again when somebody near has moved, or after a while.

In a packed hall most stand, and nobody near them has moved since they last looked: they would find again what they
found before, nothing.
"""

from __future__ import annotations

from walkon.crowd.live._kernels_costs import mix
from walkon.crowd.live._kernels_people import gather
from walkon.kernels import inlined, lean

HEM = 1.5
"""[m] Who is farther away than this hems nobody in. With more, somebody near has nearly always moved; with less,
people overlook for LOOK_AFTER that a way is free."""

LOOK_AFTER = 30
"""Frames (1 s) after which somebody who is hemmed in looks anyway: somebody farther off may have gone. With more,
people stand longer than they must; with fewer, packed halls are slow to think."""

MILLIMETERS = 1000.0
"""In a metre: who has moved by less than one has not moved."""


@inlined
def _mark(own, end, pose):
    """A number for somebody at a place (3,) in a pose."""
    place = mix(int(MILLIMETERS * end[0]), int(MILLIMETERS * end[1]))
    return mix(mix(own, pose), place + int(MILLIMETERS * end[2]))


@lean
def hem_of(own, crowd, near):
    """What changes when somebody moves who hems somebody in, when it may go through its door, or when others
    ask it to make way; 0 if there are too many to tell."""
    me = crowd.crew[own]
    count = gather(crowd.crew, crowd.cells, own, me.end[0], me.end[1], HEM, near)
    if count > len(near):
        return 0
    # The order in which they are found says nothing.
    hem = _mark(own, me.end, me.pose) + mix(me.asked_by, 2 * me.corner_count + me.turn)
    for k in range(count):
        them = crowd.crew[near[k]]
        hem += _mark(near[k], them.end, them.pose)
    return hem


@inlined
def still_hemmed_in(me, hem, now):
    """Whether somebody looked in vain a moment ago, and nothing has changed since."""
    return hem != 0 and me.hem == hem and now - me.looked < LOOK_AFTER


@inlined
def looked_in_vain(me, hem, now):
    """Note that somebody has found nothing better than to stay."""
    me.hem, me.looked = hem, now
