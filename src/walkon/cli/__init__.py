"""The command line: argument parsing only; each command calls one public function of its room.

Exit codes: 0 done; 1 something could not be read or written; 2 wrong usage; 3 done, but with problems that
`--strict` does not accept.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 and the number of the signal, as shells have it."""


def main() -> None:
    """Entry point of the `walkon` command: whatever goes wrong outside of us is one line, and an exit code."""
    try:
        from walkon.cli.app import app

        app()
    except KeyboardInterrupt:
        _interrupted()
    except SystemExit as end:
        if end.code == INTERRUPTED:  # typer's own answer to Ctrl-C, which says nothing
            _interrupted()
        raise
    except BrokenPipeError:
        # `walkon clips ... | head` closes the pipe early; that is no failure of ours.
        sys.stderr.close()
        raise SystemExit(0) from None
    except Exception as error:
        from walkon.errors import WalkonError

        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__ or cause.__context__
        if cause is not None:  # some compiled modules make an ImportError of Ctrl-C
            _interrupted()
        if isinstance(error, OSError) and not isinstance(error, WalkonError):
            where = f"{error.filename}: " if error.filename else ""
            _end(f"{where}{error.strerror or error}", 1)
        if not isinstance(error, WalkonError):
            raise
        _end(str(error), 1)


def _end(message: str, code: int) -> NoReturn:
    sys.stderr.write(f"walkon: {message}\n")
    raise SystemExit(code) from None


def _interrupted() -> NoReturn:
    """End at once: what is to be tidied up has been, and nobody waits for threads that work on."""
    sys.stderr.write("walkon: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
