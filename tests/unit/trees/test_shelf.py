"""A forest from the shelf is the forest that was grown; a bad shelf is no shelf."""

from __future__ import annotations

import importlib.util
import mmap
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon import caching
from walkon.trees import shelf
from walkon.trees.digest import graph_digest
from walkon.trees.file import read_forest
from walkon.trees.shelf import fetch_forest, forget_forests

TOYS = Path(__file__).resolve().parents[1] / "planning" / "toys.py"
NODES = 40


def load_toys():
    spec = importlib.util.spec_from_file_location("toys_for_shelves", TOYS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def walker():
    return load_toys().walker()


@pytest.fixture(autouse=True)
def own_shelf(own_cache):
    forget_forests()
    yield own_cache
    forget_forests()


@pytest.fixture
def growths(monkeypatch):
    """How often a forest was grown: a list with an entry each time."""
    done, grow = [], shelf._grown
    monkeypatch.setattr(shelf, "_grown", lambda *arguments: done.append(arguments) or grow(*arguments))
    return done


def kept(own_shelf: Path) -> list[Path]:
    return sorted(own_shelf.glob("trees-*/[!.]*.tree"))


def holder(array) -> object:
    while isinstance(array, np.ndarray):
        array = array.base
    return array


def assert_same(one, other):
    assert one.settings() == other.settings()
    for name, array in one.arrays().items():
        assert array.tobytes() == other.arrays()[name].tobytes(), name


def test_what_is_fetched_is_what_was_grown_and_lies_in_a_shared_map(own_shelf, walker, growths):
    grown = fetch_forest(walker, nodes=NODES)
    assert len(kept(own_shelf)) == 1
    assert isinstance(holder(grown.parents), mmap.mmap)
    forget_forests()
    fetched = fetch_forest(walker, nodes=NODES)
    assert fetched is not grown
    assert_same(fetched, grown)
    assert_same(fetched, shelf._grown(walker, (), NODES, None))
    assert len(growths) == 2


def test_within_a_process_it_is_the_very_same(walker, growths):
    assert fetch_forest(walker, nodes=NODES) is fetch_forest(walker, nodes=NODES)
    assert len(growths) == 1


def test_an_equal_graph_gets_the_same_forest_and_another_graph_another(own_shelf, walker, growths):
    forest = fetch_forest(walker, nodes=NODES)
    assert fetch_forest(replace(walker, costs=np.array(walker.costs)), nodes=NODES) is forest
    other = fetch_forest(replace(walker, costs=walker.costs * 2.0), nodes=NODES)
    assert other.digest != forest.digest
    assert len(fetch_forest(walker, nodes=NODES // 2)) < len(forest)
    special = fetch_forest(walker, nodes=NODES, passes=("jump_over", "duck_under"))
    assert special.passes == ("duck_under", "jump_over")
    assert fetch_forest(walker, nodes=NODES, passes=("duck_under", "jump_over", "jump_over")) is special
    assert len(kept(own_shelf)) == len(growths) == 4


def test_new_code_or_another_region_never_fetches_old_forests(own_shelf, walker, growths, monkeypatch):
    fetch_forest(walker, nodes=NODES)
    monkeypatch.setattr(shelf, "code_digest", lambda *_: "newcode")
    forget_forests()
    fetch_forest(walker, nodes=NODES)
    monkeypatch.setattr(shelf, "RADIUS", 5.0)
    fetch_forest(walker, nodes=NODES)
    assert len(kept(own_shelf)) == len(growths) == 3


def test_a_damaged_forest_on_the_shelf_is_grown_again(own_shelf, walker, growths):
    grown = fetch_forest(walker, nodes=NODES)
    (place,) = kept(own_shelf)
    whole = place.read_bytes()
    for damage in (whole[:-7], b"", whole[:200] + b"?" + whole[201:]):
        # Not written into the old file, which is mapped: replaced, as everything here is.
        place.unlink()
        place.write_bytes(damage)
        forget_forests()
        assert_same(fetch_forest(walker, nodes=NODES), grown)
        assert place.read_bytes() == whole
    assert len(growths) == 4


def test_a_forest_of_another_graph_under_our_label_is_not_believed(own_shelf, walker, growths):
    fetch_forest(replace(walker, costs=walker.costs * 2.0), nodes=NODES)
    (foreign,) = kept(own_shelf)
    fetch_forest(walker, nodes=NODES)
    (place,) = set(kept(own_shelf)) - {foreign}
    foreign.replace(place)
    forget_forests()
    assert fetch_forest(walker, nodes=NODES).digest == graph_digest(walker)
    assert len(growths) == 3


def test_a_shelf_that_cannot_be_written_or_is_off_is_no_error(tmp_path, walker, growths, monkeypatch):
    (tmp_path / "file").write_text("a file where the folder should be")
    monkeypatch.setenv("WALKON_CACHE", str(tmp_path / "file"))
    forest = fetch_forest(walker, nodes=NODES)
    assert fetch_forest(walker, nodes=NODES) is forest
    forget_forests()
    monkeypatch.setenv("WALKON_CACHE", "off")
    again = fetch_forest(walker, nodes=NODES)
    assert_same(again, forest)
    assert fetch_forest(walker, nodes=NODES) is again
    assert len(growths) == 2
    assert (tmp_path / "file").is_file()


def test_the_longest_unused_goes_first(own_shelf, walker, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_SHELVED", 2)
    for age, nodes in enumerate((10, 11, 12)):
        fetch_forest(walker, nodes=nodes)
        for path in set(kept(own_shelf)):
            if len(read_forest(path)) == nodes:
                os.utime(path, (1000 + age, 1000 + age))
    assert sorted(len(read_forest(path)) for path in kept(own_shelf)) == [11, 12]
    forget_forests()
    fetch_forest(walker, nodes=11)  # used again: now 12 is the longest unused
    fetch_forest(walker, nodes=13)
    assert sorted(len(read_forest(path)) for path in kept(own_shelf)) == [11, 13]


def test_only_so_many_are_kept_in_the_process(walker, monkeypatch, growths):
    monkeypatch.setenv("WALKON_CACHE", "off")
    monkeypatch.setattr(shelf, "MOST_HERE", 2)
    for nodes in (10, 11, 10, 12, 10):
        fetch_forest(walker, nodes=nodes)
    assert len(growths) == 3
    fetch_forest(walker, nodes=11)
    assert len(growths) == 4


def test_threads_that_want_the_same_grow_it_once(walker, monkeypatch):
    done, grow = [], shelf._grown

    def slow(*arguments):
        done.append(1)
        time.sleep(0.1)
        return grow(*arguments)

    monkeypatch.setattr(shelf, "_grown", slow)
    found = []
    threads = [threading.Thread(target=lambda: found.append(fetch_forest(walker, nodes=NODES))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1
    assert all(forest is found[0] for forest in found)
    assert len(found) == 4


GROW = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("toys", sys.argv[1])
toys = importlib.util.module_from_spec(spec)
spec.loader.exec_module(toys)
from walkon.trees import shelf
done, grow = [], shelf._grown
shelf._grown = lambda *arguments: done.append(1) or grow(*arguments)
print(shelf.fetch_forest(toys.walker(), nodes=int(sys.argv[2])).costs.sum(), len(done))
"""


def test_of_processes_that_need_a_forest_at_once_one_grows_it(own_shelf, walker):
    running = [
        subprocess.Popen(
            [sys.executable, "-c", GROW, str(TOYS), str(NODES)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    told = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], told
    sums, growths = zip(*(out.split() for out, _ in told), strict=True)
    assert len(set(sums)) == 1
    assert sorted(growths) == [b"0", b"0", b"1"]
    assert len(kept(own_shelf)) == 1
    assert [path.name for path in kept(own_shelf)[0].parent.iterdir()] == [kept(own_shelf)[0].name]
    assert np.isclose(float(fetch_forest(walker, nodes=NODES).costs.sum()), float(sums[0]))


def test_the_code_digest_changes_with_the_code(tmp_path, monkeypatch):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "a.py").write_text("a = 1")
    (tmp_path / "b.py").write_text("b = 1")
    monkeypatch.setattr(caching, "__file__", str(tmp_path / "caching.py"))
    digests = set()
    for change in (None, "room/a.py", "b.py"):
        if change:
            (tmp_path / change).write_text("changed")
        caching.code_digest.cache_clear()
        digests.add(caching.code_digest("room", "b.py"))
    caching.code_digest.cache_clear()
    assert len(digests) == 3
    for place in shelf.DECIDING:
        assert (Path(shelf.__file__).parents[1] / place).exists(), place
