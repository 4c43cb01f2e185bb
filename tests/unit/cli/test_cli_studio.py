"""`walkon studio`: what it is given, and what it says."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import httpx
import pytest
from typer.testing import CliRunner
from websockets.sync.client import connect

from walkon.cli.app import app
from walkon.take import write_take

runner = CliRunner()


def test_it_passes_on_what_it_was_told(monkeypatch, tmp_path):
    told = {}
    monkeypatch.setattr("walkon.studio.serve", lambda settings, **options: told.update(vars(settings), **options))
    options = ["--port", "0", "--project", str(tmp_path), "--seed", "7", "--people", "12", "--planner", "quick"]
    options += ["--bodies", "circle"]
    result = runner.invoke(app, ["studio", "a.toml", *options, "--no-browser"])
    assert result.exit_code == 0, result.output
    assert (told["port"], told["seed"], told["people"], told["planner"]) == (0, 7, 12, "quick")
    assert told["bodies"] == "circle"
    assert told["project"] == tmp_path
    assert told["host"] is None, "this machine alone, unless told"
    assert told["token"] is True, "and whoever has the token"
    assert told["open_browser"] is False
    assert str(told["what"]) == "a.toml"


@pytest.mark.parametrize(
    "wrong", [["--port", "70000"], ["--people", "20001"], ["--planner", "magic"], ["--bodies", "disc"]]
)
def test_wrong_usage(wrong):
    assert runner.invoke(app, ["studio", *wrong]).exit_code == 2


def test_without_a_token_it_listens_on_this_machine_alone(tmp_path, little_take):
    write_take(little_take, tmp_path / "a.take")
    told = runner.invoke(app, ["studio", str(tmp_path / "a.take"), "--host", "::", "--no-token", "--no-browser"])
    assert told.exit_code == 1
    assert "this machine alone" in str(told.exception)


def test_it_says_where_it_is_and_ends_on_interrupt(tmp_path, little_take):
    write_take(little_take, tmp_path / "a.take")
    command = [sys.executable, "-m", "walkon", "studio", str(tmp_path / "a.take"), "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--log", str(tmp_path / "log.txt")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"walkon studio: (http://127\.0\.0\.1:(\d+)/\?token=[\w-]{43})\n", line)
        assert found, (line, process.poll())
        cookie = {"Cookie": httpx.get(found[1]).headers["set-cookie"].partition(";")[0]}
        assert re.fullmatch(r"for another browser: http://127\.0\.0\.1:.*\n", process.stdout.readline())
        with connect(f"ws://127.0.0.1:{found[2]}/live", max_size=None, additional_headers=cookie) as socket:
            assert '"readonly":true' in socket.recv(timeout=20)
        time.sleep(0.1)
        process.send_signal(2)
        assert process.wait(20) == 0
    finally:
        process.kill()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert "Traceback" not in (tmp_path / "log.txt").read_text()


def test_a_port_that_is_taken_is_an_error_in_words(tmp_path, little_take):
    import socket

    write_take(little_take, tmp_path / "a.take")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = runner.invoke(app, ["studio", str(tmp_path / "a.take"), "--port", port, "--no-browser"])
    assert result.exit_code == 1
    assert "cannot listen" in str(result.exception)
