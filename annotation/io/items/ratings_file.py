"""Reading of ratings files in long form: rows as typed values, or a refusal with all problems."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from annotation.domain.base.messages import message
from annotation.io.base.cells import Row
from annotation.io.base.file_errors import Problems, refusal
from annotation.io.base.readers import read_rows
from annotation.io.items.rating_cells import BadRow, Questions, RatingRow, RowReader, Texts

OF_A_RESPONSE = (
    "form_version",
    "form_correction",
    "reason",
    "remark",
    "current",
    "late",
    "submitted_at",
    "seconds",
    "exclusion_rule",
    "interface_language",
    "text_language",
)
OF_AN_ITEM = ("group", "system")
OF_A_RATER = ("simulated",)
Answer = tuple[str, str, str]
NumberedRows = Sequence[tuple[int, Row]]


@dataclass(frozen=True)
class RatingsFile:
    """The rows of a file, and whether its raters are identified."""

    rows: Sequence[RatingRow]
    identified: bool


def read_ratings(
    path: Path,
    *,
    name: str = "",
    scale: tuple[int, int] | None = None,
    questions: Questions | None = None,
    texts: Texts | None = None,
    file_format: str = "",
    rows: NumberedRows | None = None,
) -> RatingsFile:
    """Read and check a ratings file in long form.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSONL, JSON, XLSX or Parquet.
    name : str
        Its name in messages.
    scale : (int, int) or None
        Ends of the scale that values must keep to.
    questions : mapping or None
        (form, version, criterion) → question, for criteria that exist already. Values
        of all others are whole numbers.
    texts : mapping or None
        Item → its texts, in which the spans of tuples are.
    file_format : str
        By the file's ending where empty.
    rows : sequence of (int, mapping) or None
        The rows of the file with their numbers, if it was read before.

    Raises
    ------
    FileRefused
        Names every row and column with a problem, up to a limit; both of two rows that contradict each
        other are named.
    """
    name = name or path.name
    if rows is None:
        rows = read_rows(path, needed=("item", "criterion", "value"), name=name, file_format=file_format)
    who = _rater_column(rows, name)
    problems = Problems(name)
    checked = []
    for number, row in rows:
        try:
            checked.append(RowReader(number, row, who, texts or {}).read(questions or {}, scale))
        except BadRow as bad:
            problems.add(number, bad.column, bad.code, bad.message)
    problems.refuse_if_any()
    if not any("current" in row for _, row in rows):
        checked = with_current(checked)
    check_rows(checked, who, problems)
    problems.refuse_if_any()
    return RatingsFile(rows=checked, identified=who == "rater")


def _rater_column(rows: Sequence[tuple[int, Row]], name: str) -> str:
    """The column that identifies the rater."""
    first = {
        column: next((number for number, row in rows if column in row), 0) for column in ("rater", "slot")
    }
    if first["rater"] and first["slot"]:
        row = 0 if first["rater"] == first["slot"] else max(first.values())
        problem = message("the file has both columns rater and slot; remove one of them")
        raise refusal(name, "rater_and_slot", problem, row=row, column="slot")
    if not any(first.values()):
        raise refusal(
            name, "missing_column", message("the column is missing; add rater or slot"), column="rater"
        )
    return "rater" if first["rater"] else "slot"


def with_current(rows: Sequence[RatingRow]) -> list[RatingRow]:
    """Rows of a file without the column `current`: the highest revisions are current."""
    highest: dict[Answer, int] = {}
    for row in rows:
        answer = (row.item, row.rater, row.form)
        highest[answer] = max(row.revision, highest.get(answer, 0))
    return [
        replace(row, current=False) if row.revision < highest[row.item, row.rater, row.form] else row
        for row in rows
    ]


def check_rows(rows: Sequence[RatingRow], who: str, problems: Problems) -> None:
    """Add contradictions in a whole file: doubled ratings, rows that disagree, revisions without order.

    `who` is the column that says who rated. Each problem names the row and the earlier one it contradicts.
    """
    ratings: dict[Hashable, RatingRow] = {}
    responses = _Agreement(message("same response"), OF_A_RESPONSE, problems)
    items = _Agreement(message("same item"), OF_AN_ITEM, problems)
    raters = _Agreement(message("same rater"), OF_A_RATER, problems)
    for row in rows:
        rating = (row.item, row.rater, row.form, row.criterion, row.revision)
        earlier = ratings.setdefault(rating, row)
        if earlier is not row:
            _add_doubled(row, earlier, who, problems)
            continue
        responses.check((row.item, row.rater, row.form, row.revision), row)
        items.check(row.item, row)
        raters.check(row.rater, row)
    _check_revisions(list(responses.first.values()), problems)


class _Agreement:
    """Rows that share a key must agree in some columns."""

    def __init__(self, what: str, columns: Sequence[str], problems: Problems) -> None:
        self.what, self.columns, self.problems = what, columns, problems
        self.first: dict[Hashable, RatingRow] = {}
        self._cells = attrgetter(*columns)

    def check(self, key: Hashable, row: RatingRow) -> None:
        first = self.first.setdefault(key, row)
        if first is row or self._cells(first) == self._cells(row):
            return
        for column in self.columns:
            here, there = getattr(row, column), getattr(first, column)
            if here != there:
                problem = message(
                    "%(here)s here, but %(there)s in row %(row)d (%(what)s)",
                    here=_cell_text(here),
                    there=_cell_text(there),
                    row=first.number,
                    what=self.what,
                )
                self.problems.add(row.number, column, "contradicting_rows", problem)


def _add_doubled(row: RatingRow, earlier: RatingRow, who: str, problems: Problems) -> None:
    problem = message(
        "%(item)s, %(rater)s, %(criterion)s, revision %(revision)d is already in row %(row)d",
        item=repr(row.item),
        rater=repr(row.rater),
        criterion=repr(row.criterion),
        revision=row.revision,
        row=earlier.number,
    )
    problems.add(row.number, who, "doubled_rating", problem)


def _check_revisions(responses: Sequence[RatingRow], problems: Problems) -> None:
    """Check that only the highest of the revisions of an answer is current."""
    answers: dict[Answer, list[RatingRow]] = {}
    for response in responses:
        answers.setdefault((response.item, response.rater, response.form), []).append(response)
    for revisions in answers.values():
        last = max(revisions, key=attrgetter("revision"))
        current = [row for row in revisions if row.current]
        if len(current) > 1:
            one, other = sorted(current, key=attrgetter("number"))[:2]
            problem = message(
                "revision %(here)d is current here, and revision %(there)d in row %(row)d",
                here=other.revision,
                there=one.revision,
                row=one.number,
            )
            problems.add(other.number, "current", "two_current_rows", problem)
        elif not current:
            problem = message("revision %(n)d is the highest and must be current", n=last.revision)
            problems.add(last.number, "current", "current_not_highest", problem)
        elif current[0] is not last:
            problem = message(
                "revision %(here)d is current here, but row %(row)d has revision %(there)d",
                here=current[0].revision,
                there=last.revision,
                row=last.number,
            )
            problems.add(current[0].number, "current", "current_not_highest", problem)


def _cell_text(cell: object) -> str:
    return message("empty") if cell in ("", None) else repr(str(cell)[:60])
