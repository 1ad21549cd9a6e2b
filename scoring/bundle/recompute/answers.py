"""Answers that are texts: how they are read and selected, and their fingerprint."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd

from .arrays import Row
from .bundle import Bundle, select_criteria
from .counting import select_counted


def read_answers(bundle: Bundle, places: Collection[tuple[str, str]]) -> pd.DataFrame:
    """Read the answers to criteria, which are given by form and key; "can't rate" is NaN."""
    rows = select_criteria(bundle.answers, places)
    value = rows["value"].astype(object).where((rows["value"] != "") | ~rows["cannot_rate"], math.nan)
    return rows.assign(value=value)


def select_counted_answers(
    bundle: Bundle, frame: pd.DataFrame, *, pooled: bool
) -> tuple[pd.DataFrame | None, Row]:
    """Select the answers that count; "can't rate" becomes an empty value. None if no answer has a value."""
    counted, data = select_counted(bundle, frame, pooled=pooled)
    if not counted["value"].notna().any():
        return None, data
    return counted.assign(value=counted["value"].fillna("").astype(str)), data


def digest_answers(answers: pd.DataFrame, columns: Sequence[str], *facts: Any) -> str:
    """Compute SHA-256 of columns of the answers, in any order, and of facts about their questions."""
    cells = answers[list(columns)].astype(object)
    cells = cells.where(cells.notna(), None)
    rows = sorted(json.dumps(row, ensure_ascii=False) for row in cells.to_numpy().tolist())
    return hashlib.sha256(json.dumps([list(columns), *facts, rows]).encode()).hexdigest()
