"""The `softdock` command."""
