"""Metrics and systems against mean ratings."""
