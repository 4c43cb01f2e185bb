"""`@kernel`, `@inlined` and `@lean`: how hot loops are compiled, and where the compiled code is kept.

Compiled code is kept in the user's cache under a digest of the text it was made from: the file of the kernel, and
every file of the package that it imports, directly or not, with their places in the package. So all checkouts and
processes share it, and an edit in a kernel that another one inlines is noticed. Of several processes that need a
kernel at once, one compiles it and the others wait. With `WALKON_CACHE=off`, or where nothing can be written,
numba keeps the code beside the source, as it does by itself.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import njit, typeof, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.compiler_lock import global_compiler_lock

from walkon.caching import cache_folder, keep_newest, one_process_at_a_time

KEPT_KERNEL_FOLDERS = 2000
"""Folders of compiled code that are kept, one for each version of a kernel file: about fifteen versions of the
package. More would only fill the disk."""

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^ *from (walkon[\w.]*) import +(\([^)]*\)|[^\n]*)", re.MULTILINE)


def kernel(function: Callable | None = None, /, **options: Any) -> Any:
    """Compile a function on arrays and scalars when it is first called, without the interpreter's lock.

    Options are numba's: `fastmath`, `parallel`, `inline`.
    """
    if function is None:
        return lambda inner: kernel(inner, **options)
    folder = _folder(function.__code__.co_filename)
    # Said outright, because a kernel that does not say takes after whoever calls it first.
    options = {"_nrt": True} | options
    compiled: Any = njit(function, nogil=True, cache=folder is None, **options)
    if folder is not None:
        compiled._cache = _KeptByText(function)
        compiled.compile = partial(_compile_once, compiled.compile, folder / f"{function.__name__}.lock")
    return compiled


def lean(function: Callable, /, **options: Any) -> Any:
    """A kernel that allocates nothing and hands out no arrays, and so need not count who holds those it reads: in
    small kernels counting takes as long as all the rest. Whoever calls it holds them until it returns.

    Python may call it with arrays, but not with numba's structures: each call would count one holder too many, and
    they would never be freed.
    """
    compiled = kernel(function, _nrt=False, **options)
    compiled.compile = partial(_compile_lean, compiled, compiled.compile)
    compiled.add_overload = partial(_add_lean, compiled, compiled.add_overload)
    compiled._compile_for_args = partial(_refuse_structures, compiled, compiled._compile_for_args)
    return compiled


def inlined(function: Callable, /, **options: Any) -> Any:
    """A lean kernel that becomes part of whoever calls it: for a few lines in the innermost loops."""
    return lean(function, forceinline=True, **options)


def is_compiled(module: ModuleType) -> bool:
    """Whether compiled code of a file of kernels is there already."""
    folder = _folder(str(module.__file__))
    return folder is not None and any(folder.glob("*.nbi"))


@cache
def text_digest(file: str) -> str:
    """Twenty letters that change whenever the text of a file or of anything of the package it imports does.

    The place in the package counts too: compiled code names the modules it was made from.
    """
    digest = hashlib.sha256()
    for found in sorted(_reached(Path(file)), key=str):
        place = found.relative_to(_PACKAGE) if found.is_relative_to(_PACKAGE) else found.name
        digest.update(f"{place}\0".encode() + found.read_bytes())
    return digest.hexdigest()[:20]


def _reached(file: Path) -> set[Path]:
    """A file, and the files of the package it imports, directly or not."""
    own = Path(__file__)  # decides how kernels are compiled; what it imports does not
    reached, open_files = {file, own}, [file]
    while open_files:
        for found in _imported(open_files.pop()):
            if found not in reached:
                reached.add(found)
                open_files.append(found)
    return reached


@cache
def _imported(file: Path) -> list[Path]:
    found = []
    for module, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
        home = _PACKAGE.joinpath(*module.split(".")[1:])
        found.append(home / "__init__.py" if home.is_dir() else home.with_suffix(".py"))
        if home.is_dir():
            found.extend(home / f"{name}.py" for name in re.findall(r"\w+", names))
    return [path for path in found if path.is_file()]


@cache
def _folder(file: str) -> Path | None:
    """Where compiled code of a file is kept; made if need be. None if there is no such place."""
    home = cache_folder()
    if home is None or not Path(file).is_file():
        return None
    folder = home / "kernels" / text_digest(file)
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            keep_newest(folder.parent.iterdir(), KEPT_KERNEL_FOLDERS)
        os.utime(folder)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def _compile_once(compile_now: Callable, lock: Path, signature: Any) -> Any:
    """What numba does, but not while another process does it.

    Nobody waits in a circle: the lock within a process comes first, and whoever compiles a kernel waits only for
    those that it calls.
    """
    with global_compiler_lock, one_process_at_a_time(lock):
        return compile_now(signature)


def _compile_lean(kernel: Any, compile_now: Callable, signature: Any) -> Any:
    """What `compile_now` does, unless a lean kernel hands out arrays, whose holders nobody would have counted."""
    entry = compile_now(signature)
    for compiled in kernel.overloads.values():
        if any(_holds(held, compiled.signature.return_type) for held in (types.Array, types.StructRef)):
            raise TypeError(f"{kernel.__name__} hands out arrays: it must count who holds them, as @kernel does")
    return entry


def _add_lean(kernel: Any, add_now: Callable, compiled: Any) -> None:
    """What `add_now` does, but what reads structures is kept for kernels alone."""
    if any(_holds(types.StructRef, kind) for kind in compiled.signature.args):
        kernel.overloads[tuple(compiled.signature.args)] = compiled
    else:
        add_now(compiled)


def _refuse_structures(kernel: Any, compile_now: Callable, *given: Any, **named: Any) -> Any:
    """What `compile_now` does, unless Python calls a lean kernel with structures."""
    if any(_holds(types.StructRef, typeof(value)) for value in (*given, *named.values())):
        raise TypeError(f"{kernel.__name__} is lean: Python cannot call it with structures")
    return compile_now(*given, **named)


def _holds(sought: type, kind: Any) -> bool:
    """Whether a type of numba's is one that is sought, or a tuple with one in it."""
    return isinstance(kind, sought) or any(_holds(sought, part) for part in getattr(kind, "types", ()))


class _Locator:
    """Tells numba where the compiled code of a function is, and what it was made from."""

    def __init__(self, function: Callable, file: str) -> None:
        self._py_file, self._line = file, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable, file: str) -> _Locator:
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        """The folder is there already."""

    def get_cache_path(self) -> str:
        return str(_folder(self._py_file))

    def get_source_stamp(self) -> str:
        return text_digest(self._py_file)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _KeptImplementation(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _KeptByText(FunctionCache):
    _impl_class = _KeptImplementation
