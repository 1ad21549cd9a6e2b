"""Cumulative link mixed models: systems, raters and items on one scale."""
