"""A run: the loop, its rows, the ledger of energy and momentum, and what is left on disk."""
