"""Paths, styles, labels and numbers as people write them on the command line."""

from __future__ import annotations

import numpy as np
import pytest
import typer

from walkon.cli._graph_paths import parse_labels, parse_numbers, parse_styles, parse_threshold, read_path


def test_a_path_is_a_file_of_numbers(tmp_path):
    file = tmp_path / "way.csv"
    for text in (
        "x,z\n0,0\n1.5,2\n-3,4e0\n",
        "# my way\n0 0\n\n1.5 2\n-3 4\n",
        "0;0\n1.5;2\n-3;4",
        "0\t0\n1.5\t2\n-3\t4\n",
    ):
        file.write_text(text)
        np.testing.assert_array_equal(read_path(str(file)), [(0.0, 0.0), (1.5, 2.0), (-3.0, 4.0)])


def test_a_path_is_a_shape_by_name():
    line = read_path("line")
    assert line.shape[1] == 2
    circle = read_path("circle")
    np.testing.assert_allclose(circle[0], circle[-1], atol=1e-9)
    assert np.ptp(circle, axis=0) == pytest.approx((6.0, 6.0), abs=0.01)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x,z\n0,0\nhere,there\n", "line 3"),
        ("0,0\n", "two points or more, not 1"),
        ("", "two points or more, not 0"),
        ("0,0\n1,inf\n", "line 2"),
        ("who\nwhat\n", "line 2"),
    ],
)
def test_what_is_no_path_is_said(tmp_path, text, complaint):
    file = tmp_path / "way.csv"
    file.write_text(text)
    with pytest.raises(typer.BadParameter, match=complaint):
        read_path(str(file))


def test_what_is_neither_file_nor_shape_lists_the_shapes():
    with pytest.raises(typer.BadParameter, match=r"no such shape; there are: .*circle.*hello"):
        read_path("spiral")


def test_styles_begin_at_metres():
    assert parse_styles([]) == []
    assert parse_styles(["walk"]) == [(0.0, "walk")]
    assert parse_styles(["walk@0 run@12", "stand@20.5"]) == [(0.0, "walk"), (12.0, "run"), (20.5, "stand")]
    assert parse_styles(["run@12,any@20"]) == [(0.0, None), (12.0, "run"), (20.0, None)]
    for wrong in ("@3", "run@far", "run@-1", "run@nan"):
        with pytest.raises(typer.BadParameter, match="LABEL@METRES"):
            parse_styles([wrong])


def test_numbers_come_alone_in_lists_and_in_ranges():
    assert parse_numbers(["3", "7,9", "10-12"], "--accept") == [3, 7, 9, 10, 11, 12]
    for wrong in ("x", "-3", "3-x", "1-9999999"):
        with pytest.raises(typer.BadParameter, match="--accept takes numbers"):
            parse_numbers([wrong], "--accept")


def test_labels_are_sets_and_must_be_known():
    assert parse_labels("walk") == {"walk"}
    assert parse_labels("walk+carry") == {"walk", "carry"}
    assert parse_labels("-") == frozenset()
    known = [frozenset({"walk"}), frozenset()]
    assert parse_labels("walk", known) == {"walk"}
    with pytest.raises(typer.BadParameter, match="there are: -, walk"):
        parse_labels("run", known)
    with pytest.raises(typer.BadParameter, match="walk or walk"):
        parse_labels("walk+")


def test_thresholds_are_from_to_and_metres():
    assert parse_threshold("walk:run=0.08") == ({"walk"}, {"run"}, 0.08)
    for wrong in ("walk:run", "walk=0.1", "walk:run=far", "walk:run=-1", "walk:run:jump=1"):
        with pytest.raises(typer.BadParameter, match="FROM:TO=METRES"):
            parse_threshold(wrong)
