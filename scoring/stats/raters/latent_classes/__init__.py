"""Models in which each item has one true class, and raters answer it with errors of their own."""
