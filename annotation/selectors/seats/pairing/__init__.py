"""Adaptive pairs: what is known of each pair, and what may come."""
