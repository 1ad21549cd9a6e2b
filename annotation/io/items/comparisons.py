"""Detection of texts with a comparison, such as a simile, by words of English, Chinese and Japanese."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.io.items.column_profiles import Rows

# Words before which “like” is a verb, as in “I like the sea”.
LIKERS = (
    "i|you|we|they|who|to|would|will|do|does|did|not|also|really|always|never|people|children|most|all|both"
)
# “Like” compares before a noun phrase.
LIKE = re.compile(
    rf"(?P<verb>(?:\b(?:{LIKERS})|n[’']t|[’']d|[’']ll)\s+)?"
    r"\blike\s+(?:an?|the|my|your|his|her|its|our|their|some)\b",
    re.IGNORECASE,
)
ENGLISH = r"\bas\s+\w+\s+as\b|\bas\s+(?:if|though)\b"
CHINESE = "仿佛|宛如|如同|犹如|好像|像是?[一个]"
JAPANESE = "(?<![こそあど])のよう[なにだで]|みたい|ごと[くき]"
OTHERS = re.compile(f"{ENGLISH}|{CHINESE}|{JAPANESE}", re.IGNORECASE)
# Least difference of a column's share of comparisons to those of the other columns.
CLEARLY_MORE = 0.5


def compares(text: str) -> bool:
    """Return whether a text has words that compare two things."""
    found = LIKE.finditer(text)
    return any(one["verb"] is None for one in found) or OTHERS.search(text) is not None


def column_of_comparisons(columns: Sequence[str], rows: Rows) -> str | None:
    """Return the column whose texts compare clearly more often than those of each other column.

    Parameters
    ----------
    columns : sequence of str
        At least one column of texts.
    rows : sequence of (int, mapping)
        Rows with their numbers.

    Returns
    -------
    str or None
        None if no column compares clearly more often.
    """
    shares = _shares(columns, rows)
    best, *others = sorted(columns, key=lambda column: -shares[column])
    second = max((shares[column] for column in others), default=0.0)
    return best if shares[best] - second >= CLEARLY_MORE else None


def _shares(columns: Sequence[str], rows: Rows) -> Mapping[str, float]:
    filled = {column: [str(row[column]) for _, row in rows if row.get(column)] for column in columns}
    return {
        column: sum(map(compares, texts)) / len(texts) if texts else 0.0 for column, texts in filled.items()
    }
