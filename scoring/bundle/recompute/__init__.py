"""Recompute every number of a bundle from its own data files."""
