"""`python -m walkon` is the `walkon` command."""

from walkon.cli import main

main()
