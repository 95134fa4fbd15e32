"""`python -m softdock` is the `softdock` command."""

from softdock.cli import main

main()
