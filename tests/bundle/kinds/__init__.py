"""Bundles of single kinds of questions."""
