"""Elements of SVG as text, with everything that is shown escaped."""

from __future__ import annotations

from html import escape


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


def shorten(text: str, most: int) -> str:
    """At most `most` letters of a text."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _plain(value: object) -> str:
    if isinstance(value, float):
        text = f"{value:.1f}"
        return text.removesuffix(".0")
    return str(value)
