"""Reading lists of people."""
