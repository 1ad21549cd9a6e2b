"""Marked errors: the score of a text, agreement by characters and by spans."""
