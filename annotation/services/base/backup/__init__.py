"""Backup of the whole installation in one file, and its restoration."""
