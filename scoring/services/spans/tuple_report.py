"""The part of a reliability report that is about tuples."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.messages import message
from annotation.models import Study
from annotation.selectors.questions.tuple_tables import texts_of, tuples_frame
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.stats.base.parallel import Progress
from scoring.stats.base.resampling import Resampling
from scoring.stats.spans.marked_tuples import COLUMNS, MarksError, MarksTable
from scoring.stats.spans.tuple_agreement import tuple_agreement


@dataclass(frozen=True)
class TuplePart:
    """The tuples that count."""

    tables: Mapping[str, MarksTable]  # By criterion
    lengths: Mapping[str, Mapping[str, int]]  # By criterion and item: number of characters of the marked text
    groups: Mapping[str, str]  # Group of each item that has one
    data: dict[str, Any]  # Counts of `select_ratings`: what is used, excluded or left out
    cannot_rate: dict[str, int]  # Answers that say "can't rate", by criterion

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the tuples; with one criterion, that of its table."""
        every = [table.fingerprint for table in self.tables.values()]
        return every[0] if len(every) == 1 else hashlib.sha256("".join(every).encode()).hexdigest()

    @property
    def method(self) -> dict[str, Any]:
        """No further settings."""
        return {}

    def computed(
        self, method: Mapping[str, Any], progress: Progress
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """F1 and α as rows of the contract's JSON, and the table of pairs.

        Parameters
        ----------
        method : mapping
            `replicates` and `seed` of the intervals.
        progress : callable
            Called as `progress(done, total)`, in criteria.
        """
        resampling = Resampling(method["replicates"], method["seed"])
        figures: list[dict[str, Any]] = []
        pairs: list[dict[str, Any]] = []
        for done, (name, table) in enumerate(self.tables.items()):
            progress(done, len(self.tables))
            found = tuple_agreement(
                table, name=name, resampling=resampling, lengths=self.lengths[name], groups=self.groups
            )
            figures += [figure.to_row() for figure in found.figures]
            pairs += [figure.to_row() for figure in found.pairs]
        return figures, {"tuple_pairs": pairs}


def tuple_part(study: Study, *, pool_versions: bool) -> TuplePart | None:
    """The tuples of a study that count.

    Parameters
    ----------
    study : Study
        Study of the tuples.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.

    Returns
    -------
    TuplePart or None
        None if no rater has marked or looked for any.

    Raises
    ------
    GroundworkError
        The marks contradict each other or their texts; with the code of what is wrong.
    """
    frame = tuples_frame(study)
    if frame["value"].isna().all():
        return None
    counting, data = select_ratings(study, frame, pool_versions=pool_versions)
    named = counting.assign(name=criterion_names(counting))
    texts = texts_of(study)
    lengths: dict[str, dict[str, int]] = {}
    tables, cannot_rate = {}, {}
    if counting["value"].isna().all():
        return None
    for name, answers in named.groupby("name", sort=False):
        of_form = texts[answers["form"].iloc[0]]
        lengths[str(name)] = {item: len(text) for item, text in of_form.items()}
        cannot_rate[str(name)] = int(answers["marks"].isna().sum())
        tables[str(name)] = _table(study, answers[answers["marks"].notna()], lengths[str(name)])
    groups = dict(zip(counting["item"], counting["group"].fillna(""), strict=True))
    return TuplePart(tables, lengths, groups, data, cannot_rate)


def _table(study: Study, answers: pd.DataFrame, lengths: Mapping[str, int]) -> MarksTable:
    nothing = dict.fromkeys(("tuple", "part", "start", "end", "text"))
    rows = [
        {"item": item, "rater": rater, **mark}
        for item, rater, marks in zip(answers["item"], answers["rater"], answers["marks"], strict=True)
        for mark in marks or [nothing]
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
    try:
        return MarksTable.from_frame(frame, identified=study.identified, lengths=lengths)
    except MarksError as problem:
        raise GroundworkError(
            message("The tuples cannot be compared: %(problem)s.", problem=str(problem)), code=problem.code
        ) from problem
