"""Pages on which words of a text are marked."""
