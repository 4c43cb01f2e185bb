"""The report: its numbers are the measures', its names are harmless, it loads nothing and stays small."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from walkon.errors import RenderError
from walkon.metrics import Anomaly, AuditFigures, AuditReport, Trajectories, Violation, audit, measure
from walkon.metrics.measures import Measures
from walkon.render.report import MOST_ENTRIES, Entry, Failure, build_report, write_report
from walkon.render.report.catalogue import FIGURES, PANELS, format_number
from walkon.render.report.distributions import MOST_DOTS
from walkon.render.report.gallery import MOST_MOMENTS, choose_moments
from walkon.render.report.heat_maps import HEAT_COLOURS, colour
from walkon.render.report.maps import _from_above, draw_moment_map
from walkon.render.report.moments import _open_side, gather_moments, moment_of
from walkon.render.report.verdicts import headline, judge, set_against
from walkon.render.svg import words
from walkon.render.ticks import ticks
from walkon.synthesis import perform_all

EVIL = "<script>alert('x')</script>\"><img src=http://evil.example/x onerror=alert(1)>&amp;"


class Page(HTMLParser):
    """What is on a page: tags with attributes, tables as rows of text, and text by figure."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.text: list[str] = []
        self._table, self._cell = "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "table":
            self._table = found["id"] or ""
            self.tables[self._table] = []
        elif tag == "tr":
            self.tables[self._table].append([])
        elif tag in ("td", "th"):
            self.tables[self._table][-1].append("")
            self._cell = True

    def handle_endtag(self, tag):
        self._cell = self._cell and tag not in ("td", "th")

    def handle_data(self, data):
        self.text.append(data)
        if self._cell:
            self.tables[self._table][-1][-1] += data

    def values(self, *names: str) -> list[str]:
        return [
            value for _, attributes in self.tags for name, value in attributes.items() if name in names and value
        ]


def walkers(count: int, *, seed: int = 0, bend: float = 0.3, frames: int = 80, names=None) -> Measures:
    """People who cross a square, more or less straight."""
    rng = np.random.default_rng(seed)
    starts, goals = rng.uniform(-6, 6, (2, count, 2))
    share = np.linspace(0.0, 1.0, frames)[:, None]
    noise = bend * np.sin(np.linspace(0.0, 12.0, frames))[:, None]
    paths = [a + (b - a) * share + noise * rng.normal(size=2) for a, b in zip(starts, goals, strict=True)]
    return measure(Trajectories.build(10.0, paths, goals=goals, names=names))


@pytest.fixture(scope="module")
def entries():
    return [Entry("first", walkers(7)), Entry("second", walkers(9, seed=1, bend=0.0), rival=True)]


@pytest.fixture(scope="module")
def page(entries):
    return Page(build_report(entries, failures=[Failure("orca", "this needs pyrvo")]))


def test_figures_are_those_of_the_measures(entries, page):
    rows = {row[0]: row for row in page.tables["figure-list"]}
    assert rows["Figure"] == ["Figure", "Unit", "first", "second"]
    summaries = [entry.measures.summary() for entry in entries]
    for figure in FIGURES:
        if figure.key not in summaries[0]:
            assert figure.title not in rows
            continue
        for shown, found in zip(rows[figure.title][2:], summaries, strict=True):
            value = found[figure.key] * figure.factor
            if np.isfinite(value):
                assert float(shown) == pytest.approx(value, abs=0.51 * 10.0**-figure.digits)
            else:
                assert shown == "–"


def test_every_figure_is_in_the_table_and_every_plot_is_of_a_measure(little_take):
    found = measure(little_take)
    assert set(found.summary()) == {figure.key for figure in FIGURES}
    assert {panel.key for panel in PANELS} <= set(found.per_person())


def test_people_and_means_are_those_of_the_measures(entries, page):
    for number, entry in enumerate(entries):
        columns = entry.measures.per_person()
        head, *rows = page.tables[f"people-{number}"]
        assert [row[0] for row in rows] == list(entry.measures.names)
        assert head[1] == "Resistance"
        shown = [float(row[1]) for row in rows]
        np.testing.assert_allclose(shown, columns["resistance"], atol=0.00051)
    mean = format_number(float(entries[0].measures.resistance.values.mean()), 2)
    assert mean in page.text


def test_anomalies_are_listed_and_linked_to_pictures(entries, page):
    head, *rows = page.tables["anomaly-list"]
    found = [(entry.name, one) for entry in entries for one in entry.measures.anomalies]
    assert found, "walkers who bend so much have anomalies"
    assert [row[:2] for row in rows] == [[name, one.who] for name, one in found]
    assert head[5] == "Value"
    ids = set(page.values("id"))
    links = [value for value in page.values("href") if value.startswith("#moment")]
    assert links
    assert {link[1:] for link in links} <= ids


def test_a_moment_is_where_and_when_it_happened(entries):
    for one in choose_moments(entries[0], 10):
        found = entries[0].measures.anomalies[one.anomalies[0]]
        assert found.who in one.moment.who
        if np.isfinite(found.when):
            assert one.moment.when == found.when


