"""`python -m softdock` is the `softdock` command."""

from softdock.cli.app import main

main()
