"""The campaign in short: careful writers pass, careless ones are found, and what was begun is gone on with."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from walkon.behaviors import read_library, write_library
from walkon.directing import PLANNERS
from walkon.files import write_text
from walkon.motion import write_clip_file

TOOLS = Path(__file__).resolve().parents[3] / "tools"
sys.path.insert(0, str(TOOLS))
try:
    from campaign import faults, fuzzing, inputs, kills, page, people, power_loss, scenes
    from campaign.commands import NAMED, Command, Stage
    from campaign.forking import Ended, run_forked
    from campaign.io_calls import watched
    from campaign.progress import Keeper, Progress, load
    from campaign.trees import torn
finally:
    sys.path.remove(str(TOOLS))


def careful(source: Path, out: Path) -> None:
    write_text(out / "a.txt", (source / "text").read_text())


def careless(source: Path, out: Path) -> None:
    (out / "a.txt").write_text((source / "text").read_text())


def unsynced(source: Path, out: Path) -> None:
    """As most programs do it: a temporary file, renamed, and not synced."""
    (out / ".a.txt").write_text((source / "text").read_text())
    os.replace(out / ".a.txt", out / "a.txt")


def _write_library(source: Path, out: Path) -> None:
    write_library(out / "lib", read_library(source / "lib"))


WRITERS = {work.__name__: Command(work.__name__, work=work) for work in (careful, careless, unsynced)}
LIBRARY = Command("library", work=_write_library, indices=("lib/library.toml",))


@pytest.fixture(scope="module")
def stage(tmp_path_factory) -> Stage:
    folder = tmp_path_factory.mktemp("stage")
    for number, name in enumerate(("old", "new")):
        place = folder / "inputs" / name
        place.mkdir(parents=True)
        (place / "text").write_text("new text" * 900 if number else "old text")
        write_clip_file(place / "walk.clip", inputs.swing(number))
        inputs._library(place / "lib", number)
    return Stage(folder / "inputs", folder)


def failures_of_kills(stage: Stage, command: Command, count: int) -> list[str]:
    one = stage.rehearsed(command)
    tries = [kills.kill_once(one, random.Random(k), stage.new, stage.folder / "killed") for k in range(count)]
    assert sum(killed for killed, _ in tries) >= 2  # those at a call, whatever the clock says
    return [wrong for _, wrong in tries if wrong is not None]


def failures_of_faults(stage: Stage, command: Command, error: int) -> tuple[set[str], list[str]]:
    one, names, found = stage.rehearsed(command), set(), []
    for call in range(1000):
        fail = faults.fill_once if error == errno.EFBIG else faults.fail_once
        name, wrong = fail(one, call, error, stage.new, stage.folder / "failed")
        if name == faults.UNREACHED:
            return names, found
        names.add(name)
        found += [] if wrong is None else [wrong]
    raise AssertionError("it never ends")


def failures_of_power(stage: Stage, command: Command) -> list[str]:
    one = stage.rehearsed(command)
    out = stage.folder / "recorded"
    power_loss.plant(one.old, power_loss.fresh(out))
    events = power_loss.record(command, stage.new, out)
    return [wrong for _, wrong in power_loss.lose_power(one, events, random.Random(1)) if wrong is not None]


def test_every_call_that_changes_the_disk_is_seen(tmp_path):
    seen = []
    with watched(lambda call: seen.append((call.name, Path(call.path).name))):
        (tmp_path / "folder").mkdir()
        with (tmp_path / "folder" / "a").open("w") as file:
            file.write("text")
            file.flush()
            os.fsync(file.fileno())
        (tmp_path / "folder" / "a").chmod(0o600)
        os.replace(tmp_path / "folder" / "a", tmp_path / "b")
        (tmp_path / "b").read_text()
        (tmp_path / "b").unlink()
        (tmp_path / "folder").rmdir()
    names = [name for name, _ in seen]
    assert names == ["mkdir", "open", "write", "fsync", "close", "chmod", "replace", "unlink", "rmdir"]
    (tmp_path / "c").write_text("unseen")
    assert len(seen) == len(names)


def test_kills_find_a_careless_writer_and_pass_careful_ones(stage):
    assert failures_of_kills(stage, WRITERS["careful"], 8) == []
    assert failures_of_kills(stage, LIBRARY, 8) == []
    assert any("neither old nor new" in wrong for wrong in failures_of_kills(stage, WRITERS["careless"], 12))


def test_every_failing_call_of_careful_writers_leaves_old_files_and_one_line(stage):
    """In full: `make campaign PARTS=faults`."""
    names, found = failures_of_faults(stage, NAMED["convert"], errno.ENOSPC)
    assert found == []
    assert {"open", "write", "close", "fsync", "replace"} <= names
    assert failures_of_faults(stage, LIBRARY, errno.EIO)[1] == []


def test_faults_find_a_careless_writer(stage):
    _, found = failures_of_faults(stage, WRITERS["careless"], errno.ENOSPC)
    assert any("a.txt is 0 bytes, neither old nor new" in wrong for wrong in found)
    names, found = failures_of_faults(stage, WRITERS["careless"], errno.EFBIG)
    assert names == {"size"}
    assert any("neither old nor new" in wrong for wrong in found)
    assert failures_of_faults(stage, WRITERS["careful"], errno.EFBIG)[1] == []


def test_a_loss_of_power_takes_what_was_not_synced_and_nothing_else(stage):
    assert failures_of_power(stage, WRITERS["careful"]) == []
    assert failures_of_power(stage, LIBRARY) == []
    assert failures_of_power(stage, WRITERS["careless"])
    found = failures_of_power(stage, WRITERS["unsynced"])
    assert any("neither old nor new" in wrong for wrong in found)
    assert any("ended well" in wrong for wrong in found)


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        ({}, "gone"),
        ({"a": b"old"}, None),
        ({"a": b"new"}, None),
        ({"a": b"ne"}, "neither"),
        ({"a": b"old", "lib/index": b"1", "lib/x": b"1"}, None),
        ({"a": b"old", "lib/index": b"1"}, "lib/index is old, but of 2 files 1 are not"),
        ({"a": b"old", "lib/index": b"2", "lib/x": b"1", "lib/y": b"2"}, None),
        ({"a": b"old", "lib/index": b"2", "lib/x": b"1"}, "lib/index is new, but"),
        ({"a": b"old", "lib/index": b"3"}, "lib/index is"),
    ],
)
def test_outputs_are_old_or_new(found, wrong):
    library = any(name.startswith("lib") for name in found)
    old = {"a": b"old", **({"lib/index": b"1", "lib/x": b"1"} if library else {})}
    new = {"a": b"new", **({"lib/index": b"2", "lib/y": b"2"} if library else {})}
    told = torn(found, old, new, ("lib/index",) if library else ())
    assert told is None if wrong is None else wrong in str(told)


def test_children_that_hang_or_die_are_told_apart():
    assert run_forked(lambda: time.sleep(30.0), longest=0.1).hung
    assert run_forked(lambda: sys.exit(3)).code == 3
    assert run_forked(lambda: os.kill(os.getpid(), signal.SIGKILL)).code is None
    ended = run_forked(lambda: 1 // 0)
    assert ended.code == 1
    assert "ZeroDivisionError" in ended.err


def fuzz_target(read) -> SimpleNamespace:
    return SimpleNamespace(
        read_one=read, damaged=lambda rng: rng.randbytes(3), mutated=lambda data, rng: data + b"!"
    )


def fails(data: bytes) -> bool:
    if data[0] < 40:
        raise KeyError("missing")
    return True


def hangs(data: bytes) -> bool:
    while True:
        try:
            time.sleep(60.0)
        except Exception:  # noqa: S112  a reader that catches everything
            continue


def eats(data: bytes) -> bool:
    return len(bytearray(2**33)) > 0


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (fails, "KeyError"),
        (hangs, "TooSlowError"),
        (eats, "MemoryError"),
        (lambda data: os._exit(9), "the process died"),
    ],
)
def test_inputs_that_raise_hang_eat_or_kill_are_kept(tmp_path, monkeypatch, read, told):
    monkeypatch.setattr(fuzzing, "SLOWEST", 0.05 if read is hangs else 20.0)
    monkeypatch.setattr(fuzzing, "CHUNK", 0.3)
    _, _, failures = fuzzing.feed("toy", fuzz_target(read), tmp_path, "1 2", 60)
    message, kept = failures[0]
    assert told in message
    if told != "the process died":
        assert len(Path(kept).read_bytes()) >= 3


FEEDING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from campaign import fuzzing
fuzzing.MOST_CORPUS, fuzzing.CHUNK = 10, 100.0
for name, target in fuzzing.targets().items():
    done, _, failures = fuzzing.feed(name, target, Path(sys.argv[2]), "3 4", 12)
    assert (done, failures) == (12, []), (name, done, failures)
"""


