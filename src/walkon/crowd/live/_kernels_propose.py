"""From a search to a proposal: segments, the circles they take, and who would have to make way for something
better."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import (
    FOREVER,
    after,
    lay_circle,
    lay_rest,
    room_at,
    somebody_in_way,
    stands_in_way,
    stays_apart,
)
from walkon.crowd.live._kernels_clock import cycles
from walkon.crowd.live._kernels_costs import WIDE, is_there, mix
from walkon.crowd.live._kernels_guided import follow
from walkon.crowd.live._kernels_people import clip_meets, gather
from walkon.crowd.live._kernels_routes import retreat, route, take_aim
from walkon.crowd.live._kernels_search import look_ahead
from walkon.crowd.live.crew import BLOCKERS, GO, NOBODY, NOTHING, REST, SEGMENTS, TUBE
from walkon.kernels import kernel

STUCK, REROUTE = 6.0, 120
"""[s] Who has not got on for so long looks for a way around the crowd, but not again within so many frames."""

AT_HOME = 240
"""Frames after which somebody who has arrived passes the time at leisure; until then it may be sent on at once."""

EFFORTS = (48, 110, 180)
"""Clips looked at by those who get on, who have waited for a moment, and for long."""

ALMOST_THERE, TURNING_ROUND = 1.5, 5.0
"""[m] Whoever is so near to its goal stays calm for so many more seconds: it may only have to turn."""

MOST_RESTLESS = 12.0
"""[s] Who has been restless for so long does not become more so."""

CORNERED, NARROW, RETREAT = 6.0, 0.9, 1800
"""[s] Who has not got on for so long, has no more room [m] than that, and is asked to make way, goes back to where
there is more; for so many frames at most."""

LOST = 30
"""Frames before somebody who does not see its route looks for another again."""

OUTDATED = 300
"""Frames after which the crowd that a route leads around has moved on: whoever still follows it may walk about a
corner that is no corner any more."""

ROUTE_RADIUS = 0.5
"""[m] Room that a walking body needs on both sides of a route."""

CROWDING = 4.0
"""What one person per square metre adds to the length of a metre, for those who look for a way around."""

SCOUTED = 200_000
"""Cells looked at for one route."""

BODY = 0.36
"""[m] Radius of somebody whose way is only guessed."""


@kernel
def waited(crew, own, frame, fps):
    """[s] since somebody who wants to be elsewhere has got half a metre further."""
    if crew[own].settled or math.isnan(crew[own].goal[0]):
        return 0.0
    return (frame - crew[own].since) / fps


@kernel
def _append(mine, clip, frame, place):
    """One more segment of a proposal."""
    mine.clips[mine.count], mine.frames[mine.count] = clip, frame
    mine.places[mine.count] = place
    mine.count += 1


@kernel
def _guess(mine, x, z, frame, vx, vz):
    mine.guess[0], mine.guess[1], mine.guess[2], mine.guess[3] = x, z, vx, vz
    mine.guess[4], mine.guess[5] = frame, BODY


@kernel
def _write_way(mine, number, memory, table):
    """The clips from the boundary to a node and its stop, as segments. Whether there was room for them."""
    node = memory.nodes[number]
    if node.depth + node.stop_count + 1 > SEGMENTS:
        return False
    mine.count = node.depth
    here = number
    for place in range(node.depth - 1, -1, -1):
        before = memory.nodes[here].parent
        mine.clips[place], mine.frames[place] = memory.nodes[here].clip, memory.nodes[before].frame
        mine.places[place] = memory.nodes[before].place
        here = before
    vx = vz = 0.0
    if not table.poses[node.pose].rests:
        before, span = memory.nodes[node.parent].place, table.clips[node.clip].duration
        vx, vz = (node.place[0] - before[0]) / span, (node.place[1] - before[1]) / span
    _guess(mine, node.place[0], node.place[1], node.frame, vx, vz)
    frame, place = node.frame, node.place.copy()
    for stop in range(node.stop_count):
        clip = node.stops[stop]
        _append(mine, clip, frame, place)
        after(place, table.clips[clip].displacement, place)
        frame += table.clips[clip].duration
    return True


@kernel
def _rest(mine, own, crew, table, rests):
    """Pass the time where one is, by one of the clips rests[0] to rests[1]."""
    me = crew[own]
    mine.count = 0
    _append(mine, rests[0] + mix(own, me.boundary) % (rests[1] - rests[0]), me.boundary, me.end)
    _guess(mine, me.end[0], me.end[1], me.boundary, 0.0, 0.0)
    mine.kind = REST


@kernel
def _make_oneself_at_home(mine, own, crew, tracks, cells, table, around, memory, gap):
    """A longer rest instead of a short one, if there is room for all that one does in it."""
    me = crew[own]
    rests = table.poses[me.pose].long_rests
    clip = rests[0] + mix(own, me.boundary) % (rests[1] - rests[0])
    count = gather(crew, cells, own, me.end[0], me.end[1], 1.0, memory.near)
    if count > len(memory.near) or stands_in_way(me.end, me.boundary, clip, 0.0, table, around):
        return
    if not somebody_in_way(me.end, me.boundary, clip, table, crew, tracks, memory.near, count, gap):
        mine.clips[0] = clip


@kernel
def lay_track(clips, frames, places, count, now, table, track):
    """The circles of segments from frame `now` on, and the one in which they end up resting. Their number, or -1
    if there is no room; and the most a rim moves in a frame."""
    used, speed = 0, 1e-6
    for segment in range(count):
        clip = table.clips[clips[segment]]
        x, z, heading = places[segment, 0], places[segment, 1], places[segment, 2]
        sine, cosine = math.sin(heading), math.cos(heading)
        first = max(now - frames[segment], 0)
        if first >= clip.duration:
            continue
        if used + clip.duration - first + 2 > len(track):
            return -1, speed
        speed = max(speed, clip.speed)
        last = clip.duration if segment == count - 1 else clip.duration - 1
        for frame in range(clip.first + first, clip.first + last + 1):
            lay_circle(x, z, sine, cosine, table.circles[frame], track[used])
            used += 1
    end = np.empty(3)
    after(places[count - 1], table.clips[clips[count - 1]].displacement, end)
    lay_rest(end, table.clips[clips[count - 1]].exit, table, track[used])
    if used > 0:
        step = math.hypot(track[used, 0] - track[used - 1, 0], track[used, 1] - track[used - 1, 1])
        speed = max(speed, step + abs(track[used, 2] - track[used - 1, 2]))
    return used + 1, speed


@kernel
def bound_track(track, length, out):
    """A circle around all circles of a track."""
    left, right, near, far = np.inf, -np.inf, np.inf, -np.inf
    for row in range(length):
        x, z, radius = track[row, 0], track[row, 1], track[row, 2]
        left, right = min(left, x - radius), max(right, x + radius)
        near, far = min(near, z - radius), max(far, z + radius)
    x, z, reach = 0.5 * (left + right), 0.5 * (near + far), 0.0
    for row in range(length):
        reach = max(reach, math.hypot(track[row, 0] - x, track[row, 1] - z) + track[row, 2])
    out[0], out[1], out[2] = x, z, reach


@kernel
def _reserve(mine, own, now, crew, table):
    """The space and time of a proposal, with what is playing. Without room for it, nothing is proposed."""
    clips, frames = np.empty(SEGMENTS + 1, dtype=np.int64), np.empty(SEGMENTS + 1, dtype=np.int64)
    places = np.empty((SEGMENTS + 1, 3))
    count, me = 0, crew[own]
    if me.count > 0:
        clips[0], frames[0], count = me.clips[0], me.frames[0], 1
        places[0] = me.places[0]
    for segment in range(mine.count):
        clips[count], frames[count] = mine.clips[segment], mine.frames[segment]
        places[count] = mine.places[segment]
        count += 1
    mine.first = now
    mine.length, mine.speed = lay_track(clips, frames, places, count, now, table, mine.track)
    if mine.length < 0:
        mine.kind = NOTHING
    else:
        bound_track(mine.track, mine.length, mine.bound)


@kernel
def _draw_tube(mine, own, node, reach, crew):
    """Outline the way somebody wants, `reach` [m] of it: along its route, or on the way it was asked to go itself.

    The third number of a place on it says how much it matters to be elsewhere: the more, the nearer it is. So
    those who cannot step aside know which way to go ahead.
    """
    me = crew[own]
    step, x, z, aim = reach / (TUBE - 1), me.end[0], me.end[1], me.aim
    obeys = me.asked_by >= 0 or me.settled or math.isnan(me.goal[0])
    for row in range(TUBE):
        mine.tube[row, 0], mine.tube[row, 1], mine.tube[row, 2] = x, z, 0.35 + 0.5 * (reach - row * step)
        to_x, to_z = me.corners[aim, 0], me.corners[aim, 1]
        if obeys:
            to_x, to_z = x + node.place[0] - me.end[0], z + node.place[1] - me.end[1]
        away = math.hypot(to_x - x, to_z - z)
        if away < step and not obeys and aim + 1 < me.corner_count:
            aim += 1
        if away > 1e-6:
            x, z = x + (to_x - x) / away * step, z + (to_z - z) / away * step
    mine.tube_count = TUBE


@kernel
def _wish(mine, own, number, found, late, memory, table, crew, tracks, gap):
    """Write down the way that somebody was in, and who."""
    node = memory.nodes[number]
    before = memory.nodes[node.parent]
    reach = min(2.0 + 0.4 * late, 10.0)
    _draw_tube(mine, own, node, reach, crew)
    sine, cosine = math.sin(before.place[2]), math.cos(before.place[2])
    for k in range(found):
        other = memory.near[k]
        last = crew[other].length - 1
        meets = clip_meets(
            before.place[0],
            before.place[1],
            sine,
            cosine,
            before.frame,
            node.clip,
            table,
            crew,
            tracks,
            other,
            gap,
        )
        for row in range(TUBE):
            if row * reach < 2.5 * TUBE and not meets:
                away_x = tracks[other, last, 0] - mine.tube[row, 0]
                away_z = tracks[other, last, 1] - mine.tube[row, 1]
                meets = away_x * away_x + away_z * away_z < WIDE * WIDE
        if meets and mine.blocker_count < BLOCKERS:
            mine.blockers[mine.blocker_count] = other
            mine.blocker_count += 1


@kernel
def depth_inside(own, table, crew, around):
    """How far [m] somebody is inside an obstacle at its boundary: 0 unless one was dropped there."""
    me = crew[own]
    circle = table.poses[me.pose].circle
    sine, cosine = math.sin(me.end[2]), math.cos(me.end[2])
    x = me.end[0] + circle[0] * cosine + circle[1] * sine
    z = me.end[1] - circle[0] * sine + circle[1] * cosine
    deep = circle[2] - room_at(around, x, z)
    if deep > 1e-6:
        return deep + 0.02
    return 0.0 if stays_apart(x, z, circle[2], me.boundary, me.boundary, around) else 1e-3


@kernel
def _must_leave(own, pose, table, crew, around):
    """Whether something is known to come to where somebody stands at its boundary."""
    me, resting = crew[own], np.empty(3)
    if not (pose.rests and around.solid):
        return me.hurry
    lay_rest(me.end, me.pose, table, resting)
    until = me.boundary + FOREVER
    return me.hurry or not stays_apart(resting[0], resting[1], resting[2], me.boundary, until, around)


@kernel
def _look_away(own, budget, memory, table, crew, tracks, cells, around, rules, result):
    """`look_ahead` for somebody who stands at its goal and cannot stay: anywhere else will do.

    Who minds its goal looks at ways that do not leave it until nothing is left of the budget.
    """
    me = crew[own]
    goal_x, looked = me.goal[0], result[0]
    me.goal[0] = math.nan
    result[:] = 0
    node = look_ahead(own, budget, 0.0, memory, table, crew, tracks, cells, around, rules, result)
    me.goal[0] = goal_x
    result[0] += looked
    return node


@kernel
def _retreats(own, now, late, crew, around, land, scouting):
    """Whether somebody is on the way back to where others can pass: it was asked to make way where there is not
    room for two, or was so before and they have not passed yet."""
    grid, me = (around.x, around.z, around.cell), crew[own]
    x, z = me.end[0], me.end[1]
    if me.retreating > 0:
        asker = crew[me.retreats_from]
        if now < me.retreating and asker.here and asker.ticket != NOBODY and me.corner_count > 0:
            take_aim(grid, around.values, crew, own, x, z, ROUTE_RADIUS)
            return True
        me.retreating, me.corner_count = 0, 0
    if me.asked_by < 0 or late < CORNERED or room_at(around, x, z) > NARROW:
        return False
    if not retreat(land, scouting, grid, around.values, crew, own, x, z, ROUTE_RADIUS, SCOUTED):
        return False
    me.retreating, me.retreats_from = now + RETREAT, me.asked_by
    return True


@kernel
def find_route(own, now, late, crew, around, land, scouting):
    """See to it that somebody's route leads on from where it will be."""
    if crew[own].retreating > now:
        return
    grid, me = (around.x, around.z, around.cell), crew[own]
    x, z = me.end[0], me.end[1]
    stuck = late > STUCK and now - me.routed > REROUTE
    outdated = me.around and now - me.routed > OUTDATED
    known = me.corner_count > 0 and not stuck and not outdated
    if known and (take_aim(grid, around.values, crew, own, x, z, ROUTE_RADIUS) or now - me.routed < LOST):
        return
    crowding = CROWDING if stuck else 0.0
    route(land, scouting, grid, around.values, crew, own, x, z, ROUTE_RADIUS, crowding, SCOUTED)
    me.routed = now
    take_aim(grid, around.values, crew, own, x, z, ROUTE_RADIUS)


