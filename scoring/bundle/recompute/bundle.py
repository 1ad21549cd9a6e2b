"""The files of a bundle."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .arrays import Array


def unmarked(text: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from running it as a formula."""
    return text[1:] if re.match(r"'+[=+\-@\t\r\n＝＋－＠]", text) else text


def read_table(path: Path) -> pd.DataFrame:
    """A CSV file of the bundle, every cell as text."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    for column in frame.columns:
        distinct = {text: unmarked(text) for text in frame[column].unique()}
        frame[column] = frame[column].map(distinct)
    return frame


def numbers(texts: pd.Series[Any]) -> Array:
    """Texts as numbers, exactly; an empty one is NaN."""
    distinct = {text: float(text) if text else math.nan for text in texts.unique()}
    return np.asarray(texts.map(distinct), dtype=float)


@dataclass(frozen=True)
class Bundle:
    """The files that figures come from; `answers` are the current rows, `ratings` those of them on scales."""

    folder: Path
    facts: Mapping[str, Any]
    forms: Sequence[Mapping[str, Any]]
    answers: pd.DataFrame
    ratings: pd.DataFrame
    scores: pd.DataFrame
    items: pd.DataFrame

    @classmethod
    def read(cls, folder: Path) -> Bundle:
        """Read a bundle's folder."""
        facts, forms = (
            json.loads((folder / name).read_text(encoding="utf-8")) for name in ("study.json", "forms.json")
        )
        answers = read_table(folder / "data" / "ratings.csv")
        answers["rater"] = answers["rater" if facts["identified"] else "slot"]
        answers = answers[answers["current"] == "true"].reset_index(drop=True)
        answers["form_version"] = answers["form_version"].astype(int)
        for flag in ("cannot_rate", "late", "simulated", "excluded"):
            answers[flag] = answers[flag] == "true"
        answers["response"] = answers.groupby(["item", "form", "rater"], sort=False).ngroup()
        ratings = of_criteria(answers, criteria_on_scales(facts))
        ratings = ratings.assign(value=numbers(ratings["value"]))
        tables = [read_table(folder / "data" / f"{name}.csv") for name in ("scores", "items")]
        return cls(folder, facts, forms, answers, ratings, *tables)


def of_criteria(answers: pd.DataFrame, places: Collection[tuple[str, str]]) -> pd.DataFrame:
    """The answers to some criteria, which are named by form and key."""
    asked = [place in places for place in zip(answers["form"], answers["criterion"], strict=True)]
    return answers[np.array(asked, dtype=bool)].reset_index(drop=True)


def criteria_on_scales(facts: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Form and key of the criteria whose ratings are numbers."""
    return {(one["form"], one["criterion"]) for one in facts["scales"] if one["kind"] == "likert"}
