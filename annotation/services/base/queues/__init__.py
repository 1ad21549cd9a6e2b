"""Whose turn it is in a queue, and the watch over what is under way."""
