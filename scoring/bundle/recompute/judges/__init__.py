"""Automatic judges compared with raters."""
