"""Every forgery is found, and for what it is; the honest take that was forged has no finding."""

from __future__ import annotations

import pytest

from walkon.errors import TakeError
from walkon.metrics import AuditReport, audit, audit_performances
from walkon.take.file import parse_take, take_bytes

from .clips import CLIPS
from .poses import POSES
from .positions import POSITIONS
from .scenes import SCENES
from .seals import SEALS
from .stage import Forged, Honest, play_honestly
from .times import TIMES

FORGERIES = {**POSITIONS, **TIMES, **POSES, **CLIPS, **SCENES}
"""Who forges -> kinds of violations that the audit must find, all of them, or the error that comes before it."""


@pytest.fixture(scope="session")
def honest() -> Honest:
    return play_honestly()


def judge(forged: Forged) -> AuditReport:
    if forged.shown is not None:
        return audit_performances(forged.take, forged.shown, scene=forged.scene)
    return audit(forged.take, scene=forged.scene)


def test_the_honest_take_is_clean(honest):
    report = judge(Forged(honest.take, scene=honest.take.scene))
    assert report.clean, report.violations
    assert report.figures.people == 3


def test_there_are_many_kinds_of_forgery():
    assert len(FORGERIES) + len(SEALS) >= 80


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forgeries_are_found(honest, forge):
    expected = FORGERIES[forge]
    if isinstance(expected, type):
        with pytest.raises(expected):
            forge(honest)
        return
    report = judge(forge(honest))
    assert not report.clean
    assert expected <= set(report.counts()), report.counts()


@pytest.mark.parametrize("forge", SEALS, ids=lambda forge: forge.__name__)
def test_broken_seals_are_refused(honest, forge):
    data = take_bytes(honest.take)
    parse_take(data)
    with pytest.raises(TakeError):
        parse_take(forge(data))
