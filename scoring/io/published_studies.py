"""The files of published studies, read and checked; what is read can be passed on by another process."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from annotation.domain.base.bounded_json import load_json
from annotation.domain.base.errors import FileProblem, FileRefused
from annotation.io.base.cells import Row
from annotation.io.base.readers import read_rows
from annotation.io.items.cmdag_file import read_records
from annotation.io.items.probing_file import ProbingFile, read_probing
from scoring.replication.files import PublishedFileError
from scoring.replication.hanna.data import CRITERIA as HANNA_CRITERIA
from scoring.replication.hanna.data import RATINGS, SCORES, HannaData
from scoring.replication.hauser.data import FILE as HAUSER_FILE
from scoring.replication.hauser.data import LABELS, components_of
from scoring.replication.miyazawa.data import FILE as MIYAZAWA_FILE
from scoring.replication.miyazawa.data import GREATEST, MiyazawaData
from scoring.replication.simile_probing import FILES as PROBING_FILES

HAUSER_TEXTS = ("similes", "components", "literal_sentences")
HAUSER_METRICS = (
    "BERTS_base",
    "BERTS_large",
    "BLEU1",
    "BLEU2",
    "BLEU3",
    "BLEU4",
    "rouge1",
    "rouge2",
    "rougeL",
    "meteor",
    "fluency",
    "relevance_KB",
    "relevance_COMET",
    "consistency_emo",
    "consistency_mnli",
)
CMDAG_MODELS = {"GPT-4": "gpt4", "GPT-3.5": "gpt35", "Baichuan": "baichuan", "Belle": "belle"}
CMDAG_PARTS = ("tenor", "vehicle", "metaphor")
CMDAG_TUPLES = {"cmdag_test": "test_data.json", "cmdag_train": "train_data_sampled_200.json"}
MOST_PROBLEMS = 20
TOLERANCE = 1e-9
Triple = tuple[str, str, str]


@dataclass(frozen=True)
class HauserRow:
    """One candidate: its cells, and its components as (topic, vehicle, event)."""

    cells: Row
    components: list[Triple]


def read_published(path: Path, *, name: str, study: str) -> Any:  # noqa: ARG001
    """Read the files of a published study; the reader of the uploads `published`.

    Parameters
    ----------
    path : Path
        The folder of the files, under the names they were published with.
    name : str
        Not used, since each message names its own file; every reader of sent files is given one.
    study : str
        One of `READERS`.

    Raises
    ------
    FileRefused
        A file is missing or broken.
    """
    try:
        return READERS[study](path)
    except PublishedFileError as problem:
        file, _, message = str(problem).partition(": ")
        # The server's paths are private: only the name of the file is shown.
        raise FileRefused([FileProblem(Path(file).name, 0, "", problem.code, message)]) from problem


def read_hauser(folder: Path) -> list[HauserRow]:
    """The candidates of `human_annotated.csv`, in file order."""
    rows = read_rows(folder / HAUSER_FILE, needed=(*HAUSER_TEXTS, *LABELS, *HAUSER_METRICS))
    components = [components_of(row["components"]) for _, row in rows]
    problems = [
        problem
        for (number, row), triples in zip(rows, components, strict=True)
        for problem in _hauser_problems(number, row, triples)
    ]
    if problems:
        raise FileRefused(problems[:MOST_PROBLEMS])
    return [HauserRow(row, triples or []) for (_, row), triples in zip(rows, components, strict=True)]


def read_hanna(folder: Path) -> HannaData:
    """Ratings and scores, of which the mean ratings must be the same."""
    hanna = HannaData.read(folder)
    ratings = hanna.ratings[list(HANNA_CRITERIA)].to_numpy(dtype=np.float64)
    wrong = np.argwhere(~np.isin(ratings, range(1, 6)))
    if len(wrong):
        row, column = wrong[0]
        where = f"{RATINGS}: row {row + 2}, column {list(HANNA_CRITERIA)[column]}"
        message = f"{where}: {ratings[row, column]:g} is not a whole number from 1 to 5"
        raise PublishedFileError("outside_scale", message)
    means = hanna.ratings.groupby(["system", "item"])[list(HANNA_CRITERIA)].mean()
    for position, system in enumerate(hanna.systems):
        of_system = means.loc[system].sort_index().to_numpy(dtype=np.float64)
        stored = hanna.values[position, :, : len(HANNA_CRITERIA)]
        if of_system.shape != stored.shape or np.abs(of_system - stored).max() > TOLERANCE:
            message = f"{RATINGS}: the mean ratings of {system} differ from those in {SCORES}"
            raise PublishedFileError("means_differ", message)
    return hanna


def read_miyazawa(folder: Path) -> MiyazawaData:
    """The votes, no two of one rater on one question."""
    published = MiyazawaData.read(folder)
    votes = published.votes
    wrong = np.flatnonzero(~votes["vote"].isin(range(GREATEST + 1)).to_numpy(dtype=bool))
    if len(wrong):
        row = int(wrong[0])
        where = f"{MIYAZAWA_FILE}: row {row + 2}, column vote"
        raise PublishedFileError(
            "outside_scale", f"{where}: {votes['vote'].iloc[row]:g} is not from 0 to {GREATEST}"
        )
    twice = np.flatnonzero(votes.duplicated(["metric", "noun", "verb", "user_id"]).to_numpy(dtype=bool))
    if len(twice):
        message = f"{MIYAZAWA_FILE}: row {int(twice[0]) + 2}: the same rater voted twice on the same question"
        raise PublishedFileError("duplicate_rating", message)
    return published


def read_simile_probing(folder: Path) -> list[ProbingFile]:
    """Both sets of questions."""
    return [read_probing(folder / file) for file in PROBING_FILES.values()]


def read_cmdag(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The generated metaphors by model."""
    return {model: _metaphors(folder / f"task1_no_ground_{end}.json") for model, end in CMDAG_MODELS.items()}


