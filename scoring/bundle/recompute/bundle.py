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


# Coefficients of bundles from before `coefficients.json`, and whether they are headline figures.
BEFORE_THE_LIST = {
    **dict.fromkeys(
        ("held_out_pearson", "held_out_spearman", "icc2", "icc2k", "alpha", "fleiss", "ac2"), True
    ),
    **dict.fromkeys(("icc1", "icc1k", "icc3", "icc3k", "ac1", "exact", "within_one"), False),
    **dict.fromkeys(("brennan_prediger", "precision", "recall", "f1"), False),
}


@dataclass(frozen=True)
class Coefficients:
    """Keys of the coefficients that a bundle's reports may hold, and the headline ones among them."""

    known: frozenset[str]
    headline: frozenset[str]

    @classmethod
    def read(cls, folder: Path) -> Coefficients:
        """Read `coefficients.json`; a bundle from before there was one has the coefficients of then."""
        path = folder / "coefficients.json"
        by_key = BEFORE_THE_LIST
        if path.is_file():
            by_key = {one["key"]: bool(one["headline"]) for one in read_json(path)}
        return cls(frozenset(by_key), frozenset(key for key, headline in by_key.items() if headline))


def read_json(path: Path) -> Any:
    """Read a JSON file of the bundle."""
    return json.loads(path.read_text(encoding="utf-8"))


def read_study(folder: Path) -> dict[str, Any]:
    """Read `study.json`; where it does not say what answers yield, Likert scales alone have numbers."""
    facts: dict[str, Any] = read_json(folder / "study.json")
    for scale in facts["scales"]:
        scale.setdefault("yields", "number" if scale["kind"] == "likert" else "")
    return facts


@dataclass(frozen=True, eq=False)
class Bundle:
    """Files that the figures come from: `answers` are the current rows, `ratings` those on scales."""

    folder: Path
    facts: Mapping[str, Any]
    forms: Sequence[Mapping[str, Any]]
    answers: pd.DataFrame
    ratings: pd.DataFrame
    scores: pd.DataFrame
    items: pd.DataFrame
    coefficients: Coefficients

    @classmethod
    def read(cls, folder: Path) -> Bundle:
        """Read a bundle's folder."""
        facts, forms = read_study(folder), read_json(folder / "forms.json")
        answers = read_table(folder / "data" / "ratings.csv")
        answers["rater"] = answers["rater" if facts["identified"] else "slot"]
        answers = answers[answers["current"] == "true"].reset_index(drop=True)
        answers = add_pools(answers, forms)
        for flag in ("cannot_rate", "late", "simulated", "excluded"):
            answers[flag] = answers[flag] == "true"
        answers["response"] = answers.groupby(["item", "form", "rater"], sort=False).ngroup()
        ratings = select_criteria(answers, list_scale_criteria(facts))
        ratings = ratings.assign(value=parse_numbers(ratings["value"]))
        scores, items = (read_table(folder / "data" / f"{name}.csv") for name in ("scores", "items"))
        return cls(folder, facts, forms, answers, ratings, scores, items, Coefficients.read(folder))


def add_pools(answers: pd.DataFrame, forms: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Add the position of each answer's form version and of the first version that it is pooled with.

    Bundles from before there were corrections have neither: each version is separate.
    """
    correction = answers.get("form_correction", "0")
    answers = answers.assign(form_correction=correction).astype({"form_version": int, "form_correction": int})
    pools = {}
    for form in forms:
        own = form["version"], form.get("correction", 0)
        pools[form["form"], *own] = parse_version(form.get("pooled_version") or label_version(*own))
    seen = [*zip(answers["form"], answers["form_version"], answers["form_correction"], strict=True)]
    known = [pools.get(place, place[1:]) for place in seen]
    order = {place: at for at, place in enumerate(sorted({*known, *(place[1:] for place in seen)}))}
    return answers.assign(
        place=[order[place[1:]] for place in seen],
        pool=[order[place] for place in known],
        version_label=[label_version(*place[1:]) for place in seen],
        pool_label=[label_version(*place) for place in known],
    )


def label_version(number: int, correction: int) -> str:
    """Return the number of a form version as people read it, such as 2 or 2.1."""
    return f"{number}.{correction}" if correction else str(number)


def parse_version(label: str) -> tuple[int, int]:
    """Split the number of a form version into version and correction."""
    number, _, correction = label.partition(".")
    return int(number), int(correction or 0)


def select_criteria(answers: pd.DataFrame, places: Collection[tuple[str, str]]) -> pd.DataFrame:
    """Select the answers to criteria, which are given by form and key."""
    asked = [pair in places for pair in zip(answers["form"], answers["criterion"], strict=True)]
    return answers[np.array(asked, dtype=bool)].reset_index(drop=True)


def list_scale_criteria(facts: Mapping[str, Any]) -> set[tuple[str, str]]:
    """List form and key of the criteria whose ratings are numbers."""
    return {(scale["form"], scale["criterion"]) for scale in facts["scales"] if scale["yields"] == "number"}
