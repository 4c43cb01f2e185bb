"""The rows of `walkon bench tree-search`: figures of Lau (2009), the comparison with A*, what was aimed at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from _queries import OURS, Answers, load

if TYPE_CHECKING:
    from walkon.trees.forest import Forest

MANY = 50
"""Obstacles in a crowded world."""

THESIS_SECONDS = {25: 199, 50: 477}
THESIS = {
    "A*": "97.91 / 100 / 100 / 100",
    "weighted A*, w = 2": "97.91 / 79.42 / 12.31 / 105.12",
    50: "94.76 / 0.47 / 7.27 / 113.80",
    25: "93.63 / 0.44 / 4.23 / 115.48",
}
"""Solved [%]; time, checks and cost [% of A*]."""

THESIS_C = {
    "A*": "2,411,505 / 2,885,740 / 786",
    "weighted A*, w = 2": "1,276,468 / 1,559,632 / 846",
    25: "461 / 210 / 884",
}
"""[µs], checks, cost."""

AIM_TIME, AIM_BEHIND, AIM_COST = 0.1, 1.0, 108.0
"""[% of A*], percent of the queries fewer than A*, [% of A*]."""

AIM_SEARCH, AIM_MAPPED, AIM_BUILD, AIM_BYTES = 20.0, 100.0, 10.0, 64.0
"""[µs], [µs] with MANY obstacles mapped, [s], a node."""

Row = dict[str, object]
Flags = np.ndarray


class Grown(NamedTuple):
    """A tree, who it is, and how long it took [s]. megabytes: what it was to be like."""

    who: str
    megabytes: int
    forest: Forest
    seconds: float


def random_row(who: str, answers: dict[str, Answers], trees: list[Grown]) -> Row:
    """For one of those who answered all random queries."""
    own, base = answers[who], answers["A*"]
    common = _common(answers)
    tree = next((tree for tree in trees if tree.who == who), None)
    return _compared("random", who, own, base, common) | {
        "thesis": THESIS.get(who if tree is None else tree.megabytes, ""),
        "remark": _remark(own, base, common, tree),
    }


def _common(answers: dict[str, Answers]) -> Flags:
    """(Q,) whether all solve a query."""
    return np.all([one.solved for one in answers.values()], axis=0)


def _compared(queries: str, who: str, own: Answers, base: Answers, common: Flags) -> Row:
    """A row for one who answered many queries."""
    return _blank(queries, who) | {
        "solved %": round(100.0 * float(own.solved.mean()), 2),
        "µs": _micro(own.seconds[common]),
        "µs begun": _micro(own.whole[common]),
        "time %": round(_ratios(own.seconds, base.seconds, common), 3),
        "means %": round(_of_means(own, base, common), 3),
        "checks": round(float(own.checks[common].mean()), 1),
        "checks %": round(_ratios(own.checks, base.checks, common), 2),
        "cost": round(float(own.costs[common].mean()), 2),
        "cost %": round(_ratios(own.costs, base.costs, common), 2),
    }


def _of_means(own: Answers, base: Answers, common: Flags) -> float:
    return 100.0 * float(own.seconds[common].mean() / base.seconds[common].mean())


def _micro(seconds: np.ndarray) -> float:
    """Mean [µs], with a decimal where that says something."""
    mean = 1e6 * float(seconds.mean())
    return round(mean) if mean >= 1000.0 else round(mean, 1)


def _ratios(own: np.ndarray, base: np.ndarray, common: np.ndarray) -> float:
    """Mean of the ratios of two (Q,) where both have an answer [%]."""
    return 100.0 * float(np.mean(own[common] / np.maximum(base[common], 1e-12)))


def _remark(own: Answers, base: Answers, common: Flags, tree: Grown | None) -> str:
    if own is base:
        failed, stopped = int((~own.solved).sum()), int(own.stopped.sum())
        shared = f"all solve {int(common.sum())} of {len(common)}"
        return f"{shared}; {failed} not solved, {stopped} of them given up; {load()}"
    lost, won = int((base.solved & ~own.solved).sum()), int((own.solved & ~base.solved).sum())
    said = [f"{lost} that A* solves are not, {won} more are"]
    if tree is None:
        return said[0]
    solved = own.solved
    both = solved & base.solved
    if both.any():
        cost, mean = _ratios(own.costs, base.costs, both), _mean(own.seconds[both])
        said.append(
            f"over all that both solve: cost {cost:.1f} %, {mean:.1f} µs, median {_median(own.seconds[both]):.1f}"
        )
    if not solved.all():
        said.append(f"{_mean(own.seconds[~solved]):.0f} µs to find nothing")
    forest = tree.forest
    took = f"{len(forest)} nodes, {forest.nbytes / 1e6:.1f} MB, {forest.nbytes / len(forest):.0f} bytes each"
    return "; ".join([*said, f"{took}, grown in {tree.seconds:.1f} s (thesis: {THESIS_SECONDS[tree.megabytes]})"])


def _blank(queries: str, who: str) -> Row:
    names = ("solved %", "µs", "µs begun", "time %", "means %", "checks", "checks %", "cost", "cost %")
    return {"queries": queries, "who": who, **dict.fromkeys(names), "thesis": "", "remark": ""}


def crowded_row(who: str, crowded: dict[str, Answers], field: float, call: float) -> Row:
    """For worlds with MANY obstacles. field, call: seconds for a distance field, and for a search of nothing."""
    own, base, common = crowded[who], crowded["A*"], _common(crowded)
    remark = (
        f"all solve {int(common.sum())} of {len(common)}; a world's distance field is made in {1e3 * field:.0f} ms"
    )
    if own is not base:
        remark = (
            f"{float(own.mapped[common].mean()):.0f} cells mapped; {_mean(own.whole):.0f} µs begun with those not "
            f"solved; {1e6 * call:.1f} µs to ask for a goal in an empty cell"
        )
    return _compared(f"{MANY} boxes", who, own, base, common) | {"remark": remark}


def _median(seconds: np.ndarray) -> float:
    """[µs]"""
    return 1e6 * float(np.median(seconds))


def _mean(seconds: np.ndarray) -> float:
    """[µs]"""
    return 1e6 * float(seconds.mean())


def c_row(opening: str, who: str, answers: Answers, trees: list[Grown]) -> Row:
    """For the C open to the start or to the goal; beside Lau's figures if one searches into it."""
    sizes = {tree.who: tree.megabytes for tree in trees}
    compared = (opening == "goal") == (who in sizes)
    return _blank(f"C to {opening}", who) | {
        "solved %": 100.0 * float(answers.solved[0]),
        "µs": _micro(answers.seconds),
        "µs begun": _micro(answers.whole),
        "checks": int(answers.checks[0]),
        "cost": round(float(answers.costs[0]), 2) if answers.solved[0] else None,
        "thesis": THESIS_C.get(sizes.get(who, who), "") if compared else "",
    }


