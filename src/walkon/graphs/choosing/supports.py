"""Whether two recordings stand on the same feet where a transition takes one over into the other."""

from __future__ import annotations

import numpy as np

from walkon.basics import Flags
from walkon.graphs.choosing.choices import Rule
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions


def supports_agree(corpus: Corpus, transitions: Transitions, rule: Rule = "same") -> Flags:
    """Whether transitions (T,) join support phases as they should, in the two frames in the middle of the blend.

    "same": the same feet are on the ground, or none. "single": of these only where it is at most one foot, which
    can then be held. "any": all.
    """
    if rule == "any":
        return np.ones(len(transitions), dtype=np.bool_)
    window = transitions.window
    agree = np.ones(len(transitions), dtype=np.bool_)
    for step in {max(window // 2 - 1, 0), window // 2}:
        ours = corpus.supports[transitions.sources + 1 + step]
        theirs = corpus.supports[transitions.targets - window + 1 + step]
        agree &= ours == theirs
        if rule == "single":
            agree &= ours & (ours - 1) == 0
    return agree
