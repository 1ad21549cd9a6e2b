"""Marked tuples."""