def aim_rows(
    first: Grown, trees: list[Grown], answers: dict[str, Answers], crowded: dict[str, Answers]
) -> list[Row]:
    """What the issue asks for, beside what our trees do."""
    base = answers["A*"]
    common, dense = _common(answers), _common(crowded)
    rows = []
    for tree in trees:
        if not tree.who.startswith(OURS):
            continue
        own = answers[tree.who]
        behind = 100.0 * float(base.solved.mean() - own.solved.mean())
        for what, value, aim in (
            ("% of A*'s time, mean of ratios", _ratios(own.seconds, base.seconds, common), AIM_TIME),
            ("% of A*'s time, ratio of means", _of_means(own, base, common), AIM_TIME),
            ("% of the queries fewer than A*", behind, AIM_BEHIND),
            ("% of A*'s cost", _ratios(own.costs, base.costs, common), AIM_COST),
            ("µs, mean", _mean(own.seconds[common]), AIM_SEARCH),
            (f"µs with {MANY} obstacles mapped", _mean(crowded[tree.who].whole[dense]), AIM_MAPPED),
        ):
            rows.append(aim_row(tree.who, what, value, aim))
    nodes, size = len(first.forest), first.forest.nbytes / len(first.forest)
    return [
        *rows,
        aim_row(first.who, f"s to grow {nodes} nodes", first.seconds, AIM_BUILD),
        aim_row(first.who, f"bytes a node of {nodes}", size, AIM_BYTES),
    ]


def aim_row(who: str, what: str, value: float, aim: float) -> Row:
    """What was measured, at most what was aimed at or not."""
    remark = f"{value:.4g} {what}: aim {aim:g} {'met' if value <= aim else 'not met'}"
    return _blank("aim", who) | {"remark": remark}
