"""The human evaluation sheet of a study: what the study knows, and what members answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils import translation

from annotation.domain.base.sheet.answers import SheetAnswer, SheetPlace
from annotation.domain.base.sheet.questions import QUESTIONS, SheetQuestion, section_of
from annotation.domain.quality.checks import CheckKind
from annotation.models import Criterion, EvaluationSheet, FormVersion, Study
from annotation.selectors.questions.counting import criterion_names
from scoring.models import Report
from scoring.selectors.reports.heds.known import Known, known_answers
from scoring.selectors.reports.heds.of_criteria import known_of_criterion
from scoring.selectors.reports.study_facts import StudyFacts

NOTHING = Known("")


@dataclass(frozen=True)
class SheetRow:
    """A question of the sheet with its answers: that of the study, and that of the members."""

    question: SheetQuestion
    place: SheetPlace
    known: Known
    given: SheetAnswer

    @property
    def is_open(self) -> bool:
        """Whether the question still has to be answered."""
        return not self.given and not (self.known.text and self.known.suffices)

    @property
    def is_asked(self) -> bool:
        """Whether members are asked for an answer."""
        return bool(self.given) or self.is_open

    @property
    def source(self) -> str:
        """Where the answer comes from: `study`, `members`, `both`, or `open`."""
        if self.is_open:
            return "open"
        if self.given:
            return "both" if self.known.text else "members"
        return "study"

    @property
    def answer(self) -> str:
        """The whole answer in words; empty if there is none."""
        return " ".join(part for part in (self.known.text, self.given.in_words(self.question)) if part)


@dataclass(frozen=True)
class CriterionRows:
    """The questions about one criterion of a form."""

    form: str
    criterion: str
    name: str
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True)
class Sheet:
    """The sheet of a study, in the order of its sections."""

    sections: Mapping[str, tuple[SheetRow, ...]]
    criteria: tuple[CriterionRows, ...]

    @cached_property
    def rows(self) -> tuple[SheetRow, ...]:
        """Every question, those about criteria last."""
        general = [row for rows in self.sections.values() for row in rows]
        return (*general, *(row for criterion in self.criteria for row in criterion.rows))

    @property
    def n_open(self) -> int:
        """Questions without an answer."""
        return sum(row.is_open for row in self.rows)

    @property
    def n_answered(self) -> int:
        """Questions with an answer."""
        return len(self.rows) - self.n_open

    @property
    def n_from_study(self) -> int:
        """Questions that the study answers itself."""
        return sum(row.source == "study" for row in self.rows)

    def is_open(self, number: str) -> bool:
        """Whether a question about the study as a whole still has to be answered."""
        return any(row.is_open for row in self.sections[section_of(number)] if row.question.number == number)


def stored_sheet(study: Study) -> EvaluationSheet:
    """The stored answers of members; an unsaved one without answers before the first."""
    return EvaluationSheet.objects.filter(study=study).first() or EvaluationSheet(study=study)


def answers_of(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, SheetAnswer]:
    """Stored answers by place."""
    return {key: SheetAnswer(**parts) for key, parts in stored.items()}


def sheet_of(
    study: Study,
    facts: StudyFacts,
    reports: Mapping[str, Report],
    answers: Mapping[str, SheetAnswer],
    *,
    with_pay: bool,
) -> Sheet:
    """Fill the sheet of a study.

    Parameters
    ----------
    study : Study
        The study.
    facts : StudyFacts
        Facts of the study.
    reports : mapping of str to Report
        Up-to-date reports of the study, by name.
    answers : mapping of str to SheetAnswer
        What members answered, by place.
    with_pay : bool
        Include what raters are paid.
    """
    report = reports.get("reliability")
    # The sheet is a document in English, whatever language the page is in.
    with translation.override("en"):
        known = known_answers(study, facts, answers, with_pay=with_pay)
        sections: dict[str, list[SheetRow]] = {}
        for question in QUESTIONS.values():
            if not question.is_of_criteria:
                row = _row(question, SheetPlace(question.number), known, answers)
                sections.setdefault(section_of(question.number), []).append(row)
        asked = [(version, criterion) for version in facts.versions for criterion in version.criteria.all()]
        names = criterion_names((version.form.key, one.key) for version, one in asked)
        repeats = study.checks.filter(kind=CheckKind.REPEAT).exists()
        criteria = tuple(
            CriterionRows(
                version.form.key,
                one.key,
                one.name,
                tuple(
                    _rows(version, one, report, names[version.form.key, one.key], answers, repeats=repeats)
                ),
            )
            for version, one in asked
        )
    return Sheet({section: tuple(rows) for section, rows in sections.items()}, criteria)


def _rows(
    version: FormVersion,
    criterion: Criterion,
    report: Report | None,
    name: str,
    answers: Mapping[str, SheetAnswer],
    *,
    repeats: bool,
) -> Iterator[SheetRow]:
    known = known_of_criterion(version, criterion, report, name, repeats=repeats)
    for question in QUESTIONS.values():
        if question.is_of_criteria:
            yield _row(question, SheetPlace(question.number, version.form.key, criterion.key), known, answers)


def _row(
    question: SheetQuestion, place: SheetPlace, known: Mapping[str, Known], answers: Mapping[str, SheetAnswer]
) -> SheetRow:
    return SheetRow(
        question, place, known.get(question.number, NOTHING), answers.get(str(place), SheetAnswer())
    )
