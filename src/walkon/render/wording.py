"""Numbers as people write them."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: "1 person", "2 people"; `many` is `one` with an s if it is not given."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def grouped(number: int) -> str:
    """A large number with a space before every three digits."""
    return f"{number:,}".replace(",", " ")