def test_every_target_is_fed_and_the_corpus_stays_small(tmp_path):
    """In a process of its own: threads of kernels that other tests started do not survive a fork."""
    fed = subprocess.run(
        [sys.executable, "-c", FEEDING, TOOLS, tmp_path], capture_output=True, text=True, check=False
    )
    assert fed.returncode == 0, fed.stderr
    sizes = [len(list(folder.iterdir())) for folder in (tmp_path / "corpus").iterdir()]
    assert sizes
    assert max(sizes) <= 10


def test_people_are_counted_by_the_second_and_violations_are_told(tmp_path, monkeypatch, little_take):
    there = [(51 - 0), (51 - 12), 0]
    assert people.person_seconds(little_take) > sum(there[:1]) / little_take.fps
    assert [people.turn(number)[0] for number in (0, 1, 2, 12, 13)] == [
        "level",
        "terrain",
        "classic",
        "live",
        "level",
    ]
    assert people.turn(len(people.TURNS) + 5) == ("classic", 5)
    monkeypatch.setitem(people.KINDS, "level", lambda number: (50.0, [("feet", "slid")]))
    calls = iter([0.0])
    monkeypatch.setitem(people.KINDS, "terrain", lambda number: (next(calls), []))
    progress = Progress("people", "person-seconds", wanted=60.0)
    monkeypatch.setattr(people, "TURNS", ("level", "terrain"))
    people.run_people(Keeper(progress, tmp_path, 60.0))
    assert (progress.tries, progress.number, progress.failed) == (100.0, 3, 3)
    assert "StopIteration" in progress.failures[1]["message"]


