"""Following a way that was looked up: clip by clip, with the same checks as any other.

A chain of clips is a suggestion and nothing more. What is committed of it was checked against everybody and ends
at an anchor, as in `look_ahead`; where it does not lead on well, the search goes on from what is free of it.
"""

from __future__ import annotations

import numpy as np

from walkon.crowd.live._kernels_checks import SOMEBODY, STANDING
from walkon.crowd.live._kernels_costs import company, is_there, score_of
from walkon.crowd.live._kernels_people import look_around
from walkon.crowd.live._kernels_search import GOOD_LOSS, SIGHT, add_node, begin_search, check_node, refine
from walkon.crowd.live.repertoire import PACE
from walkon.kernels import kernel

STAND_ALLOWANCE = 1.5
"""What a way to the goal itself may lose besides, in metres still to go: one has to come to a stand there. Found
by trying. With more, slow ways to the goal are followed; with less, whoever is nearly there searches."""

SHORTEST_FOLLOWED = 60
"""Frames (2 s) that a way must be free to be followed, unless it ends at the goal. Found by trying. With more,
trees are followed less often; with less, people follow ways that soon end in a crowd."""


@kernel
def follow(mine, own, crowd, setting, memory, rules, result):
    """Lay the chain that a proposal suggests, as far as it is free, into the nodes of a search. The node to commit
    to, or -1 if one has to search; then `look_ahead` with the same result goes on from these nodes.

    result: as for `look_ahead`.
    """
    if mine.hint_count == 0:
        return -1
    table, around, crew = setting.table, setting.around, crowd.crew
    begin_search(own, memory, crew, rules, around)
    root = memory.nodes[0]
    root.known = SIGHT
    others = look_around(own, root.place[0], root.place[1], root.known, crowd, memory, rules.gap)
    if others.size > len(memory.near):
        return -1
    used, best, least, there = 1, -1, np.inf, False
    for step in range(mine.hint_count):
        add_node(memory, used, 0, used - 1, mine.hint[step], own, table, crew, rules, around)
        node, number = memory.nodes[used], used
        refine(node, own, crew, rules, around)
        result[0] += 1
        verdict = check_node(number, own, memory, setting, others, rules)
        if verdict in (STANDING, SOMEBODY):
            break
        used += 1
        node.checked = True
        extra = company(number, memory, table, others, rules)
        node.cost += extra
        node.total += extra
        score = score_of(number, own, memory, table, crew, rules)
        if node.anchor >= 0 and score <= least:
            best, least = number, score
        there = node.anchor >= 0 and is_there(node.place, node.pose, own, table, crew)
        if there:
            best = number
        if there or node.frame - root.frame >= rules.horizon or node.depth >= rules.deepest:
            break
    result[2], result[3], result[4] = others.size, best, used
    end = memory.nodes[used - 1]
    passed, lost = end.frame - root.frame, end.total - rules.weight * root.left
    allowed = GOOD_LOSS * PACE * passed / rules.fps + (STAND_ALLOWANCE if there else 0.0)
    if best != used - 1 or not (there or passed >= SHORTEST_FOLLOWED) or lost > allowed:
        return -1
    result[5] = 1
    return memory.nodes[best].anchor
