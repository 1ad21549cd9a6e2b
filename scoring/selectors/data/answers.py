"""The answers of a study as arrays: read in whole columns, since lists and previews take all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from django.db.models import Count, Exists, ExpressionWrapper, F, FloatField, OuterRef, QuerySet

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import KINDS, keys_yielding
from annotation.models import (
    CheckVerdict,
    Criterion,
    Exclusion,
    Form,
    FormVersion,
    RaterKind,
    Rating,
    Response,
    Study,
)
from annotation.selectors.questions.counting import criterion_names as names_of
from annotation.selectors.questions.counting import newest_counting, submitted
from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.answers import Answers
from scoring.stats.data.rule_matches import RuleMatches
from scoring.stats.data.scale import Scale

LACKS_CONTEXT = "lacks_context"
CHUNK_SIZE = 20_000


@dataclass(frozen=True)
class StudyAnswers:
    """Every answer of a study that could count, excluded ones among them.

    `item_pks` and `rater_pks` are the keys behind the codes of `answers`, whose `number` is the key of
    the response. `seconds` that are unknown are NaN.
    """

    answers: Answers
    item_pks: IntArray
    rater_pks: IntArray

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the Likert criteria in the order of the forms."""
        return tuple(self.answers.values)


def study_answers(study: Study, *, without_rule: int | None = None) -> StudyAnswers:
    """The current answers to the main task, of the newest wording that has an answer which counts.

    Parameters
    ----------
    study : Study
        Says whether late answers count.
    without_rule : int or None
        Key of a rule whose exclusions are not looked at.

    Returns
    -------
    StudyAnswers
        Trials, checks and qualifications are not among them. At most eleven queries.
    """
    items = list(study.items.order_by("position", "pk").values_list("pk", "key", "group"))
    people = study.raters.filter(kind__in=[RaterKind.PERSON, RaterKind.SLOT])
    raters = list(people.order_by("code").values_list("pk", "code"))
    item_pks, rater_pks = _pks(items), _pks(raters)
    columns = _columns(_responses(study), 7)
    item, rater = positions_of(item_pks, columns[1]), positions_of(rater_pks, columns[2])
    out = _targets(study, without_rule)
    gone = [
        _among(column, keys) for column, keys in zip((columns[1], columns[2], columns[0]), out, strict=True)
    ]
    is_counted = (item >= 0) & (rater >= 0) & _newest(study, columns[3], ~np.logical_or.reduce(gone))
    number = columns[0][is_counted].astype(np.int64)
    forms = dict(FormVersion.objects.filter(form__study=study).values_list("pk", "form"))
    form = np.array([forms[version] for version in columns[3][is_counted]], dtype=np.int64)
    reasons = columns[4][is_counted]
    values, scales = _values(study, number)
    answers = Answers(
        item=item[is_counted],
        rater=rater[is_counted],
        form=form,
        cannot=np.asarray(reasons != "", dtype=np.bool_),
        lacks_context=np.asarray(reasons == LACKS_CONTEXT, dtype=np.bool_),
        seconds=_first_sent(columns[5][is_counted], columns[6][is_counted]),
        values=values,
        scales=scales,
        group=_group_codes([group for _, _, group in items]),
        item_labels=np.array([key for _, key, _ in items], dtype=object),
        rater_labels=np.array([code for _, code in raters], dtype=object),
        failed_checks=_failed_checks(study, rater_pks),
        number=number,
        identified=study.identified,
    )
    return StudyAnswers(answers, item_pks, rater_pks)


def active_exclusions(
    study: Study, found: StudyAnswers, *, without_rule: int | None = None, only: str = ""
) -> RuleMatches:
    """Find the items, raters and responses that active exclusions leave out.

    Parameters
    ----------
    study : Study
        Study of the exclusions.
    found : StudyAnswers
        Answers of the study.
    without_rule : int or None
        Key of a rule whose exclusions are not looked at.
    only : str
        Use only the exclusions with this `rule`; all if it is empty.

    Returns
    -------
    Caught
        Over the codes of the answers.
    """
    items, raters, responses = _targets(study, without_rule, only)
    return RuleMatches(
        items=_among(found.item_pks, items),
        raters=_among(found.rater_pks, raters),
        responses=_among(found.answers.number, responses),
    )


def _targets(study: Study, without_rule: int | None, only: str = "") -> tuple[list[int | None], ...]:
    """Primary keys of the items, raters and responses that active exclusions name."""
    rows = Exclusion.objects.filter(study=study, lift__isnull=True)
    if without_rule is not None:
        rows = rows.exclude(by_rule=without_rule)
    if only:
        rows = rows.filter(rule=only)
    targets = list(rows.values_list("item", "rater", "response"))
    return tuple([target[place] for target in targets] for place in range(3))


def positions_of(known: IntArray, wanted: Any) -> IntArray:
    """Place of each wanted key among known ones, -1 where it is not among them."""
    wanted = np.asarray(wanted, dtype=np.int64)
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.int64)
    order = np.argsort(known, kind="stable")
    at = np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)
    found = order[at]
    return np.where(known[found] == wanted, found, -1).astype(np.int64)


def _pks(rows: Sequence[Any]) -> IntArray:
    return np.array([row[0] for row in rows], dtype=np.int64)


def _among(pks: IntArray, targets: Iterable[int | None]) -> BoolArray:
    wanted = np.array([target for target in targets if target is not None], dtype=np.int64)
    return np.isin(pks, wanted)


