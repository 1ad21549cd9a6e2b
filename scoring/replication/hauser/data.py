"""The published file of HAUSER's ratings, as arrays."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from scoring.replication.files import PublishedFileError, check_scale, read_table
from scoring.stats.base.resampling import FloatArray, IntArray

FILE = "human_annotated.csv"
CRITERIA = {"Quality": "q", "Creativity": "c", "Informativeness": "i"}
RATERS = (1, 2, 3)
METRICS = (
    "BLEU1",
    "BLEU2",
    "BLEU3",
    "BLEU4",
    "rouge1",
    "rouge2",
    "rougeL",
    "meteor",
    "BERTS_base",
    "BERTS_large",
    "fluency",
)
SUB_METRICS = ("relevance_KB", "relevance_COMET", "consistency_mnli", "consistency_emo")
SCALE = (1, 5)
LABELS = tuple(f"label{rater}_{letter}" for rater in RATERS for letter in CRITERIA.values())


def components_of(text: str) -> list[tuple[str, str, str]] | None:
    """Read the components of a simile.

    Parameters
    ----------
    text : str
        A Python list of (topic, vehicle, event).

    Returns
    -------
    list of (str, str, str), or None
        None where the text is none.
    """
    try:
        triples = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    well_formed = isinstance(triples, list) and all(
        isinstance(triple, tuple) and len(triple) == 3 and all(isinstance(part, str) for part in triple)
        for triple in triples
    )
    return triples if well_formed else None


@dataclass(frozen=True)
class HauserData:
    """150 candidates in file order."""

    table: pd.DataFrame  # The file's columns

    @classmethod
    def read(cls, folder: Path) -> HauserData:
        """Read the file of a folder; refused where a column is missing or a value is not a number."""
        table = read_table(
            folder / FILE,
            texts=("similes", "components", "literal_sentences"),
            numbers=(*LABELS, *METRICS, *SUB_METRICS),
        )
        check_scale(folder / FILE, table, LABELS, SCALE)
        for row, text in enumerate(table["components"]):
            if components_of(text) is None:
                where = f"{folder / FILE}: row {row + 2}, column components"
                message = f"{where}: not a list of (topic, vehicle, event)"
                raise PublishedFileError("bad_components", message)
        return cls(table)

    def ratings(self, criterion: str) -> FloatArray:
        """Shape (candidates, raters)."""
        columns = [f"label{rater}_{CRITERIA[criterion]}" for rater in RATERS]
        return self.table[columns].to_numpy(dtype=np.float64)

    def mean(self, criterion: str) -> FloatArray:
        """Mean of the three raters, shape (candidates,)."""
        return np.asarray(self.ratings(criterion).mean(axis=1), dtype=np.float64)

    def metric(self, name: str) -> FloatArray:
        """A metric's column, shape (candidates,)."""
        return self.table[name].to_numpy(dtype=np.float64)

    @cached_property
    def group(self) -> IntArray:
        """Code of the literal sentence of each candidate, in order of first appearance."""
        return pd.factorize(self.table["literal_sentences"])[0].astype(np.int64)

    @cached_property
    def vehicles(self) -> list[list[str]]:
        """Vehicles of each candidate, as extracted by the authors."""
        return [[triple[1] for triple in components_of(text) or []] for text in self.table["components"]]

    @cached_property
    def vehicle_length(self) -> FloatArray:
        """Mean number of words of the vehicles of each candidate; NaN without components."""
        return np.array(
            [
                float(np.mean([len(words.split()) for words in vehicles])) if vehicles else np.nan
                for vehicles in self.vehicles
            ]
        )

    def quality(self, relevance: float, logic: float, sentiment: float) -> FloatArray:
        """The quality metric of section 3.1 from its normalised parts, with the given weights."""
        parts = (self.metric(name) for name in ("relevance_KB", "consistency_mnli", "consistency_emo"))
        weighted = (weight * part for weight, part in zip((relevance, logic, sentiment), parts, strict=True))
        return np.asarray(sum(weighted, np.zeros(len(self.table))), dtype=np.float64)
