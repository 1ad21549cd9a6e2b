"""Kinds whose answers are numbers that raters type in a field."""
