"""Kinds of questions whose answer is an order of options."""
