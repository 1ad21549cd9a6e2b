"""Texts of a study in further languages: the language in which each is shown, and which stay valid."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import message

# Translations are `{language: texts}`; `texts` is shaped like what it translates. An empty text is missing.
Translations = Mapping[str, Mapping[str, Any]]
STUDY_TEXTS = ("title", "description", "content_warning", "consent", "instructions")
OF_CRITERION = ("name", "question")
OF_POINT = ("label", "description")
OF_EXAMPLE = ("text", "answer", "reason")
# Code of BCP 47 for a language that is not known.
UNDETERMINED = "und"
Problems = Iterator[tuple[str, str]]
# Where a text is in a form: `("criteria", "humour", "points", "3", "label")`.
Place = tuple[str, ...]


class Text(str):
    """A text that knows its language: the rater's, or the study's own where that is missing."""

    __slots__ = ("lang",)
    lang: str


def text_in(own: str, translated: str, *, own_language: str, language: str) -> Text:
    """The translated text; the study's own text if there is none."""
    found = Text(translated or own)
    found.lang = language if translated else own_language
    return found


def language_shown(translations: Translations, *, own: str, interface: str, imported: str = "") -> str:
    """In which language texts were shown on a page in the language `interface`; empty where unknown.

    `imported` is the language stated in a file, `UNDETERMINED` if the file states none; empty without a file.
    """
    if imported:
        return "" if imported == UNDETERMINED else imported
    if interface in translations:
        return interface
    return own if interface or not translations else ""


