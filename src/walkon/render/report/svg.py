"""Elements of SVG as text, with everything that is shown escaped; and axes with round numbers."""

from __future__ import annotations

import math
from html import escape

WIDTH = 380.0
"""Of all plots [px]: three side by side on a desk, one on a telephone."""


def element(name: str, *inside: str, **attributes: object) -> str:
    """An element; underscores in names of attributes become hyphens, `cls` is the class."""
    said = "".join(
        f' {"class" if key == "cls" else key.replace("_", "-")}="{escape(_plain(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{said}>{''.join(inside)}</{name}>" if inside else f"<{name}{said}/>"


def words(x: float, y: float, text: str, cls: str = "", **attributes: object) -> str:
    """A line of text."""
    return element("text", escape(text), x=x, y=y, **({"cls": cls} if cls else {}), **attributes)


def line(x1: float, y1: float, x2: float, y2: float, cls: str) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, cls=cls)


def drawing(width: float, height: float, *inside: str, label: str) -> str:
    """The whole picture, as large as there is room; label: for those who cannot see it."""
    return element(
        "svg", *inside, viewBox=f"0 0 {_plain(width)} {_plain(height)}", role="img", **{"aria-label": label}
    )


def track(points: list[tuple[float, float]], *, closed: bool = False) -> str:
    """Points as the data of a path."""
    if not points:
        return ""
    text = "L".join(f"{_plain(x)} {_plain(y)}" for x, y in points)
    return f"M{text}{'Z' if closed else ''}"


def dots(points: list[tuple[float, float]]) -> str:
    """Points as the data of a path whose strokes have round ends: far shorter than circles."""
    return "".join(f"M{_plain(x)} {_plain(y)}h0" for x, y in points)


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from low to high, at most so many."""
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return [low] if math.isfinite(low) else [0.0]
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(size * power for size in (1.0, 2.0, 5.0, 10.0, 20.0) if size * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [0.0 if k == 0 else k * step for k in range(first, last + 1)]


def shorten(text: str, most: int) -> str:
    """At most so many letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _plain(value: object) -> str:
    if isinstance(value, float):
        text = f"{value:.1f}"
        return text.removesuffix(".0")
    return str(value)
