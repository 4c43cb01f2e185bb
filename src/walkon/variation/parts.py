"""Parts of a body that vary while the rest is given."""

from __future__ import annotations

from walkon.errors import VariationError
from walkon.skeleton import Skeleton, find_roles


def upper_body(skeleton: Skeleton) -> tuple[str, ...]:
    """Names of the joints that bear no leg: trunk, head and arms, without the root.

    With feet and root as they are, steps stay where they were and nothing slides.
    """
    feet = find_roles(skeleton).feet
    if not feet:
        raise VariationError("a skeleton without feet has no upper body")
    borne = [0] * len(skeleton)
    for foot in feet:
        joint = foot.toe
        while joint >= 0:
            borne[joint] += 1
            joint = int(skeleton.parents[joint])
    legs = {0} | {joint for joint, feet_below in enumerate(borne) if feet_below}
    for joint in range(len(skeleton)):
        parent = int(skeleton.parents[joint])
        # What hangs on a leg, such as the other toes, goes with it; what hangs where legs part, as a neck does on
        # the chest of a horse, may vary.
        if parent in legs - {0} and borne[parent] < 2:
            legs.add(joint)
    upper = tuple(
        skeleton.names[joint] for joint in range(len(skeleton)) if joint not in legs and not skeleton.tips[joint]
    )
    if not upper:
        raise VariationError("every joint of the skeleton bears a leg, so there is no upper body")
    return upper