def read_cmdag_tuples(study: str, folder: Path) -> list[dict[str, Any]]:
    """The annotated sentences of one published file."""
    return read_records(folder / CMDAG_TUPLES[study])


READERS: Mapping[str, Callable[[Path], Any]] = {
    "hauser": read_hauser,
    "hanna": read_hanna,
    "miyazawa": read_miyazawa,
    "simile_probing": read_simile_probing,
    "cmdag": read_cmdag,
    **{study: partial(read_cmdag_tuples, study) for study in CMDAG_TUPLES},
}


def _hauser_problems(number: int, row: Row, components: Sequence[Triple] | None) -> list[FileProblem]:
    found = [
        (column, "outside_scale", f"{row[column]!r} is not a whole number from 1 to 5")
        for column in LABELS
        if row[column] not in {"1", "2", "3", "4", "5"}
    ]
    found += [
        (column, "not_a_number", f"{row[column]!r} is not a number")
        for column in HAUSER_METRICS
        if not _is_number(row[column])
    ]
    if components is None:
        found.append(("components", "bad_components", "not a list of (topic, vehicle, event)"))
    found += [
        (column, "empty_cell", "the cell is empty") for column in HAUSER_TEXTS if not row[column].strip()
    ]
    return [FileProblem(HAUSER_FILE, number, *problem) for problem in found]


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _metaphors(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        raise PublishedFileError("missing_file", f"{path}: the file does not exist")
    try:
        rows = load_json(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise PublishedFileError("bad_json", f"{path}: not JSON in UTF-8: {problem}") from problem
    if not isinstance(rows, list):
        raise PublishedFileError("bad_json", f"{path}: not a list of objects")
    for number, row in enumerate(rows, start=1):
        for part in CMDAG_PARTS:
            if not isinstance(row, dict) or not isinstance(row.get(part), str):
                raise PublishedFileError("missing_column", f"{path}: object {number}: {part} is missing")
    return rows
