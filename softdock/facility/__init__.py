"""The two-arm laboratory as a twin: what it would show, and how far that is from orbit (docs/scenarios/facility.md)."""
