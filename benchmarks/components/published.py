"""The published data sets with marked parts, and those whose sentences are labelled as similes or not."""

from __future__ import annotations

import ast
import csv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.components.pairs import Pair
from benchmarks.components.split import Side, on_side

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True)
class Marked:
    """A sentence with its marked pairs.

    `belongs_to` is what it has in common with other sentences: candidates of one literal sentence.
    """

    sentence: str
    pairs: list[Pair]
    belongs_to: str = ""


@dataclass(frozen=True)
class Labelled:
    """A sentence and whether it is a simile."""

    sentence: str
    is_simile: bool


def marked_sets(data: Path, side: Side | None) -> dict[str, list[Marked]]:
    """The marked sets by name; of a side, or whole."""
    probing_folder = data / "simile_probing"
    sets = {
        "components.csv": components(data),
        "HAUSER": hauser(data),
        "probing, General Corpus": probing(probing_folder / "General_Corpus.csv"),
        "probing, Quizzes": probing(probing_folder / "Quizzes.csv"),
    }
    if side is None:
        return sets
    return {
        name: on_side(rows, side, lambda row: row.belongs_to or row.sentence) for name, rows in sets.items()
    }


def labelled_set(data: Path, side: Side | None) -> list[Labelled]:
    """The sentences of both detection files, each once."""
    folder = data / "simile_components"
    rows = [row for name in ("detection_train", "detection_dev") for row in rows_of(folder / f"{name}.txt")]
    labels = {row["sentence"]: row["label"] == "1" for row in rows}
    labelled = [Labelled(*entry) for entry in labels.items()]
    return labelled if side is None else on_side(labelled, side, lambda row: row.sentence)


def components(data: Path) -> list[Marked]:
    groups: dict[str, list[Pair]] = {}
    for row in rows_of(data / "simile_components" / "components.csv"):
        groups.setdefault(row["sentence"], []).append(Pair(row["topic"], row["vehicle"]))
    return [Marked(sentence, pairs) for sentence, pairs in groups.items()]


def probing(path: Path) -> list[Marked]:
    """The blank, which is the property, is filled with the right option where it is a word of its own."""
    marked = []
    for row in rows_of(path):
        right = row[f"option{row['ans_idx']}"]
        filled = " ".join(right if word == "_" else word for word in row["sentence"].split(" "))
        marked.append(Marked(filled, [Pair(row["topic"], row["vehicle"], row["event"], right)]))
    return marked


def hauser(data: Path) -> list[Marked]:
    marked = []
    for row in rows_of(data / "hauser" / "human_annotated.csv"):
        triples = [Pair(*triple) for triple in ast.literal_eval(row["components"])]
        pairs = [mark for mark in triples if mark.vehicle != "-"]
        marked.append(Marked(row["similes"], pairs, row["literal_sentences"]))
    return marked


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
