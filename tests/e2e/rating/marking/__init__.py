"""Marking tuples in a browser."""
