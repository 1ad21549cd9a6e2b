"""The API, called as a programme calls it."""
