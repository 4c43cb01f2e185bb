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
    bearing = {0}
    for foot in feet:
        joint = foot.toe
        while joint >= 0:
            bearing.add(joint)
            joint = int(skeleton.parents[joint])
    legs = set(bearing)
    for joint in range(len(skeleton)):
        # What hangs on a leg, such as the other toes, goes with it; what hangs on the root alone may vary.
        if int(skeleton.parents[joint]) in legs - {0}:
            legs.add(joint)
    upper = tuple(
        skeleton.names[joint] for joint in range(len(skeleton)) if joint not in legs and not skeleton.tips[joint]
    )
    if not upper:
        raise VariationError("every joint of the skeleton bears a leg, so there is no upper body")
    return upper
