"""Pages compared without their layout."""

from __future__ import annotations

import re

TAG = re.compile(r"\s*(<[^>]*>)\s*")


def folded(page: str) -> str:
    """The page without white space around tags, and with single spaces inside them."""
    return TAG.sub(lambda tag: re.sub(r"\s+", " ", tag[1]).replace(" >", ">"), page)
