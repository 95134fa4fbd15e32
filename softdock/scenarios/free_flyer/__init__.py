"""A spacecraft moves its arm in orbit."""
