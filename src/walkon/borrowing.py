"""`borrowed`: how kernels read tuples of arrays without counting who holds them.

State of kernels is kept in NamedTuples of arrays and numbers; the arrays are written in place. Numba counts the
holders of every array, by two atomic operations each time one is taken out of a tuple or handed on, which in a
search takes longer than the search itself. A kernel that is called from Python borrows its tuples first: whoever
called it holds them until it returns.
"""

from __future__ import annotations

from typing import Any, cast

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _borrow(_, held):
    def generate(context, builder, signature, given):
        return _without_owner(context, builder, signature.args[0], given[0])

    return held(held), generate


def _without_owner(context, builder, kind, value):
    """The same value with no hint to what counts the holders of its arrays."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value=value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for index, part in enumerate(cast("Any", kind)):
            bare = _without_owner(context, builder, part, builder.extract_value(value, index))
            value = builder.insert_value(value, bare, index)
    return value


borrowed: Any = intrinsic(_borrow)
"""In kernels: an array, or a tuple with arrays, that does not keep its memory alive; somebody else must."""
