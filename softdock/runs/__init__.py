"""The loop that runs a world, the rows that it leaves, their ledger and forces, and the directory that holds them."""
