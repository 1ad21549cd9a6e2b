"""Data about raters in other applications, which register how to export and erase them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holding:
    """Rows about raters in tables of another application.

    Functions are named by dotted paths, so that they are loaded only when needed.

    Parameters
    ----------
    key : str
        Key of the rows in a person’s file, among the conclusions about their work.
    read : str
        Returns them as JSON values: `read(rater)`.
    erase : str
        Erases them, in the caller's transaction: `erase(rater)`.
    """

    key: str
    read: str
    erase: str


_holdings: dict[str, Holding] = {}


def register_holding(holding: Holding) -> None:
    """Register the data that an application stores about raters; called when it starts.

    Raises
    ------
    ValueError
        Another holding has the same key.
    """
    if _holdings.setdefault(holding.key, holding) != holding:
        raise ValueError(f"The holding {holding.key!r} is registered twice.")


def registered_holdings() -> tuple[Holding, ...]:
    """All holdings, in the order of their registration."""
    return tuple(_holdings.values())