def consent_translations(translations: Translations) -> dict[str, str]:
    """The consent text of a study in each language that has one."""
    return {language: texts["consent"] for language, texts in translations.items() if texts.get("consent")}


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but the ends of their lines and space around them."""
    return plain_lines(one) == plain_lines(other)


def plain_lines(text: str) -> str:
    """A text as it is stored, with the line ends that it had before a browser sent it."""
    return text.replace("\r\n", "\n").strip()


def with_translation(translations: Translations, language: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """The translations with texts in one language replaced; a language without any text is left out."""
    changed = {**translations.get(language, {}), **texts}
    others = {key: one for key, one in translations.items() if key != language}
    return {**others, language: changed} if any(changed.values()) else others


def without_texts(translations: Translations, names: Collection[str]) -> dict[str, Any]:
    """The translations without those of texts that have changed."""
    left = {
        language: {name: text for name, text in texts.items() if name not in names}
        for language, texts in translations.items()
    }
    return {language: texts for language, texts in left.items() if any(texts.values())}


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
    on_points = {one["key"] for one in form.get("criteria", ()) if one.get("points")}
    for n, one in enumerate(form.get("examples", ()), start=1):
        number = str(one.get("number", n))
        # An answer that is a point is read by the label of the point.
        names = [name for name in OF_EXAMPLE if name != "answer" or one.get("criterion") not in on_points]
        found |= {("examples", number, name): one.get(name, "") for name in names}
    found |= {("practice", one["field"]): one.get("text", "") for one in form.get("practice", ())}
    return {where: text for where, text in found.items() if text}


def form_translation(texts: Mapping[Place, str]) -> dict[str, Any]:
    """The translation of a form that has these texts, in the shape of a definition."""
    labels = {place[1]: text for place, text in texts.items() if place[0] == "blocks"}
    practice = {place[1]: text for place, text in texts.items() if place[0] == "practice"}
    examples: dict[str, dict[str, Any]] = {}
    for place, text in texts.items():
        if place[0] == "examples":
            empty = {"number": int(place[1]), **dict.fromkeys(OF_EXAMPLE, "")}
            examples.setdefault(place[1], empty)[place[2]] = text
    return {
        "question": texts.get(("question",), ""),
        "blocks": [{"field": field, "label": text} for field, text in labels.items()],
        "criteria": _translated_criteria(texts),
        "examples": sorted(examples.values(), key=lambda one: one["number"]),
        "practice": [{"field": field, "text": text} for field, text in practice.items()],
    }


def _translated_criteria(texts: Mapping[Place, str]) -> list[dict[str, Any]]:
    criteria: dict[str, dict[str, Any]] = {}
    for place, text in texts.items():
        if place[0] != "criteria":
            continue
        one = criteria.setdefault(place[1], {"key": place[1], "name": "", "question": "", "points": {}})
        if place[2] == "points":
            empty = {"value": place[3], **dict.fromkeys(OF_POINT, "")}
            one["points"].setdefault(place[3], empty)[place[4]] = text
        else:
            one[place[2]] = text
    return [{**one, "points": list(one["points"].values())} for one in criteria.values()]


def form_translation_problems(form: Mapping[str, Any]) -> Problems:
    """Problems of the translations of a form, as (path within the form, sentence)."""
    criteria = {one["key"]: {point["value"] for point in one["points"]} for one in form["criteria"]}
    fields = {block["field"] for block in form["blocks"]}
    tried = {one["field"] for one in form.get("practice", ())}
    for language, texts in form["translations"].items():
        at = f"translations.{language}"
        yield from _unknown(f"{at}.practice", [one["field"] for one in texts.get("practice", ())], tried)
        yield from _unknown(f"{at}.blocks", [one["field"] for one in texts["blocks"]], fields)
        yield from _unknown(f"{at}.criteria", [one["key"] for one in texts["criteria"]], criteria)
        for place, one in enumerate(texts["criteria"]):
            values = [point["value"] for point in one["points"]]
            yield from _unknown(f"{at}.criteria[{place}].points", values, criteria.get(one["key"], values))
        yield from _example_problems(f"{at}.examples", texts.get("examples", ()), form)


def _example_problems(path: str, given: Sequence[Mapping[str, Any]], form: Mapping[str, Any]) -> Problems:
    own = form.get("examples", ())
    numbers = [one["number"] for one in given]
    yield from _unknown(path, numbers, range(1, len(own) + 1))
    texts = form_texts(form)
    for place, one in enumerate(given):
        at = ("examples", str(one["number"]), "answer")
        if one["answer"] and one["number"] <= len(own) and at not in texts:
            sentence = message("This answer is a scale point or option. Translate its label instead.")
            yield f"{path}[{place}].answer", sentence


def _unknown(path: str, given: Sequence[str | int], known: Any) -> Problems:
    for place, name in enumerate(given):
        if name not in known:
            sentence = message("The form has no “%(name)s” here. Remove its translation.", name=name)
            yield f"{path}[{place}]", sentence
        elif name in given[:place]:
            sentence = message("“%(name)s” is translated twice. Remove one translation.", name=name)
            yield f"{path}[{place}]", sentence


def remaining_translations(
    before: Mapping[str, Any], after: Mapping[str, Any], *, same_meaning: bool = False
) -> dict[str, Any]:
    """The translations of a changed form, without those of changed texts unless these mean the same.

    Examples that were moved keep theirs.
    """
    old, new = form_texts(before), form_texts(after)
    numbers = _numbers_after(before.get("examples", ()), after.get("examples", ()))
    now = {where: _place_after(where, numbers) for where in old}
    same = {
        where: place
        for where, place in now.items()
        if new.get(place) and (same_meaning or new[place] == old[where])
    }
    remaining = {
        language: {same[where]: text for where, text in form_texts(texts).items() if where in same}
        for language, texts in before["translations"].items()
    }
    return {language: form_translation(texts) for language, texts in remaining.items() if texts}


def _place_after(where: Place, numbers: Mapping[str, str]) -> Place:
    """The place of a text of a form after a change; `()` if its example was removed."""
    if where[0] != "examples":
        return where
    return ("examples", numbers[where[1]], where[2]) if where[1] in numbers else ()


def _numbers_after(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Number of each example → its number after a change: the same text, else the same number."""
    free = dict(enumerate(after, start=1))
    found: dict[str, str] = {}
    for number, one in enumerate(before, start=1):
        same = [place for place, other in free.items() if _is_same_example(one, other)]
        if same:
            to = number if number in same else same[0]
            found[str(number)] = str(to)
            del free[to]
    for number in range(1, len(before) + 1):
        if number in free and str(number) not in found:
            found[str(number)] = str(number)
    return found


def _is_same_example(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return (one["criterion"], one["text"]) == (other["criterion"], other["text"])
