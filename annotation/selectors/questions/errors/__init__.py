"""Marked errors: shown in words, and as tables."""
