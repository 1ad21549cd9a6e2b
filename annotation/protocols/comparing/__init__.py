"""Protocols that compare several texts of an item."""
