"""The long table of ratings: as rows for an export, as a data frame for the statistics."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Self

import pandas as pd
from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.domain.base.codebook import RATINGS
from annotation.domain.base.timestamps import utc_timestamp
from annotation.domain.questions.kinds.condition import Condition
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import cell_of, keys_yielding
from annotation.domain.questions.text_languages import language_shown
from annotation.domain.questions.wording.version_numbers import label_at
from annotation.models import Criterion, Exclusion, Form, FormVersion, Item, Rating, Response, Study
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.questions.counting import submitted
from annotation.selectors.questions.pilots.pilot_answers import PilotAnswers, pilot_answers
from annotation.selectors.questions.shown_options import WITH_OPTIONS

COLUMNS = tuple(RATINGS)
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
    "form_correction",
    "pool",
    "study",
    "response",
)
CHUNK_SIZE = 2000
# Read without making a model instance of each response.
READ = (
    "pk",
    "version_id",
    "cannot_rate",
    "remark",
    "revision",
    "current",
    "late",
    "submitted_at",
    "seconds",
    "suggestions",
    "first_values",
    "heard",
    "interface_language",
    "text_language",
    "assignment__item_id",
    "assignment__rater_id",
    "assignment__form_id",
)
RATER = ("pk", "code", "simulated")


def long_ratings(
    study: Study, *, all_revisions: bool = False, with_pilot: bool = True
) -> Iterator[dict[str, Any]]:
    """Yield one row per rating in the columns of the contract, streamed, in the order of the items.

    An answer without a value ("can't rate") gives one row for each criterion it leaves open; one that
    was not asked, because of the answer to an earlier one, gives none.

    Parameters
    ----------
    study : Study
        The study; previews, checks and qualification are never included.
    all_revisions : bool
        Earlier revisions too, with `current` false.
    with_pilot : bool
        Include the ratings of a pooled pilot, after those of the study for the same item, with the pilot's
        short name as `study` and item, form version and rater in terms of the main study.
    """
    found = [_rows(known, responses) for known, responses in _sources(study, all_revisions, with_pilot)]
    return (row for _, row in heapq.merge(*found, key=itemgetter(0)))


def _rows(known: _Known, found: Iterator[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The position of the item and the row of each rating."""
    while some := list(islice(found, CHUNK_SIZE)):
        values = _values_of(some)
        for response in some:
            position = known.positions[response.assignment__item_id]
            base, given = known.base_row(response), values.get(response.pk, {})
            asked = known.criteria[response.version_id]
            for criterion in asked:
                value = given.get(criterion.pk)
                if value is None and not (response.cannot_rate and _is_asked(criterion, asked, given)):
                    continue
                own = {
                    "suggestion": response.suggestions.get(criterion.key, ""),
                    "first_value": response.first_values.get(criterion.key),
                }
                yield position, {**base, "criterion": criterion.key, "value": value, **own}


def _sources(study: Study, all_revisions: bool, with_pilot: bool) -> Iterator[tuple[_Known, Iterator[Any]]]:
    """The responses of a study, and those of its pilot, each in the order of the study's items."""
    own = _responses(study, all_revisions=all_revisions)
    yield _Known(study), own.iterator(chunk_size=CHUNK_SIZE)
    pool = pilot_answers(study) if with_pilot else None
    if pool is not None:
        known = _Known.of_pilot(study, pool)
        found = [
            one
            for one in _read(pool.responses(all_revisions=all_revisions))
            # An item may have been added to the pilot meanwhile.
            if one.assignment__item_id in known.positions
        ]
        yield known, iter(sorted(found, key=lambda one: known.positions[one.assignment__item_id]))


def n_rating_rows(study: Study, *, all_revisions: bool = False) -> int:
    """How many rows `long_ratings` yields, counted by the database.

    Parameters
    ----------
    study, all_revisions
        As for `long_ratings`.

    Returns
    -------
    int
        Of pages with "can't rate", only the answers of those that have some values too are read.
    """
    n_rows = _n_rows(submitted(study, all_revisions=all_revisions), study)
    pool = pilot_answers(study)
    if pool is not None:
        n_rows += _n_rows(pool.responses(all_revisions=all_revisions), pool.pilot)
    return n_rows


def _n_rows(found: QuerySet[Response], study: Study) -> int:
    """The rows of responses to the forms of a study."""
    n_values = Rating.objects.filter(response__in=found.order_by().values("pk")).count()
    open_pages = found.exclude(cannot_rate="").order_by()
    by_version: list[Any] = list(open_pages.values_list("version").annotate(n=Count("pk")))
    if not by_version:
        return n_values
    criteria = _criteria_of(study)
    has_value = Exists(Rating.objects.filter(response=OuterRef("pk")))
    partly: list[Any] = list(open_pages.filter(has_value).values_list("pk", "version_id", named=True))
    given: dict[int, dict[int, float | str]] = {}
    for start in range(0, len(partly), CHUNK_SIZE):
        given |= _values_of(partly[start : start + CHUNK_SIZE])
    n_open: int = sum(len(criteria[version]) * n for version, n in by_version)
    closed = sum(
        criterion.pk in given[page.pk] or not _is_asked(criterion, criteria[page.version_id], given[page.pk])
        for page in partly
        for criterion in criteria[page.version_id]
    )
    return n_values + n_open - closed


