"""How much the tuples of any two responses to a case have in common, component by component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.selectors.adjudication.case_table import CaseRow
from annotation.selectors.adjudication.disagreement_search import marked_tuples, marks_of, overlap

# More responses have more pairs than a page has room for.
MOST_COMPARED = 4


@dataclass(frozen=True)
class OverlapRow:
    """One component: the F1 of each pair (None if neither has it), and its wordings where they differ."""

    name: str
    shares: Sequence[float | None]
    wordings: Sequence[str]


@dataclass(frozen=True)
class OverlapTable:
    """The pairs of letters, and a row for each component, or for each category of marked errors."""

    of_errors: bool
    pairs: Sequence[tuple[str, str]]
    rows: Sequence[OverlapRow]


def overlap_table(row: CaseRow) -> OverlapTable | None:
    """Compare the tuples of a criterion.

    Parameters
    ----------
    row : CaseRow
        A wide row of `case_rows`.

    Returns
    -------
    OverlapTable or None
        F1 is 2 × shared / both characters, from 0 to 1. None with fewer than 2 responses, or more than 4.
    """
    given = {one.letter: marks_of(one.answer.answer) for one in row.cells if one.answer is not None}
    if not 2 <= len(given) <= MOST_COMPARED:
        return None
    tuples = {letter: marked_tuples(marks) for letter, marks in given.items()}
    labels = {one.value: one.label or one.value for one in row.criterion["points"]} if row.criterion else {}
    pairs = list(combinations(given, 2))
    found = {mark["part"] for marks in given.values() for mark in marks}
    kinds = {KINDS[one.answer.kind].yields for one in row.cells if one.answer is not None}
    return OverlapTable(
        Yields.ERRORS in kinds,
        pairs,
        [
            OverlapRow(
                name=labels.get(part, part),
                shares=[overlap(tuples[one], tuples[other], [part]) for one, other in pairs],
                wordings=_wordings([_texts(marks, part) for marks in given.values()]),
            )
            for part in [*(part for part in labels if part in found), *sorted(found - labels.keys())]
        ],
    )


def _texts(marks: Sequence[dict[str, object]], part: str) -> str:
    return " · ".join(str(one["text"]) for one in marks if one["part"] == part)


def _wordings(texts: Sequence[str]) -> list[str]:
    different = list(dict.fromkeys(text for text in texts if text))
    return different if len(set(texts)) > 1 else []
