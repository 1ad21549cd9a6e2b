"""The marked errors of a study: one row per error, and one row per rater and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from annotation.domain.questions.error_spans.marks import marks_in, marks_text
from annotation.domain.questions.error_spans.settings import ErrorSettings
from annotation.domain.questions.kinds.kind import IN_A_TEXT, Yields
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.domain.questions.marked_text import marked_field
from annotation.models import Criterion, Study
from annotation.selectors.base.table_types import Table
from annotation.selectors.questions.long_table import long_ratings
from scoring.stats.spans.errors.scores import ScoreFormula

ERROR = ("error", "start", "end", "text", "category", "severity", "weight")
OF_ITEM = ("item", "group", "system")
STATE = (
    *("form", "form_version", "form_correction", "criterion", "revision", "current", "cannot_rate"),
    *("late", "simulated", "excluded", "exclusion_rule"),
)
SCORED = ("n_errors", "score", "spans")
Row = dict[str, Any]
# Form, number and correction of its version, criterion.
Place = tuple[str, int, int, str]


@dataclass(frozen=True)
class AskedErrors:
    """A criterion of kind errors in a version of a form: what its answers weigh, and the marked field."""

    settings: ErrorSettings
    field: str
    severities: tuple[str, ...]

    def weights(self, marks: Sequence[Row]) -> list[float]:
        """Return the weight of each error."""
        return [self.settings.weights[mark["severity"]] for mark in marks]

    def score(self, marks: Sequence[Row], text: str) -> float:
        """Return the score of a text by the formula of the criterion."""
        return self.formula.score(self.weights(marks), text)

    @property
    def formula(self) -> ScoreFormula:
        return ScoreFormula(self.settings.score_per, self.settings.score_cap)


def yields_in_texts(study: Study) -> frozenset[Yields]:
    """Which of `IN_A_TEXT` the forms of a study ask for, in one query."""
    marked = keys_yielding(*IN_A_TEXT)
    asked = Criterion.objects.filter(version__form__in=study.forms.all(), kind__in=marked)
    return frozenset(
        KINDS[kind].yields for kind in asked.order_by().values_list("kind", flat=True).distinct()
    )


def asked_errors(study: Study) -> dict[Place, AskedErrors]:
    """Return the criteria of kind errors by form, number and correction of its version, and key."""
    criteria = Criterion.objects.filter(
        version__form__study=study, kind__in=keys_yielding(Yields.ERRORS)
    ).select_related("version__form")
    return {
        (one.version.form.key, one.version.number, one.version.correction, one.key): AskedErrors(
            (settings := ErrorSettings.of(one.settings)),
            marked_field(one.version.blocks),
            tuple(settings.weights),
        )
        for one in criteria.order_by("version__form__position", "version__number", "version__correction")
    }


def errors_table(study: Study) -> Table:
    """The marked errors, one row each; an answer without an error is one row without its number."""
    columns = (*OF_ITEM, _who(study), *ERROR, *STATE)
    return columns, _error_rows(study, columns)


def error_texts_table(study: Study) -> Table:
    """The marked errors, one row per rater and text with its score, all errors, and the other values.

    Columns `n.SEVERITY` count errors; `value.CRITERION` is what the same page has on scales.
    """
    asked = asked_errors(study)
    severities = dict.fromkeys(one for each in asked.values() for one in each.severities)
    numbers = [f"n.{severity}" for severity in severities]
    values = [f"value.{key}" for key in _scale_keys(study)]
    columns = (*OF_ITEM, _who(study), *SCORED[:2], *numbers, *values, SCORED[2], "marked_text", *STATE)
    return columns, _text_rows(study, asked, columns)


def _error_rows(study: Study, columns: Sequence[str]) -> Iterator[Row]:
    asked = asked_errors(study)
    nothing = dict.fromkeys(ERROR)
    for row in long_ratings(study):
        place = _place(row)
        if place not in asked:
            continue
        marks = _marks(row)
        weights = asked[place].weights(marks)
        for number, (mark, weight) in enumerate(zip(marks, weights, strict=True), start=1):
            yield {name: {**row, **mark, "error": number, "weight": weight}[name] for name in columns}
        if not marks:
            yield {name: {**row, **nothing}[name] for name in columns}


def _text_rows(study: Study, asked: dict[Place, AskedErrors], columns: Sequence[str]) -> Iterator[Row]:
    fields = dict(study.items.values_list("key", "fields"))
    who = _who(study)
    for _, found in groupby(
        long_ratings(study), key=lambda row: (row["item"], row[who], row["form"], row["revision"])
    ):
        page = list(found)
        for row in page:
            place = _place(row)
            if place not in asked:
                continue
            marks = _marks(row)
            text = fields.get(row["item"], {}).get(asked[place].field, "")
            scored = {**row, "marked_text": text} | {
                f"value.{one['criterion']}": one["value"] for one in page if one is not row
            }
            if row["value"]:
                counts = Counter(mark["severity"] for mark in marks)
                scored |= {"n_errors": len(marks), "score": asked[place].score(marks, text)}
                scored |= {"spans": marks_text(marks)}
                scored |= {f"n.{severity}": counts[severity] for severity in asked[place].severities}
            yield {name: scored.get(name) for name in columns}


def _marks(row: Row) -> list[Row]:
    return marks_in(row["value"]) if row["value"] else []


def _place(row: Row) -> Place:
    return row["form"], row["form_version"], row["form_correction"], row["criterion"]


def _scale_keys(study: Study) -> list[str]:
    """Keys of criteria on scales in forms that ask for errors."""
    forms = Criterion.objects.filter(
        version__form__study=study, kind__in=keys_yielding(Yields.ERRORS)
    ).values("version__form")
    scales = Criterion.objects.filter(version__form__in=forms, kind__in=keys_yielding(Yields.NUMBER))
    return list(dict.fromkeys(scales.order_by("version__form", "position").values_list("key", flat=True)))


def _who(study: Study) -> str:
    return "rater" if study.identified else "slot"


ERROR_TABLES = {"errors": errors_table, "error_texts": error_texts_table}