def test_the_map_of_a_moment_shows_what_bodies_cover_where_they_are_known(little_take, entries):
    names = [role.character for role in little_take.roles]
    drawn = draw_moment_map(0, Entry("take", measure(little_take), little_take), names, 1.0)
    assert drawn is not None
    assert drawn.count('Z" class="body meant"') == len(names)
    assert "<circle" not in drawn
    alone = draw_moment_map(0, entries[0], entries[0].measures.names[:1], 1.0)
    assert alone is not None
    assert alone.count('class="body') == alone.count("<circle") > 1


def test_nothing_is_loaded(page):
    assert not {tag for tag, _ in page.tags} & {"link", "iframe", "object", "embed", "base", "form", "video"}
    for value in page.values("src", "href", "srcset", "action", "poster", "background"):
        assert value.startswith(("data:image/png;base64,", "#")), value
    policy = next(found["content"] for tag, found in page.tags if tag == "meta" and "http-equiv" in found)
    assert policy is not None
    assert policy.startswith("default-src 'none'")


def test_names_from_files_are_harmless():
    found = walkers(4, bend=1.0, names=[EVIL, "b", "c", f"{EVIL} 2"])
    text = build_report(
        [Entry(EVIL, found), Entry("plain", found)],
        title=EVIL, subtitle=EVIL, lines=EVIL, failures=[Failure(EVIL, EVIL)],
    )  # fmt: skip
    page = Page(text)
    assert sum(tag == "script" for tag, _ in page.tags) == 1
    assert not [name for _, found in page.tags for name in found if name.startswith("on")]
    assert not [value for value in page.values("src", "href") if "evil" in value]
    assert EVIL in [row[0] for row in page.tables["people-0"]]
    assert page.tables["figure-list"][0][2] == EVIL


def test_who_failed_is_said(page):
    assert "orca" in page.text
    assert any("this needs pyrvo" in text for text in page.text)


def test_a_better_rival_is_said_to_be_better(entries, page):
    duels = {duel.figure.key: duel for duel in set_against(entries)}
    values = [entry.measures.summary()["resistance"] for entry in entries]
    assert values[1] < 0.9 * values[0], "who goes straight has less resistance"
    assert duels["resistance"].winner == "rival"
    assert any("A rival is better than ours at" in said and "resistance" in said
               for said in headline(entries, list(duels.values())))  # fmt: skip
    shown = {row[0]: row for row in page.tables["duel-list"]}["Resistance, mean"]
    assert shown[1:] == [f"{values[0]:.3f}", "first", f"{values[1]:.3f}", "second", "the rival"]


def test_the_better_side_is_ours_when_it_is(entries):
    turned = [Entry(entry.name, entry.measures, rival=not entry.rival) for entry in entries]
    assert {duel.figure.key: duel.winner for duel in set_against(turned)}["resistance"] == "ours"
    assert set_against(entries[:1]) == []


def test_verdicts_say_whether_bodies_touch(little_take):
    report = audit(little_take)
    found = measure(little_take, audited=report)
    verdict = judge(Entry("take", found, little_take, report))
    assert found.quality is not None
    assert found.quality.collisions is not None
    assert verdict.tone == ("bad" if found.quality.collisions.events else "good")
    figures = report.figures
    assert f"{figures.overlap_seconds:.1f} person-seconds" in verdict.sentences[1] or not figures.overlap_pairs
    assert verdict.sentences[1].startswith("Planned with outlines; circles")
    rival = judge(Entry("take", found, little_take, report, rival=True))
    assert not any("Planned with" in sentence for sentence in rival.sentences)
    unaudited = judge(Entry("take", measure(little_take, audited=False), little_take))
    assert unaudited.tone == "unknown"
    assert "not audited" in unaudited.sentences[0]


def test_takes_are_pictured(little_take):
    report = audit(little_take)
    entry = Entry("take", measure(little_take, audited=report), little_take, report)
    page = Page(build_report([entry]))
    pictures = [value for value in page.values("src") if value.startswith("data:image/png")]
    assert len(pictures) == 1 + len(choose_moments(entry, MOST_MOMENTS))
    plain = Page(build_report([entry], pictures=False))
    assert plain.values("src") == []


def test_a_page_stays_small_whatever_it_is_about():
    found = walkers(600, bend=1.5, frames=60)
    several = [Entry(f"crowd {k}", found) for k in range(MOST_ENTRIES)]
    text = build_report(several)
    assert len(text.encode()) < 5_000_000
    dots = [found["d"] for tag, found in Page(text).tags if tag == "path" and found.get("class") == "dots"]
    assert max(drawn.count("M") for drawn in dots if drawn) <= MOST_DOTS
    said = " ".join(Page(text).text)
    assert "are left out of the table" in said
    assert "80 of 600 people" in said
    assert re.search(r"120 of 179700 pairs", said)


