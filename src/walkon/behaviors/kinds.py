"""What behaviors are for: one table, which everything asks that treats kinds of behaviors differently.

To add a kind, add a line here; if obstacles are to allow it by a name of its own, add that name to `world.PASSES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class BehaviorKind:
    """What is true of all behaviors of a kind.

    color: in drawings; dark enough to be read on white. weight: what a metre of it costs in libraries built from
    recordings; straight on is 1. leads_on: it leads somewhere; trees do without what does not. waits: it passes
    the time; where such a behavior goes nowhere, one can stay. passes: the name by which an obstacle allows it,
    one of `world.PASSES`; such a behavior is used only on an obstacle that does. Empty if it needs none. live:
    only live crowds do it; planners and trees never see it, as more to choose from would only slow them down.
    """

    name: str
    color: str
    weight: float
    leads_on: bool = True
    waits: bool = False
    passes: str = ""
    live: bool = False

    @property
    def special(self) -> bool:
        """Whether it needs an obstacle to be used on."""
        return bool(self.passes)

    @property
    def gets_about(self) -> bool:
        """Whether it is walking or running, or a change between them."""
        return self.leads_on and not self.passes

    @property
    def everyday(self) -> bool:
        """Whether people do it anywhere and all the time: they get about, or wait."""
        return self.gets_about or self.waits


BEHAVIOR_KINDS: Mapping[str, BehaviorKind] = {
    kind.name: kind
    for kind in (
        BehaviorKind("locomotion", "#2f6db3", 1.0),
        BehaviorKind("transition", "#7b5ea7", 1.1),
        BehaviorKind("wait", "#6f7378", 2.5, leads_on=False, waits=True),
        BehaviorKind("gesture", "#a9801d", 3.0, leads_on=False),
        BehaviorKind("step_over", "#2c8a5a", 1.3, passes="step_over"),
        BehaviorKind("jump_over", "#c8502d", 1.6, passes="jump_over"),
        BehaviorKind("duck_under", "#11838f", 1.4, passes="duck_under"),
        BehaviorKind("crawl_under", "#8a4b32", 3.0, passes="crawl_under"),
        BehaviorKind("step", "#5f7a16", 1.0, live=True),
    )
}
"""Name -> kind. Graphs number the kinds in this order: add new ones at the end, or forests that were grown before
no longer fit their graphs."""
