"""Runs: the loop with controllers and actions, recorded rows, the ledger, and what a run leaves on disk."""
