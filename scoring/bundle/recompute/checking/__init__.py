"""Comparison of a bundle's files with what is recomputed."""
