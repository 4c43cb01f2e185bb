"""Files of trajectories: every form reads back what is in it, and says what is wrong with it."""

from __future__ import annotations

import contextlib
import sqlite3

import numpy as np
import pytest

from walkon.errors import TrajectoryError
from walkon.metrics.trajectories import read_trajectories
from walkon.metrics.trajectories.reading import sniff

PEDPY = """# description: UNI_CORR_500_01
# framerate: 25.00 fps
# geometry: geo.xml
# PersID	Frame	X	Y	Z
# x/m y/m z/m
1	98	4.6012	1.8909	1.7600
1	99	4.5359	1.8976	1.7600
2	99	1.0	2.0	1.5
1	100	4.4470	1.9304	1.7600
2	100	1.1	2.0	1.5
"""
VSP = """2 - the number of splines
3 - Num of control points
100.000000 -50.000000 10 12.5 - (2D point, m_id)
200.000000 -50.000000 35 12.5 - (2D point, m_id)
200.000000 -50.000000 160 12.5 - (2D point, m_id)
1 - Num of control points
-10.000000 20.000000 0 0.0 - (2D point, m_id)
"""


def put(folder, text, name="a.txt"):
    path = folder / name
    path.write_text(text)
    return path


def obsmat(step=10, seconds=0.4, speed=1.25):
    rows = []
    for k in range(5):
        rows.append([780 + k * step, 1, 2.0, 0.0, speed * seconds * k, 0.0, 0.0, speed])
        if k > 1:
            rows.append([780 + k * step, 2, speed * seconds * k, 0.0, -1.0, speed, 0.0, 0.0])
    return "\n".join("   ".join(f"{value:.7e}" for value in row) for row in rows)


def test_a_table_of_pedpy(tmp_path):
    found = read_trajectories(put(tmp_path, PEDPY))
    assert found.fps == 25.0
    assert found.names == ("1", "2")
    assert found.starts.tolist() == [98, 99]
    assert found.path(0).tolist() == [[4.6012, 1.8909], [4.5359, 1.8976], [4.4470, 1.9304]]


def test_centimetres_and_what_the_caller_says_instead(tmp_path):
    found = read_trajectories(put(tmp_path, PEDPY.replace("x/m y/m", "x/cm y/cm")))
    np.testing.assert_allclose(found.path(1), [[0.01, 0.02], [0.011, 0.02]])
    bare = "\n".join(line for line in PEDPY.splitlines() if not line.startswith("#"))
    for facts, word in (({}, "rate"), ({"fps": 16.0}, "unit")):
        with pytest.raises(TrajectoryError, match=word):
            read_trajectories(put(tmp_path, bare), **facts)
    found = read_trajectories(put(tmp_path, bare), fps=16.0, unit="m")
    assert found.fps == 16.0
    assert read_trajectories(put(tmp_path, PEDPY), unit=0.5).path(1)[0].tolist() == [0.5, 1.0]


def test_a_table_of_jupedsim_s_older_text_form(tmp_path):
    text = "#description: ex\n#framerate: 8.00\n#ID: the agent ID\n#X,Y,Z: the agents coordinates (in metres)\n"
    text += "#ID\tFR\tX\tY\tZ\tA\tB\tANGLE\tCOLOR\n"
    text += "\n".join(f"1\t{k}\t{0.1 * k:.2f}\t7.5\t0.0\t0.18\t0.25\t90.0\t120" for k in range(6))
    found = read_trajectories(put(tmp_path, text))
    assert found.fps == 8.0
    np.testing.assert_allclose(found.path(0)[:, 0], 0.1 * np.arange(6))


@pytest.mark.parametrize("mark", [",", ";", "\t", ", "])
def test_columns_by_name_in_any_order(tmp_path, mark):
    rows = [["time", "y/m", "id", "speed", "x/m"], *([k * 0.04, 2.0 * k, 7, 1.0, 3.0 * k] for k in range(5))]
    text = "# x/m\n" + "\n".join(mark.join(map(str, row)) for row in rows)
    found = read_trajectories(put(tmp_path, text, "a.csv"))
    assert found.fps == 25.0
    assert found.names == ("7",)
    np.testing.assert_allclose(found.path(0), [[3.0 * k, 2.0 * k] for k in range(5)])


