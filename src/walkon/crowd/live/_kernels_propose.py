"""From a search to a proposal: segments, the bodies they take, and who would have to make way for something
better."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_asking import wish
from walkon.crowd.live._kernels_checks import (
    FOREVER,
    FREE,
    after,
    lay_rest,
    room_at,
    somebody_in_way,
    stands_in_way,
    stays_clear,
)
from walkon.crowd.live._kernels_circling import circles
from walkon.crowd.live._kernels_clock import cycles
from walkon.crowd.live._kernels_costs import GUESSED_BODY, is_there, mix, way_left
from walkon.crowd.live._kernels_foresight import STEP_SIGHT
from walkon.crowd.live._kernels_going import find_route, retreats, waited
from walkon.crowd.live._kernels_guided import follow
from walkon.crowd.live._kernels_hemmed import hem_of, looked_in_vain, still_hemmed_in
from walkon.crowd.live._kernels_memory import borrow
from walkon.crowd.live._kernels_people import Neighbors, look_around
from walkon.crowd.live._kernels_queues import lateness
from walkon.crowd.live._kernels_search import goes_step_by_step, look_ahead
from walkon.crowd.live._kernels_sides import LEAST_ASIDE
from walkon.crowd.live._kernels_steps import ALONE, choose_step
from walkon.crowd.live._kernels_stops import can_stop
from walkon.crowd.live._kernels_streams import hold_ahead
from walkon.crowd.live._kernels_tracks import reserve
from walkon.crowd.live._kernels_turns import know_door
from walkon.crowd.live.crew import BODY, GO, NOTHING, REST, SEGMENTS
from walkon.kernels import inlined, kernel

AT_HOME = 240
"""Frames (8 s) after which somebody who has arrived passes the time at leisure, by longer clips; until then it
may be sent on at once."""

EFFORTS = (48, 110, 180)
"""Clips looked at by those who get on, who have waited for a moment, and for long. Found by trying: with more,
people find a few more ways and large crowds are slow."""

ALMOST_THERE, TURNING_ROUND = 1.5, 5.0
"""[m, s] Whoever is this near to its goal stays calm for this much longer: it may only have to turn."""

AIMED, AIM_IS_NEAR = 0.4, 1.0
"""How much of where others expect somebody to go on is the way to its aim, the rest being the way it faces; and
how far off [m] an aim has to be to count. With more, nobody sees others turn aside; with less, everybody turns
aside for whoever sways."""

LATE_SEARCH = 2.5
"""[s] Whoever stands and has not got on for so long looks further ahead than a step at once. With more, knots come
undone later; with less, crowds are slower to think."""

MOST_RESTLESS = 12.0
"""[s] Who has been restless for this long does not become more so."""


@kernel
def add_segment(mine, clip, frame, place):
    """One more segment of a proposal."""
    mine.clips[mine.count], mine.frames[mine.count] = clip, frame
    mine.places[mine.count] = place
    mine.count += 1


@kernel
def write_guess(mine, x, z, frame, vx, vz):
    mine.guess[0], mine.guess[1], mine.guess[2], mine.guess[3] = x, z, vx, vz
    mine.guess[4], mine.guess[5] = frame, GUESSED_BODY


@inlined
def _expect(mine, node, me, gait):
    """Write where others expect somebody to go on from a node: partly as it faces, partly to where it aims."""
    ahead_x, ahead_z = math.sin(node.place[2]), math.cos(node.place[2])
    to_x, to_z = me.corners[me.aim, 0] - node.place[0], me.corners[me.aim, 1] - node.place[1]
    away = math.sqrt(to_x * to_x + to_z * to_z)
    if away > AIM_IS_NEAR and not math.isnan(me.goal[0]):
        ahead_x += AIMED * (to_x / away - ahead_x)
        ahead_z += AIMED * (to_z / away - ahead_z)
    long = max(math.sqrt(ahead_x * ahead_x + ahead_z * ahead_z), 0.1)
    write_guess(mine, node.place[0], node.place[1], node.frame, gait * ahead_x / long, gait * ahead_z / long)


@kernel
def _write_way(mine, number, memory, table, crew):
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
    if node.kept:
        mine.guess[:] = crew[mine.row].guess
    else:
        _expect(mine, node, crew[mine.row], table.poses[node.pose].gait)
    frame, place = node.frame, node.place.copy()
    for stop in range(node.stop_count):
        clip = node.stops[stop]
        add_segment(mine, clip, frame, place)
        after(place, table.clips[clip].displacement, place)
        frame += table.clips[clip].duration
    return True


@kernel
def _rest(mine, own, crew, rests):
    """Pass the time where one is, by one of the clips rests[0] to rests[1]."""
    me = crew[own]
    mine.count = 0
    add_segment(mine, rests[0] + mix(own, me.boundary) % (rests[1] - rests[0]), me.boundary, me.end)
    write_guess(mine, me.end[0], me.end[1], me.boundary, 0.0, 0.0)
    mine.kind = REST


@kernel
def _make_oneself_at_home(mine, own, crowd, setting, memory, gap):
    """A longer rest instead of a short one, if there is room for all that one does in it."""
    me, table = crowd.crew[own], setting.table
    rests = table.poses[me.pose].long_rests
    clip = rests[0] + mix(own, me.boundary) % (rests[1] - rests[0])
    others = look_around(own, me.end[0], me.end[1], 1.0, crowd, memory, gap)
    if others.size > len(memory.near) or stands_in_way(me.end, me.boundary, clip, 0.0, table, setting.around):
        return
    if not somebody_in_way(me.end, me.boundary, clip, table, others):
        mine.clips[0] = clip


@kernel
def depth_inside(own, table, crowd, around):
    """How far [m] somebody is inside an obstacle at its boundary: 0 unless one was dropped there."""
    me = crowd.crew[own]
    body = crowd.tracks[own, min(max(me.boundary - me.first, 0), me.length - 1)]
    if stays_clear(body, me.boundary, me.boundary, table, around):
        return 0.0
    deep = body[2] - room_at(around, body[0], body[1])
    return deep + 0.02 if deep > 1e-6 else 1e-3


@kernel
def _must_leave(own, pose, table, crew, around):
    """Whether something is known to come to where somebody stands at its boundary."""
    me, resting = crew[own], np.empty(BODY)
    if not (pose.rests and around.solid):
        return me.hurry
    lay_rest(me.end, me.pose, table, resting)
    return me.hurry or not stays_clear(resting, me.boundary, me.boundary + FOREVER, table, around)


@kernel
def _look_away(own, budget, crowd, setting, memory, rules, result):
    """`look_ahead` for somebody who stands at its goal and cannot stay: anywhere else will do.

    Who minds its goal looks at ways that do not leave it until nothing is left of the budget.
    """
    me = crowd.crew[own]
    goal_x, looked = me.goal[0], result[0]
    me.goal[0] = math.nan
    result[:] = 0
    node = look_ahead(own, budget, 0.0, crowd, setting, memory, rules, result)
    me.goal[0] = goal_x
    result[0] += looked
    return node


@kernel
def propose(slot, now, crowd, setting, rules, workspace, proposals):
    """What one of a batch would do next; nothing of the crew changes but its own route."""
    mine, crew, table, around = proposals[slot], crowd.crew, setting.table, setting.around
    own, me = mine.row, crew[mine.row]
    mine.kind, mine.tube_count, mine.blocker_count, mine.looked, mine.led = NOTHING, 0, 0, 0, False
    aimless, me.streams = me.settled or math.isnan(me.goal[0]), False
    me.deep = depth_inside(own, table, crowd, around)
    # Who was to leave at the end of its way, and has nowhere to go now, stops before that.
    must_leave = aimless and (me.ends or _must_leave(own, table.poses[me.pose], table, crew, around))
    calm = me.asked_by < 0 and me.deep == 0.0 and not must_leave
    waits = waited(crew, own, now, rules.fps)
    hem = hem_of(own, crowd, workspace.memory.near) if _may_be_hemmed_in(me, waits, table) else 0
    if (aimless and calm) or still_hemmed_in(me, hem, now):
        _stay(mine, own, now, crowd, setting, workspace.memory, rules.gap)
    else:
        late = lateness(own, waits, crowd, workspace.memory.near)
        _find_way(own, now, late, aimless, crew, setting, rules, workspace.scouting)
        if rules.led and calm and _waits_to_be_led(me, table):
            _stay(mine, own, now, crowd, setting, workspace.memory, rules.gap)
        else:
            _go(mine, own, late, crowd, setting, rules, workspace.memory)
        if mine.kind == REST:
            looked_in_vain(me, hem, now)
    if mine.kind != NOTHING:
        reserve(mine, own, now, crew, table)


@inlined
def _may_be_hemmed_in(me, waits, table):
    """Whether somebody has stood for a while, and may go on standing."""
    return waits > LATE_SEARCH and table.poses[me.pose].rests and me.count <= 1 and not me.hurry and me.deep == 0.0


@kernel
def _waits_to_be_led(me, table):
    """Whether somebody stands before a door and it is not its turn: it stays where it is, so that others can count
    on it."""
    return me.queues and not me.turn and table.poses[me.pose].rests and not me.hurry


@kernel
def _halt(mine, own, crowd, setting, memory, gap):
    """Propose to stop at once for somebody who walks, and has committed to go on for some more steps."""
    me, table, root = crowd.crew[own], setting.table, memory.nodes[0]
    root.place[:] = me.end
    root.frame, root.pose, root.depth, root.deep, root.known = me.boundary, me.pose, 0, me.deep, STEP_SIGHT
    root.kept = False
    others = look_around(own, me.end[0], me.end[1], STEP_SIGHT, crowd, memory, gap)
    if me.count < 3 or others.size > len(memory.near):
        return
    stops = can_stop(0, memory, table, setting.around, others) == FREE
    if stops and _write_way(mine, 0, memory, table, crowd.crew):
        write_guess(mine, root.rest[0], root.rest[1], root.frame, 0.0, 0.0)
        mine.kind, mine.good = GO, True


@kernel
def _stay(mine, own, now, crowd, setting, memory, gap):
    """Propose to pass the time where one is, for somebody who does not want to be anywhere else."""
    me = crowd.crew[own]
    pose = setting.table.poses[me.pose]
    if not pose.rests:
        _halt(mine, own, crowd, setting, memory, gap)
        return
    # Who has promised to go on from here does not stay: only the last place of a commitment is reserved for good.
    if me.count > 1:
        return
    _rest(mine, own, crowd.crew, pose.short_rests)
    if me.settled and now - me.home > AT_HOME:
        _make_oneself_at_home(mine, own, crowd, setting, memory, gap)


@kernel
def _find_way(own, now, late, aimless, crew, setting, rules, scouting):
    """The route that somebody takes, or back to where others can pass; and how little it likes to stay."""
    me = crew[own]
    me.restless = 0.0
    backs_off = not aimless and retreats(own, now, late, crew, setting, scouting)
    if not backs_off:
        near = math.hypot(me.goal[0] - me.end[0], me.goal[1] - me.end[1]) < ALMOST_THERE
        calm = rules.calm + TURNING_ROUND if near else rules.calm
        me.restless = rules.unrest * min(max(late - calm, 0.0), MOST_RESTLESS)
    if not (aimless or backs_off):
        find_route(own, now, late, crew, setting, scouting)
    know_door(me, setting.land, rules.led)


@inlined
def _only_waits(node, memory, table):
    """Whether nothing better was found than to pass the time."""
    return node < 0 or table.behaviors[table.clips[memory.nodes[node].clip].behavior].waits


@inlined
def _comes_to_a_stand(number, own, memory, table, crew):
    """Whether a step ends in a stand, and not at the goal."""
    node = memory.nodes[number]
    return table.poses[node.pose].rests and not is_there(node.place, node.pose, own, table, crew)


@kernel
def _go(mine, own, late, crowd, setting, rules, memory):
    """Propose the best way that is found, or to pass the time; and note who was in the way of something better."""
    crew, table = crowd.crew, setting.table
    me, pose = crew[own], table.poses[crew[own].pose]
    budget = int(rules.effort * (EFFORTS[0] if late < 1.5 else (EFFORTS[1] if late < 5.0 else EFFORTS[2])))
    result = np.zeros(6, dtype=np.int64)
    node = follow(mine, own, crowd, setting, memory, rules, result)
    mine.led = node > 0
    steps = node < 0 and goes_step_by_step(me, pose)
    # A search knows nothing of sides: it would lead straight on through those who come.
    stuck = late > LATE_SEARCH and pose.rests and me.astray < LEAST_ASIDE
    searches = steps and (stuck or circles(me, pose, rules.fps))
    if steps and not searches:
        me.still_left = way_left(me.end, me, setting.around)
        node = choose_step(own, crowd, setting, memory, rules, result)
        # Where no step leads on, several in a row may.
        searches = node == -1 or (node > 0 and _comes_to_a_stand(node, own, memory, table, crew))
        if node == ALONE or searches:
            result[:] = 0
        elif me.streams and node > 0:
            node = hold_ahead(node, own, crowd, setting, memory, rules, result)
    if searches or node == ALONE or (node < 0 and not steps):
        node = look_ahead(own, budget, min(0.25 * late, 2.0), crowd, setting, memory, rules, result)
    if searches and _only_waits(node, memory, table):
        # A small step on the spot may be what it takes: no search ends in one that leads nowhere.
        result[:] = 0
        node = choose_step(own, crowd, setting, memory, rules, result)
    if node < 0 and me.hurry and is_there(me.end, me.pose, own, table, crew):
        node = _look_away(own, budget, crowd, setting, memory, rules, result)
    mine.looked = result[0]
    if result[1] >= 0 and (late > rules.patience or me.asked_by >= 0):
        others = Neighbors(crew, crowd.tracks, memory.near, memory.rims, result[2], rules.gap)
        wish(mine, own, result[1], late, memory, table, others)
    if node > 0 and _write_way(mine, node, memory, table, crew):
        still = mine.count == 1 and table.behaviors[table.clips[mine.clips[0]].behavior].waits
        mine.kind, mine.good = REST if still else GO, result[5] > 0
    elif pose.rests and me.count <= 1:
        _rest(mine, own, crew, pose.short_rests)


@kernel
def propose_some(span, now, crowd, common, around, rules, workspace, proposals):
    """`propose` for the slots span[0] to span[1] - 1 of a batch."""
    crowd, setting, workspace = borrow(crowd, common, around, workspace)
    for slot in range(span[0], span[1]):
        begun = cycles()
        propose(slot, now, crowd, setting, rules, workspace, proposals)
        proposals[slot].cycles += cycles() - begun
