"""Differences between two versions of a form: in its texts only, or also in its questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.domain.questions.text_languages import Place, form_texts

Document = Mapping[str, Any]
# Parts of a form that are wording. A change of any other part changes the question itself.
OF_FORM = {"title", "question", "examples", "practice", "translations"}
OF_BLOCK = {"label"}
OF_CRITERION = {"name", "question"}
OF_POINT = {"label", "description"}
INSTRUCTIONS: Place = ("instructions",)


@dataclass(frozen=True)
class TextChange:
    """A text of a form before and after a change; `place` says where it is."""

    place: Place
    before: str
    after: str


def is_wording_only(before: Document, after: Document) -> bool:
    """Whether two forms, in the shape of a definition, differ in their texts alone.

    Kind, points, order, required answers, display logic and the item texts shown are no wording.
    """
    return _structure(before) == _structure(after)


def changed_texts(before: Document, after: Document) -> list[TextChange]:
    """The texts that differ between two forms in the shape of a definition, in the order of the form."""
    old, new = dict(_texts(before)), dict(_texts(after))
    places = dict.fromkeys([*new, *old])
    found = [TextChange(place, old.get(place, ""), new.get(place, "")) for place in places]
    return [one for one in found if one.before != one.after]


def changed_instructions(before: Mapping[str, str], after: Mapping[str, str], own: str) -> list[TextChange]:
    """The instructions that differ, each given as language → text; `own` is the language of the study."""
    languages = dict.fromkeys([*after, *before])
    return [
        TextChange(
            INSTRUCTIONS if language == own else (language, *INSTRUCTIONS),
            before.get(language, ""),
            after.get(language, ""),
        )
        for language in languages
        if before.get(language, "") != after.get(language, "")
    ]


def _structure(form: Document) -> dict[str, Any]:
    return {
        **_without(form, OF_FORM),
        "blocks": [_without(block, OF_BLOCK) for block in form["blocks"]],
        "criteria": [
            {
                **_without(one, OF_CRITERION),
                "points": [_without(point, OF_POINT) for point in one["points"]],
            }
            for one in form["criteria"]
        ],
    }


def _without(document: Document, names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in names}


def _texts(form: Document, language: str = "") -> Iterator[tuple[Place, str]]:
    """Every text with its place; those of a translation have their language before it."""
    within = (language,) if language else ()
    if not language:
        yield ("title",), form["title"]
    for place, text in form_texts(form).items():
        yield (*within, *place), text
    for other, texts in form.get("translations", {}).items():
        yield from _texts(texts, other)