@pytest.mark.parametrize(
    "paths", [[], [[(0.0, 0.0)]], [[(0.0, 0.0)] * 3, [(1.0, 1.0)] * 9]], ids=["nobody", "a point", "standing"]
)
def test_hardly_anybody_is_no_trouble(paths):
    text = build_report([Entry("few", measure(Trajectories.build(10.0, paths)))])
    assert "nan" not in re.sub(r"data:[^\"]*", "", text).replace("nance", "")


def test_reports_are_refused_that_could_not_be_read(entries):
    with pytest.raises(RenderError, match="at most 12"):
        build_report([Entry(str(k), entries[0].measures) for k in range(MOST_ENTRIES + 1)])
    with pytest.raises(RenderError, match="different names"):
        build_report([entries[0], entries[0]])


def test_a_report_is_whole_or_absent(entries, tmp_path):
    write_report(tmp_path / "deep" / "report.html", entries)
    assert (tmp_path / "deep" / "report.html").read_text().endswith("</html>\n")
    with pytest.raises(RenderError):
        write_report(tmp_path / "none.html", [entries[0], entries[0]])
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def test_the_same_is_the_same_page(entries):
    assert build_report(entries) == build_report(entries)


def test_heat_goes_from_the_first_colour_to_the_last():
    shown = colour(np.array([0.0, 2.0, 5.0, np.nan]), 2.0)
    np.testing.assert_array_equal(shown[0, :3], HEAT_COLOURS[0])
    np.testing.assert_array_equal(shown[1, :3], HEAT_COLOURS[-1])
    np.testing.assert_array_equal(shown[2], shown[1])
    assert shown[3, 3] == 0


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.2, 17.0), (0.0, 0.004), (0.0, 12345.0), (7.1, 7.3)])
def test_ticks_are_round_and_few(low, high):
    found = ticks(low, high)
    assert 2 <= len(found) <= 6
    assert low - 1e-9 <= found[0]
    assert found[-1] <= high + 1e-9
    steps = np.diff(found)
    np.testing.assert_allclose(steps, steps[0])


def test_text_in_drawings_is_escaped():
    assert words(0, 0, "<b>") == '<text x="0" y="0">&lt;b&gt;</text>'


def test_every_part_of_a_page_has_a_name_of_its_own(page):
    names = page.values("id")
    assert len(set(names)) == len(names)
    tables = [found["data-table"] for tag, found in page.tags if tag == "button"]
    assert set(tables) == set(page.tables)
    inside = [value[1:] for value in page.values("href") if value.startswith("#")]
    assert set(inside) <= set(names)


def test_what_stands_in_the_way_covers_its_ground(little_take):
    """Tops and undersides of things must not undo each other where they are filled."""
    points = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)])
    triangles = np.array([(0, 1, 2), (0, 2, 1), (0, 1, 3)])
    turned = _from_above(points, triangles)
    assert turned.tolist() == [[0, 1, 2], [1, 2, 0]]
    entry = Entry("take", measure(little_take, audited=False), little_take)
    text = build_report([entry], pictures=False)
    things = len(little_take.scene.obstacles)
    assert text.count('class="thing"') == 2 * things


@pytest.mark.parametrize("time", [0.0, 0.42, 1.0])
def test_moments_hold_the_poses_of_that_time(little_take, time):
    (cast,) = gather_moments(little_take, [time])
    frame = int(time * little_take.fps + 1e-6)
    there = {one.character: one for one in perform_all(little_take) if one.start_frame <= frame < one.stop_frame}
    assert {one.character for one in cast} == set(there)
    for one in cast:
        whole = there[one.character]
        shown = one.clip.positions[frame - one.start_frame]
        np.testing.assert_allclose(shown, whole.clip.positions[frame - whole.start_frame], atol=1e-9)
        assert len(one.clip) <= 2, "nothing else of the motion is kept"


def test_the_camera_looks_from_where_nothing_stands_before_them():
    middle = np.array([[0.0, 1.0, 0.0]])
    others = [np.array([np.sin(angle), 1.0, np.cos(angle)]) for angle in np.radians([0, 60, 120, 180, 300])]
    azimuth = _open_side(middle, others, np.empty((0, 4)), 6.0)
    assert azimuth == pytest.approx(np.radians(240.0), abs=0.3)
    wall = np.array([[-9.0, -9.0, 9.0, -1.0]])
    towards = _open_side(middle, [], wall, 6.0)
    assert np.cos(towards) > -0.2
    pair = np.array([[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    assert abs(np.sin(_open_side(pair, [], np.empty((0, 4)), 6.0))) < 0.1


def test_a_collision_is_pictured_with_whom_it_is_with():
    found = Anomaly("a", 1.0, "collision", 0.5, 0.0)
    touching = Violation("bodies", "b", "a", 40, 50, 45.0, 1.5, None, 0.1, "")
    figures = AuditFigures(2, 100, 3.3, 0, 0, 1)
    paths = [np.linspace((0, 0), (5, 0), 50), np.linspace((5, 0), (0, 0), 50)]
    measures = measure(Trajectories.build(10.0, paths, names=["a", "b"]))
    moment = moment_of(found, measures, AuditReport((touching,), figures))
    assert moment is not None
    assert (set(moment.who), moment.when) == ({"a", "b"}, 1.5)
