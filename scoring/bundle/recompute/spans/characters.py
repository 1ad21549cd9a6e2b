"""Krippendorff's α of marked characters."""

from __future__ import annotations

import math
from collections import Counter

import pandas as pd

from ..arrays import Row
from ..coefficients.alpha import compute_alpha
from ..drawing import CONFIDENCE, Drawing, assign_item_units
from ..ratings import code_ratings
from .marks import Tuples


def compute_character_alpha(tuples: Tuples, part: str, drawing: Drawing) -> Row:
    """Compute nominal α of characters in a part; incompletely located answers are left out."""
    name, variant = f"{tuples.name}:{part}", "nominal, characters"
    answers = [
        (item, rater, [mark for one in found for mark in one.get(part, ())])
        for rater, items in tuples.raters.items()
        for item, found in items.items()
    ]
    located = [answer for answer in answers if all(mark.places for mark in answer[2])]
    asked, answered = (Counter(item for item, _, _ in some) for some in (answers, located))
    if max(answered.values(), default=0) < 2 <= max(asked.values(), default=0):
        n_raters = len(tuples.raters) if tuples.identified else None
        of = {"n_items": 0, "n_raters": n_raters, "n_ratings": 0, "confidence": CONFIDENCE}
        limits = dict.fromkeys(("estimate", "low", "high"), math.nan)
        return {"criterion": name, "coefficient": "alpha", "variant": variant, **limits, **of}
    texts = sorted(answered)
    unit = dict(zip(texts, assign_item_units(texts, tuples.groups)[0], strict=True))
    rows = []
    for item, rater, marks in located:
        taken = frozenset().union(*(mark.places for mark in marks))
        label = str(unit[item])
        rows += [
            (f"{item}\x1f{position}", rater, float(position in taken), label)
            for position in range(tuples.lengths[item])
        ]
    rated = pd.DataFrame(rows, columns=["item", "rater", "value", "group"])
    ratings = code_ratings(name, rated, None, tuples.identified)
    n_items = sum(number > 1 for item, number in answered.items() if tuples.lengths[item])
    return compute_alpha(ratings, drawing, "nominal") | {"variant": variant, "n_items": n_items}