def test_names_of_characters_come_back(tmp_path):
    text = "# framerate: 10.0 fps\n# character 0: Anna of 7 in cm\n# id\tframe\tx/m\ty/m\n0\t3\t1.0\t2.0\n"
    found = read_trajectories(put(tmp_path, text))
    assert found.names == ("Anna of 7 in cm",)
    assert found.path(0).tolist() == [[1.0, 2.0]]


def test_gaps_are_bridged_and_long_ones_part(tmp_path):
    frames = [0, 1, 2, 5, 6, 40, 41]
    text = "# framerate: 10 fps x/m\n" + "\n".join(f"3 {frame} {frame / 10} 0" for frame in frames)
    found = read_trajectories(put(tmp_path, text))
    assert found.names == ("3", "3 (2)")
    assert found.starts.tolist() == [0, 40]
    np.testing.assert_allclose(found.path(0)[:, 0], np.arange(7) / 10)


def test_rows_of_every_tenth_frame_have_a_tenth_of_the_rate(tmp_path):
    text = "# framerate: 25 fps x/m\n" + "\n".join(f"1 {5 + 10 * k} {k} 0" for k in range(4))
    found = read_trajectories(put(tmp_path, text))
    assert found.fps == 2.5
    assert found.path(0)[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize(("step", "video"), [(10, 25.0), (6, 15.0)])
def test_annotations_of_eth(tmp_path, step, video):
    found = read_trajectories(put(tmp_path, obsmat(step), "obsmat.txt"))
    assert found.fps == 2.5
    assert found.counts.tolist() == [5, 3]
    assert (found.starts[1] - found.starts[0]) == 2
    np.testing.assert_allclose(found.path(0), [[2.0, 0.5 * k] for k in range(5)])
    np.testing.assert_allclose(found.path(1)[:, 1], -1.0)
    assert read_trajectories(put(tmp_path, obsmat(step)), fps=2 * video).fps == 5.0
    # Where the notes do not hold, the velocities tell.
    assert read_trajectories(put(tmp_path, obsmat(step, seconds=0.2))).fps == pytest.approx(5.0)


def test_splines_of_ucy(tmp_path):
    with pytest.raises(TrajectoryError, match="pixels"):
        read_trajectories(put(tmp_path, VSP, "a.vsp"))
    found = read_trajectories(put(tmp_path, VSP, "a.vsp"), unit=0.02)
    assert found.fps == 25.0
    assert found.starts.tolist() == [10, 0]
    assert found.counts.tolist() == [151, 1]
    np.testing.assert_allclose(found.path(0)[[0, 25, 150]], [[2.0, -1.0], [4.0, -1.0], [4.0, -1.0]])
    # No overshoot while somebody stands for five seconds.
    assert found.path(0)[:, 0].max() <= 4.0 + 1e-12
    turned = [[0.0, 0.02, 1.0], [0.02, 0.0, 0.0], [0.0, 0.0, 1.0]]
    mapped = read_trajectories(put(tmp_path, VSP, "a.vsp"), homography=turned)
    np.testing.assert_allclose(mapped.path(0)[0], [0.0, 2.0])


def test_a_spline_that_goes_back_in_time_keeps_what_came_first(tmp_path):
    text = "1\n4\n0 0 0 0\n10 0 10 0\n99 0 10 0\n20 0 20 0\n"
    found = read_trajectories(put(tmp_path, text, "a.vsp"), unit=0.1)
    np.testing.assert_allclose(found.path(0)[[0, 10, 20], 0], [0.0, 1.0, 2.0])


def database(
    path, table="create table trajectory_data (frame integer, id integer, pos_x real, pos_y real)", fps="10"
):
    with sqlite3.connect(path) as made:
        made.execute(table)
        made.execute("create table metadata (key text, value text)")
        if fps is not None:
            made.execute("insert into metadata values ('fps', ?)", (fps,))
        if "view" not in table:
            made.executemany(
                "insert into trajectory_data values (?, ?, ?, ?)", [(k, 4, k * 0.1, 2.0) for k in range(9)]
            )
    made.close()
    return path


def test_a_database_of_jupedsim(tmp_path):
    found = read_trajectories(database(tmp_path / "a.sqlite"))
    assert found.fps == 10.0
    assert found.names == ("4",)
    np.testing.assert_allclose(found.path(0), [[k * 0.1, 2.0] for k in range(9)])


def test_databases_that_are_none_of_jupedsim_s(tmp_path):
    endless = "create view trajectory_data as with recursive r(n) as (select 1 union all select n + 1 from r) "
    endless += "select n as frame, n as id, n as pos_x, n as pos_y from r"
    for number, (facts, word) in enumerate(
        [
            ({"table": endless}, "no table"),
            ({"table": "create table other (a, b, c, trajectory_data)"}, "no such table|no table"),
            ({"fps": None}, "rate"),
            ({"fps": "fast"}, "not a number"),
        ]
    ):
        path = tmp_path / f"{number}.sqlite"
        with contextlib.suppress(sqlite3.OperationalError):
            database(path, **facts)
        with pytest.raises(TrajectoryError, match=word):
            read_trajectories(path)
    broken = database(tmp_path / "b.sqlite").read_bytes()
    (tmp_path / "b.sqlite").write_bytes(broken[:4096] + b"\xff" * (len(broken) - 4096))
    with pytest.raises(TrajectoryError):
        read_trajectories(tmp_path / "b.sqlite")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no rows"),
        ("# framerate: 10 x/m\n", "no rows"),
        ("# framerate: 10 x/m\n1 2 3\n", "cannot be read"),
        ("# framerate: 10 x/m\n1 2 3 four\n", "four"),
        ("# framerate: 10 x/m\n1 2 3 nan\n", "finite"),
        ("# framerate: 10 x/m\n1 2 3 1e300\n", "at most"),
        ("# framerate: 10 x/m\n1 2.5 3 4\n", "whole"),
        ("# framerate: 10 x/m\n1 1e300 3 4\n", "at most"),
        ("# framerate: 10 x/m\n1 2 3 4\n1 2 3 5\n", "two places at frame 2"),
        ("# framerate: 1e9 x/m\n1 2 3 4\n", "rate"),
        ("# x/m\nname,place\n1,2\n", "columns name, place"),
        ("# x/m\nid,time,x,y\n1,0.5,1,1\n", "give fps"),
        ("1 1 1 1 1 1 1 nan\n", "finite"),
        ("1 1 1 1 1 1 1 1\n", "twice"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path, text, word):
    path = put(tmp_path, text)
    with pytest.raises(TrajectoryError, match=word) as caught:
        read_trajectories(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("two\n", "line 1"),
        ("1\n", "ends"),
        ("1\n3 - points\n0 0 0 0\n", "line 3"),
        ("1e9\n1\n", "no number of things"),
        ("1\n99999\n", "no number of things"),
        ("-1\n", "no number of things"),
        ("1\n2\n0 0 0 0\n1 1 200000000 0\n", "too far apart"),
        ("1\n1\n0 0 inf 0\n", "expected"),
    ],
)
def test_what_is_wrong_with_splines(tmp_path, text, word):
    with pytest.raises(TrajectoryError, match=word):
        read_trajectories(put(tmp_path, text, "a.vsp"), unit=0.01)


