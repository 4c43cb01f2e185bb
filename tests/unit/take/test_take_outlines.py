"""The outline of somebody in a take is around its body where that is shown, and not much larger."""

from __future__ import annotations

import numpy as np

from walkon.synthesis import perform_all
from walkon.take import outline_at


def test_an_outline_holds_the_body_that_is_shown(little_take):
    for role, shown in zip(little_take.roles, perform_all(little_take), strict=True):
        for frame in range(role.start_frame, little_take.end_frame(role) + 1, 7):
            corners = outline_at(little_take, role, frame)
            assert corners is not None
            sides = np.roll(corners, -1, axis=0) - corners
            joints = shown.clip.positions[frame - shown.start_frame][:, [0, 2]]
            away = joints[:, None] - corners
            # With x to the right and z up the corners go with the clock: inside is on the right of every side.
            inside = (sides[:, 1] * away[..., 0] - sides[:, 0] * away[..., 1]) / np.linalg.norm(sides, axis=1)
            assert inside.min() > 0.01, "joints are inside of their capsules"
            assert inside.min(axis=0).max() < 0.1, "every side is near to some joint"
        assert outline_at(little_take, role, -1) is None
        assert outline_at(little_take, role, little_take.frames) is None
