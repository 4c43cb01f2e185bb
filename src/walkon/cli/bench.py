"""`walkon bench`: run one of the benchmarks of the source checkout.

A benchmark is a file in `benchmarks/` whose docstring says what is measured and whose `measure()` returns rows:
dictionaries with the same keys, which become the columns. Files whose names begin with an underscore hold what
benchmarks share; they import them by name.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from pathlib import Path
from types import ModuleType

import typer

REMARK, NAMING = "remark", 4
"""A column that is printed below the table, after the first NAMING columns of its row."""


def bench(
    name: str = typer.Argument("", help="Which benchmark; see --list."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    listing: bool = typer.Option(False, "--list", help="Print the names of the benchmarks."),
) -> None:
    """Measure speed, ours beside a peer or a limit, in one run."""
    from walkon.cli._console import print_json, print_table

    folder = Path(__file__).resolve().parents[3] / "benchmarks"
    names = sorted(file.stem for file in folder.glob("[a-z]*.py"))
    if not names:
        raise typer.BadParameter("benchmarks come with the source checkout, not with the installed package")
    if listing:
        typer.echo("\n".join(names))
        return
    if name not in names:
        raise typer.BadParameter(f"no benchmark {name!r}; there are: {', '.join(names)}")
    module = _load(folder / f"{name}.py")
    rows: list[dict[str, object]] = module.measure()
    if as_json:
        print_json({"benchmark": name, "machine": _machine(), "rows": rows})
        return
    title, _, explanation = (module.__doc__ or name).strip().partition("\n\n")
    shown = [
        {key: value for key, value in row.items() if key != REMARK}
        for row in rows
        # A row of names and a remark is no row of figures.
        if not row.get(REMARK) or any(isinstance(value, int | float) for value in list(row.values())[NAMING:])
    ]
    columns = [(key, "left" if isinstance(shown[0][key], str) else "right") for key in shown[0]]
    print_table(title, columns, [[_cell(value) for value in row.values()] for row in shown])
    for row in rows:
        if row.get(REMARK):
            # Of which row, by the texts it begins with: sentences make no column.
            named = [
                str(value)
                for key, value in list(row.items())[:NAMING]
                if key != REMARK and value not in (None, "")
            ]
            typer.echo(f"  {', '.join(named)}: {row[REMARK]}")
    typer.echo(explanation)


def _load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"walkon_bench_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise typer.BadParameter(f"cannot load {file}")
    module = importlib.util.module_from_spec(spec)
    # Only while it loads: later, `import motion` in somebody else's code must not find a benchmark.
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(file.parent))
    return module


def _machine() -> dict[str, object]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "processor": platform.machine()}


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
