"""Colours that drawings share, red, green and blue from 0 to 255: paper, lines, ink, and what must be noticed."""

from __future__ import annotations

PAPER, FLOOR = (247, 247, 245), (253, 253, 252)
"""Around a drawing, and of the ground or the panel in it."""

GRID, BOLD_GRID, EDGE = (238, 239, 240), (226, 228, 231), (176, 181, 189)
"""Lines on the floor, every fifth of them, and the line around it."""

INK, FAINT = (58, 64, 74), (150, 156, 166)
"""Of text, and of text that says less."""

DARKEST = (30, 34, 42)
"""Of the one line or dot that everything else in a drawing is about."""

ALARM = (214, 48, 49)
"""What somebody must not miss: who has no plan, where something is wrong, what was rejected. The report's style
sheet has the same."""
