"""The part of a reliability report that is about marked errors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from annotation.domain.questions.error_spans.marks import marks_in
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import Study
from annotation.selectors.questions.errors.tables import asked_errors
from annotation.selectors.questions.long_table import choices_frame
from scoring.services.agreement.without_exclusions import ignore_exclusions
from scoring.services.data.counting import criterion_names, select_ratings
from scoring.stats.agreement.coefficients import HEADLINE
from scoring.stats.agreement.reliability import reliability
from scoring.stats.base.parallel import Progress
from scoring.stats.base.resampling import Resampling
from scoring.stats.data.scale import Scale
from scoring.stats.data.table import RatingsTable
from scoring.stats.spans.errors.agreement import MarkedErrors, error_agreement
from scoring.stats.spans.errors.spans import ErrorSpan

# What the name of a criterion has for its scores; no key of a criterion has a colon.
SCORE = ":score"
FINGERPRINTED = (
    *("item", "group", "form", "form_version", "rater", "criterion", "value", "cannot_rate"),
    *("excluded", "exclusion_rule", "name", "score", "length"),
)


@dataclass(frozen=True)
class ErrorPart:
    """The marked errors that count.

    Parameters
    ----------
    answers
        One row an answer, with the `name` of its criterion, its `errors`, the `length` of the text, and the
        `score` by the formula of the study; an empty `value` is a "can't rate".
    identified
        Whether raters are persons.
    data
        Counts for a report.
    before
        As if nothing were excluded; None where nothing is.
    """

    answers: pd.DataFrame
    identified: bool
    data: dict[str, Any]
    before: ErrorPart | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the answers with their scores, whatever their order."""
        cells = self.answers[list(FINGERPRINTED)].astype(object)
        cells = cells.where(cells.notna(), None)
        rows = sorted(json.dumps(row, ensure_ascii=False, default=str) for row in cells.to_numpy().tolist())
        return hashlib.sha256(json.dumps([list(FINGERPRINTED), rows]).encode()).hexdigest()

    @property
    def cannot_rate(self) -> dict[str, int]:
        """Answers without a value, by criterion."""
        return {name: int((rows["value"] == "").sum()) for name, rows in self._by_question()}

    @property
    def method(self) -> dict[str, Any]:
        """Which other answers the figures are compared with."""
        return {} if self.before is None else {"errors_before": self.before.fingerprint}

    def computed(
        self, method: Mapping[str, Any], progress: Progress
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Figures as rows of the contract's JSON, the table of pairs, and the scores of items."""
        how = Resampling(method["replicates"], method["seed"])
        figures: list[dict[str, Any]] = []
        pairs: list[dict[str, Any]] = []
        for name, rows in self._by_question():
            found = error_agreement(self._marked(rows), name, how)
            figures += [figure.to_row() for figure in found.figures]
            pairs += [figure.to_row() for figure in found.pairs]
        scored = reliability(self._scores(), seed=how.seed, replicates=how.replicates, progress=progress)
        figures += [figure.to_row() for figure in scored.figures]
        tables: dict[str, Any] = {"error_pairs": pairs, "error_scores": self._item_scores()}
        if self.before is not None:
            tables["before"] = self.before.headline(how)
        return figures, tables

    def headline(self, how: Resampling) -> list[dict[str, Any]]:
        """Return the figures that are shown before and after exclusions."""
        found = reliability(self._scores(), seed=how.seed, replicates=how.replicates)
        rows = [figure.to_row() for figure in found.figures if figure.coefficient in HEADLINE]
        return [row for row in rows if not str(row["variant"]).startswith("rater:")]

    def _by_question(self) -> Iterable[tuple[str, pd.DataFrame]]:
        for name, rows in self.answers.groupby("name", sort=False):
            if (rows["value"] != "").any():
                yield str(name), rows

    def _marked(self, rows: pd.DataFrame) -> MarkedErrors:
        given = rows[rows["value"] != ""]
        raters: dict[str, dict[str, list[ErrorSpan]]] = {}
        for item, rater, errors in zip(given["item"], given["rater"], given["errors"], strict=True):
            raters.setdefault(rater, {})[item] = errors
        groups = dict(zip(rows["item"], rows["group"].fillna(""), strict=True))
        lengths = dict(zip(given["item"], given["length"], strict=True))
        return MarkedErrors(raters, lengths, groups, self.identified)

    def _scores(self) -> RatingsTable:
        rows = self.answers.assign(
            value=self.answers["score"], criterion=[f"{name}{SCORE}" for name in self.answers["name"]]
        )
        scales = {str(name): _scale(of_name) for name, of_name in rows.groupby("criterion")["value"]}
        columns = rows[["item", "rater", "value", "group", "criterion"]]
        return RatingsTable.from_frame(columns, identified=self.identified, scales=scales)

    def _item_scores(self) -> list[dict[str, Any]]:
        return [
            {"criterion": name, "item": str(item), "n": len(scores), "score": float(scores.mean())}
            for name, rows in self._by_question()
            for item, scores in rows[rows["value"] != ""].groupby("item", sort=True)["score"]
        ]


def error_part(study: Study, *, pool_versions: bool) -> ErrorPart | None:
    """The marked errors that count.

    Parameters
    ----------
    study : Study
        Study of the answers.
    pool_versions : bool
        Take all versions of a form together; otherwise the newest one that was answered.
    """
    frame = choices_frame(study, keys_yielding(Yields.ERRORS))
    part = _part(study, frame, pool_versions=pool_versions)
    if part is None or not part.data["excluded"]:
        return part
    everything = ignore_exclusions(study, frame, pool_versions=pool_versions)
    return replace(part, before=_part(study, everything, pool_versions=pool_versions))


def _part(study: Study, frame: pd.DataFrame, *, pool_versions: bool) -> ErrorPart | None:
    if frame.empty:
        return None
    counted, data = select_ratings(study, frame, pool_versions=pool_versions)
    if not counted["value"].notna().any():
        return None
    counted = counted.assign(name=criterion_names(counted), value=counted["value"].fillna("").astype(str))
    return ErrorPart(_with_errors(study, counted), study.identified, data)


def _with_errors(study: Study, counted: pd.DataFrame) -> pd.DataFrame:
    asked = asked_errors(study)
    fields = dict(study.items.values_list("key", "fields").iterator())
    errors, lengths, scores = [], [], []
    columns = ("item", "value", "form", "form_version", "form_correction", "criterion")
    for item, value, *place in counted[list(columns)].itertuples(index=False):
        one = asked[place[0], int(place[1]), int(place[2]), place[3]]
        text = fields[item].get(one.field, "")
        marks = marks_in(value) if value else []
        spans = zip(marks, one.weights(marks), strict=True)
        errors.append(
            [ErrorSpan(mark["start"], mark["end"], mark["category"], float(w)) for mark, w in spans]
        )
        lengths.append(len(text))
        scores.append(one.score(marks, text) if value else float("nan"))
    return counted.assign(
        errors=pd.Series(errors, index=counted.index, dtype=object), length=lengths, score=scores
    )


def _scale(scores: pd.Series) -> Scale:
    """The scale of the scores: any number from 0 up."""
    return Scale(0.0, max(float(scores.max()), 1.0), continuous=True)
