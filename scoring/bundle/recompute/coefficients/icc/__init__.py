"""Intraclass correlations."""
