"""What commands share: tables and JSON on standard output, progress and complaints on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")


def print_json(value: object) -> None:
    """Print `value` as indented JSON; NaN and infinities, which JSON lacks, are an error."""
    sys.stdout.write(json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def print_table(title: str, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; each column is (heading, "left" or "right")."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, box=SIMPLE_HEAD, title_justify="left")
    for heading, side in columns:
        last = heading == columns[-1][0]
        table.add_column(
            heading, justify="right" if side == "right" else "left", no_wrap=not last, overflow="fold"
        )
    for row in rows:
        table.add_row(*row)
    # A pipe has no width: never cut what another program will read.
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False)
    console.print(table)


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield the items, with a progress bar on standard error when a person is watching."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total, console=Console(stderr=True), transient=True)


@contextmanager
def progress_callback(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function of (done, total) that moves a progress bar, or None when nobody is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def progress_phases() -> Iterator[Callable[[str, int, int], None] | None]:
    """Give a function of (what, done, total) that has a progress bar for each phase, or None if nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def advance(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what)
            bar.update(tasks[what], completed=done, total=total)

        yield advance


def complain(message: str) -> None:
    """Print one line on standard error."""
    sys.stderr.write(f"walkon: {message}\n")
