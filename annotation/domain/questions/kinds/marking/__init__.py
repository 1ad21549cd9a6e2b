"""Kinds whose answer is marked in a text of the item."""
