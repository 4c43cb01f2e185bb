"""The command line: argument parsing only; each command calls one public function of its room.

Exit codes: 0 done; 1 something could not be read or written; 2 wrong usage; 3 done, but with problems that
`--strict` does not accept.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the `walkon` command."""
    from walkon.cli.app import app
    from walkon.errors import WalkonError

    try:
        app()
    except WalkonError as error:
        sys.stderr.write(f"walkon: {error}\n")
        raise SystemExit(1) from None
    except BrokenPipeError:
        # `walkon clips ... | head` closes the pipe early; that is no failure of ours.
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"walkon: {where}{error.strerror or error}\n")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        sys.stderr.write("walkon: interrupted\n")
        raise SystemExit(130) from None
