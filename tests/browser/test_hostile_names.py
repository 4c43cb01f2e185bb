"""Names of scenes, people, things and files that want to be markup: they are shown as the text they are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from walkon.metrics import Trajectories, measure
from walkon.render.report import Entry, Failure, write_report
from walkon.take import Role, read_take, write_take

IMAGE, SCRIPT = "x<img src=x onerror=pwned=1>", 'x"><script>pwned=1'
BOLD, HANDLER = "x'><u onmouseover=pwned=1>", 'x" onfocus="pwned=1" autofocus="'
FILE = "<img src=x onerror=pwned=1>.toml"
PERSON, THING, MOVER, GROUP = f"{IMAGE} anna", f"{SCRIPT} crate", f"{BOLD} cart", f"{HANDLER} crowd_1"

SCENE = f"""
name = '{IMAGE} {SCRIPT}'
bounds = [-8, -8, 8, 8]

[[obstacles]]
name = '{THING}'
shape = "box"
at = [4, 4]
width = 2
depth = 2
height = 1.5

[[obstacles]]
name = "{BOLD} cart"
shape = "box"
at = [-4, 4]
width = 2
depth = 2
height = 1.5

[[characters]]
name = '{PERSON}'
start = [0, -2]
goal = [0, -2]

[[characters]]
name = '{GROUP}'
start = [3, -2]
goal = [3, -2]
"""


@pytest.fixture(scope="module")
def server(serve):
    """A studio with a scene in which every name means harm, and a file that does."""
    started = serve(SCENE)
    (started.project / FILE).write_text("name = 'a'\nbounds = [-5, -5, 5, 5]\n[[characters]]\nname = 7\n")
    return started


def assert_harmless(page: Any) -> None:
    """No element but those of the page, and nothing of it has run."""
    made = "img, iframe, object, embed, script:not([src]), u, [onmouseover], [onfocus], [onerror], [autofocus]"
    assert page.evaluate(f"[...document.querySelectorAll({json.dumps(made)})].map((one) => one.outerHTML)") == []
    assert page.evaluate("typeof window.pwned") == "undefined"


def shown(window: Any, text: str) -> None:
    """Wait until somebody who looks at the page can read this."""
    window.page.get_by_text(text, exact=False).first.wait_for()


def test_titles_and_selections_are_text(window):
    shown(window, f"{IMAGE} {SCRIPT}")
    assert window.page.title().startswith(f"{IMAGE} {SCRIPT}")
    for target, name in (("person: 0", PERSON), ("person: 1", GROUP), ("obstacle", THING), ("obstacle", MOVER)):
        window.click(f"{{{target}}}" if target != "obstacle" else f"{{obstacle: {json.dumps(name)}}}")
        shown(window, name)
        assert_harmless(window.page)


def test_files_and_complaints_are_text(window):
    window.press("Control+o")
    window.page.get_by_text(FILE).click()
    window.page.locator(".toast.bad").first.wait_for()
    assert FILE in window.page.locator(".toast.bad").first.inner_text()
    assert_harmless(window.page)
    window.press("Control+s")
    window.page.locator("dialog input[name=path]").wait_for()
    assert_harmless(window.page)
    window.press("Escape")


def test_marks_of_an_audit_are_text(window, server):
    """A take in which somebody stands in somebody: its marks lead to them."""
    window.press("Control+s")
    window.page.locator("dialog select").select_option("take")
    window.page.locator("dialog input[name=path]").fill("one.take")
    window.press("Enter")
    window.until("!document.querySelector('dialog[open]')")
    _saved(window, server.project / "one.take")
    take = read_take(server.project / "one.take")
    first, second = take.roles
    twin = Role(second.character, first.clips, first.frames, first.placements, None)
    people = tuple(replace(one, start=take.scene.characters[0].start) for one in take.scene.characters)
    write_take(
        replace(take, scene=replace(take.scene, characters=people), roles=(first, twin)),
        server.project / "two.take",
    )
    window.press("Control+o")
    window.page.get_by_text("two.take").click()
    mark = window.page.locator("#panel button[title*='overlap']").first
    mark.wait_for(timeout=120_000)  # the first audit of a fresh machine compiles its kernels
    mark.hover()
    mark.click()
    shown(window, PERSON)
    shown(window, f"{IMAGE} {SCRIPT} (take)")
    assert_harmless(window.page)


def _saved(window: Any, path: Path) -> None:
    window.page.locator(".toast", has_text="one.take").first.wait_for()
    assert path.is_file()


def test_a_report_shows_names_as_text(chromium, tmp_path):
    steps = np.linspace(-5.0, 5.0, 101)
    paths = [np.column_stack([steps, 0.02 * steps]), np.column_stack([-steps, -0.02 * steps])]
    crowd = Trajectories.build(10.0, paths, names=[PERSON, THING], goals=[(8.0, 0.0), (-8.0, 0.0)])
    entries = [Entry(name, measure(crowd)) for name in (IMAGE, HANDLER)]
    told = {"title": SCRIPT, "subtitle": BOLD, "lines": IMAGE}
    write_report(tmp_path / "report.html", entries, failures=[Failure(MOVER, f"no way: {GROUP}")], **told)
    context = chromium.new_context()
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    text = page.inner_text("body")
    for name in (IMAGE, HANDLER, SCRIPT, BOLD, MOVER, GROUP):
        assert name in text, name
    assert PERSON in page.content().replace("&lt;", "<").replace("&gt;", ">")
    made = "img:not([src^='data:']), iframe, [onmouseover], [onfocus], [onerror], [autofocus]"
    assert page.evaluate(f"document.querySelectorAll({json.dumps(made)}).length") == 0
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert problems == []
    context.close()
