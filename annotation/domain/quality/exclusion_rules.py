"""What an exclusion rule may say: its conditions, checked and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import MOST_THRESHOLD
from annotation.domain.base.text_validation import NOT_TEXT

HAND_PICKED = "hand_picked"
GREATEST_KEY = 2**63


@dataclass(frozen=True)
class Setting:
    """One setting of a condition: a whole number, a number, or the key of a criterion."""

    name: str
    label: str
    kind: str
    least: float = 0.0
    default: float | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of condition: what it takes out, its settings, and how it reads."""

    key: str
    target: str
    label: str
    words: str
    settings: tuple[Setting, ...]


CRITERION = Setting("criterion", "Criterion", "criterion")
KINDS: dict[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind(
            "lacks_context",
            "item",
            "Items without enough context",
            "items that have not enough context for {raters} or more raters",
            (Setting("raters", "Raters who say so, at least", "whole", 1, 1),),
        ),
        Kind(
            "opposition",
            "item",
            "Items on which raters are opposed",
            "items with a rating of {low} or less and one of {high} or more on {criterion}",
            (
                CRITERION,
                Setting("low", "Low: up to", "number", -32768, 2),
                Setting("high", "High: from", "number", -32768, 4),
            ),
        ),
        Kind(
            "too_few_ratings",
            "item",
            "Items with too few ratings",
            "items with fewer than {fewest} ratings",
            (Setting("fewest", "Fewer ratings than", "whole", 1, 2),),
        ),
        Kind(
            "failed_checks",
            "rater",
            "Raters who failed attention checks",
            "raters who failed {failed} or more attention checks",
            (Setting("failed", "Checks failed, at least", "whole", 1, 2),),
        ),
        Kind(
            "too_fast",
            "response",
            "Answers that came too fast",
            "answers that took less than {seconds} seconds",
            (Setting("seconds", "Fewer seconds than", "number", 0, 3),),
        ),
        Kind(
            "held_out_below",
            "rater",
            "Raters who do not go with the others",
            "raters whose correlation with the mean of the others is below {value} on {criterion}",
            (CRITERION, Setting("value", "Correlation below", "number", -1, 0.1)),
        ),
    )
}


def check_conditions(
    conditions: Sequence[Mapping[str, Any]], criteria: Sequence[str]
) -> list[dict[str, Any]]:
    """The conditions of a rule in their stored form: `kind` and every setting, numbers as numbers.

    Raises
    ------
    InvalidContent
        There is none (`no_condition`), or one cannot be read (`bad_condition`).
    """
    if not conditions:
        raise InvalidContent("Choose at least one condition.", code="no_condition")
    return [_checked(condition, criteria) for condition in conditions]


def condition_words(condition: Mapping[str, Any]) -> str:
    """A stored condition as words: `items that have not enough context for 1 or more raters`."""
    if condition["kind"] == HAND_PICKED:
        picked = [f"{len(condition[name])} {name}" for name in ("items", "raters", "responses")]
        return "picked by hand: " + ", ".join(words for words in picked if not words.startswith("0 "))
    kind = KINDS[condition["kind"]]
    shown = {setting.name: _shown(condition[setting.name]) for setting in kind.settings}
    return kind.words.format(**shown)


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _checked(condition: Mapping[str, Any], criteria: Sequence[str]) -> dict[str, Any]:
    name = condition.get("kind")
    if name == HAND_PICKED:
        return _hand_picked(condition)
    if not isinstance(name, str) or name not in KINDS:
        raise InvalidContent(f"There is no kind of condition {name!r}.", code="bad_condition")
    kind = KINDS[name]
    found: dict[str, Any] = {"kind": kind.key}
    for setting in kind.settings:
        found[setting.name] = _setting(kind, setting, condition.get(setting.name), criteria)
    if kind.key == "opposition" and found["low"] >= found["high"]:
        raise InvalidContent(
            f"{kind.label}: the low bound {_shown(found['low'])} must lie below the high bound "
            f"{_shown(found['high'])}.",
            code="bad_condition",
            fields={"opposition-high": "Must lie above the low bound."},
        )
    return found


def _setting(kind: Kind, setting: Setting, value: Any, criteria: Sequence[str]) -> Any:
    field, named = f"{kind.key}-{setting.name}", f"{kind.label}, {setting.label}"
    if setting.kind == "criterion":
        if value not in criteria:
            message = f"{named}: {value!r} is not a criterion on a scale of this study."
            raise InvalidContent(message, code="bad_condition", fields={field: "Choose a criterion."})
        return value
    try:
        if isinstance(value, bool):
            raise TypeError
        number = float(value)
        if setting.kind == "whole" and number != int(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        wanted = "a whole number" if setting.kind == "whole" else "a number"
        message = f"{named}: {value!r} is not {wanted}."
        raise InvalidContent(message, code="bad_condition", fields={field: f"Give {wanted}."}) from None
    if not setting.least <= number <= MOST_THRESHOLD:
        message = f"{named}: {number:g} is outside {setting.least:g} to {MOST_THRESHOLD:,}."
        raise InvalidContent(message, code="bad_condition", fields={field: f"From {setting.least:g} on."})
    return int(number) if setting.kind == "whole" else number


def _is_number(key: object) -> bool:
    return isinstance(key, int) and not isinstance(key, bool) and 0 < key < GREATEST_KEY


def _is_text(key: object) -> bool:
    return isinstance(key, str) and not NOT_TEXT.search(key)


def _hand_picked(condition: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": HAND_PICKED}
    for name in ("items", "raters", "responses"):
        given = condition.get(name, [])
        is_key = _is_number if name == "responses" else _is_text
        if not isinstance(given, list) or not all(map(is_key, given)):
            raise InvalidContent(f"Picked by hand: {name} is not a list of keys.", code="bad_condition")
        found[name] = given
    if not any(found[name] for name in ("items", "raters", "responses")):
        raise InvalidContent("Nothing is picked.", code="no_condition")
    return found