def _values_of(responses: Sequence[Any]) -> dict[int, dict[int, float | str]]:
    """Response → criterion → what was answered."""
    values: dict[int, dict[int, float | str]] = {}
    ratings = Rating.objects.filter(response__in=[one.pk for one in responses])
    for response, criterion, *columns in ratings.values_list("response_id", "criterion_id", *ANSWER_COLUMNS):
        values.setdefault(response, {})[criterion] = cell_of(*columns)
    return values


def rating_columns(study: Study) -> tuple[str, ...]:
    """The columns of an export: `slot` replaces `rater` if the raters are anonymous."""
    return tuple("slot" if name == "rater" and not study.identified else name for name in COLUMNS)


def ratings_frame(study: Study) -> pd.DataFrame:
    """The current ratings on Likert scales, one row per rating, for the statistics.

    Returns
    -------
    pandas.DataFrame
        Columns `FRAME_COLUMNS`; `value` is NaN where an answer says "can't rate".
    """
    on_scales = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.NUMBER))
    likert = set(on_scales.values_list("version__form__key", "key"))
    rows = [row for row in _numbered(study) if (row["form"], row["criterion"]) in likert]
    frame = pd.DataFrame(rows, columns=list(FRAME_COLUMNS))
    frame["value"] = pd.to_numeric(frame["value"])
    return frame


def choices_frame(study: Study, kinds: Sequence[str] = WITH_OPTIONS) -> pd.DataFrame:
    """The current answers to questions of some kinds, one row per answer, for the statistics.

    Parameters
    ----------
    study : Study
        The study of the answers.
    kinds : sequence of str
        Keys of kinds, by default those whose answers are options.

    Returns
    -------
    pandas.DataFrame
        Columns `FRAME_COLUMNS` and `shown`, the values as a list in the order in which the rater saw them;
        `value` is None where an answer says "can't rate".
    """
    asked = Criterion.objects.filter(version__form__study=study, kind__in=kinds)
    wanted = set(asked.values_list("version__form__key", "key"))
    columns = [*FRAME_COLUMNS, "shown"]
    if not wanted:
        return pd.DataFrame(columns=columns)
    shown = {
        (response, key): order
        for ratings in _all_ratings(study)
        for response, key, order in ratings.filter(criterion__kind__in=kinds)
        .exclude(shown=[])
        .values_list("response_id", "criterion__key", "shown")
    }
    rows = [
        {**row, "shown": shown.get((row["response"], row["criterion"]), ())}
        for row in _numbered(study)
        if (row["form"], row["criterion"]) in wanted
    ]
    return pd.DataFrame(rows, columns=columns)


def _numbered(study: Study) -> Iterator[dict[str, Any]]:
    """Rows for the frame, read without making a model instance for each rating."""
    values: dict[int, dict[int, float | str]] = {}
    for ratings in _all_ratings(study):
        for response_id, criterion_id, *columns in ratings.values_list(
            "response_id", "criterion_id", *ANSWER_COLUMNS
        ):
            values.setdefault(response_id, {})[criterion_id] = cell_of(*columns)
    found = [_numbered_rows(*source, values) for source in _sources(study, False, True)]
    return (row for _, row in heapq.merge(*found, key=itemgetter(0)))


