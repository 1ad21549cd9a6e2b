"""Versions of a form's wording: their numbers, and what changes between two of them."""
