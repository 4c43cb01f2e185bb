"""In a stream, where everybody goes the same way: whoever has chosen its next step holds some more steps ahead,
one after another, as long as they are free.

Who follows sees where it will be for all that time. If only a step and a stop were held, the stop would be in the
way of whoever follows until the next step is decided, and people would stop behind others who never do. The next
step is chosen anew all the same. Where ways cross nobody holds more than a step: others would have to go around
places that may never be walked through.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_costs import mix
from walkon.crowd.live._kernels_foresight import STEP_SIGHT
from walkon.crowd.live._kernels_people import Neighbors
from walkon.crowd.live._kernels_search import FARTHEST_AHEAD, LONGEST_WALKING
from walkon.crowd.live._kernels_steps import is_free, lay_out, left_after, own_view
from walkon.kernels import inlined, kernel

STEPS_TRIED = 10
"""How many ways to go on are looked at before one holds no more, the best first: the same pace straight on, slower
ones, and some that lead aside. With more, people hold a step or two more, and take longer to think."""

NEAR_TARGET = 1.5
"""[m] Nothing is held nearer to the next corner of a route, or to the goal: who gets there turns, or stops."""


@inlined
def _lay_out_steps(here, used, view, memory, setting):
    """Nodes for all steps that lead on from a node and end in walking, with what is left [m] after each; how many
    nodes there are."""
    table, before = setting.table, memory.nodes[here]
    pose = table.poses[before.pose]
    for place in range(pose.follower_start, pose.step_stop):
        number = table.followers[place]
        behavior = table.behaviors[number]
        if behavior.waits or behavior.special >= 0 or not behavior.natural:
            continue
        clips = behavior.clip_stop - behavior.clip_start
        clip = behavior.clip_start + mix(number, before.frame) % clips
        if table.clips[clip].duration > LONGEST_WALKING or table.poses[table.clips[clip].exit].rests:
            continue
        node = lay_out(memory, used, here, clip, table)
        node.total = left_after(node, True, view, memory.company, table, setting.around)
        used += 1
    return used


@kernel
def hold_ahead(number, own, crowd, setting, memory, rules, result):
    """The node up to which somebody commits who takes the step to a node: as many steps further ahead as are free,
    FARTHEST_AHEAD at most. result: as for `choose_step`."""
    table, me, root = setting.table, crowd.crew[own], memory.nodes[0]
    others = Neighbors(crowd.crew, crowd.tracks, memory.near, memory.rims, result[2], rules.gap)
    view = own_view(me, table.poses[me.pose], 0, setting.around, rules)
    here, used, root.known = number, result[4], STEP_SIGHT
    while memory.nodes[here].frame - root.frame < FARTHEST_AHEAD:
        before = memory.nodes[here]
        there = math.hypot(view.x - before.place[0], view.z - before.place[1]) < NEAR_TARGET
        if there or table.poses[before.pose].rests:
            return here
        first, found = used, -1
        used = _lay_out_steps(here, used, view, memory, setting)
        for _ in range(min(STEPS_TRIED, used - first)):
            best, least = -1, np.inf
            for step in range(first, used):
                if not memory.nodes[step].checked and memory.nodes[step].total < least:
                    best, least = step, memory.nodes[step].total
            memory.nodes[best].checked = True
            result[0] += 1
            if is_free(best, memory, setting, others):
                found = best
                break
        if found < 0:
            return here
        here = found
    return here
