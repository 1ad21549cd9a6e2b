"""The conditions of exclusion rules: their kinds, validation and descriptions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import MOST_THRESHOLD
from annotation.domain.base.messages import Message, message
from annotation.domain.base.text_validation import NOT_TEXT

HAND_PICKED = "hand_picked"
GREATEST_KEY = 2**63


@dataclass(frozen=True)
class Setting:
    """One setting of a condition: a whole number, a number, or the name of a criterion."""

    name: str
    label: Message
    kind: str
    least: float = 0.0
    default: float | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of condition: what it excludes, its settings, its sentence with their names in it, a caution.

    A kind `on_agreement` excludes the data that agree least, so that the rest agrees more even by chance.
    """

    key: str
    target: str
    label: Message
    words: Message
    settings: tuple[Setting, ...]
    note: Message | None = None
    on_agreement: bool = False


CRITERION = Setting("criterion", message("Criterion"), "criterion")
KINDS: dict[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind(
            "lacks_context",
            "item",
            message("Items without enough context"),
            message("items that lack context for %(raters)s or more raters"),
            (Setting("raters", message("Minimum number of raters who say so"), "whole", 1, 1),),
        ),
        Kind(
            "opposition",
            "item",
            message("Items with opposed ratings"),
            message("items with a rating of %(low)s or lower and one of %(high)s or higher on %(criterion)s"),
            (
                CRITERION,
                Setting("low", message("Low rating: at most"), "number", -32768, 2),
                Setting("high", message("High rating: at least"), "number", -32768, 4),
            ),
            on_agreement=True,
        ),
        Kind(
            "too_few_ratings",
            "item",
            message("Items with too few ratings"),
            message("items with fewer than %(fewest)s ratings"),
            (Setting("fewest", message("Fewer ratings than"), "whole", 1, 2),),
        ),
        Kind(
            "failed_checks",
            "rater",
            message("Raters who failed attention checks"),
            message("raters who failed %(failed)s or more attention checks"),
            (Setting("failed", message("Minimum number of failed checks"), "whole", 1, 2),),
        ),
        Kind(
            "straight_lining",
            "rater",
            message("Raters with the same value on every criterion"),
            message(
                "raters with the same value on every criterion, 3 or more, in more than %(percent)s%% of "
                "their responses and clearly more often than by chance"
            ),
            (Setting("percent", message("Share of responses (per cent): more than"), "number", 0, 50),),
            message(
                "Honest answers to yes/no criteria, or to criteria with mostly the same value, can look like "
                "this. Review the raters before you exclude them. The condition compares with chance. It "
                "needs at least 10 responses with values on 3 criteria; with fewer, it does not apply."
            ),
        ),
        Kind(
            "too_fast",
            "response",
            message("Responses that were too fast"),
            message("responses that took less than %(seconds)s seconds"),
            (Setting("seconds", message("Fewer seconds than"), "number", 0, 3),),
        ),
        Kind(
            "held_out_below",
            "rater",
            message("Raters with low agreement"),
            message(
                "raters whose correlation with the mean of the others is below %(value)s on %(criterion)s"
            ),
            (CRITERION, Setting("value", message("Correlation below"), "number", -1, 0.1)),
            on_agreement=True,
        ),
    )
}
PICKED = ("items", "raters", "responses")


def check_conditions(
    conditions: Sequence[Mapping[str, Any]], criteria: Sequence[str], on_ratios: Collection[str] = ()
) -> list[dict[str, Any]]:
    """The conditions of a rule in their stored form: `kind` and every setting, numbers as numbers.

    Raises
    ------
    InvalidContent
        There is none (`no_condition`), one cannot be read (`bad_condition`), or one names a number of 0 or
        less on a criterion among `on_ratios` (`bound_not_above_zero`).
    """
    if not conditions:
        raise InvalidContent(message("Choose at least one condition."), code="no_condition")
    return [_checked(condition, criteria, on_ratios) for condition in conditions]


def condition_words(condition: Mapping[str, Any]) -> Message:
    """Describe a stored condition: `items that lack context for 1 or more raters`."""
    if condition["kind"] == HAND_PICKED:
        n = {name: len(condition[name]) for name in PICKED}
        return message("selected manually: %(items)s items, %(raters)s raters, %(responses)s responses", **n)
    kind = KINDS[condition["kind"]]
    return message(kind.words, **{setting.name: _shown(condition[setting.name]) for setting in kind.settings})


def condition_note(condition: Mapping[str, Any]) -> Message | None:
    """What to consider before data are excluded by a stored condition; None where there is nothing."""
    return None if condition["kind"] == HAND_PICKED else KINDS[condition["kind"]].note


