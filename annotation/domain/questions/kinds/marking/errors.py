"""Errors in a text: spans with a category and a severity, or the answer that there is none."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.base.numbers import plain_number
from annotation.domain.questions.error_spans.agreement import f1_of_characters
from annotation.domain.questions.error_spans.marking import error_marking
from annotation.domain.questions.error_spans.marks import (
    NO_ERROR,
    NONE,
    ErrorMark,
    checked_marks,
    fields_in_words,
    marks_in,
    marks_of_fields,
    marks_text,
    named_points,
)
from annotation.domain.questions.error_spans.settings import HEAVIEST, PER, ErrorSettings
from annotation.domain.questions.kinds.condition import BETWEEN_OPTIONS
from annotation.domain.questions.kinds.deciding import WRONG
from annotation.domain.questions.kinds.kind import (
    Answer,
    Answering,
    Document,
    PointLike,
    Problems,
    Question,
    QuestionKind,
    Texts,
    Yields,
    gettext_noop,
    single_value,
)
from annotation.domain.questions.kinds.orders.ordering import PART, parts_in
from annotation.domain.questions.kinds.settings_schema import UNIT_SETTING, settings_of

NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})?", re.ASCII)
MOST_SIMULATED = 3
SETTINGS_SCHEMA = settings_of(
    "marked errors",
    {
        "weights": {
            "description": "Weight of each point that is a severity; the other points are categories.",
            "type": "object",
            "additionalProperties": {"type": "number", "exclusiveMinimum": 0, "maximum": HEAVIEST},
            "default": {},
        },
        "overlap": {
            "description": "Whether two errors may share characters.",
            "type": "boolean",
            "default": True,
        },
        "score_per": {
            "description": "The score of a text is the sum of the weights of its errors per this much of it.",
            "enum": list(PER),
            "default": PER[0],
        },
        "score_cap": {
            "description": "The highest score; null for no limit.",
            "type": ["number", "null"],
            "exclusiveMinimum": 0,
            "default": None,
        },
        "units": UNIT_SETTING,
        "least_f1": {
            "description": "Lowest F1 of characters with the key at which a calibration answer is right.",
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": 1,
            "default": ErrorSettings.least_f1,
        },
    },
)


class Errors(QuestionKind):
    """Errors marked in the text that a form shows as its figure; its points are categories and severities.

    Files and the API hold JSON, `[{"start": 4, "end": 9, "category": "meaning", "severity": "major", "text":
    "words"}]`; `[]` says that there is no error. A page without scripts posts several fields, which arrive
    here as values `PART:VALUE`.
    """

    key = "errors"
    title = gettext_noop("marked errors")
    described = "errors marked in the text with category and severity"
    yields = Yields.ERRORS
    missing_message = message("Mark an error, or select “No error”, or select “Can’t rate”.")
    fewest_points = 2
    decides = True
    reference_help = message(
        "Write each error as in: words (severity, category); words (severity, category). Write “no error” if "
        "there is none."
    )
    settings_schema = SETTINGS_SCHEMA
    script = "js/rating/kinds/errors.js"
    style = "css/kinds/errors.css"
    is_large = True
    fields_of_points = ("weights",)
    first_points = (
        {"value": "meaning", "label": "", "description": "", "keyboard": "m"},
        {"value": "wording", "label": "", "description": "", "keyboard": "w"},
        {"value": "grammar", "label": "", "description": "", "keyboard": "g"},
        {"value": "minor", "label": "", "description": "", "keyboard": "1"},
        {"value": "major", "label": "", "description": "", "keyboard": "2"},
        {"value": "critical", "label": "", "description": "", "keyboard": "3"},
    )

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer | None:
        within = texts.get(question.field)
        if values[0].lstrip().startswith("[") or any(PART not in value for value in values):
            marks: list[ErrorMark] | None = marks_in(single_value(values))
        else:
            marks = marks_of_fields(parts_in(values), within)
        if marks is None:
            return None
        rules = ErrorSettings.of(question.settings)
        return Answer(
            content=checked_marks(
                marks,
                categories=rules.categories(question.options),
                severities=rules.severities(question.options),
                overlap=rules.overlap,
                within=within,
            )
        )

    def cell(self, answer: Answer) -> str:
        return marks_text(answer.content or ())

    def of_cell(self, cell: float | str) -> Answer:
        return Answer(content=marks_in(str(cell)))

    def named(self, cell: str) -> list[str]:
        return named_points(marks_in(cell))

    def deciding(self, question: Question) -> Sequence[str]:
        return [*question.options, NONE]

    def cell_deciding(self, question: Question, value: str) -> str:
        if value == NONE:
            return marks_text([])
        rules = ErrorSettings.of(question.settings)
        categories, severities = rules.categories(question.options), rules.severities(question.options)
        category = value if value in categories else categories[0]
        severity = value if value in severities else severities[0]
        return marks_text([{"start": 0, "end": 1, "category": category, "severity": severity}])

    def decided_by(self, cell: float | str) -> str:
        return BETWEEN_OPTIONS.join(self.named(str(cell)))

    def conditions(self, points: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
        offered = [(one["value"], f"{one['value']} {one['label']}".strip()) for one in points if one["value"]]
        return [*offered, (NONE, message("no error"))]

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        marks = [mark for value in values if value.lstrip().startswith("[") for mark in marks_in(value)]
        return "; ".join(_in_words(mark, labels) for mark in marks) or NO_ERROR

    def in_dispute(self, cells: Sequence[str], labels: Mapping[str, str]) -> list[str]:
        answers = [{_identity(mark): mark for mark in marks_in(cell)} for cell in cells]
        every = {key: mark for answer in answers for key, mark in answer.items()}
        differing = [key for key in sorted(every) if any(key not in answer for answer in answers)]
        return [_in_words(every[key], labels) for key in differing]

    def reference_in(self, question: Question, text: str, texts: Texts) -> str | None:
        """Errors in words or as files hold them, checked with the text in which they are."""
        values = [text]
        if not text.lstrip().startswith("["):
            fields = fields_in_words(text)
            if fields is None:
                return None
            values = [f"{name}{PART}{value}" for name, value in fields.items()]
        answer = self.checked(question, values, texts)
        return None if answer is None else self.cell(answer)

    def reference_in_words(self, cell: str) -> str:
        return self.in_words([cell], {})

    def distance(self, reference: str, cell: str, settings: Document) -> float:
        """Return 0 if enough of the marked characters agree."""
        f1 = f1_of_characters(marks_in(reference), marks_in(cell))
        return 0.0 if f1 >= ErrorSettings.of(settings).least_f1 else WRONG

    def possible(self, question: Question) -> Sequence[str]:
        return ()

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        return marks_text([])

    def simulated_in(self, question: Question, person: Answering, truth: float, texts: Texts) -> str:
        """Mark some of the same few places in the text; the weaker the item, the more."""
        rules, text = ErrorSettings.of(question.settings), texts.get(question.field, "")
        places = _places(text)
        random.Random(text).shuffle(places)
        number = min(person.value(0, MOST_SIMULATED, 1 - truth), len(places))
        marks = [
            {
                "start": start,
                "end": end,
                "category": person.option(rules.categories(question.options), truth),
                "severity": person.option(rules.severities(question.options), 1 - truth),
            }
            for start, end in places[:number]
        ]
        return marks_text(marks)

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        try:
            marks = marks_in(cell)
        except ValueError:
            return ""
        known = [mark for mark in marks if mark["category"] in points and mark["severity"] in points]
        return marks_text(known) if known or not marks else ""

    def problems(self, criterion: Document) -> Problems:
        yield from super().problems(criterion)
        for place, point in enumerate(criterion["points"]):
            if point["value"] == NONE:
                sentence = message(
                    "“%(value)s” says that there is no error. Choose another value.", value=NONE
                )
                yield f"points[{place}].value", sentence

    def settings_problems(self, criterion: Document) -> Problems:
        points = [point["value"] for point in criterion["points"]]
        if criterion["settings"]["unsure"]:
            yield "settings.unsure", message("Marked errors have no option “not sure”. Remove it.")
        for name, sentence in ErrorSettings.of(criterion["settings"]).problems(points).items():
            yield f"settings.{self.key}.{name}", sentence

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: ErrorSettings.of(settings).as_dict()}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        return ErrorSettings.of(settings).stored()

    def first_settings(self) -> dict[str, Any]:
        return {self.key: ErrorSettings(weights={"minor": 1, "major": 5, "critical": 25}).as_dict()}

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        weights = {
            one.get("value", ""): _number(one["weights"]) for one in points if one.get("weights", "").strip()
        }
        cap, least = (fields.get(name, "").strip() for name in ("score_cap", "least_f1"))
        return {
            self.key: {
                "weights": weights,
                "overlap": "overlap" in fields,
                "score_per": fields.get("score_per", PER[0]),
                "score_cap": _number(cap) if cap else None,
                "units": fields.get("units", ""),
                "least_f1": _number(least) if least else ErrorSettings.least_f1,
            }
        }

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        marking = error_marking(points, ErrorSettings.of(settings), values)
        return {"css": f"criterion--{self.key}", "marking": marking}


def _number(text: str) -> float | str:
    return plain_number(float(text)) if NUMBER.fullmatch(text.strip()) else text


def _identity(mark: ErrorMark) -> tuple[int, int, str, str]:
    return mark["start"], mark["end"], mark["category"], mark["severity"]


def _in_words(mark: ErrorMark, labels: Mapping[str, str]) -> str:
    named = ", ".join(labels.get(mark[name]) or mark[name] for name in ("severity", "category"))
    return f"{' '.join(mark.get('text', '').split())} ({named})"


def _places(text: str) -> list[tuple[int, int]]:
    """Words, or pairs of characters where the text has few spaces."""
    words = [match.span() for match in re.finditer(r"\w+", text)]
    if len(words) > len(text) / 12:
        return words
    return list(chain.from_iterable(_pairs(*word) for word in words))


def _pairs(start: int, end: int) -> list[tuple[int, int]]:
    return [(at, min(at + 2, end)) for at in range(start, end, 2)]


ERRORS = Errors()
