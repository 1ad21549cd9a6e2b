"""The shape of a study’s texts in further languages, as a study definition has them."""

from __future__ import annotations

from typing import Any

from annotation.domain.base.limits import (
    LANGUAGE,
    LONGEST_EXAMPLE_ANSWER,
    LONGEST_EXAMPLE_REASON,
    LONGEST_ITEM_TEXT,
    LONGEST_LANGUAGE_CODE,
    LONGEST_REFERENCE_REASON,
    LONGEST_TEXT,
    LONGEST_TITLE,
    LONGEST_WARNING,
)
from annotation.domain.people.demographics import LONGEST_ANSWER, LONGEST_QUESTION, MOST_OPTIONS

Schema = dict[str, Any]
MOST_LANGUAGES = 20


def _text(described: str, longest: int = LONGEST_TEXT) -> Schema:
    return {"description": described, "type": "string", "maxLength": longest, "default": ""}


def _name(described: str, longest: int) -> Schema:
    return {"description": described, "type": ["string", "integer"], "maxLength": longest}


def _texts(described: str, needed: str = "", **properties: Schema) -> Schema:
    return {
        "description": described,
        "type": "object",
        "properties": properties,
        "required": [needed] if needed else [],
        "additionalProperties": False,
    }


def _list(described: str, of: Schema, most: int) -> Schema:
    return {"description": described, "type": "array", "items": of, "maxItems": most, "default": []}


def _by_language(described: str, texts: Schema) -> Schema:
    return {
        "description": described,
        "type": "object",
        "propertyNames": {"pattern": f"^{LANGUAGE}$", "maxLength": LONGEST_LANGUAGE_CODE},
        "additionalProperties": texts,
        "maxProperties": MOST_LANGUAGES,
        "default": {},
    }


STUDY = _by_language(
    "Language of raters’ pages → the texts in it; a text that is left out is shown as the study has it.",
    _texts(
        "The texts of the study in one language.",
        title=_text("The title, on one line.", LONGEST_TITLE),
        description=_text("A description of the study."),
        content_warning=_text("Shown before the consent form.", LONGEST_WARNING),
        consent=_text("The consent form."),
        instructions=_text("The instructions."),
    ),
)
POINT = _texts(
    "A point in one language.",
    "value",
    value=_name("As the form has it.", 60),
    label=_text("The label.", 120),
    description=_text("The rubric: what the point means."),
)
CRITERION = _texts(
    "A criterion in one language.",
    "key",
    key=_name("As the form has it.", 60),
    name=_text("Its name on pages.", 120),
    question=_text("What is asked."),
    points=_list("Its points.", POINT, 100),
)
BLOCK = _texts(
    "A text of the item.",
    "field",
    field=_name("As the form has it.", 120),
    label=_text("Its heading.", 120),
)
EXAMPLE = _texts(
    "A worked example in one language.",
    "number",
    number={"description": "Which of the form’s examples, from 1.", "type": "integer", "minimum": 1},
    text=_text("The text that is rated.", LONGEST_ITEM_TEXT),
    answer=_text("The answer, if it is a text.", LONGEST_EXAMPLE_ANSWER),
    reason=_text("Why it is good or bad.", LONGEST_EXAMPLE_REASON),
)
PRACTICE = _texts(
    "A text of the practice item in one language.",
    "field",
    field=_name("As the form has it.", 120),
    text=_text("The text.", LONGEST_ITEM_TEXT),
)
FORM = _by_language(
    "Language of raters’ pages → the texts in it; a text that is left out is shown as the form has it.",
    _texts(
        "The texts of the form in one language.",
        question=_text("Shown above the criteria."),
        blocks=_list("Headings of the texts of the item.", BLOCK, 50),
        criteria=_list("The questions.", CRITERION, 100),
        examples=_list("Worked examples.", EXAMPLE, 100),
        practice=_list("The texts of the practice item.", PRACTICE, 50),
    ),
)
QUESTION = _by_language(
    "Language of raters’ pages → the question in it.",
    _texts(
        "The question in one language.",
        text=_text("What is asked.", LONGEST_QUESTION),
        options=_list("Every option, in the same order.", _text("An option.", LONGEST_ANSWER), MOST_OPTIONS),
    ),
)
PAGE = _by_language(
    "Language of raters’ pages → the page in it.",
    _texts(
        "The page in one language.",
        title=_text("Its heading.", LONGEST_TITLE),
        text=_text("The text."),
    ),
)
REASON = _by_language(
    "Language of raters’ pages → the reason in it.",
    _texts("The reason in one language.", reason=_text("Why these values.", LONGEST_REFERENCE_REASON)),
)
CHECK = _by_language(
    "Language of raters’ pages → the texts of the check in it.",
    _texts(
        "The texts of the check in one language.",
        name=_text("Heading of the question.", 120),
        question=_text("Its own question."),
        options=_list("Every option of its own question, in the same order.", _text("An option.", 120), 20),
        texts={
            "description": "An instruction: field of the item → text; `{vehicle:a bell}` marks a component.",
            "type": "object",
            "additionalProperties": {"type": "string", "maxLength": LONGEST_ITEM_TEXT},
            "default": {},
        },
    ),
)
