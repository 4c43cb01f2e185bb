from __future__ import annotations

import pytest

from walkon.motion.readers.frame_rate import snap_rate


@pytest.mark.parametrize(
    ("printed", "rate"),
    [
        (".0083333", 120.0),
        ("0.008333", 120.0),
        ("0.00833", 120.0),
        ("0.0083", 120.0),
        ("8.33333e-3", 120.0),
        ("0.033333", 30.0),
        ("0.0333", 30.0),
        ("0.033", 30.0),
        ("0.033366667", 30000 / 1001),
        ("0.0417083750417", 23.976),
        ("0.041708333", 24000 / 1001),
        ("0.0417", 24.0),
        ("0.016667", 60.0),
        ("0.017", 60.0),
        ("0.04", 25.0),
        ("0.01", 100.0),
        ("0.013888888888888888", 72.0),
        ("0.011765", 85.0),
        ("1.0", 1.0),
        ("1", 1.0),
    ],
)
def test_printed_times_give_the_rate_meant(printed, rate):
    assert snap_rate(printed, float(printed)) == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize("printed", ["0.0123461", "0.02718281828", "2.5", "0.0331"])
def test_a_precise_odd_time_is_taken_at_its_word(printed):
    assert snap_rate(printed, float(printed)) == 1.0 / float(printed)
