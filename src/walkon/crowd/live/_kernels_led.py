"""Being led: a whole way to the goal that somebody commits to at once, if nobody and nothing is met on it."""

from __future__ import annotations

from walkon.crowd.live._kernels_checks import FOREVER, after, stands_in_way, stays_clear
from walkon.crowd.live._kernels_commit import commit
from walkon.crowd.live._kernels_costs import is_there
from walkon.crowd.live._kernels_memory import borrow
from walkon.crowd.live._kernels_people import gather, tracks_meet
from walkon.crowd.live._kernels_propose import add_segment, write_guess
from walkon.crowd.live._kernels_tracks import bound_track, reserve
from walkon.crowd.live.crew import GO, NOTHING, SEGMENTS
from walkon.kernels import kernel


@kernel
def _write_chain(mine, me, chain, table, around):
    """Clips one after another from somebody's boundary on, as segments; whether nothing that stands or moves is in
    their way."""
    place, frame = me.end.copy(), me.boundary
    mine.count = 0
    for clip in chain:
        if stands_in_way(place, frame, clip, 0.0, table, around):
            return False
        add_segment(mine, clip, frame, place)
        after(place, table.clips[clip].displacement, place)
        frame += table.clips[clip].duration
    write_guess(mine, place[0], place[1], frame, 0.0, 0.0)
    return True


@kernel
def _departs(mine, me, own, now, crew, table):
    """Whether somebody who is gone once it is there gets there, and so need not stay; its track ends then."""
    last, place = mine.count - 1, me.end.copy()
    for segment in range(mine.count):
        if is_there(mine.places[segment], me.pose, own, table, crew):
            mine.length, mine.ends = min(mine.frames[segment] - now + 1, mine.length), True
            break
    after(mine.places[last], table.clips[mine.clips[last]].displacement, place)
    mine.ends |= is_there(place, table.clips[mine.clips[last]].exit, own, table, crew)
    bound_track(mine.track, mine.length, mine.bound)
    return mine.ends


@kernel
def commit_chain(row, chain, now, crowd, common, around, rules, workspace, proposals):
    """Commit somebody to clips (K,) from its boundary on, by way of the first proposal, if it can stay where they
    end, or is gone there, and nobody is met: as any other commitment, this one is checked whole. Whether that is
    so."""
    crowd, setting, workspace = borrow(crowd, common, around, workspace)
    crew, table, mine, near = crowd.crew, setting.table, proposals[0], workspace.memory.near
    me = crew[row]
    mine.row, mine.kind, mine.good, mine.led, mine.looked = row, NOTHING, True, False, 0
    if len(chain) == 0 or len(chain) + 1 > SEGMENTS or not _write_chain(mine, me, chain, table, setting.around):
        return False
    mine.kind = GO
    reserve(mine, row, now, crew, table)
    if mine.kind == NOTHING:
        return False
    mine.kind = NOTHING
    end = now + mine.length - 1
    if not (me.departs and _departs(mine, me, row, now, crew, table)) and not (
        table.poses[table.clips[chain[-1]].exit].rests
        and stays_clear(mine.track[mine.length - 1], end, end + FOREVER, table, setting.around)
    ):
        return False
    count = gather(crew, crowd.cells, row, mine.bound[0], mine.bound[1], mine.bound[2] + rules.gap, near)
    if count > len(near):
        return False
    about = (mine.track, now, mine.length, mine.ends, mine.speed, mine.bound)
    for k in range(count):
        if tracks_meet(*about, crew, crowd.tracks, near[k], table, rules.gap):
            return False
    mine.kind = GO
    commit(0, crowd, table, rules.fps, proposals)
    me.led = mine.frames[mine.count - 1] + table.clips[mine.clips[mine.count - 1]].duration
    if mine.ends:
        me.led += 1  # what comes after is nothing
    return True
