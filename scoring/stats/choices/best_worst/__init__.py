"""Scores of items from choices of the best and the worst of sets."""
