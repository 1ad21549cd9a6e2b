"""Errors marked in a text: their settings, the marks, and how pages show them."""
