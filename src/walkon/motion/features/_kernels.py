"""Kernels of the features room: bare arrays in and out, no raising."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel


@kernel
def unwrap_trusted(angles, periods, trust, threshold, unwrapped):
    """Fill unwrapped (F,) with angles (F,) [rad] moved by whole periods (F,) next to the last trusted one."""
    last = angles[0]
    for f in range(len(angles)):
        unwrapped[f] = angles[f] - periods[f] * math.floor((angles[f] - last) / periods[f] + 0.5)
        if trust[f] > threshold:
            last = unwrapped[f]


@kernel
def weighted_smooth(values, weights, stiffness, smoothed):
    """Fill smoothed (F,) with the curve s least in  Σ wᵢ (sᵢ − vᵢ)² + stiffness Σ (sᵢ₊₁ − sᵢ)².

    Where the weights vanish it goes straight from one trusted value to the next. Solved as a tridiagonal system.
    """
    frames = len(values)
    diagonal = np.empty(frames)
    for f in range(frames):
        neighbours = (f > 0) + (f < frames - 1)
        diagonal[f] = weights[f] + 1e-9 + stiffness * neighbours
        smoothed[f] = (weights[f] + 1e-9) * values[f]
    for f in range(1, frames):
        factor = stiffness / diagonal[f - 1]
        diagonal[f] -= factor * stiffness
        smoothed[f] += factor * smoothed[f - 1]
    smoothed[frames - 1] /= diagonal[frames - 1]
    for f in range(frames - 2, -1, -1):
        smoothed[f] = (smoothed[f] + stiffness * smoothed[f + 1]) / diagonal[f]
