"""The commands as they are called."""