def test_frames_too_far_apart_take_no_memory(tmp_path):
    rows = "\n".join(f"{person} {frame} 0 0" for person in range(3) for frame in (person, 10**12 + 7 * person))
    found = read_trajectories(put(tmp_path, f"# framerate: 10 fps x/m\n{rows}"))
    assert len(found.places) == 6


def test_files_that_are_not_there_and_wrong_wishes(tmp_path):
    with pytest.raises(TrajectoryError, match="no such file"):
        read_trajectories(tmp_path / "a.csv")
    with pytest.raises(TrajectoryError, match="not a file"):
        read_trajectories(tmp_path)
    path = put(tmp_path, PEDPY)
    with pytest.raises(TrajectoryError, match="no form"):
        read_trajectories(path, form="xml")
    with pytest.raises(TrajectoryError, match="unit"):
        read_trajectories(path, unit="feet")
    with pytest.raises(TrajectoryError, match="homography"):
        read_trajectories(put(tmp_path, VSP, "a.vsp"), homography=np.eye(2))
    (tmp_path / "a.take").write_bytes(b"PK\x03\x04 and nothing")
    with pytest.raises(TrajectoryError, match=r"a\.take"):
        read_trajectories(tmp_path / "a.take")


def test_forms_are_told_by_content():
    assert sniff(b"PK\x03\x04") == "take"
    assert sniff(b"SQLite format 3\0") == "sqlite"
    assert sniff(VSP.encode()) == "vsp"
    assert sniff(b"2\n1", "crowd.VSP") == "vsp"
    assert sniff(obsmat().encode()) == "obsmat"
    assert sniff(PEDPY.encode()) == "table"
    assert sniff(b"") == "table"
