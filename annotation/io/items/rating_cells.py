"""The cells of one row of a ratings file, as typed values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from django.utils.text import slugify

from annotation.domain.base.bounded_json import TooDeeplyNested, load_json
from annotation.domain.base.limits import LANGUAGE, LONGEST_LANGUAGE_CODE, LONGEST_REMARK
from annotation.domain.base.messages import message
from annotation.domain.items.heard import HEARD
from annotation.domain.questions.kinds.kind import Question, Yields
from annotation.domain.questions.text_languages import UNDETERMINED
from annotation.domain.questions.wording.version_numbers import PLACES
from annotation.io.base.cells import EMPTY_CELL, NO_CONTROL, Row, has_control, too_many_characters

TRUE_WORDS = {"true", "1", "yes"}
SUGGESTION_WORDS = {"", "accepted", "changed"}
FALSE_WORDS = {"false", "0", "no"}
WHOLE = re.compile(r"[+-]?[0-9]{1,9}(\.0*)?", re.ASCII)
LONGEST_CODE = 64
LONGEST_KEY = 120
STORED = (-32_768, 32_767)
Questions = Mapping[tuple[str, int, str], Question]
# The texts by the key of an item.
Texts = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class RatingRow:
    """One row of the file; `value` is None where the answer says "can't rate"."""

    number: int
    item: str
    group: str
    system: str
    form: str
    form_version: int
    rater: str
    criterion: str
    value: float | str | None
    reason: str
    remark: str
    revision: int
    current: bool
    late: bool
    simulated: bool
    submitted_at: datetime | None
    seconds: float | None
    exclusion_rule: str
    suggestion: str = ""
    interface_language: str = ""
    text_language: str = ""
    form_correction: int = 0
    first_value: float | None = None
    heard: Mapping[str, str] = field(default_factory=dict)


class BadRow(Exception):
    """A row that cannot be imported, and the column with the problem."""

    def __init__(self, column: str, code: str, message: str) -> None:
        super().__init__(message)
        self.column, self.code, self.message = column, code, message


class RowReader:
    """Typed cells of one row.

    `who` is the column that says who rated, `rater` or `slot`; `texts` are those of existing items.
    """

    def __init__(self, number: int, row: Row, who: str, texts: Texts) -> None:
        self.number, self.row, self.who, self.texts = number, row, who, texts

    def read(self, questions: Questions, scale: tuple[int, int] | None) -> RatingRow:
        """The row, or `BadRow`.

        `questions` maps (form, version, criterion) to existing criteria; values on a Likert scale must keep
        to the ends of `scale`.
        """
        version = self._whole("form_version", default=1)
        criterion = self._text("criterion", longest=60, needed=True)
        form = _form_key(self._text("form", longest=60)) or _form_that_asks(criterion, questions)
        reason = self._coupled("cannot_rate", "reason", longest=40, default="lacks_context")
        question = questions.get((form, version, criterion))
        value = self._value(question, scale)
        if value is None and not reason:
            raise BadRow("value", "empty_value", message("the cell is empty, but cannot_rate is not true"))
        return RatingRow(
            number=self.number,
            item=self._item(),
            group=self._text("group", longest=LONGEST_KEY),
            system=self._text("system", longest=LONGEST_KEY),
            form=form,
            form_version=version,
            rater=self._text(self.who, longest=LONGEST_CODE, needed=True),
            criterion=criterion,
            value=value,
            reason=reason,
            remark=self._text("remark", longest=LONGEST_REMARK),
            revision=self._whole("revision", default=1),
            current=self._flag("current", default=True),
            late=self._flag("late"),
            simulated=self._flag("simulated"),
            submitted_at=self._time(),
            seconds=self._seconds(),
            exclusion_rule=self._coupled("excluded", "exclusion_rule", longest=60, default="by_hand"),
            suggestion=self._suggestion(),
            interface_language=self._language("interface_language"),
            text_language=self._text_language(),
            form_correction=self._correction(),
            first_value=self._first_value(question, value),
            heard=self._heard(),
        )

    def _heard(self) -> dict[str, str]:
        """How the rater came to the end of recordings, as an export states it."""
        text = str(self.row.get("heard", "")).strip()
        try:
            found = load_json(text) if text else {}
        except (ValueError, TooDeeplyNested):
            found = None
        if not isinstance(found, dict) or not {str(way) for way in found.values()} <= set(HEARD):
            sentence = message("the cell is not as exports write it; empty it")
            raise BadRow("heard", "bad_cell", sentence)
        return {str(name): str(way) for name, way in found.items()}

    def _first_value(self, question: Question | None, value: float | str | None) -> float | None:
        """Where the mark of a slider was first placed; a number that is read like the value itself."""
        text = str(self.row.get("first_value", "")).strip()
        if not text:
            return None
        if question is None or not question.kind.records_first or value is None:
            raise BadRow(
                "first_value",
                "contradicting_cells",
                message("only an answer on a slider has a first value; empty the cell"),
            )
        try:
            answer = question.kind.checked(question, text)
        except ValueError as problem:
            raise BadRow("first_value", "not_an_answer", _not_an_answer(text, problem, question)) from problem
        return None if answer is None else answer.value

    def _correction(self) -> int:
        number = self._integer("form_correction") or 0
        if not 0 <= number < PLACES:
            raise BadRow(
                "form_correction",
                "outside_scale",
                message("%(n)d is not a number from 0 to %(most)d", n=number, most=PLACES - 1),
            )
        return number

    def _suggestion(self) -> str:
        word = self._text("suggestion", longest=8)
        if word not in SUGGESTION_WORDS:
            raise BadRow(
                "suggestion",
                "bad_suggestion",
                message("%(value)s is not “accepted”, “changed” or empty", value=repr(word)),
            )
        return word

    def _text_language(self) -> str:
        """The language of the texts: unknown for an empty cell, not stated without a cell."""
        code = self._language("text_language")
        return code or (UNDETERMINED if "text_language" in self.row else "")

    def _language(self, column: str) -> str:
        code = self._text(column, longest=LONGEST_LANGUAGE_CODE)
        if code and not re.fullmatch(LANGUAGE, code):
            raise BadRow(
                column,
                "bad_language",
                message("%(value)s is not a language code such as en or zh-hans", value=repr(code)),
            )
        return code

    def _value(self, question: Question | None, scale: tuple[int, int] | None) -> float | str | None:
        if question is not None and (question.kind.yields is not Yields.NUMBER or question.kind.continuous):
            return self._answer(question)
        value = self._integer("value")
        if value is None:
            return None
        ends = [scale, (question.minimum, question.maximum) if question else None]
        for low, high in filter(None, ends):
            if low is None or high is None or not low <= value <= high:
                raise BadRow(
                    "value",
                    "outside_scale",
                    message(
                        "%(value)s is outside the scale of %(low)s to %(high)s",
                        value=value,
                        low=low,
                        high=high,
                    ),
                )
        return value

    def _answer(self, question: Question) -> float | str | None:
        raw = self.row.get("value", "")
        text = str(raw)
        if isinstance(raw, bool):
            raise BadRow(
                "value",
                "not_an_answer",
                message("%(value)s is a truth value; write the answer as text", value=text),
            )
        try:
            texts = self.texts.get(str(self.row.get("item", "")))
            answer = question.kind.checked(question, question.kind.values(text), texts)
        except ValueError as problem:
            raise BadRow("value", "not_an_answer", _not_an_answer(text, problem, question)) from problem
        return None if answer is None else question.kind.cell(answer)

    def _coupled(self, flag: str, column: str, *, longest: int, default: str) -> str:
        """A word that is allowed only if its flag is true; empty if it is false."""
        word = self._text(column, longest=longest)
        if self._flag(flag):
            return word or default
        if word:
            raise BadRow(
                column,
                "contradicting_cells",
                message("the cell contains %(value)s, but %(flag)s is not true", value=repr(word), flag=flag),
            )
        return ""

    def _item(self) -> str:
        key = self._text("item", longest=LONGEST_KEY, needed=True)
        if has_control(key):
            raise BadRow("item", "control_character", NO_CONTROL)
        return key

    def _text(self, column: str, *, longest: int, needed: bool = False) -> str:
        text = str(self.row.get(column, ""))
        if needed and not text.strip():
            raise BadRow(column, "empty_cell", EMPTY_CELL)
        if len(text) > longest:
            raise BadRow(column, "too_long", too_many_characters(text, longest))
        return text

    def _whole(self, column: str, *, default: int) -> int:
        number = self._integer(column)
        if number is not None and number < 1:
            raise BadRow(
                column, "outside_scale", message("%(n)d is too low; the lowest number is 1", n=number)
            )
        return default if number is None else number

    def _integer(self, column: str) -> int | None:
        raw = self.row.get(column, "")
        text = str(raw).strip()
        if not text:
            return None
        if isinstance(raw, bool) or not WHOLE.fullmatch(text):
            code = "not_whole" if isinstance(raw, bool) or _is_number(text) else "not_a_number"
            raise BadRow(column, code, message("%(value)s is not a whole number", value=repr(text[:60])))
        number = int(text.partition(".")[0])
        if not STORED[0] <= number <= STORED[1]:
            raise BadRow(
                column,
                "outside_scale",
                message("%(n)d is not between %(low)d and %(high)d", n=number, low=STORED[0], high=STORED[1]),
            )
        return number

    def _flag(self, column: str, *, default: bool = False) -> bool:
        raw = self.row.get(column, "")
        word = str(raw).strip().lower()
        if not word:
            return default
        if word not in TRUE_WORDS and word not in FALSE_WORDS:
            raise BadRow(
                column,
                "not_a_flag",
                message("%(value)s is neither true nor false", value=repr(word[:60])),
            )
        return word in TRUE_WORDS

    def _time(self) -> datetime | None:
        text = str(self.row.get("submitted_at", "")).strip()
        return _time(text) if text else None

    def _seconds(self) -> float | None:
        text = str(self.row.get("seconds", "")).strip()
        if not text:
            return None
        if not _is_number(text):
            raise BadRow(
                "seconds",
                "not_a_number",
                message("%(value)s is not a number of seconds", value=repr(text[:60])),
            )
        return float(text)


@lru_cache(maxsize=1024)
def _form_key(name: str) -> str:
    key = slugify(name)[:60]
    if name.strip() and not key:
        raise BadRow(
            "form",
            "bad_form_key",
            message("%(name)s has no ASCII letters or digits for a key", name=repr(name)),
        )
    return key


def _form_that_asks(criterion: str, questions: Questions) -> str:
    """The form of a row that names none: the only one of the study with its criterion, else `ratings`."""
    forms = {form for form, _, key in questions if key == criterion}
    return forms.pop() if len(forms) == 1 else "ratings"


@lru_cache(maxsize=1024)
def _time(text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise BadRow(
            "submitted_at",
            "not_a_time",
            message("%(value)s is not a time in ISO 8601", value=repr(text[:60])),
        ) from None


def _not_an_answer(text: str, problem: ValueError, question: Question) -> str:
    reason = problem.args[0] if problem.args else str(problem)
    if not question.options:
        return message("%(value)s: %(problem)s", value=repr(text[:60]), problem=reason)
    return message(
        "%(value)s: %(problem)s The options are: %(options)s.",
        value=repr(text[:60]),
        problem=reason,
        options=", ".join(question.options),
    )


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and math.isfinite(float(text))
    except ValueError:
        return False
