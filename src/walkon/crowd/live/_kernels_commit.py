"""What is proposed becomes what is done, one after another; and time goes on."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_asking import ask
from walkon.crowd.live._kernels_checks import FOREVER, after, stands_in_way, stays_clear
from walkon.crowd.live._kernels_circling import note_nearness
from walkon.crowd.live._kernels_clock import cycles
from walkon.crowd.live._kernels_costs import is_there, mix
from walkon.crowd.live._kernels_going import waited
from walkon.crowd.live._kernels_memory import borrow
from walkon.crowd.live._kernels_people import stretch_cells, tracks_meet
from walkon.crowd.live._kernels_propose import propose
from walkon.crowd.live.crew import COMMITTED, GO, NOBODY, NOTHING, REST
from walkon.kernels import inlined, kernel

FREED = 12.0
"""[m] Whoever has got this far from where it was stuck is no more urgent than others. Found by trying."""

QUEUE_TURN = 240
"""Frames (8 s), up to twice as many, after which somebody who was not let through goes to the end of the queue.
With more, a knot whose first cannot be helped lasts longer; with fewer, nobody has time to make way."""

MOST_LAG = 0.2
"""[m] That somebody makes up for at most. With more, whoever was held up runs on afterwards."""

TICKET_BASE = 2**20
"""More rows than there ever are: a ticket is a frame times this, plus a row."""


@kernel
def begin_segment(own, crew, table):
    """The first segment begins to play: when it ends, where, and how."""
    me = crew[own]
    clip = table.clips[me.clips[0]]
    me.boundary, me.pose, me.tries = me.frames[0] + clip.duration, clip.exit, 0
    after(me.places[0], clip.displacement, me.end)


@inlined
def _keep_pace(me, clip, fps):
    """Note by how much somebody is behind its own speed after a clip, or ahead of it."""
    gone = math.hypot(clip.displacement[0], clip.displacement[1])
    me.lag = min(max(me.lag + me.pace / fps * clip.duration - gone, -MOST_LAG), MOST_LAG)


@kernel
def commit(slot, crowd, table, fps, proposals):
    """A proposal becomes what somebody does."""
    mine, crew = proposals[slot], crowd.crew
    own, me = mine.row, crew[mine.row]
    kept = min(me.count, 1)
    for segment in range(mine.count):
        me.clips[kept + segment], me.frames[kept + segment] = mine.clips[segment], mine.frames[segment]
        me.places[kept + segment] = mine.places[segment]
    me.count = kept + mine.count
    me.planned, me.hurry = me.boundary, False
    me.first, me.length, me.ends, me.speed = mine.first, mine.length, mine.ends, mine.speed
    crowd.tracks[own, : mine.length] = mine.track[: mine.length]
    me.bound[:] = mine.bound
    me.guess[:] = mine.guess
    stretch_cells(crew, crowd.cells, own)
    if mine.kind == GO and not math.isnan(me.pace):
        _keep_pace(me, table.clips[mine.clips[0]], fps)
    mine.kind += COMMITTED
    if kept == 0:
        begin_segment(own, crew, table)


@kernel
def settle_batch(count, now, last_call, crowd, common, around, rules, workspace, proposals):
    """Commit the proposals of a batch one after another; those that got into each other's way look again. How
    many did.

    last_call: boundaries up to this frame are decided now, even if nothing better was found than to stand.
    """
    crowd, setting, workspace = borrow(crowd, common, around, workspace)
    crew, tracks, done = crowd.crew, crowd.tracks, np.empty(count, dtype=np.int64)
    committed = again = 0
    for slot in range(count):
        mine = proposals[slot]
        me = crew[mine.row]
        ask(slot, now, crew, proposals)
        for k in range(committed):
            if mine.kind != NOTHING and tracks_meet(
                mine.track,
                now,
                mine.length,
                mine.ends,
                mine.speed,
                mine.bound,
                crew,
                tracks,
                done[k],
                setting.table,
                rules.gap,
            ):
                again += 1
                looked, begun = mine.looked, cycles()
                propose(slot, now, crowd, setting, rules, workspace, proposals)
                mine.looked += looked
                mine.cycles += cycles() - begun
                break
        me.tries += 1
        urgent = me.boundary <= last_call
        if (mine.kind == GO and (mine.good or urgent)) or (mine.kind == REST and (urgent or me.settled)):
            commit(slot, crowd, setting.table, rules.fps, proposals)
            done[committed] = mine.row
            committed += 1
        elif urgent:
            # Nothing better was found: the stop that is reserved already is taken, even if something was put
            # there.
            me.struck |= me.hurry
            me.planned, me.hurry = me.boundary, False
    return again


@kernel
def advance(now, lead, again, crew, table, started, due, arrived):
    """Everybody goes on to frame `now`. Numbers of started segments, of people due to plan, and of arrivals.

    lead: (2,) frames before a boundary from which on it is decided, among others and in a stream; again: frames
    between two tries. started: (·, 3) row, clip, frame of segments that begin, places in crew. due, arrived: (·,)
    rows.
    """
    starts = dues = arrivals = 0
    for own in range(len(crew)):
        me = crew[own]
        if not me.here:
            continue
        if me.count > 1 and now >= me.boundary:
            for segment in range(me.count - 1):
                me.clips[segment], me.frames[segment] = me.clips[segment + 1], me.frames[segment + 1]
                me.places[segment] = me.places[segment + 1]
            me.count -= 1
            started[starts, 0], started[starts, 1], started[starts, 2] = own, me.clips[0], me.frames[0]
            starts += 1
            begin_segment(own, crew, table)
        if _arrives(own, now, crew, table):
            arrived[arrivals] = own
            arrivals += 1
        left = me.boundary - now
        open_yet = (
            me.planned != me.boundary and me.boundary >= me.led and (left <= lead[int(me.streams)] or me.hurry)
        )
        # Again and again until the boundary, but not at every frame: others may have made way.
        if open_yet and (me.tries == 0 or left <= 2 or left % again == 0):
            due[dues] = own
            dues += 1
    return starts, dues, arrivals


@kernel
def _arrives(own, now, crew, table):
    """Whether somebody is where it wants to be, at the beginning of a segment; or has to be gone from now on."""
    me = crew[own]
    if me.ends and now >= me.first + me.length - 1:
        return True
    if me.settled or me.count == 0 or now != me.frames[0]:
        return False
    behavior = table.behaviors[table.clips[me.clips[0]].behavior]
    if not (me.passing or behavior.waits):
        return False
    # A wait ends in the pose in which it begins.
    return is_there(me.places[0], behavior.exit, own, table, crew)


@kernel
def _show_way(me, x, z):
    """Let others see which way somebody at (x, z) wants to go. Routes themselves change while others decide."""
    me.wants[:] = 0.0
    if me.settled or math.isnan(me.goal[0]) or me.corner_count == 0:
        return
    to_x, to_z = me.corners[me.aim, 0] - x, me.corners[me.aim, 1] - z
    away = math.sqrt(to_x * to_x + to_z * to_z)
    if away > 0.1:
        me.wants[0], me.wants[1] = to_x / away, to_z / away


@kernel
def keep_watch(now, rules, crew, tracks):
    """Who waits, since when, and who may ask others to make way; requests end."""
    for own in range(len(crew)):
        me = crew[own]
        if not me.here:
            continue
        row = min(max(now - me.first, 0), me.length - 1)
        x, z = tracks[own, row, 0], tracks[own, row, 1]
        _show_way(me, x, z)
        if me.settled or math.hypot(x - me.anchor[0], z - me.anchor[1]) > 0.5:
            me.anchor[0], me.anchor[1], me.since = x, z, now
        note_nearness(me, x, z, now)
        free = math.hypot(x - me.stuck[0], z - me.stuck[1]) > FREED
        if me.settled or (free and me.ticket != NOBODY):
            me.ticket = NOBODY
        elif me.ticket == NOBODY and waited(crew, own, now, rules.fps) > rules.patience:
            # Whoever has waited longest comes first; the row tells apart those who came to a stand at the same
            # time.
            me.ticket, me.issued = me.since * TICKET_BASE + own, now
            me.stuck[0], me.stuck[1] = x, z
        elif (
            me.ticket != NOBODY
            and now - me.issued > QUEUE_TURN + mix(own, me.issued) % QUEUE_TURN
            and waited(crew, own, now, rules.fps) > rules.patience
        ):
            # Nobody could make way: others have their turn, and perhaps it is this one who can.
            me.ticket, me.issued = now * TICKET_BASE + own, now
        if me.asked_by >= 0 and now > me.asked_until:
            me.asked_by, me.asked_ticket = -1, NOBODY


@kernel
def _goes_clear(own, now, crew, tracks, table, around):
    """Whether the rest of what somebody is playing meets nothing but people."""
    me = crew[own]
    for frame in range(max(now, me.first), me.boundary + 1):
        body = tracks[own, min(frame - me.first, me.length - 1)]
        if not stays_clear(body, frame, frame + 1, table, around):
            return False
    return True


@kernel
def _is_near(bound, where):
    """Whether a circle (3,) x, z, radius touches one of some rectangles (K, 4) first x, z, last x, z."""
    for k in range(len(where)):
        aside = max(where[k, 0] - bound[0], bound[0] - where[k, 2], 0.0)
        ahead = max(where[k, 1] - bound[1], bound[1] - where[k, 3], 0.0)
        if math.hypot(aside, ahead) <= bound[2]:
            return True
    return False


@kernel
def look_again(now, crew, tracks, table, around, where, hit):
    """After the world has changed: whose commitments meet it? hit: (N,) 0 nobody's, 1 what is playing, 2 what
    comes after; both are to be planned at once.

    where: (K, 4) rectangles outside of which the world is what it was. Who is nowhere near them meets nothing that
    it did not meet before, and is looked at only if it met something then.
    """
    for own in range(len(crew)):
        hit[own] = 0
        me = crew[own]
        if not me.here or not (me.struck or me.hurry or me.deep > 0.0 or _is_near(me.bound, where)):
            continue
        for segment in range(me.count):
            if segment == 0 and table.clips[me.clips[0]].special < 0:
                met = not _goes_clear(own, now, crew, tracks, table, around)
            else:
                met = stands_in_way(me.places[segment], me.frames[segment], me.clips[segment], 0.0, table, around)
            if met:
                hit[own] = 1 if segment == 0 else 2
                break
        if hit[own] == 0:
            first = max(now, me.first + me.length - 1)
            if not stays_clear(tracks[own, me.length - 1], first, now + FOREVER, table, around):
                hit[own] = 2
        me.struck |= hit[own] == 1
        if hit[own] > 0:
            me.hurry, me.planned, me.tries, me.led = True, -1, 0, 0


@kernel
def still_caught(now, crew, tracks, table, around):
    """Rows of those who are in an obstacle that was put onto them, or cannot help getting into it; whoever is
    clear of it from now on is no longer counted."""
    caught = np.empty(len(crew), dtype=np.int64)
    count = 0
    for own in range(len(crew)):
        me = crew[own]
        if not (me.here and (me.struck or me.deep > 0.0)):
            continue
        row = min(max(now - me.first, 0), me.length - 1)
        me.struck = not track_is_clear(tracks[own, row:], me.length - row, max(now, me.first), table, around)
        if me.struck:
            caught[count] = own
            count += 1
    return caught[:count]


@kernel
def track_is_clear(track, length, first, table, around):
    """Whether bodies (F, BODY) from a frame on meet nothing but people; the last one stays."""
    for row in range(length):
        until = first + row + 1 if row < length - 1 else first + FOREVER
        if not stays_clear(track[row], first + row, until, table, around):
            return False
    return True
