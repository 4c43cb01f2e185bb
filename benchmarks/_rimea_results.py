"""What came of a test of `walkon bench rimea`, as data: for rows, and for the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

Row = dict[str, object]

PASS, FAIL, SHOWN, ABSENT = "pass", "fail", "shown", "not available"
"""Verdicts. Shown: the guideline wants it documented, and names no limit. Not available: scenes cannot say it
yet."""


@dataclass(frozen=True)
class Result:
    """A test and its verdict.

    about: the scene in a sentence. criterion: what is wanted. found: what was found, in a sentence. value, unit,
    wanted: the figure the verdict hangs on, and its limits as text. people, violations, spent [s]: of all its
    runs. pictures: files and what they show. notes: what else is worth knowing.
    """

    number: int
    title: str
    about: str
    criterion: str
    found: str
    verdict: str
    value: float | None = None
    unit: str = ""
    wanted: str = ""
    people: int | None = None
    violations: int | None = None
    spent: float | None = None
    pictures: tuple[tuple[Path, str], ...] = field(default=())
    notes: str = ""

    def row(self) -> Row:
        """For the table."""
        return {
            "test": self.number,
            "title": self.title,
            "verdict": self.verdict,
            "people": self.people,
            "value": None if self.value is None else round(self.value, 3),
            "unit": self.unit,
            "wanted": self.wanted,
            "violations": self.violations,
            "s": None if self.spent is None else round(self.spent, 1),
            "remark": self.found + (f" {self.notes}" if self.notes else ""),
        }
