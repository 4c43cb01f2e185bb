"""What came of a test of `walkon bench rimea`, as data: for rows, and for the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _rimea_runs import Evacuation

Row = dict[str, object]
Picture = tuple[Path, str]
"""A file, and what it shows."""

PASS, FAIL, SHOWN, ABSENT = "pass", "fail", "shown", "not available"
"""Verdicts. Shown: the guideline wants it documented, and names no limit. Not available: scenes cannot say it
yet."""


@dataclass(frozen=True)
class Case:
    """A test of the guideline: its number and title, the scene in a sentence, and what is wanted."""

    number: int
    title: str
    about: str
    criterion: str

    def judge(self, met: bool | None, runs: Sequence[Evacuation], found: str, **more: Any) -> Result:
        """The result of its runs; met: None if there is no limit. Whoever touches anybody does not pass."""
        wrong = sum(len(run.verdict.violations) for run in runs)
        verdict = SHOWN if met is None else PASS if met and not wrong else FAIL
        people, spent = max(run.people for run in runs), sum(run.spent for run in runs)
        return Result(self, verdict, found, people=people, violations=wrong, spent=spent, **more)

    def absent(self, why: str) -> Result:
        """Scenes cannot say it yet."""
        return Result(self, ABSENT, f"Scenes cannot say it yet: {why}.")


@dataclass(frozen=True)
class Result:
    """A verdict.

    found: what was found, in a sentence. value, unit, wanted: the figure the verdict hangs on, and its limits as
    text. people, violations, spent [s]: of all runs. notes: what else is worth knowing.
    """

    case: Case
    verdict: str
    found: str
    value: float | None = None
    unit: str = ""
    wanted: str = ""
    people: int | None = None
    violations: int | None = None
    spent: float | None = None
    pictures: tuple[Picture, ...] = ()
    notes: str = ""

    def row(self) -> Row:
        """For the table."""
        return {
            "test": self.case.number,
            "title": self.case.title,
            "verdict": self.verdict,
            "people": self.people,
            "value": None if self.value is None else round(self.value, 3),
            "unit": self.unit,
            "wanted": self.wanted,
            "violations": self.violations,
            "s": None if self.spent is None else round(self.spent, 1),
            "remark": f"{self.found} {self.notes}".strip(),
        }
