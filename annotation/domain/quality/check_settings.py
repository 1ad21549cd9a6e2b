"""Checks as a researcher sets them up: read from plain settings, refused if every answer passes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.numbers import plain_number
from annotation.domain.quality.chance_pass_rate import chance_level
from annotation.domain.quality.checks import (
    Check,
    CheckKind,
    Comprehension,
    Gold,
    Instructed,
    Json,
    Knowledge,
    Repeat,
    Spans,
    Twin,
)
from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.domain.questions.normalisation import comparable

Settings = Mapping[str, object]
Questions = Mapping[str, Question]


def read_check(kind: CheckKind, settings: Settings, questions: Sequence[Question]) -> Check:
    """A check from its settings, as parsed from JSON.

    Parameters
    ----------
    kind : CheckKind
        Decides which settings are read: `told`; `reference` and `tolerance`; `criteria` and
        `tolerance`; `criteria`; `criterion`, `accepted` and `language`; `criterion` and `right`.
    settings : mapping
        A tolerance may be one number for all criteria.
    questions : sequence of Question
        The criteria of the page that shows the check.

    Raises
    ------
    InvalidContent
        `invalid_check`; `fields` maps each wrong setting to a sentence. `check_tells_nothing` where any
        answer would pass.
    """
    try:
        check = READERS[kind](settings, {question.key: question for question in questions})
    except _Wrong as wrong:
        raise InvalidContent(
            message("The check cannot be saved. %(problem)s", problem=wrong.sentence),
            code="invalid_check",
            fields={wrong.setting: wrong.sentence},
        ) from None
    if chance_level(check, questions) == 1:
        raise InvalidContent(
            message("Every possible answer passes this check. Make its condition stricter."),
            code="check_tells_nothing",
        )
    return check


def refuse_unpassable(check: Check, questions: Sequence[Question]) -> None:
    """Refuse a new gold check that no possible answer passes (`InvalidContent`, `check_passes_nobody`)."""
    if isinstance(check, Gold) and chance_level(check, questions) == 0:
        raise InvalidContent(
            message(
                "No possible answer passes this check. Increase the tolerance or change the reference value."
            ),
            code="check_passes_nobody",
        )


def settings_of(check: Check) -> Json:
    """The settings of a check for JSON, from which `read_check` makes it again."""
    if isinstance(check, Instructed):
        return {"told": dict(check.values)}
    if isinstance(check, Twin):
        return {"criteria": list(check.lowest)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(check).items()}


class _Wrong(Exception):
    def __init__(self, setting: str, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting
        self.sentence = sentence


def _instructed(settings: Settings, questions: Questions) -> Check:
    values: dict[str, float | str] = {}
    for key, value in _table(settings, "told").items():
        question = _asked(questions, key, "told", *Yields)
        if not question.kind.has_reference:
            raise _unusable(key, "told")
        wanted = _instructed_value(value, question)
        if wanted is None:
            sentence = message("“%(value)s” is not a possible value of “%(name)s”.", value=value, name=key)
            raise _Wrong("told", sentence)
        values[key] = wanted
    return Instructed(values)


def _gold(settings: Settings, questions: Questions) -> Check:
    reference: dict[str, float | Spans] = {}
    for key, value in _table(settings, "reference").items():
        question = _asked(questions, key, "reference", Yields.NUMBER, Yields.ERRORS)
        if question.kind.yields is Yields.ERRORS:
            reference[key] = _expected(value)
            continue
        number = reference[key] = _number(value, "reference")
        if not (question.minimum or 0) <= number <= (question.maximum or 0):
            raise _Wrong(
                "reference", message("The reference value of “%(key)s” is outside its scale.", key=key)
            )
    given = settings.get("tolerance", 0)
    bands = given if isinstance(given, Mapping) else dict.fromkeys(reference, given)
    return Gold(reference, {key: _tolerance(bands.get(key, 0)) for key in reference})


def _expected(value: object) -> Spans:
    """Where errors are expected, in the order of the text; an empty list says that there is none."""
    return tuple(sorted(map(_span, value if isinstance(value, list | tuple) else [value])))


def _span(pair: object) -> tuple[int, int]:
    if isinstance(pair, list | tuple) and len(pair) == 2:
        start, end = pair
        if type(start) is int and type(end) is int and 0 <= start < end:
            return start, end
    sentence = message("An expected error is a list of its start and its end, such as [13, 18].")
    raise _Wrong("reference", sentence)


def _repeat(settings: Settings, questions: Questions) -> Check:
    return Repeat(tuple(_rated(settings, questions)), _tolerance(settings.get("tolerance", 1)))


def _twin(settings: Settings, questions: Questions) -> Check:
    return Twin({key: questions[key].minimum or 0 for key in _rated(settings, questions)})


def _comprehension(settings: Settings, questions: Questions) -> Check:
    key = str(settings.get("criterion", "answer"))
    _asked(questions, key, "criterion", Yields.WORDS)
    language = str(settings.get("language", "en"))
    accepted = tuple(str(answer) for answer in _list(settings, "accepted"))
    if any(not comparable(answer, language) for answer in accepted):
        raise _Wrong("accepted", message("An accepted answer must contain letters or digits."))
    return Comprehension(accepted, key, language)


def _knowledge(settings: Settings, questions: Questions) -> Check:
    key = str(settings.get("criterion", "answer"))
    question = _asked(questions, key, "criterion", Yields.LABEL)
    right = str(settings.get("right", ""))
    if right not in question.options:
        raise _Wrong("right", message("Choose the correct option."))
    return Knowledge(right, key)


READERS: dict[CheckKind, Callable[[Settings, Questions], Check]] = {
    CheckKind.INSTRUCTED: _instructed,
    CheckKind.GOLD: _gold,
    CheckKind.REPEAT: _repeat,
    CheckKind.TWIN: _twin,
    CheckKind.COMPREHENSION: _comprehension,
    CheckKind.KNOWLEDGE: _knowledge,
}


def _rated(settings: Settings, questions: Questions) -> Iterable[str]:
    keys = [str(key) for key in _list(settings, "criteria")]
    for key in keys:
        _asked(questions, key, "criteria", Yields.NUMBER)
    return dict.fromkeys(keys)


def _asked(questions: Questions, key: str, setting: str, *yields: Yields) -> Question:
    question = questions.get(key)
    if question is None:
        raise _Wrong(setting, message("The form has no criterion “%(key)s”.", key=key))
    if question.kind.yields not in yields:
        raise _unusable(key, setting)
    return question


def _unusable(key: str, setting: str) -> _Wrong:
    return _Wrong(setting, message("This kind of check cannot use the question type of “%(key)s”.", key=key))


def _instructed_value(value: object, question: Question) -> float | str | None:
    """The value in the type that answers to the question have; None where raters cannot answer it."""
    if question.kind.yields is not Yields.NUMBER:
        return question.kind.reference(question, value) if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = plain_number(value)
    return number if str(number) in question.kind.possible(question) else None


def _table(settings: Settings, name: str) -> Mapping[str, object]:
    found = settings.get(name)
    if not isinstance(found, Mapping) or not found:
        raise _Wrong(name, message("Enter a value for at least one criterion."))
    return {str(key): value for key, value in found.items()}


def _list(settings: Settings, name: str) -> list[object]:
    found = settings.get(name)
    if not isinstance(found, list | tuple) or not found:
        raise _Wrong(name, message("Enter at least one entry for “%(setting)s”.", setting=name))
    return list(found)


def _number(value: object, setting: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Wrong(setting, message("“%(value)s” is not a number.", value=value))
    return value


def _tolerance(value: object) -> float:
    band = _number(value, "tolerance")
    if band < 0:
        raise _Wrong("tolerance", message("The tolerance must be at least 0."))
    return band
