"""Any study definition that can be asked, for Hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from annotation.domain.base.text_validation import is_one_line
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.seats.pairing import MOST_ROUNDS

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)
TEXT = WORDS.map(str.strip).filter(bool)
TITLE = TEXT.filter(is_one_line)
KEY = st.from_regex(r"[A-Za-z0-9_-]{1,12}", fullmatch=True)


def named(draw: st.DrawFn, most: int, least: int = 0) -> list[str]:
    return draw(st.lists(KEY, min_size=least, max_size=most, unique=True))


@st.composite
def points(draw: st.DrawFn, values: list[str]) -> list[dict[str, str]]:
    keys = draw(st.permutations(list("123456789abc")))
    return [
        {
            "value": value,
            "label": draw(TEXT | st.just("")),
            "description": draw(TEXT | st.just("")),
            "keyboard": draw(st.sampled_from(["", keys[place]])),
        }
        for place, value in enumerate(values)
    ]


def can_govern(one: dict[str, Any]) -> bool:
    return bool(one["points"]) and one["kind"] != "ranking"


@st.composite
def criteria(draw: st.DrawFn, key: str, earlier: list[dict[str, Any]]) -> dict[str, Any]:
    kind = draw(st.sampled_from(["likert", "choice", "multiple", "text", "tuples", "ranking"]))
    low = draw(st.integers(-9, 3))
    high = low + draw(st.integers(1, 7))
    values = [str(number) for number in range(low, high + 1)] if kind == "likert" else named(draw, 5, 2)
    governing = draw(st.sampled_from([None, *filter(can_govern, earlier)]))
    return {
        "key": key,
        "name": draw(TEXT),
        "question": draw(TEXT | st.just("")),
        "kind": kind,
        "minimum": low if kind == "likert" else None,
        "maximum": high if kind == "likert" else None,
        "required": draw(st.booleans()),
        "asked_after": governing["key"] if governing else "",
        "asked_when": draw(conditions(governing)) if governing else "",
        "points": [] if kind == "text" else draw(points(values)),
        "settings": {
            **draw(option_settings(values if kind in {"choice", "multiple"} else [])),
            **{key: own for one in KINDS.values() for key, own in one.complete_settings({}).items()},
            "tuples": draw(tuple_settings(values if kind == "tuples" else [])),
        },
    }


@st.composite
def conditions(draw: st.DrawFn, governing: dict[str, Any]) -> str:
    """An answer of the criterion, or on a scale a bound."""
    comparison = draw(st.sampled_from(["", ">=", "<="])) if governing["kind"] == "likert" else ""
    value: str = draw(st.sampled_from(governing["points"]))["value"]
    return f"{comparison}{value}"


@st.composite
def option_settings(draw: st.DrawFn, values: list[str]) -> dict[str, Any]:
    return {
        "shuffled": draw(st.booleans()),
        "unsure": draw(st.sampled_from(["", *values])),
        "answer_key": draw(TEXT | st.just("")) if values else "",
    }


@st.composite
def tuple_settings(draw: st.DrawFn, parts: list[str]) -> dict[str, Any]:
    """One text is marked for one criterion of a form, so none is here."""
    nouns = draw(st.lists(TEXT, unique=True, max_size=4)) if parts else []
    two = draw(st.lists(st.sampled_from(parts), unique=True)) if parts else []
    return {
        "marked": [],
        "optional": draw(st.lists(st.sampled_from(parts), unique=True, max_size=len(parts) - 1))
        if parts
        else [],
        "adjective_noun": two,
        "nouns": nouns[:2] if two else [],
        "general_nouns": nouns[2:] if two else [],
        "refuse_general": draw(st.booleans()) if parts else False,
        "units": draw(st.sampled_from(["", "characters", "words"])) if parts else "",
    }


@st.composite
def forms(draw: st.DrawFn, key: str) -> dict[str, Any]:
    asked: list[dict[str, Any]] = []
    for name in named(draw, 4, 1):
        asked.append(draw(criteria(name, asked)))
    blocks = [
        {
            "field": field,
            "label": draw(TEXT | st.just("")),
            "role": draw(st.sampled_from(["literal", "figure", "text"])),
            "mark": draw(st.lists(st.sampled_from(["topic", "vehicle"]), unique=True)),
            "lang": draw(st.sampled_from(["", "zh"])),
            "optional": draw(st.booleans()),
            "of": "",
            "value": "",
            "blank": draw(st.booleans()),
            "whole": False,
        }
        for field in named(draw, 3)
    ]
    for block in blocks[:1]:
        block.update(draw(st.sampled_from([{}, {"role": "audio", "whole": True}, {"role": "image"}])))
    languages = draw(st.lists(st.sampled_from(["ja", "zh-hans"]), unique=True))
    shown = draw(examples(asked))
    return {
        "key": key,
        "title": draw(TEXT),
        "translations": {language: draw(form_translation(blocks, asked, shown)) for language in languages},
        "overlap": draw(st.integers(1, 100)),
        "per_rater": draw(st.none() | st.integers(1, 1000)),
        "question": draw(TEXT | st.just("")),
        "cannot_rate": draw(st.booleans()),
        "blocks": blocks,
        "criteria": asked,
        "examples": shown,
        "practice": [{"field": block["field"], "text": draw(TEXT)} for block in blocks],
        "fed_by": None,
        "pairing": draw(pairing(asked)),
    }


def pairing(asked: Sequence[Mapping[str, Any]]) -> st.SearchStrategy[dict[str, Any] | None]:
    """Adaptive pairs, or none; only where a question compares two texts."""
    compared = [one["key"] for one in asked if KINDS[one["kind"]].yields is Yields.PREFERENCE]
    if not compared:
        return st.none()
    numbers = {"budget": st.integers(1, 1_000), "per_round": st.integers(1_000 // MOST_ROUNDS, 1_000)}
    return st.none() | st.fixed_dictionaries({"criterion": st.sampled_from(compared), **numbers})


@st.composite
def form_translation(
    draw: st.DrawFn,
    blocks: list[dict[str, Any]],
    asked: list[dict[str, Any]],
    shown: list[dict[str, Any]],
) -> dict[str, Any]:
    """Any part of it may be missing."""
    text = TEXT | st.just("")
    chosen = draw(st.lists(st.sampled_from(asked), unique_by=lambda one: str(one["key"])))
    return {
        "question": draw(text),
        "blocks": [{"field": one["field"], "label": draw(text)} for one in blocks if draw(st.booleans())],
        "criteria": [
            {
                "key": one["key"],
                "name": draw(text),
                "question": draw(text),
                "points": [
                    {"value": point["value"], "label": draw(text), "description": draw(text)}
                    for point in one["points"]
                    if draw(st.booleans())
                ],
            }
            for one in chosen
        ],
        "examples": [
            {"number": number, "text": draw(text), "answer": "", "reason": draw(text)}
            for number in range(1, len(shown) + 1)
            if draw(st.booleans())
        ],
        "practice": [{"field": one["field"], "text": draw(text)} for one in blocks if draw(st.booleans())],
    }


def study_translation() -> st.SearchStrategy[dict[str, str]]:
    texts = {
        name: TEXT | st.just("") for name in ("description", "content_warning", "consent", "instructions")
    }
    return st.fixed_dictionaries({"title": TITLE | st.just(""), **texts})


@st.composite
def examples(draw: st.DrawFn, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    about = draw(st.lists(st.sampled_from(asked), max_size=2))
    return [
        {
            "criterion": one["key"],
            "text": draw(TEXT),
            "answer": draw(st.sampled_from(one["points"]))["value"] if one["points"] else draw(TEXT),
            "right": draw(st.booleans()),
            "reason": draw(TEXT),
        }
        for one in about
    ]


@st.composite
def stages(draw: st.DrawFn, design: str) -> list[dict[str, Any]]:
    """Forms, of which a later one may be fed by an earlier one."""
    made: list[dict[str, Any]] = []
    for key in named(draw, 3):
        form, source = draw(forms(key)), draw(st.sampled_from([None, *made]))
        deciding = [one for one in source["criteria"] if KINDS[one["kind"]].decides] if source else []
        if deciding and design in {"pool", "panels"}:
            criterion = draw(st.sampled_from(deciding))
            form["fed_by"] = {
                "form": source["key"],
                "criterion": criterion["key"],
                "value": draw(st.sampled_from(criterion["points"]))["value"],
                "rule": draw(st.sampled_from(["any", "majority", "all"])),
                "people": draw(st.sampled_from(["anybody", "others_for_item", "others"])),
                "suggestions": draw(st.booleans()),
                "matches": {},
            }
        made.append(form)
    return made


def background_pages() -> st.SearchStrategy[dict[str, Any]]:
    text = TEXT | st.just("")
    translated = st.dictionaries(
        st.sampled_from(["ja", "zh-hans"]), st.fixed_dictionaries({"title": text, "text": text}), max_size=2
    )
    return st.fixed_dictionaries({"title": TEXT, "text": TEXT, "translations": translated})


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    every = draw(st.none() | st.integers(2, 50))
    design = draw(st.sampled_from(["pool", "batches", "all", "panels"]))
    return {
        "format": "groundwork-study",
        "version": 1,
        "study": {
            "title": draw(TITLE),
            **{
                name: draw(TEXT | st.just(""))
                for name in ("description", "content_warning", "consent", "instructions")
            },
            "language": draw(st.sampled_from(["en", "zh", "pt-BR"])),
            "translations": draw(
                st.dictionaries(st.sampled_from(["ja", "zh-hans"]), study_translation(), max_size=2)
            ),
            "interface_language": draw(st.sampled_from(["", "en", "ja", "zh-hans"])),
            "break_after": draw(st.none() | st.integers(2, 50)),
            "seat_minutes": draw(st.integers(60, 100_000)),
            "last_seat_minutes": draw(st.none() | st.integers(2, 60)),
            "least_seconds": draw(st.none() | st.integers(1, 60)),
            "exempt_characters": draw(st.integers(0, 100)),
            "include_late": draw(st.booleans()),
            "on_withdrawal": draw(st.sampled_from(["keep", "exclude", "erase"])),
            "keep_about_days": draw(st.none() | st.integers(0, 400)),
            "keep_ids_days": draw(st.none() | st.integers(0, 400)),
            "keep_activity_days": draw(st.none() | st.integers(0, 400)),
        },
        "serving": {
            "design": design,
            "keep_groups": draw(st.sampled_from(["free", "together", "apart"])),
            "batch_size": draw(st.none() | st.integers(1, 50)),
            "batches_per_rater": draw(st.none() | st.integers(1, 50)),
            "mixed": draw(st.booleans()),
            "more_allowed": draw(st.booleans()),
        },
        "forms": draw(stages(design)),
        "demographics": [
            {
                "key": key,
                "text": draw(TEXT),
                "kind": kind,
                "options": ["a", "b"] if kind == "choice" else [],
                "translations": {
                    language: {"text": draw(TEXT), "options": ["c", "d"] if kind == "choice" else []}
                    for language in draw(st.sets(st.sampled_from(["ja", "zh-hans"])))
                },
            }
            for key in named(draw, 3)
            for kind in [draw(st.sampled_from(["choice", "text", "number"]))]
        ],
        "checks": {
            "every": every,
            "jitter": draw(st.integers(0, ((every or 2) - 1) // 2)),
            "planted": [],
        },
        "qualification": draw(
            st.none()
            | st.fixed_dictionaries(
                {
                    "rule": st.just("near"),
                    "tolerance": st.floats(0, 3),
                    "share": st.floats(0.1, 1),
                    "least": st.none(),
                    "attempts": st.none() | st.integers(1, 5),
                    "feedback": st.booleans(),
                    "items_per_attempt": st.none() | st.integers(1, 9),
                    "pages": st.lists(background_pages(), max_size=2),
                    "items": st.just([]),
                }
            )
        ),
        "pay": draw(
            st.none()
            | st.fixed_dictionaries(
                {
                    "currency": st.sampled_from(["EUR", "JPY"]),
                    "paid_for": st.sampled_from(["page", "sitting", "rater"]),
                    "amount": st.sampled_from(["0", "0.25", "12", "1.0005"]),
                    "floor": st.none() | st.just("12.5"),
                    "page_seconds": st.none() | st.floats(1, 600),
                    "shown": st.booleans(),
                }
            )
        ),
    }
