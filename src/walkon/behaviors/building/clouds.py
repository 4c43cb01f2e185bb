"""How alike two moments are: joints over a short while, wherever on the ground it happened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.behaviors.building.cuts import Cut
from walkon.behaviors.building.sources import Source
from walkon.motion.features.clouds import watched_joints

OFFSETS = (-0.12, -0.06, 0.0, 0.06, 0.12)
"""Times [s] around a moment at which joints are compared: positions alone do not tell how a body moves on."""


def gather_clouds(sources: Sequence[Source], cuts: Sequence[Cut]) -> tuple[Array, Array]:
    """Watched joints (N, K, J, 3) [m] around every cut, and which of the K times were recorded (N, K)."""
    joints, _ = watched_joints(sources[0].clip.skeleton)
    clouds, known = [], []
    for cut in cuts:
        clip = sources[cut.source].clip
        frames = cut.frame + np.round(np.array(OFFSETS) * clip.fps).astype(np.int64)
        known.append((frames >= 0) & (frames < len(clip)))
        clouds.append(clip.positions[np.clip(frames, 0, len(clip) - 1)][:, joints])
    return np.array(clouds), np.array(known, dtype=np.float64)
