"""The studio's page in Debian's chromium, driven by mouse and keyboard and read through `window.walkon`.

For the tests in tests/browser, for benchmarks/studio.py and for the pictures in docs/studio.md. Needs playwright,
a chromium (Debian's, or the one that WALKON_CHROMIUM names) and the bundle; draws without a graphics card.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 90.0
"""[s] Until something that should happen has happened: the machine may be busy, and what the first edit needs may
have to be compiled. With less, tests fail where nothing is compiled yet; with more, real failures take longer."""
FIRST_PATIENCE = 120.0
"""[s] The same for the first picture: the first steps of an engine may have to be compiled."""
GLANCE = 0.02
"""[s] between two looks at whether it has."""

ARGUMENTS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

NOTE_TOASTS = """
window.toasted = [];
addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const { textContent } of addedNodes) toasted.push(textContent);
}).observe(document.getElementById("toasts"), { childList: true }));
"""
"""Toasts fade after some seconds: whoever wants to know of them later must have listened."""


class NoBrowserError(RuntimeError):
    """There is no browser here; the message says which part is missing."""


def find_chromium() -> str:
    """The program to start."""
    found = os.environ.get("WALKON_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise NoBrowserError("no chromium here; install Debian's, or set WALKON_CHROMIUM to one")
    return found


@contextmanager
def open_browser() -> Iterator[Any]:
    """A browser of playwright's, for as long as the block lasts; NoBrowserError where there is none."""
    program = find_chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise NoBrowserError("the pip package playwright is not installed") from error
    with sync_playwright() as session:
        browser = session.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def run_studio(*arguments: str) -> Iterator[str]:
    """`walkon studio` with these arguments in a process of its own, while the block lasts; its address."""
    command = [sys.executable, "-m", "walkon", "studio", *arguments, "--no-browser", "--port", "0"]
    studio = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        # The address comes last: what is said before is about getting ready.
        found = next(filter(None, (re.search(r"https?://\S+", line) for line in studio.stdout or ())), None)
        if found is None:
            raise RuntimeError(f"the studio did not start: {' '.join(command)}")
        yield found.group()
    finally:
        studio.terminate()
        studio.wait()


class Window:
    """A page of the studio. problems: what its console complained of."""

    def __init__(
        self, browser: Any, url: str, *, width: int = 1000, height: int = 640, density: float = 1.0
    ) -> None:
        """width, height [CSS pixels]; density: pixels of the screen for each."""
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=density
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)
        self.page.add_init_script(NOTE_TOASTS)
        self.page.goto(url, timeout=1000 * FIRST_PATIENCE)
        self.until("window.walkon && walkon.ready && walkon.drawn > 0", seconds=FIRST_PATIENCE)

    def close(self) -> None:
        self.context.close()

    def read(self, expression: str) -> Any:
        """The value of an expression in the page. Not through eval there, which the page's policy forbids."""
        return self.page.evaluate(expression)

    def until(self, expression: str, *, seconds: float = PATIENCE) -> None:
        """Wait for something to become true; TimeoutError with what the page said last if it does not."""
        deadline = time.monotonic() + seconds
        while not self.read(f"Boolean({expression})"):
            if time.monotonic() > deadline:
                said = [*self.problems, *self.read("toasted.slice(-5)")]
                raise TimeoutError(f"still not: {expression}; {said}")
            time.sleep(GLANCE)

    def settle(self, pictures: int = 2) -> None:
        """Until what was asked for has been drawn."""
        drawn = self.read("walkon.pictures")
        self.until(f"walkon.pictures >= {drawn + pictures}")

    def press(self, keys: str) -> None:
        """Press a key, or several: `Control+z`."""
        self.page.keyboard.press(keys)

    def screen(self, target: str) -> tuple[float, float]:
        """Where on the page something is: `{obstacle: 'crate'}`, `{person: 3}`, `{x: 1, z: 2}`."""
        place = self.read(f"walkon.screenOf({target})")
        if place is None:
            raise LookupError(f"not on the screen: {target}")
        return place["x"], place["y"]

    def click(self, target: str, **options: Any) -> None:
        """Click on something; see `screen`."""
        self.page.mouse.click(*self.screen(target), **options)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        """Press, move, let go."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.pull(start, end, steps)

    def pull(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        """The rest of a drag: move, let go."""
        mouse = self.page.mouse
        for step in range(1, steps + 1):
            mouse.move(*(a + (b - a) * step / steps for a, b in zip(start, end, strict=True)))
        mouse.up()
