"""A report in a real browser: nothing is loaded, links show pictures, tables can be copied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from walkon.metrics import Trajectories, measure
from walkon.render.report import Entry, write_report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory):
    """Two who run into each other and end off their goals, beside two who do not."""
    steps = np.linspace(-5.0, 5.0, 101)
    near = [np.column_stack([steps, 0.02 * steps]), np.column_stack([-steps, -0.02 * steps])]
    far = [path + np.array([0.0, offset]) for path, offset in zip(near, (-2.0, 2.0), strict=True)]
    entries = [
        Entry(name, measure(Trajectories.build(10.0, paths, goals=[(8.0, 0.0), (-8.0, 0.0)])))
        for name, paths in (("near", near), ("far", far))
    ]
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, entries)
    return path, entries


@pytest.fixture
def page(chromium: Any, report):
    """The report in a browser of its own; `asked` are addresses it tried to load, `problems` what it said."""
    context = chromium.new_context(viewport={"width": 1000, "height": 700})
    opened = context.new_page()
    opened.problems, opened.asked = [], []
    opened.on("pageerror", lambda error: opened.problems.append(str(error)))
    opened.on("console", lambda said: opened.problems.append(said.text) if said.type == "error" else None)
    opened.on("request", lambda asked: opened.asked.append(asked.url))
    opened.goto(report[0].as_uri())
    yield opened
    context.close()


def test_nothing_is_loaded_and_nothing_complains(page, report):
    page.wait_for_load_state("networkidle")
    assert page.problems == []
    assert [url for url in page.asked if not url.startswith("data:")] == [report[0].as_uri()]


def test_it_fits_a_telephone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_link_of_an_anomaly_shows_its_picture(page):
    link = page.locator("#anomaly-list a").first
    picture = page.locator(link.get_attribute("href"))
    assert not picture.evaluate("one => one.getBoundingClientRect().top < innerHeight")
    link.click()
    page.wait_for_function(
        "name => { const box = document.querySelector(name).getBoundingClientRect();"
        " return box.top >= 0 && box.bottom <= innerHeight + 1 }",
        arg=link.get_attribute("href"),
    )
    assert picture.locator("svg, img").first.bounding_box()["height"] > 100


def test_the_button_copies_the_table(page, report):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator('button[data-table="figure-list"]').click()
    page.wait_for_function(
        "() => document.querySelector('button[data-table=figure-list]').textContent == 'Copied'"
    )
    rows = [row.split("\t") for row in page.evaluate("navigator.clipboard.readText()").splitlines()]
    assert rows[0] == ["Figure", "Unit", "near", "far"]
    found = {row[0]: row[2:] for row in rows}["Proximity, least"]
    assert found == [f"{entry.measures.summary()['proximity_least']:.2f}" for entry in report[1]]


def test_a_script_that_is_not_ours_does_not_run(page):
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.bad = 1\">')")
    page.evaluate(
        "() => { const one = document.createElement('script'); one.textContent = 'window.bad = 2';"
        " document.body.append(one) }"
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.bad") is None
