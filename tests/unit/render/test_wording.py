"""Numbers as people write them."""

from __future__ import annotations

from walkon.render.wording import counted, grouped


def test_one_is_singular_and_all_else_plural() -> None:
    assert [counted(number, "person", "people") for number in (0, 1, 2)] == ["0 people", "1 person", "2 people"]
    assert counted(3, "moving obstacle") == "3 moving obstacles"


def test_large_numbers_are_grouped() -> None:
    assert [grouped(number) for number in (7, 1000, 1234567)] == ["7", "1 000", "1 234 567"]
