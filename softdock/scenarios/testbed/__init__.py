"""Sawyer on an air bearing."""
