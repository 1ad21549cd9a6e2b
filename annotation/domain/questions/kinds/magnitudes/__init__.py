"""Kinds whose answers are compared by their ratios."""
