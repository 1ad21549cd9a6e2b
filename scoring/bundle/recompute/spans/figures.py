"""Figures of one criterion of marked tuples."""

from __future__ import annotations

from ..arrays import Row
from ..drawing import Drawing
from .characters import compute_character_alpha
from .marks import Tuples
from .matched import SharedTuples


def compute_tuple_figures(tuples: Tuples, drawing: Drawing) -> tuple[list[Row], list[Row]]:
    """Compute F1 of each part and the whole tuple, α of characters, and each pair's figures."""
    rows: list[Row] = []
    pairs: list[Row] = []
    for part in (*tuples.parts, "whole"):
        parts = tuples.parts if part == "whole" else [part]
        for matching in ("exact", "overlap"):
            shared = SharedTuples.of(tuples, f"{tuples.name}:{part}", parts, matching)
            drawn = shared.drawn(drawing)
            rows += shared.overall(drawn, drawing)
            pairs += shared.of_pairs(drawn, drawing)
        marks = [
            mark
            for items in tuples.raters.values()
            for found in items.values()
            for one in found
            for mark in one.get(part, ())
        ]
        if part != "whole" and any(mark.places for mark in marks):
            rows.append(compute_character_alpha(tuples, part, drawing))
    return rows, pairs
