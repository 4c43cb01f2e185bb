"""How good variants are, whatever made them: no copies, alike, smooth, upright, planted, like real motion."""

from walkon.variation.evaluation.copies import Copies, among_themselves, find_copies
from walkon.variation.evaluation.coverage import Coverage, measure_coverage
from walkon.variation.evaluation.dofs import Dofs, fit_dofs
from walkon.variation.evaluation.evaluation import Evaluation, Row, evaluate
from walkon.variation.evaluation.smoothness import Smoothness, measure_smoothness
from walkon.variation.evaluation.two_sample import TwoSample, two_sample_test
from walkon.variation.evaluation.upright import Steadiness, measure_steadiness

__all__ = [
    "Copies",
    "Coverage",
    "Dofs",
    "Evaluation",
    "Row",
    "Smoothness",
    "Steadiness",
    "TwoSample",
    "among_themselves",
    "evaluate",
    "find_copies",
    "fit_dofs",
    "measure_coverage",
    "measure_smoothness",
    "measure_steadiness",
    "two_sample_test",
]
