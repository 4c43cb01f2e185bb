"""Every forgery is found, and for what it is; the honest take that was forged has no finding."""

from __future__ import annotations

import pytest

from walkon.errors import TakeError
from walkon.metrics import AuditReport, audit, audit_performances
from walkon.motion.feet.sliding import slides_of
from walkon.synthesis import perform_all
from walkon.take.file import parse_take, take_bytes

from .clips import CLIPS, waiting_slides
from .poses import POSES, slow_slide
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


def test_the_audit_and_the_measures_see_the_same_slides(honest):
    """They share no code: one says how far a foot gets from where it mostly is, the other from where it landed."""
    for forge in (None, slow_slide, waiting_slides):
        forged = Forged(honest.take) if forge is None else forge(honest)
        shown = perform_all(forged.take) if forged.shown is None else forged.shown
        found = audit_performances(forged.take, shown).figures.slide
        assert found is not None
        clip = next(one.clip for one in shown if one.character == found.who)
        assert 0.3 * found.gap - 0.002 < slides_of([clip]).worst_drift < 3.0 * found.gap + 0.002
