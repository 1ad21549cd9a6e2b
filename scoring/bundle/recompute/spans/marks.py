"""Marked tuples and the answers that hold them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..arrays import Row
from ..bundle import Bundle
from ..counting import select_counted

USUAL_PARTS = ("tenor", "vehicle", "ground", "comparator", "event")


@dataclass(frozen=True)
class Mark:
    """Text of a part with its character positions; no positions if it is not located."""

    text: str
    places: frozenset[int]

    @property
    def length(self) -> int:
        """Number of characters located, or of the text."""
        return len(self.places) or len(self.text)

    @property
    def same_as(self) -> tuple[str, Any]:
        """Key that is equal for marks at the same characters, or with the same unlocated text."""
        return ("at", tuple(sorted(self.places))) if self.places else ("as", self.text)

    def overlap(self, other: Mark) -> int:
        """Count shared characters; without locations, all for the same text and otherwise 0."""
        if self.places and other.places:
            return len(self.places & other.places)
        return min(self.length, other.length) if self.text == other.text else 0


Tuple = Mapping[str, Sequence[Mark]]


@dataclass(frozen=True)
class Tuples:
    """One criterion: tuples by rater and item, and the lengths of the texts."""

    name: str
    raters: Mapping[str, Mapping[str, Sequence[Tuple]]]
    lengths: Mapping[str, int]
    groups: Mapping[str, str]
    identified: bool
    cannot_rate: int

    @property
    def parts(self) -> list[str]:
        """Parts that occur, with the usual ones first."""
        found = {
            part for items in self.raters.values() for of in items.values() for one in of for part in one
        }
        return [*(part for part in USUAL_PARTS if part in found), *sorted(found - set(USUAL_PARTS))]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the marks, whatever their order and the numbers of the tuples."""
        lines = []
        for rater, items in self.raters.items():
            for item, tuples in items.items():
                sorted_tuples = []
                for tuple_ in tuples:
                    marks = {
                        part: sorted((m.text, sorted(m.places)) for m in of) for part, of in tuple_.items()
                    }
                    sorted_tuples.append(sorted(marks.items()))
                lines.append(repr((rater, item, sorted(sorted_tuples))))
        return hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()


def read_tuple_answers(bundle: Bundle) -> pd.DataFrame:
    """Read one row an answer with its `marks` and their number; "can't rate" is NaN."""
    asked: dict[str, tuple[int, str]] = {}
    for form in bundle.forms:
        for position, one in enumerate(form["criteria"]):
            if one["kind"] == "tuples":
                asked[form["form"]] = min(
                    asked.get(form["form"], (position, one["key"])), (position, one["key"])
                )
    rows = []
    frame = bundle.answers[bundle.answers["form"].isin(list(asked))]
    for response, of_answer in frame.groupby("response", sort=False):
        criterion = asked[of_answer["form"].iloc[0]][1]
        answers_given = of_answer[(of_answer["criterion"] == criterion) & (of_answer["value"] != "")]
        first = (answers_given if len(answers_given) else of_answer).iloc[0]
        none: list[Row] | None = None if first["cannot_rate"] else []
        marks = json.loads(first["value"]) if len(answers_given) else none
        value = math.nan if marks is None else len({mark["tuple"] for mark in marks})
        rows.append({**first, "response": response, "criterion": criterion, "marks": marks, "value": value})
    columns = [*bundle.answers.columns, "marks"]
    return pd.DataFrame(rows, columns=columns).astype({"value": float, "excluded": bool, "late": bool})


def select_counted_tuples(bundle: Bundle, *, pooled: bool) -> tuple[list[Tuples], Row]:
    """Select the tuples that count, by criterion, with their counts."""
    counting, data = select_counted(bundle, read_tuple_answers(bundle), pooled=pooled)
    if not counting["value"].notna().any():
        return [], data
    groups = dict(zip(counting["item"], counting["group"], strict=True))
    found = []
    for name, answers in counting.groupby("name", sort=False):
        lengths = measure_texts(bundle, answers["form"].iloc[0])
        looked = answers[answers["marks"].notna()]
        raters: dict[str, dict[str, list[Tuple]]] = {}
        for item, rater, marks in zip(looked["item"], looked["rater"], looked["marks"], strict=True):
            raters.setdefault(rater, {})[item] = group_marks(marks)
        identified, missing = bool(bundle.facts["identified"]), int(answers["marks"].isna().sum())
        found.append(Tuples(str(name), raters, lengths, groups, identified, missing))
    return found, data


def group_marks(spans: Sequence[Row]) -> list[Tuple]:
    """Group spans into tuples; spans with the same text in the same part are one mark."""
    found: dict[Any, dict[str, dict[str, set[int]]]] = {}
    for span in spans:
        positions = (
            found.setdefault(span["tuple"], {}).setdefault(span["part"], {}).setdefault(span["text"], set())
        )
        if span["start"] is not None:
            positions.update(range(span["start"], span["end"]))
    return [
        {
            part: [Mark(text, frozenset(positions)) for text, positions in marks.items()]
            for part, marks in one.items()
        }
        for one in found.values()
    ]


def measure_texts(bundle: Bundle, form: str) -> dict[str, int]:
    """Return the length of each item's marked text: the form's figure, or its first text."""
    asking = [one for one in bundle.forms if one["form"] == form]
    blocks = [one["shown"] for one in asking if any(a["kind"] == "tuples" for a in one["criteria"])][-1]
    figures = [block["field"] for block in blocks if block.get("role") == "figure"]
    field = [*figures, *(block["field"] for block in blocks), "sentence"][0]
    texts = bundle.items[field] if field in bundle.items else pd.Series("", bundle.items.index)
    return {item: len(text) for item, text in zip(bundle.items["item"], texts, strict=True)}
