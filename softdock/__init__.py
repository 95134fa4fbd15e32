"""softdock: on-orbit servicing, simulated."""