@kernel
def propose(slot, now, crew, tracks, cells, table, around, land, rules, memory, scouting, proposals):
    """What one of a batch would do next; nothing of the crew changes but its own route."""
    mine = proposals[slot]
    own, me = mine.row, crew[mine.row]
    mine.kind, mine.tube_count, mine.blocker_count, mine.looked, mine.led = NOTHING, 0, 0, 0, False
    pose = table.poses[me.pose]
    aimless = me.settled or math.isnan(me.goal[0])
    me.deep = depth_inside(own, table, crew, around)
    must_leave = aimless and _must_leave(own, pose, table, crew, around)
    if aimless and me.asked_by < 0 and me.deep == 0.0 and not must_leave:
        # Who has promised to go on from here does not stay: only the last place of a commitment is reserved for
        # good.
        if not pose.rests or me.count > 1:
            return
        _rest(mine, own, crew, table, pose.short_rests)
        if me.settled and now - me.home > AT_HOME:
            _make_oneself_at_home(mine, own, crew, tracks, cells, table, around, memory, rules.gap)
        _reserve(mine, own, now, crew, table)
        return
    late = waited(crew, own, now, rules.fps)
    me.restless = 0.0
    backs_off = not aimless and _retreats(own, now, late, crew, around, land, scouting)
    if not backs_off:
        near = math.hypot(me.goal[0] - me.end[0], me.goal[1] - me.end[1]) < ALMOST_THERE
        calm = rules.calm + TURNING_ROUND if near else rules.calm
        me.restless = rules.unrest * min(max(late - calm, 0.0), MOST_RESTLESS)
    if not (aimless or backs_off):
        find_route(own, now, late, crew, around, land, scouting)
    budget = int(rules.effort * (EFFORTS[0] if late < 1.5 else (EFFORTS[1] if late < 5.0 else EFFORTS[2])))
    result = np.zeros(6, dtype=np.int64)
    node = follow(mine, own, memory, table, crew, tracks, cells, around, rules, result)
    mine.led = node > 0
    if node < 0:
        node = look_ahead(
            own, budget, min(0.25 * late, 2.0), memory, table, crew, tracks, cells, around, rules, result
        )
    if node < 0 and me.hurry and is_there(me.end, me.pose, own, table, crew):
        node = _look_away(own, budget, memory, table, crew, tracks, cells, around, rules, result)
    mine.looked = result[0]
    if result[1] >= 0 and (late > rules.patience or me.asked_by >= 0):
        _wish(mine, own, result[1], result[2], late, memory, table, crew, tracks, rules.gap)
    if node > 0 and _write_way(mine, node, memory, table):
        still = mine.count == 1 and table.behaviors[table.clips[mine.clips[0]].behavior].waits
        mine.kind, mine.good = REST if still else GO, result[5] > 0
    elif pose.rests and me.count <= 1:
        _rest(mine, own, crew, table, pose.short_rests)
    if mine.kind != NOTHING:
        _reserve(mine, own, now, crew, table)


@kernel
def propose_some(first, stop, now, crew, tracks, cells, table, around, land, rules, memory, scouting, proposals):
    """`propose` for the slots first to stop - 1 of a batch."""
    for slot in range(first, stop):
        begun = cycles()
        propose(slot, now, crew, tracks, cells, table, around, land, rules, memory, scouting, proposals)
        proposals[slot].cycles += cycles() - begun
