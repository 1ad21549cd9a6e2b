"""Protocols for stories."""
