"""A ratings file in long form, checked: every row as typed values, or one refusal with all problems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotation.domain.errors import FileProblem, FileRefused
from annotation.io.cells import Row
from annotation.io.problems import MOST_PROBLEMS
from annotation.io.readers import read_rows

TRUE_WORDS = {"true", "1", "yes"}
FALSE_WORDS = {"false", "0", "no", ""}
LONGEST_CODE = 64
LONGEST_KEY = 120


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
    value: int | None
    reason: str
    remark: str
    revision: int
    current: bool
    late: bool
    simulated: bool
    submitted_at: datetime | None
    seconds: float | None
    exclusion_rule: str


@dataclass(frozen=True)
class RatingsFile:
    """The rows of a file, and whether its raters are identified."""

    rows: Sequence[RatingRow]
    identified: bool


def read_ratings(path: Path, *, name: str = "", scale: tuple[int, int] | None = None) -> RatingsFile:
    """Read and check a ratings file (`contracts`: Files, ratings in long form).

    Parameters
    ----------
    path : Path
        CSV, TSV, JSONL, JSON, XLSX or Parquet.
    name : str
        What messages call it.
    scale : (int, int) or None
        Ends of the scale that values must keep to.

    Raises
    ------
    FileRefused
        Names every row and column that cannot be taken, up to a limit.
    """
    name = name or path.name
    rows = read_rows(path, needed=("item", "criterion", "value"), name=name)
    who = "rater" if "rater" in rows[0][1] else "slot"
    if who not in rows[0][1]:
        raise FileRefused([FileProblem(name, 0, "rater", "missing_column", "the column is missing")])
    problems: list[FileProblem] = []
    checked = []
    for number, row in rows:
        try:
            checked.append(_RowReader(number, row, who).read(scale))
        except _Bad as bad:
            problems.append(FileProblem(name, number, bad.column, bad.code, bad.message))
            if len(problems) == MOST_PROBLEMS:
                break
    problems = problems or _doubled(name, checked, who)
    if problems:
        raise FileRefused(problems[:MOST_PROBLEMS])
    return RatingsFile(rows=checked, identified=who == "rater")


def _doubled(name: str, rows: Sequence[RatingRow], who: str) -> list[FileProblem]:
    seen: dict[tuple[Any, ...], int] = {}
    problems = []
    for row in rows:
        keys: list[tuple[Any, ...]] = [(row.item, row.rater, row.form, row.criterion, row.revision)]
        if row.current:
            keys.append((row.item, row.rater, row.form, row.criterion, "current"))
        earlier = next((seen[key] for key in keys if key in seen), None)
        if earlier is not None:
            message = f"{row.item!r}, {row.rater!r}, {row.criterion!r} stands in row {earlier} already"
            problems.append(FileProblem(name, row.number, who, "doubled_rating", message))
        seen.update(dict.fromkeys(keys, row.number))
    return problems


class _Bad(Exception):
    def __init__(self, column: str, code: str, message: str) -> None:
        super().__init__(message)
        self.column, self.code, self.message = column, code, message


class _RowReader:
    """Typed cells of one row."""

    def __init__(self, number: int, row: Row, who: str) -> None:
        self.number, self.row, self.who = number, row, who

    def read(self, scale: tuple[int, int] | None) -> RatingRow:
        reason = self._reason()
        value = self._integer("value", None)
        if value is None and not reason:
            raise _Bad("value", "empty_value", "the cell is empty and cannot_rate is not true")
        if value is not None and scale and not scale[0] <= value <= scale[1]:
            raise _Bad("value", "outside_scale", f"{value} is outside the scale of {scale[0]} to {scale[1]}")
        return RatingRow(
            number=self.number,
            item=self._text("item", longest=LONGEST_KEY, needed=True),
            group=self._text("group", longest=LONGEST_KEY),
            system=self._text("system", longest=LONGEST_KEY),
            form=self._text("form", longest=60) or "ratings",
            form_version=self._integer("form_version", 1, low=1) or 1,
            rater=self._text(self.who, longest=LONGEST_CODE, needed=True),
            criterion=self._text("criterion", longest=60, needed=True),
            value=value,
            reason=reason,
            remark=self._text("remark", longest=10_000),
            revision=self._integer("revision", 1, low=1) or 1,
            current=self._flag("current", default=True),
            late=self._flag("late"),
            simulated=self._flag("simulated"),
            submitted_at=self._time(),
            seconds=self._seconds(),
            exclusion_rule=self._exclusion(),
        )

    def _reason(self) -> str:
        reason = self._text("reason", longest=40)
        return (reason or "lacks_context") if self._flag("cannot_rate") else ""

    def _exclusion(self) -> str:
        rule = self._text("exclusion_rule", longest=60)
        return (rule or "by_hand") if self._flag("excluded") else ""

    def _text(self, column: str, *, longest: int, needed: bool = False) -> str:
        text = str(self.row.get(column, ""))
        if needed and not text:
            raise _Bad(column, "empty_cell", "the cell is empty")
        if len(text) > longest:
            raise _Bad(column, "too_long", f"{len(text)} characters; {longest} fit")
        return text

    def _integer(self, column: str, default: int | None, *, low: int = -32_768) -> int | None:
        raw = self.row.get(column, "")
        if raw == "" or (isinstance(raw, float) and math.isnan(raw)):
            return default
        try:
            number = float(raw)
        except (TypeError, ValueError):
            raise _Bad(column, "not_a_number", f"{raw!r} is not a number") from None
        if isinstance(raw, bool) or not number.is_integer():
            raise _Bad(column, "not_whole", f"{raw!r} is not a whole number")
        if not low <= number <= 32_767:
            raise _Bad(column, "outside_scale", f"{raw!r} is outside what can be stored")
        return int(number)

    def _flag(self, column: str, *, default: bool = False) -> bool:
        raw = self.row.get(column, None)
        if raw is None:
            return default
        word = str(raw).strip().lower()
        if word in TRUE_WORDS:
            return True
        if word in FALSE_WORDS:
            return default if word == "" else False
        raise _Bad(column, "not_a_flag", f"{raw!r} is neither true nor false")

    def _time(self) -> datetime | None:
        raw = self.row.get("submitted_at", "")
        if raw == "":
            return None
        try:
            when = raw if isinstance(raw, datetime) else datetime.fromisoformat(str(raw))
        except ValueError:
            raise _Bad("submitted_at", "not_a_time", f"{raw!r} is not a time in ISO 8601") from None
        return when if when.tzinfo else when.replace(tzinfo=UTC)

    def _seconds(self) -> float | None:
        raw = self.row.get("seconds", "")
        if raw == "":
            return None
        try:
            seconds = float(raw)
        except (TypeError, ValueError):
            raise _Bad("seconds", "not_a_number", f"{raw!r} is not a number") from None
        if not math.isfinite(seconds):
            raise _Bad("seconds", "not_a_number", f"{raw!r} is not a number of seconds")
        return seconds
