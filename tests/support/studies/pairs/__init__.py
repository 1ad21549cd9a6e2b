"""Studies with adaptive pairs."""
