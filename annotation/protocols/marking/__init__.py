"""Protocols in which raters mark words in a text."""