def _responses(study: Study) -> QuerySet[Response, Any]:
    found = submitted(study)
    if not study.include_late:
        found = found.filter(late=False)
    return found.order_by().values_list(
        "pk",
        "assignment__item",
        "assignment__rater",
        "version",
        "cannot_rate",
        "seconds",
        "hurried_after",
    )


def _columns(rows: QuerySet[Any, Any], width: int) -> list[Any]:
    """The columns of a query, sorted by the first."""
    everything = list(rows.iterator(chunk_size=CHUNK_SIZE))
    everything.sort(key=lambda row: row[0])
    return [
        np.array([row[place] for row in everything], dtype=object if place >= 4 else np.int64)
        for place in range(width)
    ]


def _newest(study: Study, versions: IntArray, counting: BoolArray) -> BoolArray:
    """Whether each answer is to the newest version of its form that counts, or to one pooled with it.

    Versions that ask something on a scale come first. Where no response to a form counts, it is the newest
    version that was answered.
    """
    on_scales = Criterion.objects.filter(version=OuterRef("pk"), kind__in=keys_yielding(Yields.NUMBER))
    known = FormVersion.objects.filter(form__study=study).annotate(on_scale=Exists(on_scales))
    facts = {pk: fact for pk, *fact in known.values_list("pk", "form", "pool", "on_scale")}
    answered, at = np.unique(versions, return_inverse=True)
    table = np.array([facts[version] for version in answered.tolist()], dtype=np.int64).reshape(-1, 3)
    form, pool, on_scale = table[at].T
    newest: dict[int, int] = {}
    for some in (np.ones(len(versions), dtype=np.bool_), counting, counting & (on_scale > 0)):
        newest |= newest_counting(form, pool, some)
    is_newest = [newest[of_form] == its_pool for of_form, its_pool, _ in table.tolist()]
    return np.array(is_newest, dtype=np.bool_)[at]


def _first_sent(seconds: Any, hurried_after: Any) -> FloatArray:
    """Return the seconds of each answer; if it was sent again unchanged, those until it was first sent."""
    first_seconds = [
        given if first is None else first for given, first in zip(seconds, hurried_after, strict=True)
    ]
    return np.array(first_seconds, dtype=np.float64)


def _values(study: Study, numbers: IntArray) -> tuple[dict[str, FloatArray], dict[str, Scale]]:
    """Values by criterion, a place for each answer; `numbers` are the responses' keys in order."""
    names, scales = criterion_names(study)
    values = {name: np.full(len(numbers), np.nan) for name in dict.fromkeys(names.values())}
    rows = Rating.objects.filter(criterion__in=list(names), value__isnull=False).order_by()
    # Plain floats: turning each whole value into an int would take longer than reading it.
    bare = rows.annotate(number=ExpressionWrapper(F("value"), output_field=FloatField()))
    cells = bare.values_list("response", "criterion", "number").iterator(chunk_size=CHUNK_SIZE)
    # Keys fit in a float without loss up to 2**53.
    table = np.fromiter(chain.from_iterable(cells), dtype=np.float64).reshape(-1, 3)
    at = positions_of(numbers, table[:, 0])
    for criterion, name in names.items():
        own = (table[:, 1] == criterion) & (at >= 0)
        numbers_given = table[own, 2]
        values[name][at[own]] = np.log(numbers_given) if scales[name].logarithmic else numbers_given
    given = {name: value for name, value in values.items() if not np.isnan(value).all()}
    return given, {name: scales[name] for name in given}


def criterion_names(study: Study) -> tuple[dict[int, str], dict[str, Scale]]:
    """Names and scales of the criteria of a study that are answered by a number.

    Parameters
    ----------
    study : Study
        Study of the criteria.

    Returns
    -------
    tuple of dict
        The name by key of the criterion's row: its own key, with its form's where two forms have the same;
        and the scale by name.
    """
    rows = list(
        Criterion.objects.filter(
            version__form__study=study,
            version__form__in=Form.objects.all(),
            kind__in=keys_yielding(Yields.NUMBER),
        )
        .order_by("version__form__position", "version__form", "position", "pk")
        .values_list("pk", "key", "version__form__key", "kind", "minimum", "maximum")
    )
    of_study = names_of((form, key) for _, key, form, *_ in rows)
    names: dict[int, str] = {}
    scales: dict[str, Scale] = {}
    for pk, key, form, kind, low, high in rows:
        name = of_study[form, key]
        names[pk] = name
        ends = [0.0 if end is None else KINDS[kind].measured(float(end)) for end in (low, high)]
        bounded = KINDS[kind].is_bounded(low, high)
        scale = Scale(ends[0], ends[1], KINDS[kind].continuous, KINDS[kind].on_ratios, bounded)
        scales[name] = scale.joined(scales.get(name, scale))
    return names, scales


def _group_codes(groups: Sequence[str]) -> IntArray:
    codes = {name: code for code, name in enumerate(dict.fromkeys(group for group in groups if group))}
    return np.array([codes.get(group, -1) for group in groups], dtype=np.int64)


def _failed_checks(study: Study, rater_pks: IntArray) -> IntArray:
    failed = CheckVerdict.objects.filter(assignment__rater__study=study, passed=False)
    counted = failed.values_list("assignment__rater").annotate(n=Count("pk")).order_by()
    numbers = dict(counted)
    return np.array([numbers.get(pk, 0) for pk in rater_pks.tolist()], dtype=np.int64)
