"""Scenario 'facility'."""
