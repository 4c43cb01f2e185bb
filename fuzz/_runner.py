"""What fuzz targets share: damaging inputs, feeding them for so long, and atheris where it is installed.

It must not import walkon: atheris has to be there first.
"""

from __future__ import annotations

import argparse
import importlib
import io
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

try:
    import atheris
except ImportError:  # not on every platform; the blind mode needs none
    atheris = None

Read = Callable[[bytes], bool]
Make = Callable[[random.Random], bytes]


JSON_TOKENS = (
    *(b"1e400", b"-1", b"null", b"true", b"[]", b"{}", b'""', b"99999999999999999999", b"0.5", b"NaN"),
    *(b"Infinity", b"[" * 60, b"}", b"]", b",", b"\xff", b"\0"),
)
"""Bits that JSON is made of, or should not be."""


def instrument(room: str) -> None:
    """Import a room of walkon so that atheris sees which of its code runs; before anything else imports walkon."""
    if atheris is None or "--blind" in sys.argv:
        return
    # Numba compiles kernels from bytecode, which must stay as it is.
    source = Path(__file__).resolve().parents[1] / "src"
    kernels = [".".join(p.relative_to(source).with_suffix("").parts) for p in source.rglob("_kernels*.py")]
    with atheris.instrument_imports(["walkon"], kernels):  # pyright: ignore[reportAttributeAccessIssue]
        importlib.import_module(room)


def mutated(data: bytes, rng: random.Random, tokens: Sequence[bytes]) -> bytes:
    """`data` after a few cuts, swaps, copies and planted tokens."""
    body = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        a = rng.randrange(len(body) + 1)
        match rng.randrange(7):
            case 0:
                body[a:a] = rng.choice(tokens)
            case 1:
                body[a : a + rng.randint(1, 12)] = rng.choice(tokens)
            case 2:
                del body[a : a + rng.choice((1, 5, 40, 400, 4000))]
            case 3:
                body[a:a] = body[a : a + 200] * rng.choice((1, 2, 30))
            case 4:
                body[a : a + 1] = bytes([rng.randrange(256)])
            case 5:
                body = body[:a]
            case 6:
                # A digit for a digit keeps a text valid, and changes what it means.
                digits = [i for i, letter in enumerate(body) if 48 <= letter < 58]
                if digits:
                    body[rng.choice(digits)] = rng.choice(b"0123456789")
    return bytes(body)


class Kinds:
    """Inputs of several kinds: the first byte says which. kinds: name, reader and a good input of each. errors:
    what a reader may raise. guard: what a reader runs in, such as numpy's `errstate`."""

    def __init__(
        self,
        kinds: Sequence[tuple[str, Callable[[bytes], object], bytes]],
        errors: type[Exception],
        tokens: Sequence[bytes],
        guard: Callable[[], AbstractContextManager] = nullcontext,
    ) -> None:
        self.kinds, self.errors, self.tokens, self.guard = kinds, errors, tokens, guard

    def read_one(self, data: bytes) -> bool:
        """Read `data`; whether it was good. Anything but one of the errors passes on."""
        if not data:
            return False
        _, reader, _ = self.kinds[data[0] % len(self.kinds)]
        try:
            with self.guard():
                reader(data[1:])
        except self.errors:
            return False
        return True

    def seeds(self) -> list[bytes]:
        """One good input of each kind, its number in front."""
        return [bytes([number]) + seed for number, (_, _, seed) in enumerate(self.kinds)]

    def mutated(self, data: bytes, rng: random.Random) -> bytes:
        """`data` after a few cuts, swaps, copies and planted tokens; its first byte stays."""
        return data[:1] + mutated(data[1:], rng, self.tokens)

    def damaged(self, rng: random.Random) -> bytes:
        """A seed after some damage."""
        return self.mutated(rng.choice(self.seeds()), rng)


def repeat(
    read: Read,
    make: Make,
    *,
    seconds: float | None = None,
    count: int | None = None,
    seed: int = 0,
    findings: Path | None = None,
) -> tuple[int, int]:
    """Make inputs and read them for so long, or so many; how many there were and how many of them were good.

    An input that raises is left in `findings`.
    """
    rng = random.Random(seed)
    deadline = None if seconds is None else time.monotonic() + seconds
    done = good = 0
    while (count is None or done < count) and (deadline is None or time.monotonic() < deadline):
        data = make(rng)
        try:
            good += read(data)
        except Exception:
            if findings is not None:
                findings.mkdir(parents=True, exist_ok=True)
                (findings / "blind").write_bytes(data)
            raise
        done += 1
    return done, good


def run(
    about: str | None, read: Read, make: Make, what: str, *, good: Sequence[bytes], tokens: Sequence[bytes] = ()
) -> None:
    """The command line of a target. about: its docstring. what: may come out, in words.

    good: inputs that must be readable. tokens: if given, atheris changes the good inputs with them, unless it is
    told not to; else `make` makes inputs.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0, help="of the random mutation")
    parser.add_argument("--blind", action="store_true", help="random mutation, without atheris")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()) / "walkon-fuzz")
    options = parser.parse_args()
    for number, data in enumerate(good):
        assert read(data), f"seed {number} is not readable"
    if tokens and not options.blind:
        _guided(read, good, tokens, options.seconds, options.findings)
        return
    done, fine = repeat(read, make, seconds=options.seconds, seed=options.seed, findings=options.findings)
    print(f"{done} inputs read, {fine} of them good; nothing but {what}")


def _guided(read: Read, seeds: Sequence[bytes], tokens: Sequence[bytes], seconds: float, findings: Path) -> None:
    """Let atheris look for inputs that reach new code. It ends the process itself."""
    if atheris is None:
        sys.exit("atheris is not installed here; use --blind")
    findings.mkdir(parents=True, exist_ok=True)

    def feed(data: bytes) -> None:
        read(data)

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, seed in enumerate(seeds):
            (corpus / f"seed{number}").write_bytes(seed)
        words = io.StringIO()
        for token in tokens:
            words.write('"' + "".join(f"\\x{byte:02x}" for byte in token) + '"\n')
        dictionary = Path(folder) / "tokens"
        dictionary.write_text(words.getvalue())
        options = [f"-max_total_time={int(seconds)}", "-max_len=20000", "-rss_limit_mb=2048", "-timeout=20"]
        options += [f"-artifact_prefix={findings}/", f"-dict={dictionary}"]
        atheris.Setup([sys.argv[0], *options, str(corpus)], feed)
        atheris.Fuzz()
