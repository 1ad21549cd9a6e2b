"""Numbers of form versions and of their corrections, such as 2 and 2.1."""

from __future__ import annotations

# Places of one version number: the version itself and its corrections.
PLACES = 1000


def place_of(number: int, correction: int) -> int:
    """Position of a version among those of its form."""
    return number * PLACES + correction


def version_label(number: int, correction: int) -> str:
    """A version number as people read it: 2, and 2.1 for its first correction."""
    return f"{number}.{correction}" if correction else str(number)


def label_at(place: int) -> str:
    """The version number of a position."""
    return version_label(*divmod(place, PLACES))
