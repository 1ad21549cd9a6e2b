"""Rounds of adaptive pairs."""
