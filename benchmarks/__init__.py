"""Measurements of the product; each prints its results with a named baseline of the same run."""
