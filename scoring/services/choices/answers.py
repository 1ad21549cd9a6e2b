"""Base of the parts of a report about options and orders: the answers that count, by question."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import pandas as pd

from annotation.models import Criterion, Study
from scoring.services.agreement.without_exclusions import ignore_exclusions
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.stats.base.parallel import Progress
from scoring.stats.base.resampling import Resampling

Part = TypeVar("Part", bound="AnswersPart")


class AnswersPart(ABC):
    """The answers that count, one row each with the `name` of its criterion; empty is a "can't rate".

    Subclasses are data classes with these fields.
    """

    study: Study
    answers: pd.DataFrame
    data: dict[str, Any]
    before: AnswersPart | None
    # Columns that change no figure of the answers that count.
    of_no_answer: ClassVar[frozenset[str]]
    # The name of the fingerprint of `before` in the method of a report.
    before_name: ClassVar[str]

    @property
    @abstractmethod
    def settings_by_question(self) -> Mapping[str, Any]:
        """What each question asks, by its name, as JSON has it."""

    @abstractmethod
    def agreement(self, resampling: Resampling) -> list[dict[str, Any]]:
        """Agreement figures of every question as rows of the contract's JSON."""

    @abstractmethod
    def tables(self, resampling: Resampling) -> dict[str, Any]:
        """Make the tables shown next to the figures, as lists of rows; a table without rows is left out."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers and of the questions, whatever the order of the answers."""
        columns = [name for name in self.answers.columns if name not in self.of_no_answer]
        cells = self.answers[columns].astype(object).where(self.answers[columns].notna(), None)
        rows = sorted(json.dumps(row, ensure_ascii=False, default=str) for row in cells.to_numpy().tolist())
        content = json.dumps([columns, dict(self.settings_by_question), rows])
        return hashlib.sha256(content.encode()).hexdigest()

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Answers without a value, by criterion."""
        return {name: int((rows["value"] == "").sum()) for name, rows in self.by_question()}

    @property
    def method(self) -> dict[str, Any]:
        """Which other answers the figures are compared with."""
        return {} if self.before is None else {self.before_name: self.before.fingerprint}

    def computed(
        self, method: Mapping[str, Any], progress: Progress
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Compute the figures as rows of the contract's JSON, and the tables shown next to them."""
        total = sum(1 for _ in self.by_question())
        progress(0, total)
        how = Resampling(method["replicates"], method["seed"])
        tables = self.tables(how)
        if self.before is not None:
            tables["before"] = self.before.agreement(how)
        rows = self.agreement(how)
        progress(total, total)
        return rows, tables

    def by_question(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """The answers to each question that has any with a value."""
        for name in self.settings_by_question:
            rows = self.answers[self.answers["name"] == name]
            if (rows["value"] != "").any():
                yield name, rows


def part_with_before(
    study: Study,
    frame: pd.DataFrame,
    make: Callable[[Study, pd.DataFrame, dict[str, Any]], Part],
    *,
    pool_versions: bool,
) -> Part | None:
    """Make a part of the answers that count; if any are excluded, `before` is the part without exclusions.

    Parameters
    ----------
    study : Study
        Study of the answers.
    frame : DataFrame
        From `choices_frame`.
    make : callable
        Makes the part of the study, the answers that count, and their counts.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.

    Returns
    -------
    Part or None
        None without an answer that has a value.
    """

    def made(rows: pd.DataFrame) -> Part | None:
        if rows.empty:
            return None
        counted, data = select_ratings(study, rows, pool_versions=pool_versions)
        if not counted["value"].notna().any():
            return None
        counted = counted.assign(name=criterion_names(counted), value=counted["value"].fillna("").astype(str))
        return make(study, counted, data)

    part = made(frame)
    if part is None or not part.data["excluded"]:
        return part
    before = made(ignore_exclusions(study, frame, pool_versions=pool_versions))
    return replace(part, before=before)  # type: ignore[type-var]


def asked_criteria(
    study: Study, counted: pd.DataFrame, kinds: Sequence[str]
) -> Iterator[tuple[str, Criterion]]:
    """Yield the criteria that were answered, oldest version first, with the names of their questions.

    Parameters
    ----------
    study : Study
        Study of the criteria.
    counted : DataFrame
        The answers, with `form`, `criterion` and `name`.
    kinds : sequence of str
        Keys of question kinds.
    """
    names = {
        (form, key): name
        for form, key, name in counted[["form", "criterion", "name"]].drop_duplicates().to_numpy().tolist()
    }
    criteria = Criterion.objects.filter(version__form__study=study, kind__in=kinds)
    ordered = criteria.select_related("version__form").prefetch_related("points")
    for criterion in ordered.order_by(
        "version__form__position", "version__number", "version__correction", "position", "pk"
    ):
        name = names.get((criterion.version.form.key, criterion.key))
        if name is not None:
            yield name, criterion
