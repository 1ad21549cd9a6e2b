"""HANNA's published ratings and metric scores, as arrays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from scoring.replication.files import PublishedFileError, check_scale, read_table
from scoring.stats.base.resampling import FloatArray
from scoring.stats.data.table import Ratings, RatingsTable

RATINGS = "ratings_long.csv"
SCORES = "hanna_metric_scores.csv"
CRITERIA = {
    "Relevance": "RE",
    "Coherence": "CH",
    "Empathy": "EM",
    "Surprise": "SU",
    "Engagement": "EG",
    "Complexity": "CX",
}
HUMAN = "Human"
SCALE = (1.0, 5.0)


@dataclass(frozen=True)
class HannaData:
    """1,056 stories of eleven systems for 96 prompts."""

    # One row per rating slot of a story: `system`, `item` (prompt), `rater_slot` and the six criteria
    ratings: pd.DataFrame
    systems: tuple[str, ...]  # In file order, the human writers first
    values: FloatArray  # Mean ratings and metric scores, shape (systems, prompts, columns)
    columns: tuple[str, ...]  # The six criteria, then the metrics

    @classmethod
    def read(cls, folder: Path) -> HannaData:
        """Read both files of a folder; refused with file, row and column where one is broken."""
        ratings = read_table(folder / RATINGS, texts=("system",), numbers=("item", "rater_slot", *CRITERIA))
        check_scale(folder / RATINGS, ratings, list(CRITERIA), SCALE)
        scores = read_table(folder / SCORES, texts=("Model", *CRITERIA))
        columns = tuple(str(name) for name in scores.columns if name != "Model")
        values = np.array(
            [
                [_numbers(folder / SCORES, row, column, str(scores.at[row, column])) for column in columns]
                for row in range(len(scores))
            ]
        )
        return cls(ratings, tuple(scores["Model"]), np.moveaxis(values, 1, 2), columns)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, with the authors' class marks."""
        return self.columns[len(CRITERIA) :]

    @cached_property
    def machines(self) -> FloatArray:
        """Values of the ten systems without the human writers, shape (prompts, systems, columns)."""
        chosen = [code for code, system in enumerate(self.systems) if system != HUMAN]
        return np.ascontiguousarray(self.values[chosen].transpose(1, 0, 2))

    @cached_property
    def system_means(self) -> FloatArray:
        """Mean over the prompts of each system but the human writers, shape (systems, columns)."""
        by_prompt = np.ascontiguousarray(self.machines.transpose(1, 2, 0))
        return np.asarray(by_prompt.mean(axis=2), dtype=np.float64)

    @cached_property
    def table(self) -> RatingsTable:
        """All ratings in long form; a slot counts as if it were a person."""
        story = self.ratings["system"] + "|" + self.ratings["item"].astype(int).astype(str)
        parts = [
            pd.DataFrame(
                {
                    "item": story,
                    "rater": self.ratings["rater_slot"].astype(int),
                    "criterion": name,
                    "value": self.ratings[name],
                }
            )
            for name in CRITERIA
        ]
        return RatingsTable.from_frame(pd.concat(parts), scales=dict.fromkeys(CRITERIA, SCALE))

    def complete(self, criterion: str) -> tuple[Ratings, FloatArray]:
        """Ratings of a criterion, coded, and as a matrix of shape (stories, slots)."""
        coded = self.table.criteria[criterion]
        return coded, coded.value.reshape(coded.n_items, -1)

    def of_system(self, system: str) -> pd.DataFrame:
        """The rows of one system."""
        return self.ratings[self.ratings["system"] == system]


def _numbers(path: Path, row: int, column: str, cell: str) -> Sequence[float]:
    try:
        values = json.loads(cell)
        numbers = [float(value) for value in values]
    except (ValueError, TypeError, RecursionError) as problem:
        message = f"{path}: row {row + 2}, column {column}: not a JSON list of numbers"
        raise PublishedFileError("not_numbers", message) from problem
    if not all(np.isfinite(numbers)):
        message = f"{path}: row {row + 2}, column {column}: a number is missing or infinite"
        raise PublishedFileError("not_a_number", message)
    return numbers
