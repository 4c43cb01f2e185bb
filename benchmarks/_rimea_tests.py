"""RiMEA's sixteen tests by their numbers in the guideline."""

from __future__ import annotations

from collections.abc import Callable

from _rimea_alone import free_walk, premovement, speeds_by_age
from _rimea_crowds import (
    assigned_exits,
    bottlenecks,
    corner,
    crowd_around_corner,
    parameters,
    public_space,
    routes,
)
from _rimea_diagrams import fundamental_diagram, single_file
from _rimea_results import Result
from _rimea_runs import Limits
from _rimea_stairs import choice_of_exit, downstairs, stairs_and_level, upstairs

TESTS: dict[int, Callable[[Limits], Result]] = {
    1: free_walk,
    2: upstairs,
    3: downstairs,
    4: fundamental_diagram,
    5: premovement,
    6: corner,
    7: speeds_by_age,
    8: parameters,
    9: public_space,
    10: assigned_exits,
    11: choice_of_exit,
    12: bottlenecks,
    13: stairs_and_level,
    14: routes,
    15: crowd_around_corner,
    16: single_file,
}
