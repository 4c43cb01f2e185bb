"""Synthesis: a take becomes poses. Clips are stitched by placement, blended at seams, set on the terrain."""

from walkon.synthesis.perform import Performance, perform, perform_all, perform_each

__all__ = ["Performance", "perform", "perform_all", "perform_each"]
