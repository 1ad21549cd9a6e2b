"""The long table of ratings: as rows for an export, as a data frame for the statistics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pandas as pd
from django.db.models import QuerySet

from annotation.domain.states import CriterionKind, Purpose
from annotation.models import Criterion, Exclusion, RaterKind, Rating, Response, Study

COLUMNS = (
    "study",
    "item",
    "group",
    "system",
    "form",
    "form_version",
    "rater",
    "criterion",
    "value",
    "cannot_rate",
    "reason",
    "remark",
    "revision",
    "current",
    "late",
    "simulated",
    "submitted_at",
    "seconds",
    "excluded",
    "exclusion_rule",
)
FRAME_COLUMNS = (
    "item",
    "group",
    "system",
    "form",
    "form_version",
    "rater",
    "criterion",
    "value",
    "cannot_rate",
    "late",
    "simulated",
    "excluded",
    "exclusion_rule",
    "response",
)
AT_ONCE = 2000


def long_ratings(study: Study, *, all_revisions: bool = False) -> Iterator[dict[str, Any]]:
    """Yield one row a rating in the columns of the contract, streamed.

    An answer without a value ("can't rate") gives one row for each criterion it leaves open.

    Parameters
    ----------
    study : Study
        Whose ratings; trials, checks and qualification are never among them.
    all_revisions : bool
        Earlier revisions too, with `current` false.
    """
    excluded = _Exclusions(study)
    criteria = _criteria_of(study)
    responses = _responses(study, all_revisions=all_revisions).prefetch_related("ratings")
    for response in responses.iterator(chunk_size=AT_ONCE):
        base = _base_row(study, response, excluded)
        given = {rating.criterion_id: rating for rating in response.ratings.all()}
        for criterion in criteria[response.version_id]:
            rating = given.get(criterion.pk)
            if rating is None and not response.cannot_rate:
                continue
            yield {**base, "criterion": criterion.key, "value": _value(rating)}


def rating_columns(study: Study) -> tuple[str, ...]:
    """The columns of an export: `slot` stands in place of `rater` where the raters are anonymous."""
    return tuple("slot" if name == "rater" and not study.identified else name for name in COLUMNS)


def ratings_frame(study: Study) -> pd.DataFrame:
    """The current ratings on Likert scales, one row a rating, for the statistics.

    Parameters
    ----------
    study : Study
        Whose ratings.

    Returns
    -------
    pandas.DataFrame
        Columns `FRAME_COLUMNS`; `value` is NaN where an answer says "can't rate".
    """
    likert = set(
        Criterion.objects.filter(version__form__study=study, kind=CriterionKind.LIKERT).values_list(
            "key", flat=True
        )
    )
    rows = [row for row in _numbered(study) if row["criterion"] in likert]
    frame = pd.DataFrame(rows, columns=list(FRAME_COLUMNS))
    frame["value"] = pd.to_numeric(frame["value"])
    return frame


def _numbered(study: Study) -> Iterator[dict[str, Any]]:
    """Rows for the frame, read without making a model instance for each rating."""
    excluded = _Exclusions(study)
    criteria = _criteria_of(study)
    values: dict[int, dict[int, int | None]] = {}
    ratings = Rating.objects.filter(response__in=_responses(study, all_revisions=False).order_by())
    for response_id, criterion_id, value in ratings.values_list("response_id", "criterion_id", "value"):
        values.setdefault(response_id, {})[criterion_id] = value
    for response in _responses(study, all_revisions=False).iterator(chunk_size=AT_ONCE):
        code = response.assignment.rater.code
        base = _base_row(study, response, excluded) | {"response": response.pk, "rater": code}
        given = values.get(response.pk, {})
        for criterion in criteria[response.version_id]:
            if criterion.pk in given or response.cannot_rate:
                yield {**base, "criterion": criterion.key, "value": given.get(criterion.pk)}


def _responses(study: Study, *, all_revisions: bool) -> QuerySet[Response]:
    found = Response.objects.filter(
        assignment__item__study=study,
        assignment__purpose=Purpose.MAIN,
        assignment__rater__kind__in=[RaterKind.PERSON, RaterKind.SLOT],
    ).select_related("assignment__item", "assignment__rater", "assignment__form", "version")
    if not all_revisions:
        found = found.filter(current=True)
    return found.order_by("assignment__item__position", "assignment__rater__code", "revision", "pk")


def _criteria_of(study: Study) -> dict[int, list[Criterion]]:
    found: dict[int, list[Criterion]] = {}
    for criterion in Criterion.objects.filter(version__form__study=study).order_by("position", "pk"):
        found.setdefault(criterion.version_id, []).append(criterion)
    return found


def _base_row(study: Study, response: Response, excluded: _Exclusions) -> dict[str, Any]:
    assignment = response.assignment
    rule = excluded.rule_for(response)
    return {
        "study": study.slug,
        "item": assignment.item.key,
        "group": assignment.item.group,
        "system": assignment.item.system,
        "form": assignment.form.key,
        "form_version": response.version.number,
        "rater" if study.identified else "slot": assignment.rater.code,
        "criterion": "",
        "value": None,
        "cannot_rate": bool(response.cannot_rate),
        "reason": response.cannot_rate,
        "remark": response.remark,
        "revision": response.revision,
        "current": response.current,
        "late": response.late,
        "simulated": assignment.rater.simulated,
        "submitted_at": _iso(response.submitted_at),
        "seconds": response.seconds,
        "excluded": rule is not None,
        "exclusion_rule": rule or "",
    }


def _value(rating: Rating | None) -> int | str | None:
    if rating is None:
        return None
    return rating.answer if rating.value is None else rating.value


def _iso(when: datetime | None) -> str:
    return "" if when is None else when.astimezone(UTC).isoformat().replace("+00:00", "Z")


class _Exclusions:
    """The standing exclusions of a study, read once."""

    def __init__(self, study: Study) -> None:
        standing = Exclusion.objects.filter(study=study, lift__isnull=True).order_by("created_at", "pk")
        self._rules: dict[tuple[str, int], str] = {}
        for item, rater, response, rule in standing.values_list("item", "rater", "response", "rule"):
            for kind, target in (("item", item), ("rater", rater), ("response", response)):
                if target is not None:
                    self._rules.setdefault((kind, target), rule)

    def rule_for(self, response: Response) -> str | None:
        """The rule that takes a response out of the analysis, or None."""
        if not self._rules:
            return None
        targets = (
            ("item", response.assignment.item_id),
            ("rater", response.assignment.rater_id),
            ("response", response.pk),
        )
        return next((self._rules[target] for target in targets if target in self._rules), None)