def may_select_on_agreement(conditions: Sequence[Mapping[str, Any]]) -> bool:
    """Whether stored conditions exclude the data that agree least, as a manual selection also may."""
    return any(one["kind"] == HAND_PICKED or KINDS[one["kind"]].on_agreement for one in conditions)


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _checked(
    condition: Mapping[str, Any], criteria: Sequence[str], on_ratios: Collection[str]
) -> dict[str, Any]:
    name = condition.get("kind")
    if name == HAND_PICKED:
        return _manual_selection(condition)
    if not isinstance(name, str) or name not in KINDS:
        unknown = message(
            "There is no condition of kind %(kind)s. Choose one from the list.", kind=repr(name)
        )
        raise InvalidContent(unknown, code="bad_condition")
    kind = KINDS[name]
    found: dict[str, Any] = {"kind": kind.key}
    for setting in kind.settings:
        found[setting.name] = _setting(kind, setting, condition.get(setting.name), criteria)
    if kind.key == "opposition":
        _check_bounds(kind, found, above_zero=found["criterion"] in on_ratios)
    return found


def _check_bounds(kind: Kind, found: Mapping[str, Any], *, above_zero: bool) -> None:
    if found["low"] >= found["high"]:
        raise InvalidContent(
            message(
                "%(condition)s: the low rating %(low)s must be lower than the high rating %(high)s.",
                condition=kind.label,
                low=_shown(found["low"]),
                high=_shown(found["high"]),
            ),
            code="bad_condition",
            fields={"opposition-high": message("Must be higher than the low rating.")},
        )
    if above_zero and found["low"] <= 0:
        raise InvalidContent(
            message(
                "%(condition)s: the low rating %(low)s is not above zero. All ratings on %(criterion)s are.",
                condition=kind.label,
                low=_shown(found["low"]),
                criterion=found["criterion"],
            ),
            code="bound_not_above_zero",
            fields={"opposition-low": message("Enter a number above zero.")},
        )


def _setting(kind: Kind, setting: Setting, value: Any, criteria: Sequence[str]) -> Any:
    field = f"{kind.key}-{setting.name}"
    values = {"condition": kind.label, "setting": setting.label, "value": repr(value)}
    if setting.kind == "criterion":
        if value not in criteria:
            unknown = message(
                "%(condition)s, %(setting)s: %(value)s is not a criterion on a scale of this study.", **values
            )
            chosen = {field: message("Choose a criterion.")}
            raise InvalidContent(unknown, code="bad_condition", fields=chosen)
        return value
    number = _number(setting, value)
    if number is None:
        whole = setting.kind == "whole"
        raise InvalidContent(
            message("%(condition)s, %(setting)s: %(value)s is not a whole number.", **values)
            if whole
            else message("%(condition)s, %(setting)s: %(value)s is not a number.", **values),
            code="bad_condition",
            fields={field: message("Enter a whole number.") if whole else message("Enter a number.")},
        )
    if not setting.least <= number <= MOST_THRESHOLD:
        limits = {"least": f"{setting.least:g}", "most": f"{MOST_THRESHOLD:,}"}
        outside = message(
            "%(condition)s, %(setting)s: %(value)s is not between %(least)s and %(most)s.",
            **{**values, "value": f"{number:g}", **limits},
        )
        hint = message("Enter a number between %(least)s and %(most)s.", **limits)
        raise InvalidContent(outside, code="bad_condition", fields={field: hint})
    return int(number) if setting.kind == "whole" else number


def _number(setting: Setting, value: Any) -> float | None:
    """A value as the number that the setting needs; None where it is not such a number."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
        whole = number == int(number)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if whole or setting.kind != "whole" else None


def _is_number(key: object) -> bool:
    return isinstance(key, int) and not isinstance(key, bool) and 0 < key < GREATEST_KEY


def _is_text(key: object) -> bool:
    return isinstance(key, str) and not NOT_TEXT.search(key)


def _manual_selection(condition: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": HAND_PICKED}
    for name in PICKED:
        given = condition.get(name, [])
        is_key = _is_number if name == "responses" else _is_text
        if not isinstance(given, list) or not all(map(is_key, given)):
            refused = message("Manual selection: %(name)s is not a list of IDs.", name=name)
            raise InvalidContent(refused, code="bad_condition")
        found[name] = given
    if not any(found[name] for name in PICKED):
        raise InvalidContent(message("Select at least one item, rater or response."), code="no_condition")
    return found
