"""Kinds whose answers are typed in a field."""
