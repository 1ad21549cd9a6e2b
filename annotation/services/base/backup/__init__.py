"""The whole installation in one file, and back from it."""
