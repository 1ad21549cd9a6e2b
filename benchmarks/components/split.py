"""The seeded split: a third of every data set is held out, two thirds are for development.

Equal sentences are on the same side, in whichever file they are. The rule was fixed before results were read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Literal, TypeVar

SEED = "similes 2026-11"
Side = Literal["development", "held"]
Row = TypeVar("Row")


def side_of(text: str) -> Side:
    """The side of a sentence: held out where its digest is divisible by three.

    Parameters
    ----------
    text : str
        The sentence, or what sentences that belong together share. Only letters and digits count.
    """
    plain = "".join(filter(str.isalnum, text.casefold()))
    digest = hashlib.sha256(f"{SEED}|{plain}".encode()).digest()
    return "held" if int.from_bytes(digest[:8]) % 3 == 0 else "development"


def on_side(rows: Iterable[Row], side: Side, key: Callable[[Row], str]) -> list[Row]:
    """The rows whose key is on a side."""
    return [row for row in rows if side_of(key(row)) == side]
