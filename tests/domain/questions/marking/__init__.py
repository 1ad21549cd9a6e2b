"""What raters mark in a text."""
