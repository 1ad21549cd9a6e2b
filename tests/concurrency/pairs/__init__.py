"""Answers to adaptive pairs at once."""
