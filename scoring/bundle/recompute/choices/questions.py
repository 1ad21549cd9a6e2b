"""Questions with options and the answers to them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..arrays import Row
from ..bundle import Bundle, of_criteria, read_table
from ..counting import counted

WITH_OPTIONS = ("choice", "multiple", "preference")


@dataclass(frozen=True)
class Question:
    """A question with options as its newest wording asks it; the options are those of all wordings.

    `fields` says which text of an item stands on which side; `differs` that options are texts of the item.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    unsure: str
    answer_key: str
    fields: Mapping[str, str]
    differs: bool


def questions(bundle: Bundle, kept: pd.DataFrame) -> dict[str, Question]:
    """The questions that were answered, by name."""
    named = kept[["form", "criterion", "name"]].drop_duplicates().itertuples(index=False)
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
    """The answers to questions with options that count, judged; an empty value is a "can't rate"."""

    questions: Mapping[str, Question]
    answers: pd.DataFrame
    identified: bool

    def by_question(self) -> Iterator[tuple[Question, pd.DataFrame]]:
        """Each question that somebody answered."""
        for name, question in self.questions.items():
            rows = self.answers[self.answers["name"] == name]
            if (rows["value"] != "").any():
                yield question, rows

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Answers without a value."""
        return {question.name: int((rows["value"] == "").sum()) for question, rows in self.by_question()}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers and of what they are judged by, whatever their order."""
        columns = [
            *("item", "group", "system", "form", "form_version", "rater", "criterion", "value"),
            *("cannot_rate", "late", "simulated", "excluded", "exclusion_rule", "shown", "name"),
            *("key", "category", "a", "b", "percent", "high", "first"),
        ]
        cells = self.answers[columns].astype(object)
        cells = cells.where(cells.notna(), None)
        rows = sorted(json.dumps(row, ensure_ascii=False) for row in cells.to_numpy().tolist())
        options = {name: (one.options, one.differs) for name, one in self.questions.items()}
        return hashlib.sha256(json.dumps([columns, options, rows]).encode()).hexdigest()


def choice_answers(bundle: Bundle) -> pd.DataFrame:
    """Answers to questions with options, and in which order each rater saw those; NaN for a "can't rate"."""
    places = {
        (one["form"], one["criterion"]) for one in bundle.facts["scales"] if one["kind"] in WITH_OPTIONS
    }
    rows = of_criteria(bundle.answers, places)
    shown: dict[tuple[str, ...], str] = {}
    if (bundle.folder / "data" / "choices.csv").is_file():
        table = read_table(bundle.folder / "data" / "choices.csv")
        columns = [table[name] for name in ("item", "form", "rater", "criterion", "shown")]
        shown = {tuple(place): order for *place, order in zip(*columns, strict=True)}
    keys = zip(rows["item"], rows["form"], rows["rater"], rows["criterion"], strict=True)
    order = [shown.get(key, "") for key in keys]
    value = rows["value"].astype(object).where((rows["value"] != "") | ~rows["cannot_rate"], math.nan)
    return rows.assign(value=value, shown=order)


def choices_that_count(bundle: Bundle, frame: pd.DataFrame, *, pooled: bool) -> tuple[Choices | None, Row]:
    """The choices that count with their counts; None where nobody has chosen anything."""
    kept, data = counted(bundle, frame, pooled=pooled)
    if not kept["value"].notna().any():
        return None, data
    kept = kept.assign(value=kept["value"].fillna("").astype(str))
    asked = questions(bundle, kept)
    return Choices(asked, judged(bundle, kept, asked), bool(bundle.facts["identified"])), data


def judged(bundle: Bundle, kept: pd.DataFrame, asked: Mapping[str, Question]) -> pd.DataFrame:
    """The answers with the key of their item, its category, and who competes on which side."""
    items = bundle.items.set_index("item").to_dict("index")
    columns: dict[str, list[Any]] = {
        name: [] for name in ("key", "category", "a", "b", "percent", "high", "first")
    }
    for item, name, shown in zip(kept["item"], kept["name"], kept["shown"], strict=True):
        cells, question = items[item], asked[name]
        key = cells.get(f"meta.{question.answer_key}", "") if question.answer_key else ""
        right = key.split("|") if question.kind == "multiple" else [key]
        columns["key"].append(key if set(right) <= set(question.options) else "")
        columns["category"].append(cells.get("meta.category", ""))
        for side in ("a", "b"):
            text = cells.get(question.fields.get(side, side), "")
            columns[side].append(cells.get(f"meta.{side}") or text)
        columns["percent"].append(number_or_nan(cells.get("meta.percent", "")))
        columns["high"].append(cells.get("meta.high", ""))
        columns["first"].append(shown.partition("|")[0])
    return kept.assign(**columns)


def number_or_nan(text: str) -> float:
    """A number; NaN for another text."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def in_order(value: str) -> str:
    """Several options in one order."""
    return "|".join(sorted(value.split("|")))
