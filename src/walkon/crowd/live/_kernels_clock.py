"""How long a kernel takes, from inside: the processor's own counter of cycles."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from walkon.kernels import kernel


def _count(_context):
    def generate(_compiler, builder, _signature, _arguments):
        counter = builder.module.declare_intrinsic(
            "llvm.readcyclecounter", fnty=ir.FunctionType(ir.IntType(64), [])
        )
        return builder.call(counter, [])

    return types.int64(), generate


cycles: Any = intrinsic(_count)
"""In kernels: the processor's counter of cycles; 0 where it has none that may be read."""


@kernel
def read_cycles():
    """`cycles`, for Python."""
    return cycles()


class Stopwatch:
    """What a cycle is worth [s]: measured against the clock, the longer the better."""

    def __init__(self) -> None:
        self._time, self._cycles = time.perf_counter(), read_cycles()

    def seconds_per_cycle(self) -> float:
        """0 where there is no counter."""
        passed = read_cycles() - self._cycles
        return (time.perf_counter() - self._time) / passed if passed > 0 else 0.0
