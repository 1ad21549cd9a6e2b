"""Automatic judges next to people: whether a judge may replace a rater, and what its scores add."""
