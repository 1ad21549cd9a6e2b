"""Texts of a study in further languages: which piece is shown in which, and which pieces stay valid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# Translations are `{language: texts}`; `texts` is shaped like what it translates. An empty text is missing.
Translations = Mapping[str, Mapping[str, Any]]
STUDY_TEXTS = ("title", "description", "content_warning", "consent", "instructions")
OF_CRITERION = ("name", "question")
OF_POINT = ("label", "description")
Problems = Iterator[tuple[str, str]]
# Where a text stands in a form: `("criteria", "humour", "points", "3", "label")`.
Place = tuple[str, ...]


class Text(str):
    """A text that knows its language: the rater's, or the study's own where that is missing."""

    __slots__ = ("lang",)
    lang: str


def text_in(own: str, translated: str, *, own_language: str, language: str) -> Text:
    """The translated text; the study's own where there is none."""
    found = Text(translated or own)
    found.lang = language if translated else own_language
    return found


def language_shown(translations: Translations, *, own: str, interface: str) -> str:
    """In which language texts were shown on a page in the language `interface`; empty where unknown."""
    if interface in translations:
        return interface
    return own if interface or not translations else ""


def consent_translations(translations: Translations) -> dict[str, str]:
    """The consent text of a study in each language that has one."""
    return {language: texts["consent"] for language, texts in translations.items() if texts.get("consent")}


def form_texts(form: Mapping[str, Any]) -> dict[Place, str]:
    """The texts of a form that raters read, as a definition has them or a translation of them, by place."""
    found: dict[Place, str] = {("question",): form.get("question", "")}
    for block in form.get("blocks", ()):
        found["blocks", block["field"], "label"] = block.get("label", "")
    for one in form.get("criteria", ()):
        place: Place = ("criteria", one["key"])
        found |= {(*place, name): one.get(name, "") for name in OF_CRITERION}
        for point in one.get("points", ()):
            at = (*place, "points", str(point["value"]))
            found |= {(*at, name): point.get(name, "") for name in OF_POINT}
    return {where: text for where, text in found.items() if text}


def form_translation(texts: Mapping[Place, str]) -> dict[str, Any]:
    """The translation of a form that has these texts, in the shape of a definition."""
    criteria: dict[str, dict[str, Any]] = {}
    for place, text in texts.items():
        if place[0] != "criteria":
            continue
        one = criteria.setdefault(place[1], {"key": place[1], "name": "", "question": "", "points": {}})
        if place[2] == "points":
            point = one["points"].setdefault(place[3], {"value": place[3], "label": "", "description": ""})
            point[place[4]] = text
        else:
            one[place[2]] = text
    return {
        "question": texts.get(("question",), ""),
        "blocks": [
            {"field": place[1], "label": text} for place, text in texts.items() if place[0] == "blocks"
        ],
        "criteria": [{**one, "points": list(one["points"].values())} for one in criteria.values()],
    }


def form_translation_problems(form: Mapping[str, Any]) -> Problems:
    """What of the translations of a form has no place in it, as (path within the form, sentence)."""
    criteria = {one["key"]: {point["value"] for point in one["points"]} for one in form["criteria"]}
    fields = {block["field"] for block in form["blocks"]}
    for language, texts in form["translations"].items():
        at = f"translations.{language}"
        yield from _unknown(f"{at}.blocks", [one["field"] for one in texts["blocks"]], fields)
        yield from _unknown(f"{at}.criteria", [one["key"] for one in texts["criteria"]], criteria)
        for place, one in enumerate(texts["criteria"]):
            values = [point["value"] for point in one["points"]]
            yield from _unknown(f"{at}.criteria[{place}].points", values, criteria.get(one["key"], values))


def _unknown(path: str, given: Sequence[str], known: Any) -> Problems:
    for place, name in enumerate(given):
        if name not in known:
            yield f"{path}[{place}]", f"The form has no {name!r} here: translate what it has."
        elif name in given[:place]:
            yield f"{path}[{place}]", f"{name!r} is translated twice: keep one."


def kept_translations(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The translations of a form that was changed, without those of texts that are others now."""
    old, new = form_texts(before), form_texts(after)
    same = {where for where in new if old.get(where) == new[where]}
    kept = {language: _only(texts, same) for language, texts in before["translations"].items()}
    return {language: texts for language, texts in kept.items() if form_texts(texts)}


def _only(texts: Mapping[str, Any], same: set[Place]) -> dict[str, Any]:
    def keep(where: Place, text: str) -> str:
        return text if where in same else ""

    return {
        "question": keep(("question",), texts["question"]),
        "blocks": [
            {"field": one["field"], "label": keep(("blocks", one["field"], "label"), one["label"])}
            for one in texts["blocks"]
            if ("blocks", one["field"], "label") in same
        ],
        "criteria": [found for one in texts["criteria"] if (found := _only_of(one, same)) is not None],
    }


def _only_of(one: Mapping[str, Any], same: set[Place]) -> dict[str, Any] | None:
    place: Place = ("criteria", one["key"])
    points = [
        {"value": point["value"]}
        | {name: point[name] if (*place, "points", point["value"], name) in same else "" for name in OF_POINT}
        for point in one["points"]
    ]
    found = {
        "key": one["key"],
        **{name: one[name] if (*place, name) in same else "" for name in OF_CRITERION},
        "points": [point for point in points if any(point[name] for name in OF_POINT)],
    }
    return found if found["points"] or any(found[name] for name in OF_CRITERION) else None
