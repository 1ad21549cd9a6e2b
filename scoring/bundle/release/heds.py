"""The human evaluation sheet of a bundle: `heds.json` with its JSON Schema, and the same in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotation.domain.base.sheet.questions import CONTACTS, OF_CRITERIA, SECTIONS
from config.distribution import release
from scoring.bundle.contents import BundleFile, Contents, json_file, text_file
from scoring.bundle.release.heds_schema import FORMAT, SCHEMA, SCHEMA_FILE
from scoring.selectors.reports.heds.sheet import Sheet, SheetRow
from scoring.selectors.reports.methods import agreement_sentence

HEDS = {
    "name": "Human Evaluation Datasheet",
    "version": "3.0",
    "citation": "Belz & Thomson (2025), HEDS 3.0: The Human Evaluation Data Sheet Version 3.0, GEM",
}
OPEN = "Not answered."


def heds_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`heds.json`, its schema, and `human_evaluation_sheet.md`."""
    yield json_file("heds.json", lambda: heds_json(contents))
    yield json_file(SCHEMA_FILE, lambda: SCHEMA)
    yield text_file("human_evaluation_sheet.md", lambda: sheet_in_markdown(contents))


def heds_json(contents: Contents) -> dict[str, Any]:
    """The sheet of a bundle: contact details only with named authors, and texts without known names."""
    found = sheet_json(contents.sheet, study=contents.study.slug, title=contents.study.title)
    for row in _written(found):
        row["answer"] = _published(contents, row["number"], row["answer"])
        if not row["answer"]:
            row["source"] = "open"
    return found


def sheet_json(sheet: Sheet, *, study: str, title: str) -> dict[str, Any]:
    """A sheet as JSON, by the schema of `heds_schema`.

    Parameters
    ----------
    sheet : Sheet
        The filled sheet.
    study, title : str
        Short name and title of its study.
    """
    sections = [
        {"number": number, "title": SECTIONS[number], "questions": [_row(one) for one in rows]}
        for number, rows in sheet.sections.items()
    ]
    criteria = [
        {
            "form": criterion.form,
            "criterion": criterion.criterion,
            "name": criterion.name,
            "questions": [_row(row) for row in criterion.rows],
        }
        for criterion in sheet.criteria
    ]
    return {
        "$schema": SCHEMA_FILE,
        "format": FORMAT,
        "numbers_of": HEDS,
        "software": f"Groundwork {release()}",
        "study": study,
        "title": title,
        "sections": sections,
        "criteria": criteria,
    }


def _row(row: SheetRow) -> dict[str, Any]:
    return {
        "number": row.question.number,
        "question": str(row.question.words),
        "answer": row.answer or None,
        "choice": row.given.choice or None,
        "source": row.source,
    }


def _written(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in (*found["sections"], *found["criteria"]):
        yield from part["questions"]


def _published(contents: Contents, number: str, answer: str | None) -> str | None:
    if number in CONTACTS:
        return answer if contents.publication.authors else None
    return answer and contents.redactor.note(answer)


def sheet_in_markdown(contents: Contents) -> str:
    """The same sheet to read, with the agreement on all criteria."""
    found = heds_json(contents)
    numbers = f"The numbers are those of {HEDS['citation']}. The questions are in Groundwork’s own words."
    rows = list(_written(found))
    n_open = f"{sum(row['source'] == 'open' for row in rows)} of {len(rows)} questions are open."
    lines = [f"# Human evaluation sheet: {contents.study.title}", "", f"{numbers} {n_open}", ""]
    for section in found["sections"]:
        if section["number"] == "5":
            for criterion in found["criteria"]:
                lines += _lines(
                    f"{OF_CRITERIA} {SECTIONS[OF_CRITERIA]}: {criterion['name']}", criterion["questions"]
                )
        lines += _lines(f"{section['number']} {section['title']}", section["questions"])
    agreement = agreement_sentence(contents.facts) or "No report has been computed."
    return "\n".join([*lines, "## Results", "", f"**How far do the raters agree?** {agreement}", ""])


def _lines(heading: str, questions: Sequence[dict[str, Any]]) -> list[str]:
    answers = [
        f"**{question['number']} {question['question']}** {question['answer'] or OPEN}"
        for question in questions
    ]
    return [f"## {heading}", "", *(line for answer in answers for line in (answer, ""))]
