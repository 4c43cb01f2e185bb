"""Which poses stay: those from which every other one can be reached and come back from, without any obstacle."""

from __future__ import annotations

from collections.abc import Iterable

from walkon.behaviors.kinds import BEHAVIOR_KINDS


def connected_poses(links: Iterable[tuple[str, str, str]]) -> set[str]:
    """The poses of the largest part in which each can be reached from each.

    links: (entry, exit, kind) of behaviors. Special kinds do not count, since they need an obstacle. The largest
    part is the one that the most links lie in.
    """
    edges = [(entry, leave) for entry, leave, kind in links if not BEHAVIOR_KINDS[kind].special]
    poses = list(dict.fromkeys(pose for edge in edges for pose in edge))
    parts = {pose: _reachable(pose, edges) & _reachable(pose, [(b, a) for a, b in edges]) for pose in poses}
    best: set[str] = set()
    most = 0
    for part in parts.values():
        inside = sum(entry in part and leave in part for entry, leave in edges)
        if inside > most:
            best, most = part, inside
    return best


def _reachable(start: str, edges: list[tuple[str, str]]) -> set[str]:
    """The poses that can be reached from one, itself included."""
    found, fresh = {start}, [start]
    while fresh:
        here = fresh.pop()
        for entry, leave in edges:
            if entry == here and leave not in found:
                found.add(leave)
                fresh.append(leave)
    return found
