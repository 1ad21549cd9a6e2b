"""What further applications store of a rater: each registers how it is handed over and erased."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holding:
    """Rows about raters in tables of another application.

    Functions are named by dotted paths, so that nobody loads them who does not need them.

    Parameters
    ----------
    key : str
        Under which a person's file has them, among what was concluded of their work.
    read : str
        Gives them as JSON values: `read(rater)`.
    erase : str
        Erases them, in the caller's transaction: `erase(rater)`.
    """

    key: str
    read: str
    erase: str


_holdings: dict[str, Holding] = {}


def register_holding(holding: Holding) -> None:
    """Register what an application stores of raters; it does so when it starts.

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
