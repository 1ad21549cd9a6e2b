"""Tables of attention checks, calibration answers and reported problems, which are not ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotation.domain.base.codebook import CHECKS, PROBLEMS, QUALIFICATION
from annotation.selectors.quality.calibration_tables import qualification_table
from annotation.selectors.rating.problem_reports import problems_table
from annotation.selectors.studies.exports import checks_table
from scoring.bundle.contents import BundleFile, Contents, table_files


def quality_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/checks`, `data/qualification` and `data/problems`."""
    yield from table_files(contents, "checks", CHECKS, lambda: _checks(contents))
    yield from table_files(contents, "qualification", QUALIFICATION, lambda: _qualification(contents))
    yield from table_files(contents, "problems", PROBLEMS, lambda: _problems(contents))


def _checks(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in checks_table(contents.study)[1]:
        yield {**row, "detail": contents.redactor.answer(row["detail"])}


def _qualification(contents: Contents) -> Iterator[dict[str, Any]]:
    """Only the words of the member who decided may name a person: answers are numbers and options."""
    for row in qualification_table(contents.study)[1]:
        yield {**row, "decision": contents.redactor.note(row["decision"])}


def _problems(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in problems_table(contents.study)[1]:
        yield {**row, "text": contents.redactor.note(row["text"])}
