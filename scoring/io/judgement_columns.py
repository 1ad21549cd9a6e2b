"""Columns of a file of judges' answers, in long and in wide form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from annotation.domain.base.messages import message
from annotation.io.base.file_errors import Problems, refusal

ITEM, CRITERION, VALUE, JUDGE, SAMPLE = "item", "criterion", "value", "judge", "sample"
# A long file of scores calls the column `metric`.
CRITERION_COLUMNS = (CRITERION, "metric")
MOST_SAMPLES = 1000
SIMILAR = 0.85
Rows = Sequence[tuple[int, Mapping[str, Any]]]


@dataclass(frozen=True)
class JudgementCell:
    """One cell of a file that holds an answer; `judge` is empty where the file names none."""

    row: int
    column: str
    item: str
    criterion: str
    cell: Any
    judge: str
    sample: int


def judgement_cells(name: str, rows: Rows, criteria: Mapping[str, str]) -> list[JudgementCell]:
    """Read the answers of a file.

    Parameters
    ----------
    name : str
        What messages call the file.
    rows : sequence of (int, mapping)
        Rows with their numbers.
    criteria : mapping of str to str
        From what a file may call a criterion, in lower case, to its name.

    Returns
    -------
    list of JudgementCell
        One for each row of a long file, which has the columns `item`, `criterion` (or `metric`) and `value`;
        of a wide file one for each column that is called like a criterion. Either may have `sample` and
        `judge`. Other columns are not read, unless one is nearly called like a criterion.

    Raises
    ------
    FileRefused
        `missing_column`, `unknown_criterion`, `same_criterion`, `bad_sample` or `no_label`, with rows and
        columns.
    """
    columns = list(dict.fromkeys(column for _, row in rows for column in row))
    _refuse_missing(name, [ITEM], columns)
    long = next((one for one in CRITERION_COLUMNS if one in columns and VALUE in columns), "")
    problems = Problems(name)
    if long:
        found = list(_long(rows, long, criteria, problems))
    else:
        found = list(_wide(rows, _criterion_columns(name, columns, criteria), problems))
    problems.refuse_if_any()
    return found


def _criterion_columns(name: str, columns: Sequence[str], criteria: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for column in columns:
        criterion = criteria.get(column.strip().lower(), "")
        if criterion and criterion in found.values():
            sentence = message("another column has the answers to %(name)r; keep one", name=criterion)
            raise refusal(name, "same_criterion", sentence, column=column)
        if criterion and column not in {ITEM, JUDGE, SAMPLE}:
            found[column] = criterion
    if not found:
        known = ", ".join(sorted(set(criteria.values())))
        sentence = message(
            "no column is called like a criterion (%(known)s), and there are no columns criterion and value",
            known=known,
        )
        raise refusal(name, "missing_column", sentence)
    _refuse_misspelt(name, [one for one in columns if one not in found], set(criteria) - set(found.values()))
    return found


def _refuse_misspelt(name: str, unread: Sequence[str], unanswered: Collection[str]) -> None:
    """Refuse columns whose name is similar to a criterion: they would be left out silently."""
    for column in unread:
        close = get_close_matches(column.strip().lower(), unanswered, n=1, cutoff=SIMILAR)
        if close and column not in {ITEM, JUDGE, SAMPLE}:
            sentence = message(
                "the study has no such criterion; "
                "if you mean %(name)r, rename the column, otherwise remove it",
                name=close[0],
            )
            raise refusal(name, "unknown_criterion", sentence, column=column)


def _refuse_missing(name: str, needed: Sequence[str], columns: Sequence[str]) -> None:
    for column in needed:
        if column not in columns:
            raise refusal(name, "missing_column", message("the file has no such column"), column=column)


def _long(
    rows: Rows, column: str, criteria: Mapping[str, str], problems: Problems
) -> Iterator[JudgementCell]:
    for number, row in rows:
        name = str(row.get(column, "")).strip()
        criterion = criteria.get(name.lower(), "")
        if not criterion:
            sentence = message("the study has no criterion %(name)r", name=name[:80])
            problems.add(number, column, "unknown_criterion", sentence)
        yield _cell(number, row, VALUE, criterion, problems)


def _wide(rows: Rows, columns: Mapping[str, str], problems: Problems) -> Iterator[JudgementCell]:
    for number, row in rows:
        for column, criterion in columns.items():
            yield _cell(number, row, column, criterion, problems)


def _cell(
    number: int, row: Mapping[str, Any], column: str, criterion: str, problems: Problems
) -> JudgementCell:
    judge = str(row.get(JUDGE, "")).strip()
    if JUDGE in row and not judge:
        problems.add(number, JUDGE, "no_label", message("the judge has no name"))
    sample = _sample(row.get(SAMPLE, ""))
    if sample is None:
        sentence = message("enter a whole number from 1 to %(most)d", most=MOST_SAMPLES)
        problems.add(number, SAMPLE, "bad_sample", sentence)
    item = str(row.get(ITEM, ""))
    return JudgementCell(number, column, item, criterion, row.get(column, ""), judge, sample or 1)


def _sample(cell: Any) -> int | None:
    """The number of a sample, 1 where the cell is empty; None where it is none."""
    if cell == "":
        return 1
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return int(number) if number in range(1, MOST_SAMPLES + 1) else None
