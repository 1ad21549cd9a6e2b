"""Questions with options and the answers to them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..answers import digest_answers, read_answers, select_counted_answers
from ..arrays import Row
from ..bundle import Bundle, read_table

WITH_OPTIONS = ("choice", "multiple", "preference")


@dataclass(frozen=True)
class Question:
    """A question with options in its newest version; the options are those of all versions.

    `fields` maps each side to the item's field shown on it; `differs`: whether options are texts of the item.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    unsure: str
    answer_key: str
    fields: Mapping[str, str]
    differs: bool


def read_questions(bundle: Bundle, counted: pd.DataFrame) -> dict[str, Question]:
    """Read the questions that were answered, by name."""
    named = counted[["form", "criterion", "name"]].drop_duplicates().itertuples(index=False)
    names = {(form, criterion): name for form, criterion, name in named}
    found: dict[str, Question] = {}
    for form in bundle.forms:
        for one in form["criteria"]:
            name = names.get((form["form"], one["key"]))
            if name is None or one["kind"] not in WITH_OPTIONS:
                continue
            before = found.get(name)
            own = [block for block in form["shown"] if block.get("of") == one["key"]]
            now = [point["value"] for point in one["points"]]
            found[name] = Question(
                name,
                one["kind"],
                tuple(dict.fromkeys((*(before.options if before else ()), *now))),
                one["settings"].get("unsure", ""),
                one["settings"].get("answer_key", ""),
                {block["value"]: block["field"] for block in own if block.get("role") == "side"},
                any(block.get("role") in ("options", "side") for block in own)
                or (before is not None and before.differs),
            )
    return found


@dataclass(frozen=True)
class Choices:
    """Counted answers to questions with options, with their keys; an empty value is a "can't rate"."""

    questions: Mapping[str, Question]
    answers: pd.DataFrame
    identified: bool

    def by_question(self) -> Iterator[tuple[Question, pd.DataFrame]]:
        """Yield each question that has answers."""
        for name, question in self.questions.items():
            rows = self.answers[self.answers["name"] == name]
            if (rows["value"] != "").any():
                yield question, rows

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Number of answers without a value."""
        return {question.name: int((rows["value"] == "").sum()) for question, rows in self.by_question()}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers and their keys, in any order."""
        columns = (
            *("item", "group", "system", "form", "form_version", "rater", "criterion", "value"),
            *("cannot_rate", "late", "simulated", "excluded", "exclusion_rule", "shown", "name"),
            *("key", "category", "a", "b", "percent", "high", "first"),
        )
        options = {name: (one.options, one.differs) for name, one in self.questions.items()}
        return digest_answers(self.answers, columns, options)


def read_choice_answers(bundle: Bundle) -> pd.DataFrame:
    """Read the answers to questions with options and the shown order; "can't rate" is NaN."""
    places = {
        (scale["form"], scale["criterion"])
        for scale in bundle.facts["scales"]
        if scale["kind"] in WITH_OPTIONS
    }
    rows = read_answers(bundle, places)
    shown: dict[tuple[str, ...], str] = {}
    if (bundle.folder / "data" / "choices.csv").is_file():
        table = read_table(bundle.folder / "data" / "choices.csv")
        columns = [table[name] for name in ("item", "form", "rater", "criterion", "shown")]
        shown = {tuple(place): order for *place, order in zip(*columns, strict=True)}
    keys = zip(rows["item"], rows["form"], rows["rater"], rows["criterion"], strict=True)
    order = [shown.get(key, "") for key in keys]
    return rows.assign(shown=order)


def select_counted_choices(
    bundle: Bundle, frame: pd.DataFrame, *, pooled: bool
) -> tuple[Choices | None, Row]:
    """Select the choices that count; None if no option was chosen."""
    counted, data = select_counted_answers(bundle, frame, pooled=pooled)
    if counted is None:
        return None, data
    asked = read_questions(bundle, counted)
    return Choices(asked, add_answer_keys(bundle, counted, asked), bool(bundle.facts["identified"])), data


def add_answer_keys(bundle: Bundle, counted: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    """Add the item's answer key and category, and the competitor on each side."""
    items = bundle.items.set_index("item").to_dict("index")
    columns: dict[str, list[Any]] = {
        name: [] for name in ("key", "category", "a", "b", "percent", "high", "first")
    }
    for item, name, shown in zip(counted["item"], counted["name"], counted["shown"], strict=True):
        cells, question = items[item], asked[name]
        key = cells.get(f"meta.{question.answer_key}", "") if question.answer_key else ""
        right = key.split("|") if question.kind == "multiple" else [key]
        columns["key"].append(key if set(right) <= set(question.options) else "")
        columns["category"].append(cells.get("meta.category", ""))
        for side in ("a", "b"):
            text = cells.get(question.fields.get(side, side), "")
            columns[side].append(cells.get(f"meta.{side}") or text)
        columns["percent"].append(parse_number(cells.get("meta.percent", "")))
        columns["high"].append(cells.get("meta.high", ""))
        columns["first"].append(shown.partition("|")[0].removesuffix("+"))
    return counted.assign(**columns)


def parse_number(text: str) -> float:
    """Convert a text to a number; another text becomes NaN."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def sort_options(value: str) -> str:
    """Sort the options of an answer."""
    return "|".join(sorted(value.split("|")))
