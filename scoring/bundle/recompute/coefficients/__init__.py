"""Coefficients of agreement and correlation."""
