"""Questions with options that judges have answered: the answers of raters and judges, coded alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.option_settings import side_of
from annotation.models import Study
from scoring.selectors.judges.judged_values import item_contents
from scoring.services.choices.options import AskedChoice, ChoicePart
from scoring.stats.base.resampling import FloatArray
from scoring.stats.choices.nominal import coded_options
from scoring.stats.choices.preference import HALF, SIDES
from scoring.stats.data.table import Ratings
from scoring.stats.judges.label_agreement import Chance

# Kinds of answers that are one option each.
ONE_OPTION = (Yields.LABEL, Yields.PREFERENCE)


@dataclass(frozen=True)
class JudgedOptions:
    """The answers of raters to one question with options, and those of judges.

    Parameters
    ----------
    asked
        The question.
    options
        Options of the question; of pairs, a side is one option, however much better it is.
    answers
        One row an answer of a rater: `item`, `rater`, `value`, `group` and, of pairs, `first`.
    ratings
        The same, coded by the place of the option.
    judges
        Index item ID, one column a judge: the place of the option that it chose most often, of equally
        frequent ones the one that came first; NaN without an answer.
    contents
        Index item ID: of pairs the texts `text_a` and `text_b` and the systems `a` and `b`.
    """

    asked: AskedChoice
    options: tuple[str, ...]
    answers: pd.DataFrame
    ratings: Ratings
    judges: pd.DataFrame
    contents: pd.DataFrame

    @property
    def name(self) -> str:
        """Name of the criterion."""
        return self.asked.name

    @property
    def compares_pairs(self) -> bool:
        """Whether the options are the sides of a pair."""
        return self.asked.kind.yields is Yields.PREFERENCE

    @property
    def chance(self) -> Chance:
        """How agreement by chance is computed: uniform if a side or position has no share of its own."""
        return "uniform" if self.compares_pairs or self.asked.differs else "shares"

    def of_judge(self, judge: str) -> FloatArray:
        """The answer of a judge to each item code of the ratings, shape (items,)."""
        return self.judges[judge].reindex(self.ratings.items).to_numpy(dtype=np.float64)

    def sides_of_judge(self, judge: str, side: str) -> pd.Series:
        """1 where a judge prefers a side, 0 where it prefers the other, 0.5 where neither; by item ID."""
        answered = self.judges[judge].dropna().astype(int)
        return answered.map(lambda code: preference_score(self.options[code], side))

    def sides_of_people(self, side: str) -> pd.Series:
        """The mean of the same over the raters of each item."""
        hits = self.answers["value"].map(lambda value: preference_score(value, side))
        means: pd.Series = hits.groupby(self.answers["item"]).mean()
        return means

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what judges answered and of the texts and systems."""
        judged = self.judges.join(self.contents).sort_index()
        return hashlib.sha256(f"{self.options}{judged[sorted(judged.columns)].to_csv()}".encode()).hexdigest()


def preference_score(value: str, side: str) -> float:
    """1 where an answer prefers a side, 0 where it prefers the other one, 0.5 where neither."""
    return float(value == side) if value in SIDES else HALF


def judged_options(study: Study, part: ChoicePart | None, judged: pd.DataFrame) -> list[JudgedOptions]:
    """The questions with one option an answer that both raters and judges have answered.

    Parameters
    ----------
    study : Study
        The study.
    part : ChoicePart or None
        The answers of raters that count.
    judged : DataFrame
        From `judged_answers`.
    """
    if part is None or judged.empty:
        return []
    rated = part.answers
    named = {
        (form, key): name
        for form, key, name in rated[["form", "criterion", "name"]].drop_duplicates().to_numpy().tolist()
    }
    places = zip(judged["form"], judged["criterion"], strict=True)
    name_of = pd.Series([named.get(place, "") for place in places], index=judged.index, dtype=object)
    found = [
        _judged(study, part.asked[name], rows, judged[name_of == name])
        for name, rows in part.by_question()
        if part.asked[name].kind.yields in ONE_OPTION
    ]
    return [one for one in found if one is not None]


def _judged(study: Study, asked: AskedChoice, rows: pd.DataFrame, own: pd.DataFrame) -> JudgedOptions | None:
    """Code the answers of raters and judges; None if no judge chose one of the options."""
    pairs = asked.kind.yields is Yields.PREFERENCE
    read = side_of if pairs else str
    options = tuple(dict.fromkeys(read(option) for option in asked.options))
    codes = own.assign(code=own["answer"].map(read).map(_places(options))).dropna(subset=["code"])
    if codes.empty:
        return None
    answers = rows[rows["value"] != ""]
    answers = answers.assign(value=answers["value"].map(read))
    columns = ["item", "rater", "value", "group"]
    ratings = coded_options(answers[columns], asked.name, options, study.identified)
    judges = most_frequent(codes)
    contents = (
        item_contents(study, set(judges.index), asked.fields) if pairs else pd.DataFrame(index=judges.index)
    )
    return JudgedOptions(asked, options, answers[[*columns, "first"]], ratings, judges, contents)


def _places(options: Sequence[str]) -> Mapping[str, int]:
    return {option: place for place, option in enumerate(options)}


def most_frequent(codes: pd.DataFrame) -> pd.DataFrame:
    """The most frequent code of each judge for each item, of equally frequent ones the first.

    Parameters
    ----------
    codes : DataFrame
        Columns `judge`, `item` and `code`, in the order of the samples.

    Returns
    -------
    DataFrame
        Index item ID, one column a judge in the order of `codes`.
    """
    counts = codes.groupby(["item", "judge", "code"], sort=False).size()
    # Groups come in the order of their first rows, and a stable sort keeps that of equally frequent codes.
    rows = counts.sort_values(ascending=False, kind="stable").reset_index()
    wide = rows.drop_duplicates(["item", "judge"]).pivot(index="item", columns="judge", values="code")
    return wide.reindex(columns=list(dict.fromkeys(codes["judge"]))).astype(float)
