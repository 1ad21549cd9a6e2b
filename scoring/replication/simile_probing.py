"""He et al. (ACL 2022): statistics of the probing sets and their one public human answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from scoring.replication.files import read_table
from scoring.replication.sheet import Sheet
from scoring.stats.agreement.alpha import alpha
from scoring.stats.base.resampling import FloatArray, Resampling
from scoring.stats.data.table import RatingsTable

OPTIONS = ("option0", "option1", "option2", "option3")
FILES = {"Quizzes": "Quizzes.csv", "General_Corpus": "General_Corpus.csv"}
CONCEPTS = {
    "unique topics": ("topic",),
    "unique properties": ("property",),
    "unique vehicles": ("vehicle",),
    "unique events": ("event",),
    "unique topic-vehicle pairs": ("topic", "vehicle"),
    "unique topic-property-vehicle triples": ("topic", "property", "vehicle"),
}
TABLE_2 = {
    "General_Corpus": ("415", "280", "522", "147", "743", "751", "98", "25.80", "7"),
    "Quizzes": ("366", "160", "250", "66", "684", "701", "44", "12.69", "7"),
}
ROWS = {"Quizzes": "858", "General_Corpus": "775"}
HUMAN = {"Quizzes": "93.60", "General_Corpus": "87.60"}
NO_MAJORITY = (
    "the paper's figure is the majority of three people on 250 sampled questions; one answer is public"
)
ONE_ANSWER = (
    "compared with the printed figure of Table 3, which is the majority of three people on 250 sampled "
    "questions; the file has one answer to every question"
)
NO_ANNOTATIONS = "the three annotators' decisions are not public"


def simile_probing_cells(folder: Path) -> Sheet:
    """Recompute the statistics of both sets and the agreement of the public answers with the key.

    Parameters
    ----------
    folder : Path
        Holds `Quizzes.csv` and `General_Corpus.csv`.

    Returns
    -------
    Sheet
        A cell for every figure that people, not models, gave.

    Raises
    ------
    PublishedFileError
        A file is missing or broken.
    """
    sheet = Sheet("simile_probing")
    for name, file in FILES.items():
        texts = ("sentence", "topic", "vehicle", "event", *OPTIONS)
        table = read_table(folder / file, texts=texts, numbers=("human_idx", "ans_idx"))
        table["property"] = [row[f"option{int(row['ans_idx'])}"] for _, row in table.iterrows()]
        _add_counts(sheet, name, table)
        _add_statistics(sheet, name, table)
        _add_answers(sheet, name, table)
        sheet.add(("Table 3", name, "Human Performance"), None, "accuracy", HUMAN[name], NO_MAJORITY)
    sheet.add(("Sec 3.2.1", "identifying similes", "Fleiss"), None, "fleiss", "0.77", NO_ANNOTATIONS)
    return sheet


def _add_counts(sheet: Sheet, name: str, table: pd.DataFrame) -> None:
    sheet.add((name, "rows", "n"), len(table), "count", ROWS[name])
    distinct = table[list(OPTIONS)].nunique(axis=1)
    identical = int((distinct < len(OPTIONS)).sum())
    sheet.add((name, "rows with two identical options", "n"), identical, "count")
    repeated = int(table["sentence"].duplicated().sum())
    sheet.add((name, "rows that repeat an earlier sentence", "n"), repeated, "count")
    valid = int(table["human_idx"].isin(range(len(OPTIONS))).sum())
    sheet.add((name, "rows whose human_idx is not an option", "n"), len(table) - valid, "count")
    for column in ("human_idx", "ans_idx"):
        for option in range(len(OPTIONS)):
            count = int((table[column] == option).sum())
            sheet.add((name, f"{column} = {option}", "n"), count, "count")


def _add_statistics(sheet: Sheet, name: str, table: pd.DataFrame) -> None:
    lengths = np.array([len(sentence.split()) for sentence in table["sentence"]])
    values: list[float] = [len(table.drop_duplicates(list(columns))) for columns in CONCEPTS.values()]
    values += [int(lengths.max()), float(lengths.mean()), int(lengths.min())]
    rows = (*CONCEPTS, "maximum length", "average length", "minimum length")
    for row, value, printed in zip(rows, values, TABLE_2[name], strict=True):
        sheet.add(("Table 2", row, name), value, "count", printed)


def _add_answers(sheet: Sheet, name: str, table: pd.DataFrame) -> None:
    valid = table[table["human_idx"].isin(range(len(OPTIONS)))]
    same = valid["human_idx"] == valid["ans_idx"]
    chosen = np.array([row[f"option{int(row['human_idx'])}"] for _, row in valid.iterrows()])
    same_text = chosen == valid["property"].to_numpy()
    shares = {
        "human accuracy, all rows, %": (100 * float(same.sum()) / len(table), "accuracy"),
        "human accuracy, valid rows, %": (100 * float(same.mean()), "accuracy"),
        "human accuracy by option text, all rows, %": (
            100 * float(same_text.sum()) / len(table),
            "accuracy_text",
        ),
        "human accuracy by option text, valid rows, %": (100 * float(same_text.mean()), "accuracy_text"),
    }
    for row, (value, definition) in shares.items():
        printed = HUMAN[name] if row == "human accuracy, all rows, %" else None
        note = ONE_ANSWER if printed else ""
        sheet.add((name, row, "value"), value, definition, printed, note)
    answers = valid[["human_idx", "ans_idx"]].to_numpy(dtype=np.float64)
    sheet.add((name, "Cohen kappa", "value"), _cohen(answers), "cohen")
    sheet.add((name, "alpha nominal", "value"), _alpha(answers), "alpha")


def _cohen(answers: FloatArray) -> float:
    """Cohen's κ of two columns, shape (questions, 2)."""
    observed = float((answers[:, 0] == answers[:, 1]).mean())
    shares = [[float((column == option).mean()) for option in range(len(OPTIONS))] for column in answers.T]
    expected = float(np.dot(shares[0], shares[1]))
    return (observed - expected) / (1 - expected)


def _alpha(answers: FloatArray) -> float:
    items = np.repeat(np.arange(len(answers)), 2)
    raters = np.tile(["human", "key"], len(answers))
    long = pd.DataFrame({"item": items, "rater": raters, "criterion": "answer", "value": answers.ravel()})
    ratings = RatingsTable.from_frame(long).criteria["answer"]
    return alpha(ratings, "nominal", Resampling(replicates=1)).estimate
