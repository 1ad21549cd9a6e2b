"""Answers of judges to questions with one option an answer, and those of raters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..arrays import Array
from ..bundle import Bundle
from ..choices.options import code_options
from ..choices.questions import Choices, Question
from ..ratings import Ratings

ONE_OPTION = ("choice", "preference")
SIDES = ("a", "b")


@dataclass(frozen=True)
class JudgedOptions:
    """A question with options that raters and judges have answered."""

    question: Question
    # Of pairs, however much better a side is, it is the same option
    options: tuple[str, ...]
    # Rows of raters: `item`, `rater`, `value`, `group` and `first`
    answers: pd.DataFrame
    ratings: Ratings
    # Rows of judgements with an answer
    judgements: pd.DataFrame
    # Index item; one column a judge: the place of the option that it chose most often
    judges: pd.DataFrame
    # Index item: texts `text_a` and `text_b`, and systems `a` and `b`, of pairs
    contents: pd.DataFrame

    @property
    def name(self) -> str:
        """Name of the question."""
        return self.question.name

    @property
    def compares_pairs(self) -> bool:
        """Whether the options are the sides of a pair."""
        return self.question.kind == "preference"

    @property
    def is_uniform(self) -> bool:
        """Whether agreement by chance is 1/K, because a place has no share of its own."""
        return self.compares_pairs or self.question.differs

    @property
    def judge_names(self) -> list[str]:
        """Names of the judges."""
        return [str(judge) for judge in self.judges.columns]

    def of_judge(self, judge: str) -> Array:
        """List the answer of a judge to each rated item."""
        return self.judges[judge].reindex(self.ratings.items).to_numpy(dtype=float)

    def read(self, answer: str) -> str:
        """Read the option of an answer."""
        return read_side(answer) if self.compares_pairs else answer


def read_side(answer: str) -> str:
    """Read the side that an answer prefers, however much."""
    side = answer.removesuffix("+")
    return side if side in SIDES else answer


def list_judged_options(
    bundle: Bundle, choices: Choices | None, judgements: pd.DataFrame
) -> Iterator[JudgedOptions]:
    """Yield the questions that raters and judges have answered."""
    if choices is None:
        return
    for question, rows in choices.by_question():
        if question.kind not in ONE_OPTION:
            continue
        places = set(zip(rows["form"], rows["criterion"], strict=True))
        asked = zip(judgements["form"], judgements["criterion"], strict=True)
        own = judgements[np.array([place in places for place in asked], dtype=bool)]
        one = combine(bundle, question, rows, own[own["reason"] == ""], identified=choices.identified)
        if not one.judges.empty:
            yield one


def combine(
    bundle: Bundle, question: Question, rows: pd.DataFrame, own: pd.DataFrame, *, identified: bool
) -> JudgedOptions:
    """Code the answers of raters and judges alike."""
    pairs = question.kind == "preference"
    options = tuple(dict.fromkeys(read_side(option) if pairs else option for option in question.options))
    given = rows[rows["value"] != ""]
    if pairs:
        given = given.assign(value=given["value"].map(read_side))
        own = own.assign(read=own["value"].map(read_side))
    else:
        own = own.assign(read=own["value"])
    ratings = code_options(question, given, options, identified)
    judges = find_most_frequent(own[own["read"].isin(options)], options)
    contents = list_contents(bundle, question, set(judges.index)) if pairs else pd.DataFrame()
    return JudgedOptions(question, options, given, ratings, own, judges, contents)


def find_most_frequent(own: pd.DataFrame, options: tuple[str, ...]) -> pd.DataFrame:
    """Find the option that each judge chose most often for each item, of equally frequent ones the first."""
    found: dict[str, dict[str, float]] = {judge: {} for judge in own["judge"]}
    for (judge, item), read in own.groupby(["judge", "item"], sort=False)["read"]:
        ((option, _),) = Counter(read).most_common(1)
        found[str(judge)][str(item)] = float(options.index(option))
    return pd.DataFrame(found, dtype=float)


def list_contents(bundle: Bundle, question: Question, items: set[str]) -> pd.DataFrame:
    """List the texts and systems of pairs in the order of the items."""
    rows = {
        row["item"]: {
            **{f"text_{side}": row.get(question.fields.get(side, side), "") for side in SIDES},
            **{side: row.get(f"meta.{side}", "") for side in SIDES},
        }
        for row in bundle.items.to_dict("records")
        if row["item"] in items
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["text_a", "text_b", *SIDES], dtype=object)
