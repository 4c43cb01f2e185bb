"""Which line says what, for all the ways in which TOML can say it."""

from __future__ import annotations

from walkon.world.toml_lines import find_lines, line_of, show_place

TEXT = '''
name = "a # no comment [x]"   # 2
"quoted.key" = 1
a.b.c = [1, [2,
  3], { d = """
x = 1
""", e = 'f' }]
[table.inner]
key = 1979-05-27 07:32:00
[[list]]
x = 1
[list.sub]
y = """"four""""
[[list]]
x = { z = "}", w = [
  "]",
] }
[[list.deep]]
v = 1
[[list.deep]]
v = "\\\\"
u = """\\""" still"""
t = 2
'''


def test_every_key_and_element_has_its_line():
    lines = find_lines(TEXT)
    wanted = {
        ("name",): 2,
        ("quoted.key",): 3,
        ("a", "b", "c"): 4,
        ("a", "b", "c", 1, 1): 5,
        ("a", "b", "c", 2): 5,
        ("a", "b", "c", 2, "e"): 7,
        ("table", "inner", "key"): 9,
        ("list", 0): 10,
        ("list", 0, "sub", "y"): 13,
        ("list", 1): 14,
        ("list", 1, "x", "w", 0): 16,
        ("list", 1, "deep", 0, "v"): 19,
        ("list", 1, "deep", 1, "v"): 21,
        ("list", 1, "deep", 1, "t"): 23,
    }
    assert {place: lines.get(place) for place in wanted} == wanted


def test_windows_line_ends_count_once():
    assert find_lines("a = 1\r\nb = [\r\n2]\r\n")[("b", 0)] == 3


def test_what_has_no_line_has_that_of_what_is_around_it():
    lines = find_lines("[[a]]\nb = 1\n")
    assert line_of(lines, ("a", 0, "missing", 3)) == 1
    assert line_of(lines, ("nowhere",)) is None


def test_places_are_shown_as_people_write_them():
    assert show_place(("obstacles", 2, "motion", "keyframes", 0, "at")) == "obstacles[2].motion.keyframes[0].at"


def test_nonsense_stops_the_scanner_and_nothing_else():
    assert find_lines('a = 1\nb = """never closed')[("a",)] == 1
