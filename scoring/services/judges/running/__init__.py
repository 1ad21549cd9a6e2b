"""Judges that answer by a model: added, allowed, planned, asked and stored."""
