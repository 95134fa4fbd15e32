"""Following a target: from scans or poses to its motion."""
