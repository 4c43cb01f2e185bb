"""Variation: how a motion differs each time it is done, learned from a few clips of it."""

from typing import TYPE_CHECKING

from walkon.lazy import lazy_names

if TYPE_CHECKING:
    from walkon.variation.constraints import hold_contacts
    from walkon.variation.learning import learn_variation
    from walkon.variation.libraries import vary_library
    from walkon.variation.library_report import LibraryReport
    from walkon.variation.likelihood import log_likelihood
    from walkon.variation.model import VariationModel
    from walkon.variation.model_file import read_model, write_model
    from walkon.variation.parts import upper_body
    from walkon.variation.sampling import Variety, make_variants, stream_values, vary_clip
    from walkon.variation.selection import Selection, select_inputs
    from walkon.variation.transitions import Regression

_HOMES = {
    "hold_contacts": "walkon.variation.constraints",
    "learn_variation": "walkon.variation.learning",
    "vary_library": "walkon.variation.libraries",
    "LibraryReport": "walkon.variation.library_report",
    "log_likelihood": "walkon.variation.likelihood",
    "VariationModel": "walkon.variation.model",
    "read_model": "walkon.variation.model_file",
    "write_model": "walkon.variation.model_file",
    "upper_body": "walkon.variation.parts",
    "Variety": "walkon.variation.sampling",
    "make_variants": "walkon.variation.sampling",
    "stream_values": "walkon.variation.sampling",
    "vary_clip": "walkon.variation.sampling",
    "Selection": "walkon.variation.selection",
    "select_inputs": "walkon.variation.selection",
    "Regression": "walkon.variation.transitions",
}

__all__ = [
    "LibraryReport",
    "Regression",
    "Selection",
    "VariationModel",
    "Variety",
    "hold_contacts",
    "learn_variation",
    "log_likelihood",
    "make_variants",
    "read_model",
    "select_inputs",
    "stream_values",
    "upper_body",
    "vary_clip",
    "vary_library",
    "write_model",
]

__getattr__ = lazy_names(__name__, _HOMES)
