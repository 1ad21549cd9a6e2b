"""Miyazawa & Miyao's published votes, as arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from scoring.replication.files import PublishedFileError, check_scale, read_table
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.base.rounding import round_significant

FILE = "result.csv"
CRITERIA = ("metaphoricity", "comprehensibility", "novelty")
OVERALL = "overall"
GREATEST = 4
# The paper writes one noun with a long vowel that the files leave out.
SPELLING = {"syutisin": "syuutisin"}


@dataclass(frozen=True)
class MiyazawaData:
    """10 votes for each of 1,360 expressions on each of three criteria."""

    votes: pd.DataFrame  # One row per vote: `metric`, `noun`, `verb`, `vote` (0 to 4) and `user_id`
    romanised: dict[tuple[str, str], str]  # Expression as the paper spells it, by noun and phrase in Japanese

    @classmethod
    def read(cls, folder: Path) -> MiyazawaData:
        """Read the votes and a ranking in both languages; refused where a file is broken."""
        votes = read_table(folder / FILE, texts=("metric", "noun", "verb", "user_id"), numbers=("vote",))
        check_scale(folder / FILE, votes, ["vote"], (0, GREATEST))
        unknown = np.flatnonzero(~votes["metric"].isin(CRITERIA).to_numpy(dtype=bool))
        if len(unknown):
            row = int(unknown[0])
            where, found = f"{folder / FILE}: row {row + 2}, column metric", votes["metric"].iloc[row]
            message = f"{where}: {found!r} is not one of {', '.join(CRITERIA)}"
            raise PublishedFileError("unknown_criterion", message)
        return cls(votes, _romanised(folder))

    @cached_property
    def expressions(self) -> list[tuple[str, str]]:
        """Noun and phrase of each expression, in file order."""
        first = self.votes.drop_duplicates(["noun", "verb"])
        return list(zip(first["noun"], first["verb"], strict=True))

    @cached_property
    def codes(self) -> IntArray:
        """Code of the expression of each vote."""
        code = {expression: position for position, expression in enumerate(self.expressions)}
        pairs = zip(self.votes["noun"], self.votes["verb"], strict=True)
        return np.array([code[pair] for pair in pairs], dtype=np.int64)

    def of(self, criterion: str) -> pd.DataFrame:
        """The votes on one criterion, with the expression's code."""
        return self.votes.assign(expression=self.codes)[self.votes["metric"] == criterion]

    def matrix(self, criterion: str) -> FloatArray:
        """Votes in the order of the file, shape (expressions, 10)."""
        votes = self.of(criterion)
        ordered = votes.sort_values("expression", kind="stable")
        sizes = np.bincount(ordered["expression"])
        if len(set(sizes)) != 1:
            message = f"{FILE}: the expressions have unequal numbers of votes on {criterion}"
            raise PublishedFileError("unequal_votes", message)
        return ordered["vote"].to_numpy(dtype=np.float64).reshape(len(sizes), -1)

    @cached_property
    def means(self) -> dict[str, FloatArray]:
        """Mean vote of each expression, and their sum as overall evaluation; equal figures are equal."""
        means = {name: round_significant(self.matrix(name).mean(axis=1)) for name in CRITERIA}
        total = sum(means.values(), np.zeros(len(self.expressions)))
        return means | {OVERALL: round_significant(np.round(total, 6))}

    @cached_property
    def position(self) -> dict[str, int]:
        """Code of an expression by its spelling in the paper."""
        return {self.romanised[pair]: code for code, pair in enumerate(self.expressions)}

    def ranks(self, name: str) -> IntArray:
        """Rank of each expression, 1 + the number of strictly better ones."""
        values = self.means[name]
        return np.asarray(len(values) - np.searchsorted(np.sort(values), values, side="right") + 1)


def _romanised(folder: Path) -> dict[tuple[str, str], str]:
    """Spelling of each expression, from a ranking that has the same rows in both languages."""
    japanese, english = (
        read_table(folder / f"novelty-rank-{language}.csv", texts=("noun", "verb"), numbers=("rank",))
        for language in ("ja", "en")
    )
    nouns = _spelling(folder, japanese, english, "noun")
    verbs = _spelling(folder, japanese, english, "verb")
    return {(noun, verb): f"{nouns[noun]} | {verbs[verb]}" for noun in nouns for verb in verbs}


def _spelling(folder: Path, japanese: pd.DataFrame, english: pd.DataFrame, column: str) -> dict[str, str]:
    if len(japanese) != len(english):
        raise PublishedFileError("unequal_rankings", f"{folder}: the novelty rankings have unequal lengths")
    plain = [re.sub(r" \(.*\)$", "", text) for text in english[column]]
    pairs = zip(japanese[column], plain, strict=True)
    return {original: SPELLING.get(word, word) for original, word in pairs}
