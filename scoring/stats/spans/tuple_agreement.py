"""Agreement of all annotators on their tuples: F1 over pairs, precision and recall of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.stats.base.resampling import Resampling
from scoring.stats.base.result import Figure
from scoring.stats.spans.character_alpha import character_alpha
from scoring.stats.spans.marked_tuples import WHOLE, MarkedTuple, MarksTable
from scoring.stats.spans.matched_spans import MATCHINGS, Matching, Shared, filter_by_parts, shared
from scoring.stats.spans.pair_counts import PairCounts


@dataclass(frozen=True)
class TupleAgreement:
    """Every agreement figure of marked tuples."""

    # By part, the whole tuple last: F1 over all pairs of annotators, and α of the characters
    figures: list[Figure]
    # Precision, recall and F1 of each pair, the second against the first; empty for slots and beyond 30
    # raters
    pairs: list[Figure]
    fingerprint: str  # Of the marks


def tuple_agreement(
    table: MarksTable,
    *,
    name: str,
    resampling: Resampling,
    lengths: Mapping[str, int] | None = None,
    groups: Mapping[str, str] | None = None,
) -> TupleAgreement:
    """Precision, recall and F1 of marked tuples, exactly and by characters, and α of the characters.

    Parameters
    ----------
    table
        Tuples of each annotator, by item.
    name
        Name of the criterion; figures are named by it and the part.
    resampling
        Replicates, seed and confidence of the bootstrap over the items that two annotators have looked at,
        or over their groups.
    lengths
        Number of characters of each item's text; without them there is no α.
    groups
        Group of each item that has one.

    Returns
    -------
    TupleAgreement
        Variant `pooled`: 2 Σ hits / Σ (sizes of both) over all pairs and items. Variant `mean of pairs`: the
        mean of the pairs' F1, of those that have one.

    References
    ----------
    Hripcsak & Rothschild (2005); Krippendorff (2019), chapter 12.
    """
    figures: list[Figure] = []
    pairs: list[Figure] = []
    for part in (*table.parts, WHOLE):
        parts = table.parts if part == WHOLE else (part,)
        for matching in MATCHINGS:
            counted = PairCounts.of(
                table.raters,
                f"{name}:{part}",
                matching,
                _OfParts(parts, matching),
                identified=table.identified,
                groups=groups,
            )
            drawn = counted.drawn(resampling)
            figures += counted.headline(drawn, resampling)
            pairs += counted.of_pairs(drawn, resampling)
        if part != WHOLE and lengths is not None and _is_located(table, part):
            figures.append(character_alpha(table, lengths, part, f"{name}:{part}", resampling, groups))
    return TupleAgreement(figures, pairs, table.fingerprint)


def _is_located(table: MarksTable, part: str) -> bool:
    return any(
        mark.places
        for items in table.raters.values()
        for tuples in items.values()
        for one in tuples
        for mark in one.get(part, ())
    )


@dataclass(frozen=True)
class _OfParts:
    """How two annotators' tuples are compared: by some parts, in one way of matching."""

    parts: Sequence[str]
    matching: Matching

    def shared(self, one: Sequence[MarkedTuple], other: Sequence[MarkedTuple]) -> Shared:
        return shared(one, other, self.parts, self.matching)

    def number(self, one: Sequence[MarkedTuple]) -> int:
        return len(filter_by_parts(one, self.parts))