def _numbered_rows(
    known: _Known, found: Iterator[Any], values: Mapping[int, Mapping[int, float | str]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for response in found:
        code, _ = known.raters[response.assignment__rater_id]
        base = known.base_row(response) | {"response": response.pk, "rater": code}
        position = known.positions[response.assignment__item_id]
        given = values.get(response.pk, {})
        asked = known.criteria[response.version_id]
        for criterion in asked:
            if criterion.pk in given or (response.cannot_rate and _is_asked(criterion, asked, given)):
                yield position, {**base, "criterion": criterion.key, "value": given.get(criterion.pk)}


def _all_ratings(study: Study) -> list[QuerySet[Rating]]:
    """The current ratings of a study, and of its pilot where that is pooled."""
    pool = pilot_answers(study)
    found = [submitted(study)] if pool is None else [submitted(study), pool.responses()]
    return [Rating.objects.filter(response__in=responses.order_by()) for responses in found]


def _is_asked(criterion: Criterion, asked: Sequence[Criterion], given: Mapping[int, float | str]) -> bool:
    """False where the answer to an earlier criterion says that this one was not asked."""
    if not criterion.asked_after:
        return True
    earlier = next((one for one in asked if one.key == criterion.asked_after), None)
    if earlier is None or earlier.pk not in given:
        return True
    decided = earlier.question_kind.decided_by(given[earlier.pk])
    return Condition.read(criterion.asked_when).holds(decided)


def _responses(study: Study, *, all_revisions: bool) -> QuerySet[Response, Any]:
    return _read(submitted(study, all_revisions=all_revisions))


def _read(found: QuerySet[Response]) -> QuerySet[Response, Any]:
    """In the order of items and raters, without making a model instance of each."""
    ordered = found.order_by("assignment__item__position", "assignment__rater__code", "revision", "pk")
    return ordered.values_list(*READ, named=True)


def _criteria_of(study: Study) -> dict[int, list[Criterion]]:
    found: dict[int, list[Criterion]] = {}
    for criterion in Criterion.objects.filter(version__form__study=study).order_by("position", "pk"):
        found.setdefault(criterion.version_id, []).append(criterion)
    return found


class _Known:
    """What the rows of a study share, read once: a model instance for each would cost most of the time."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.excluded = _Exclusions(study)
        self.criteria = _criteria_of(study)
        items = Item.everything.filter(study=study).values_list("pk", "position", "key", "group", "system")
        self.items = {pk: names for pk, _, *names in items}
        self.positions = {pk: position for pk, position, *_ in items}
        self.raters = {pk: (code, simulated) for pk, code, simulated in study.raters.values_list(*RATER)}
        self.forms = dict(Form.everything.filter(study=study).values_list("pk", "key"))
        versions = FormVersion.objects.filter(form__study=study)
        numbers = versions.values_list("pk", "number", "correction", "pool")
        self.versions = {pk: numbered for pk, *numbered in numbers}
        self.translations = dict(versions.values_list("pk", "translations"))

    @classmethod
    def of_pilot(cls, study: Study, pool: PilotAnswers) -> Self:
        """What the pooled rows of a pilot share: its own people and exclusions, and the study's names."""
        main, known = cls(study), cls(pool.pilot)
        known.items = {pk: main.items[item] for pk, item in pool.items.items()}
        known.positions = {pk: main.positions[item] for pk, item in pool.items.items()}
        known.versions = {pk: main.versions[version] for pk, version in pool.versions.items()}
        known.raters = {pk: (pool.raters[pk], simulated) for pk, (_, simulated) in known.raters.items()}
        known.excluded.add("item", main.excluded, pool.items)
        by_code = {code: pk for pk, (code, _) in main.raters.items()}
        known.excluded.add(
            "rater", main.excluded, {pk: by_code[code] for pk, code in pool.raters.items() if code in by_code}
        )
        return known

    def base_row(self, response: Any) -> dict[str, Any]:
        """The columns that say whose answer it is, about what, when, and whether it counts."""
        rule = self.excluded.rule_for(response)
        item, group, system = self.items[response.assignment__item_id]
        code, simulated = self.raters[response.assignment__rater_id]
        number, correction, pool = self.versions[response.version_id]
        return {
            "study": self.study.slug,
            "item": item,
            "group": group,
            "system": system,
            "form": self.forms[response.assignment__form_id],
            "form_version": number,
            "rater" if self.study.identified else "slot": code,
            "criterion": "",
            "value": None,
            "cannot_rate": bool(response.cannot_rate),
            "reason": response.cannot_rate,
            "remark": response.remark,
            "revision": response.revision,
            "current": response.current,
            "late": response.late,
            "simulated": simulated,
            "submitted_at": utc_timestamp(response.submitted_at) if response.submitted_at else "",
            "seconds": response.seconds,
            "excluded": rule is not None,
            "exclusion_rule": rule or "",
            "suggestion": "",
            "interface_language": response.interface_language,
            "text_language": language_shown(
                self.translations[response.version_id],
                own=self.study.language,
                interface=response.interface_language,
                imported=response.text_language,
            ),
            "form_correction": correction,
            "pooled_version": label_at(pool),
            "first_value": None,
            "heard": json.dumps(response.heard, sort_keys=True) if response.heard else "",
            "pool": pool,
        }


class _Exclusions:
    """The active exclusions of a study, read once."""

    def __init__(self, study: Study) -> None:
        active = Exclusion.objects.filter(study=study, lift__isnull=True).order_by("created_at", "pk")
        self._rules: dict[tuple[str, int], str] = {}
        for item, rater, response, rule in active.values_list("item", "rater", "response", "rule"):
            for kind, target in (("item", item), ("rater", rater), ("response", response)):
                if target is not None:
                    self._rules.setdefault((kind, target), rule)

    def add(self, kind: str, other: Self, same: Mapping[int, int]) -> None:
        """Take over the items or raters that another study excludes; `same` says which is which there."""
        for pk, counterpart in same.items():
            if (kind, counterpart) in other._rules:
                self._rules.setdefault((kind, pk), other._rules[kind, counterpart])

    def rule_for(self, response: Any) -> str | None:
        """The rule that takes a response out of the analysis, or None."""
        if not self._rules:
            return None
        targets = (
            ("item", response.assignment__item_id),
            ("rater", response.assignment__rater_id),
            ("response", response.pk),
        )
        return next((self._rules[target] for target in targets if target in self._rules), None)
