"""How dear each behavior of a cast is to a planner, per metre of its path.

People go straight rather than turn, walk rather than run, go on rather than stop and start, go around rather than
wait. Whoever stands about or turns on the spot covers almost no ground, so those have large weights: a five-second
wait should cost about what four metres of walking do, and a quarter turn about two. To set off or to stop costs a
metre or more of walking, however little room it takes. What is for close quarters is dear to begin, so that
searches do not look there in vain, and cheap to leave, or an impatient search would go on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from walkon.behaviors import BehaviorLibrary

PREFERENCES: Mapping[str, Mapping[str, float]] = {
    "human": {
        "*_*_20": 1.05,
        "[jw]*_45": 1.1,
        "*_*_80": 1.15,
        "*_short_steps": 1.1,
        "jog*": 1.3,
        "walk_to_jog": 1.5,
        "jog_to_walk": 1.15,
        "start_*": 1.8,
        "stop_*": 1.8,
        "set_off*": 4.2,
        "halt*": 3.8,
        "walk_step_*": 1.05,
        "walk_slow_*": 1.15,
        "walk_slow_down_*": 1.3,
        "walk_creep_*": 1.35,
        "*_20_on_*": 1.15,
        "walk_narrow_30_*": 1.3,
        "walk_narrow_60_*": 1.45,
        "sidle_*": 2.2,
        "sidle_in_*": 4.0,
        "sidle_out_*": 0.6,
        "*_stop_on_*": 5.0,
        "set_off_slowly": 1.4,
        "close_up": 3.5,
        "creep_*": 1.35,
        "stroll_*": 1.25,
        "slow_*": 1.15,
        "brisk_*": 1.1,
        "*_aside_*": 1.15,
        "small_step_*": 4.0,
        "walk_wait": 2.0,
        "idle": 40.0,
        "pause": 18.0,
        "hold": 100.0,
        "turn_*": 8.0,
        "side_step_*": 4.0,
        "step_back": 4.0,
        "step_forward": 4.0,
        "steps_forward": 3.0,
        "step_over": 1.3,
        "duck_under*": 1.4,
        "jump_over*": 1.6,
        "crawl_under": 3.0,
    },
    "skateboarder": {
        "push": 1.05,
        "carve_*_20": 1.05,
        "carve_*_45": 1.1,
        "carve_*_90": 1.15,
        "duck": 1.3,
        "jump": 1.5,
        "start": 1.6,
        "stop": 1.6,
        "wait": 45.0,
    },
    "horse": {"*_15": 1.05, "*_35": 1.1},
}
"""Cast -> pattern of behavior names -> factor; all that fit are multiplied."""


def with_preferences(library: BehaviorLibrary) -> BehaviorLibrary:
    """The library with the weights of its cast."""
    weighted = []
    for behavior in library:
        weight = 1.0
        for pattern, factor in PREFERENCES[library.name].items():
            weight *= factor if fnmatchcase(behavior.name, pattern) else 1.0
        weighted.append(replace(behavior, weight=weight))
    return BehaviorLibrary(library.name, tuple(weighted))
