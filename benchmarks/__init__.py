"""Measurements of the product; each prints its figures beside a named baseline of the same run."""
