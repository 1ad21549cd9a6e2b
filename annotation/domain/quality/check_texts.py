"""The texts of an attention check in a further language, as a definition has them and by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.questions.text_languages import Place

# Where a text is in a check: `("question",)`, `("options", "0")`, `("texts", "simile")`.
NAME, QUESTION = ("name",), ("question",)
OPTIONS, TEXTS = "options", "texts"


def check_translation(texts: Mapping[Place, str], *, options: int) -> dict[str, Any]:
    """The translation of a check as a definition has it; its question has so many options."""
    translated = [texts.get((OPTIONS, str(number)), "") for number in range(options)]
    return {
        "name": texts.get(NAME, ""),
        "question": texts.get(QUESTION, ""),
        "options": translated if any(translated) else [],
        "texts": {place[1]: text for place, text in texts.items() if place[0] == TEXTS and text},
    }


def read_translation(translation: Mapping[str, Any]) -> dict[Place, str]:
    """The texts of a translation by place; the reverse of `check_translation`."""
    found: dict[Place, str] = {NAME: translation["name"], QUESTION: translation["question"]}
    found |= {(OPTIONS, str(number)): text for number, text in enumerate(translation["options"])}
    found |= {(TEXTS, field): text for field, text in translation["texts"].items()}
    return {place: text for place, text in found.items() if text}


def translation_problem(translation: Mapping[Place, str], own: Mapping[Place, str]) -> str:
    """The problem of a translation, such as a text that the check lacks, as a sentence; empty if it fits."""
    for place in translation:
        if place not in own:
            return message("The check has no text “%(text)s”. Remove its translation.", text=" ".join(place))
    options = [place for place in own if place[0] == OPTIONS]
    given = [place for place in options if translation.get(place)]
    return message("Translate all options of the question or none.") if given and given != options else ""
