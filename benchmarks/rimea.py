"""RiMEA's sixteen tests for evacuation software, by the live crowd.

`verdict`: pass or fail by the criterion that the page states; shown where the guideline wants something
documented; not available where scenes cannot say it yet. Where the guideline only says what should happen (tests
5, 7, 11, 12) the limits are ours. A run with violations does not pass: they are counted by the audit, in all of a
run with up to 200 people, else in its last 20 s. `value`: the figure the verdict hangs on, `wanted` its limits.
`s`: all runs of the test took, without the audit.

`out/rimea/report.html` shows every test with pictures. One test alone: `python benchmarks/rimea.py 6 9 --quick`,
or $WALKON_RIMEA="quick 6 9". Quick: smaller crowds, shorter runs. No run takes longer than 15 min of the clock, or
plays longer than 10 min; quick ones 3 min and 4 min.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from _rimea_report import write_page
from _rimea_results import Result, Row
from _rimea_runs import Limits
from _rimea_tests import TESTS

LIMITS = Limits()
QUICK = Limits(quick=True, patience=240.0, wall=180.0)


def measure() -> list[Row]:
    """A row for every test."""
    words = os.environ.get("WALKON_RIMEA", "").split()
    wrong = [word for word in words if word != "quick" and word not in map(str, TESTS)]
    if wrong:
        raise SystemExit(
            f"$WALKON_RIMEA: no test {wrong[0]!r}; there are {min(TESTS)} to {max(TESTS)}, and `quick`"
        )
    chosen = [int(word) for word in words if word != "quick"] or list(TESTS)
    return [result.row() for result in run_tests(chosen, QUICK if "quick" in words else LIMITS)]


def run_tests(chosen: Sequence[int], limits: Limits) -> list[Result]:
    """Run tests one after another, and write the page anew after each."""
    begun, results = time.perf_counter(), []
    for number in chosen:
        results.append(TESTS[number](limits))
        said = f"test {number}: {results[-1].verdict}; {results[-1].found}"
        print(f"{time.perf_counter() - begun:5.0f} s  {said}", file=sys.stderr, flush=True)
        write_page(results, limits.out / "report.html", "Quick: smaller crowds." if limits.quick else "")
    return results


def _known(text: str) -> int:
    """The number of a test. (argparse cannot check choices of a list that may be empty.)"""
    if not (text.isdigit() and int(text) in TESTS):
        raise argparse.ArgumentTypeError(f"no test {text!r}: there are {min(TESTS)} to {max(TESTS)}")
    return int(text)


def _main() -> None:
    """Some tests alone, as the docstring says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tests", nargs="*", type=_known, help="numbers; all if there are none")
    parser.add_argument("--quick", action="store_true", help="smaller crowds, shorter runs")
    given = parser.parse_args()
    run_tests(given.tests or list(TESTS), QUICK if given.quick else LIMITS)


if __name__ == "__main__":
    _main()
