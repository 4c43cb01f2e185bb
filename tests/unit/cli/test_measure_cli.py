"""`walkon measure`: figures on the screen, in JSON, CSV and a page, all of them those of `measure`."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.errors import WalkonError
from walkon.export import export_take
from walkon.metrics import audit, measure, measure_benchmarks, read_trajectories
from walkon.take import write_take


def run(*arguments):
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    return result


@pytest.fixture(scope="module")
def files(little_take, tmp_path_factory):
    """A take, and its paths as a table."""
    folder = tmp_path_factory.mktemp("measured")
    write_take(little_take, folder / "little.take")
    export_take(little_take, folder / "paths.csv")
    return folder / "little.take", folder / "paths.csv"


def test_json_is_what_measure_says(files, little_take):
    told = json.loads(run("measure", *files, "--json").stdout)
    report = audit(little_take)
    assert [one["name"] for one in told] == ["little", "paths"]
    assert told[0]["measures"] == json.loads(json.dumps(measure(little_take, audited=report).as_dict()))
    assert told[0]["audit"]["clean"] == report.clean
    assert told[1]["measures"] == json.loads(json.dumps(measure(read_trajectories(files[1])).as_dict()))
    assert told[1]["audit"] is None


def test_a_table_has_a_column_for_each(files):
    shown = run("measure", *files).stdout
    head = next(line for line in shown.splitlines() if "figure" in line)
    assert head.split() == ["figure", "unit", "little", "paths"]
    assert "Collisions of bodies" in shown


def test_without_an_audit_nothing_is_said_about_collisions(files):
    assert "Collisions" not in run("measure", files[0], "--no-audit").stdout


def test_a_library_gives_the_lines(files, little_take):
    from walkon.crowd import load_library

    told = json.loads(run("measure", files[1], "--library", "human", "--json").stdout)
    lines = measure_benchmarks(load_library("human"))
    assert lines.walking is not None
    assert told[0]["measures"]["benchmarks"]["walking"]["clips"] == lines.walking.clips


def test_csv_is_a_file_or_a_folder(files, little_take, tmp_path):
    run("measure", *files, "--csv", tmp_path / "all.csv")
    run("measure", *files, "--csv", tmp_path / "all")
    assert (tmp_path / "all.csv").read_text() == (tmp_path / "all" / "figures.csv").read_text()
    found = measure(little_take)
    with (tmp_path / "all.csv").open() as file:
        figures = {row["figure"]: row for row in csv.DictReader(file)}
    assert float(figures["resistance"]["little"]) == found.summary()["resistance"]
    assert figures["collisions"]["paths"] == ""
    with (tmp_path / "all" / "people.csv").open() as file:
        people = list(csv.DictReader(file))
    assert [row["who"] for row in people][:3] == list(found.names)
    assert float(people[1]["travel_distance"]) == found.travel.distances[1]
    with (tmp_path / "all" / "anomalies.csv").open() as file:
        listed = [row for row in csv.DictReader(file) if row["of"] == "little"]
    assert [row["who"] for row in listed] == [one.who for one in found.anomalies]


def test_a_report_is_written(files, tmp_path):
    shown = run("measure", *files, "--html", tmp_path / "report.html", "--no-pictures").stdout
    assert f"report: {tmp_path / 'report.html'}" in shown.replace("\n", "")
    text = (tmp_path / "report.html").read_text()
    assert "little" in text
    assert "paths" in text


@pytest.mark.parametrize("name", ["broken.take", "empty.csv", "missing.csv"])
def test_what_cannot_be_read_is_named(files, tmp_path, name):
    content = {"broken.take": files[0].read_bytes()[:2000], "empty.csv": b""}.get(name)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    result = CliRunner().invoke(app, ["measure", str(tmp_path / name), "--html", str(tmp_path / "x.html")])
    assert isinstance(result.exception, WalkonError)
    assert name in str(result.exception)
    assert not (tmp_path / "x.html").exists()


def test_files_of_one_name_are_told_apart(files, tmp_path):
    copy = tmp_path / "little.take"
    copy.write_bytes(files[0].read_bytes())
    told = json.loads(run("measure", files[0], copy, "--json", "--no-audit").stdout)
    assert [one["name"] for one in told] == [str(files[0]), str(copy)]
    result = CliRunner().invoke(app, ["measure", str(copy), str(copy)])
    assert result.exit_code == 2


def test_too_many_for_a_page_are_refused_before_anything_is_measured(files, tmp_path):
    copies = [tmp_path / f"{k}.take" for k in range(13)]
    result = CliRunner().invoke(app, ["measure", *map(str, copies), "--html", str(tmp_path / "x.html")])
    assert result.exit_code == 2
