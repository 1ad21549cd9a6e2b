"""JSON with a limit on its depth; the standard parser accepts a thousand levels, which later steps do not."""

from __future__ import annotations

import json
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import has_surrogate

DEEPEST = 40


class TooDeeplyNested(ValueError):
    """Lists and objects are nested in more than `DEEPEST` levels."""

    code = "too_deeply_nested"

    def __init__(self) -> None:
        super().__init__(message("lists and objects are nested more than %(n)d levels deep", n=DEEPEST))


def load_json(text: str, *, decoder: json.JSONDecoder | None = None) -> Any:
    """Parse JSON of at most `DEEPEST` levels, by a stricter decoder than the standard one where given.

    Raises
    ------
    TooDeeplyNested
        There are more levels.
    ValueError
        It is not JSON.
    """
    try:
        value = decoder.decode(text) if decoder else json.loads(text)
    except RecursionError:
        raise TooDeeplyNested from None
    check_depth(value)
    return value


def check_depth(value: Any) -> None:
    """Refuse parsed data with more than `DEEPEST` levels of lists and objects (`TooDeeplyNested`)."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inside for outer in level for inside in _inside(outer) if isinstance(inside, dict | list)]
        if not level:
            return
    raise TooDeeplyNested


def has_half_character(value: Any) -> bool:
    """Return whether a text or a key of parsed data holds half a surrogate pair, which UTF-8 cannot hold."""
    return has_surrogate(json.dumps(value, ensure_ascii=False))


def _inside(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
