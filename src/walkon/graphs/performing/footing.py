"""Which contacts of a corpus hold a joint still: a foot that rolls on or off the ground is not to be held."""

from __future__ import annotations

import numpy as np

from walkon.basics import Flags, frozen, once_per_object
from walkon.graphs.corpus import Corpus
from walkon.motion.feet.standing import standing_frames


@once_per_object
def standing_joints(corpus: Corpus) -> Flags:
    """Joints (N, K), of those that `corpus.contacts` names, that stand still on the ground; computed once.

    A subset of the contacts: frames in which the joint rolls on or off the ground are left out.
    """
    library, contacts = corpus.library, corpus.contacts
    standing = np.zeros_like(contacts.planted)
    for column, name in enumerate(contacts.joints):
        joint = library.skeleton.index(name)
        for start, stop in zip(library.starts, library.stops, strict=True):
            path = library.positions[start:stop, joint]
            standing[start:stop, column] = standing_frames(path, contacts.planted[start:stop, column], corpus.fps)
    return frozen(standing, np.bool_)
