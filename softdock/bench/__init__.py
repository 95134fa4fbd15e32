"""`softdock bench`: this machine's times, beside those of the peers that are installed."""
