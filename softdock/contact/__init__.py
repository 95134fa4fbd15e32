"""Proximity of convex shapes."""