def test_random_scenes_are_planned_and_audited(monkeypatch):
    monkeypatch.setattr(people, "BATCH", 1)
    seconds, wrong = people.KINDS["terrain"](3)
    assert seconds > 5.0
    assert wrong == []


WALLED = """
name = "walled"
bounds = [-8, -4, 8, 4]
[[obstacles]]
shape = "box"
at = [0, 1.5]
width = WIDTH
height = 2
depth = 0.2
[[characters]]
name = "a"
start = [0, -1]
goal = [0, 3]
"""


def _run_here(work, *, longest):
    """Not in a child, which would hang on threads that other tests started."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        work()
    return Ended(0, 0.1 * longest, out.getvalue(), "")


def test_every_scene_is_tried_with_every_planner_and_those_who_do_not_arrive_are_told(tmp_path, monkeypatch):
    tries = list(scenes.all_tries(("crossing-4", "oncoming")))
    assert len(tries) == len(set(tries)) == 2 * len(PLANNERS) * scenes.SEEDS
    assert tries[0] == ("oncoming", "auto", 0)
    assert len(scenes.all_names()) > 40
    for name, width in (("open", "9"), ("closed", "40")):
        (tmp_path / f"{name}.toml").write_text(WALLED.replace("WIDTH", width))
    closed = scenes.Try("closed", "inflated", 3)
    monkeypatch.setattr(scenes, "EXAMPLES", tmp_path)
    monkeypatch.setattr(scenes, "all_tries", lambda names: iter([closed._replace(scene="open"), closed]))
    monkeypatch.setattr(scenes, "run_forked", _run_here)
    for number in range(2):
        progress = load(tmp_path, "scenes") or Progress("scenes", "scenes planned", wanted=1e4)
        keeper = Keeper(progress, tmp_path, 60.0)
        monkeypatch.setattr(Keeper, "over", property(lambda self, until=number + 1: self.progress.number >= until))
        scenes.run_scenes(keeper)
    assert progress.done
    assert [failure["name"] for failure in progress.failures] == [str(closed)]
    kept = [json.loads(line) for line in (tmp_path / "scenes.jsonl").read_text().splitlines()]
    assert [(one["arrived"], one["people"], one["violations"]) for one in kept] == [(1, 1, 0), (0, 1, 0)]


def test_a_part_that_was_stopped_goes_on_and_the_page_says_what_failed(tmp_path, stage):
    def some(wanted: float) -> Progress:
        progress = load(tmp_path, "kills") or Progress("kills", "kills", seed=5, wanted=wanted)
        progress.wanted = wanted
        kills.run_kills(Keeper(progress, tmp_path, 60.0), stage, (WRITERS["careless"],))
        return progress

    first = some(2.0)
    again = some(4.0)
    assert again.number > first.number >= 2
    assert again.tries == 4.0
    assert again.done
    again.fail("careless", "it is torn", "--number 3")
    text = page.page([again])
    assert "| kills | 4 | kills |" in text
    assert "it is torn. Again: `--number 3`" in text
