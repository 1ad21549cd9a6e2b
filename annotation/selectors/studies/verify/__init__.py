"""Checks of the consistency of all stored data; nothing is changed."""
