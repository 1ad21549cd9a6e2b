"""Marked tuples as words alone: what fields without places can hold."""

from __future__ import annotations

import json

from annotation.domain.questions.tuples import tuples_text


def without_places(text: str) -> str:
    """Stored tuples as somebody would have written them in fields, one wording a part.

    Parameters
    ----------
    text : str
        Objects `{"tuple", "part", "start", "end", "text"}` as JSON. Several wordings of a part stand in one
        field, parted by “、”.
    """
    rows: dict[int, dict[str, dict[str, None]]] = {}
    for one in json.loads(text) if text.strip() else []:
        rows.setdefault(one["tuple"], {}).setdefault(one["part"], {})[one["text"]] = None
    return tuples_text({part: "、".join(words) for part, words in rows[row].items()} for row in sorted(rows))
