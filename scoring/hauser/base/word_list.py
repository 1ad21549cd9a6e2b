"""Closed lists of words, written as running text."""

from __future__ import annotations


def word_list(text: str) -> frozenset[str]:
    """The words of a text with white space between them.

    Parameters
    ----------
    text : str
        Words with white space between them.
    """
    return frozenset(text.split())
