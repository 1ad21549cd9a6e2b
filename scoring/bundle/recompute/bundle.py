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


def strip_formula_mark(text: str) -> str:
    """Remove the apostrophe that keeps spreadsheets from running a cell as a formula."""
    return text[1:] if re.match(r"'+[=+\-@\t\r\n＝＋－＠]", text) else text


def read_table(path: Path) -> pd.DataFrame:
    """Read a CSV file of the bundle, with every cell as text."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    for column in frame.columns:
        distinct = {text: strip_formula_mark(text) for text in frame[column].unique()}
        frame[column] = frame[column].map(distinct)
    return frame


def parse_numbers(texts: pd.Series[Any]) -> Array:
    """Convert texts to numbers exactly; an empty text becomes NaN."""
    distinct = {text: float(text) if text else math.nan for text in texts.unique()}
    return np.asarray(texts.map(distinct), dtype=float)


@dataclass(frozen=True)
class Bundle:
    """Files that the figures come from: `answers` are the current rows, `ratings` those on scales."""

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
        ratings = select_criteria(answers, list_scale_criteria(facts))
        ratings = ratings.assign(value=parse_numbers(ratings["value"]))
        tables = [read_table(folder / "data" / f"{name}.csv") for name in ("scores", "items")]
        return cls(folder, facts, forms, answers, ratings, *tables)


def select_criteria(answers: pd.DataFrame, places: Collection[tuple[str, str]]) -> pd.DataFrame:
    """Select the answers to criteria, which are given by form and key."""
    asked = [place in places for place in zip(answers["form"], answers["criterion"], strict=True)]
    return answers[np.array(asked, dtype=bool)].reset_index(drop=True)


def list_scale_criteria(facts: Mapping[str, Any]) -> set[tuple[str, str]]:
    """List form and key of the criteria whose ratings are numbers."""
    return {(one["form"], one["criterion"]) for one in facts["scales"] if one["yields"] == "number"}
