"""Linked parts of a text: tuples of tenor, vehicle and ground."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.domain.base.limits import LONGEST_REMARK
from annotation.domain.base.messages import message
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
from annotation.domain.questions.kinds.settings_schema import UNIT_SETTING, settings_of
from annotation.domain.questions.tuple_marking import marking_of
from annotation.domain.questions.tuple_settings import PLAIN, TupleSettings
from annotation.domain.questions.tuples import (
    PARTS,
    checked_tuples,
    in_a_field,
    in_one_line,
    marks_in,
    marks_text,
    only_parts,
    rows_of,
    tuples_text,
    without_offsets,
)

EMPTY_ROWS = 4
MOST_NOUNS = 2000
NOUNS = re.compile("[,，、;；\n]")


def _list_of(described: str, of: str, most: int) -> dict[str, Any]:
    entry = {"description": of, "type": "string", "minLength": 1, "maxLength": 60}
    return {
        "description": described,
        "type": "array",
        "items": entry,
        "minItems": 0,
        "maxItems": most,
        "default": [],
    }


SETTINGS_SCHEMA = settings_of(
    "tuples",
    {
        "marked": _list_of(
            "Components marked in the text; raters write the others.", "Value of a component.", 20
        ),
        "optional": _list_of("Optional components.", "Value of a component.", 20),
        "adjective_noun": _list_of("Components written as adjective and noun.", "Value of a component.", 20),
        "nouns": _list_of("Suggested nouns.", "A noun.", MOST_NOUNS),
        "general_nouns": _list_of("Nouns that are too general.", "A noun.", MOST_NOUNS),
        "refuse_general": {
            "description": "Do not accept nouns that are too general; otherwise raters see a hint.",
            "type": "boolean",
            "default": False,
        },
        "units": UNIT_SETTING,
    },
)


class Tuples(QuestionKind):
    """Tuples of components, marked in a text of the item or written in fields."""

    key = "tuples"
    title = gettext_noop("tuples")
    described = "marked tuples"
    yields = Yields.SPANS
    lacks = ("checks", "calibration", "conditions", "stages")
    missing_message = message("Write at least one complete tuple, or select “Can’t rate”.")
    fewest_points = 1
    settings_schema = SETTINGS_SCHEMA
    script = "js/rating/kinds/tuples.js"
    style = "css/kinds/tuples.css"
    is_large = True
    fields_of_points = ("marked", "optional", "adjective_noun")
    first_points = (
        {"value": "tenor", "label": "Tenor", "description": "what the metaphor is about", "keyboard": "t"},
        {
            "value": "vehicle",
            "label": "Vehicle",
            "description": "what it is compared with",
            "keyboard": "v",
        },
        {
            "value": "ground",
            "label": "Ground",
            "description": "what both share: adjective and noun",
            "keyboard": "g",
        },
    )

    def read(self, question: Question, values: Sequence[str], texts: Texts) -> Answer | None:
        rules = TupleSettings.of(question.settings)
        text = checked_tuples(single_value(values), question.options, rules, texts.get(question.field))
        if len(text) > LONGEST_REMARK:
            raise ValueError(
                message("Use fewer than %(most)d characters for all tuples.", most=LONGEST_REMARK)
            )
        return self.of_cell(text) if text else None

    def cell(self, answer: Answer) -> str:
        return marks_text(answer.content or ())

    def of_cell(self, cell: float | str) -> Answer:
        return Answer(content=marks_in(str(cell)))

    def in_words(self, values: Sequence[str], labels: Mapping[str, str]) -> str:
        return "; ".join(map(in_one_line, values))

    def simulated(self, question: Question, person: Answering, truth: float) -> str:
        return tuples_text([dict.fromkeys(question.options, "nothing")])

    def as_written(self, cell: str, settings: Document) -> str:
        return cell if TupleSettings.of(settings).marked else without_offsets(cell)

    def suggestion(self, cell: str, points: Sequence[str]) -> str:
        return only_parts(cell, points or PARTS)

    def settings_problems(self, criterion: Document) -> Problems:
        parts = [point["value"] for point in criterion["points"]]
        for name, sentence in TupleSettings.of(criterion["settings"]).problems(parts).items():
            yield f"settings.{self.key}.{name}", sentence

    def complete_settings(self, settings: Document) -> dict[str, Any]:
        return {self.key: TupleSettings.of(settings).as_dict()}

    def stored_settings(self, settings: Document) -> dict[str, Any]:
        return TupleSettings.of(settings).stored()

    def first_settings(self) -> dict[str, Any]:
        return {self.key: replace(PLAIN, marked=("tenor", "vehicle"), adjective_noun=("ground",)).as_dict()}

    def posted_settings(
        self, fields: Mapping[str, str], points: Sequence[Mapping[str, str]]
    ) -> dict[str, Any]:
        parts = {
            name: [one.get("value", "") for one in points if name in one] for name in self.fields_of_points
        }
        return {
            self.key: {
                **parts,
                "nouns": _nouns(fields.get("nouns", "")),
                "general_nouns": _nouns(fields.get("general_nouns", "")),
                "refuse_general": "refuse_general" in fields,
                "units": fields.get("units", ""),
            }
        }

    def template_context(
        self, points: Sequence[PointLike], settings: Document, values: Sequence[str]
    ) -> dict[str, Any]:
        marking = marking_of(points, TupleSettings.of(settings), values)
        css = "criterion--marking" if marking else f"criterion--{self.key}"
        return {"css": css, "marking": marking, "rows": _rows(points, values)}


def _nouns(text: str) -> list[str]:
    return list(dict.fromkeys(noun.strip() for noun in NOUNS.split(text) if noun.strip()))


def _rows(points: Sequence[PointLike], values: Sequence[str]) -> list[dict[str, Any]]:
    """Rows to write tuples in: those given, and some that are empty."""
    given = [row for text in values for row in _readable(text)]
    return [
        {
            "number": number,
            "parts": [{"part": part, "text": in_a_field(row.get(part.value, ""))} for part in points],
        }
        for number, row in enumerate([*given, *({} for _ in range(EMPTY_ROWS))], start=1)
    ]


def _readable(text: str) -> list[dict[str, str]]:
    """The tuples of a text; empty if it has none, as a refused page may have sent anything."""
    try:
        return rows_of(text)
    except ValueError:
        return []


TUPLES = Tuples()
