"""Final answers, and all decisions, as tables: a row per criterion, and for final tuples a row per span."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.base.codebook import ADJUDICATED, ADJUDICATED_TUPLES, DECISIONS
from annotation.domain.base.timestamps import utc_timestamp
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import cell_of, keys_yielding
from annotation.models import Criterion, Rating, Study, Verdict
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.adjudication.discussion import adjudicators, discussion_table
from annotation.selectors.base.table_types import Table
from annotation.selectors.rating.annotations import annotations_in

CHUNK_SIZE = 500
WRITTEN, ERASED = "written", "erased"
Place = tuple[int, int, str]


def adjudicated_table(study: Study) -> Table:
    """The current final answers, one row per item, form and criterion.

    Parameters
    ----------
    study : Study
        The study. Raters appear under their codes; who decided is given by role and number.
    """
    return tuple(ADJUDICATED), adjudicated_rows(study)


def adjudicated_tuples_table(study: Study) -> Table:
    """The tuples of current final answers, one row per span, with offsets in the item's text.

    Parameters
    ----------
    study : Study
        The study. A verdict that an item cannot be rated, or has no tuple, has no row.
    """
    return tuple(ADJUDICATED_TUPLES), _tuple_rows(study)


def decisions_table(study: Study) -> Table:
    """Every decision, also earlier ones and second opinions, a row per criterion.

    Parameters
    ----------
    study : Study
        The study. Names are hidden as in `adjudicated_table`.
    """
    return tuple(DECISIONS), decision_rows(study)


ADJUDICATED_TABLES = {
    "adjudicated": adjudicated_table,
    "adjudicated_tuples": adjudicated_tuples_table,
    "adjudication_decisions": decisions_table,
    "adjudication_discussion": discussion_table,
}


def adjudicated_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the rows of `adjudicated_table`, in the order of the items, streamed.

    Yields
    ------
    dict
        A verdict that the item cannot be rated has a row for each criterion in dispute, without a value.
    """
    for _, row in _verdict_rows(study, Verdict.objects.filter(current=True)):
        yield row


def decision_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the rows of `decisions_table`, in the order of the items and then of the decisions, streamed.

    Yields
    ------
    dict
        A row of `adjudicated_rows` with `second_opinion` and `latest`.
    """
    later = Verdict.objects.filter(
        case=OuterRef("case"), second=OuterRef("second"), revision__gt=OuterRef("revision")
    )
    replaced = set(
        Verdict.objects.filter(Exists(later), case__study=study).order_by().values_list("pk", flat=True)
    )
    for verdict, row in _verdict_rows(study, Verdict.objects.all()):
        yield {**row, "second_opinion": verdict.second, "latest": verdict.pk not in replaced}


def _verdict_rows(study: Study, verdicts: QuerySet[Verdict]) -> Iterator[tuple[Verdict, dict[str, Any]]]:
    deciders = adjudicators(study)
    found = (
        verdicts.filter(case__study=study)
        .select_related("case__item", "case__form", "version")
        .order_by("case__position", "case", "revision")
    )
    source = found.iterator(chunk_size=CHUNK_SIZE)
    while some := list(islice(source, CHUNK_SIZE)):
        known = _Known.of(study, some)
        for verdict in some:
            for row in _rows(study, verdict, known, deciders):
                yield verdict, row


def _tuple_rows(study: Study) -> Iterator[dict[str, Any]]:
    asked = Criterion.objects.filter(version__form__study=study, kind__in=keys_yielding(Yields.SPANS))
    places = set(asked.values_list("version__form__key", "key"))
    for row in adjudicated_rows(study):
        if (row["form"], row["criterion"]) in places and row["value"]:
            columns = {name: row[name] for name in ADJUDICATED_TUPLES if name in row}
            for mark in json.loads(row["value"]):
                yield {**columns, **{name: mark[name] for name in ("tuple", "part", "start", "end", "text")}}


@dataclass(frozen=True)
class _Known:
    """The data that rows of decisions need: final answers, rules by criterion, and responses."""

    finals: Mapping[int, list[Any]]
    rules: Mapping[int, Mapping[str, list[str]]]
    given: Mapping[Place, list[tuple[str, str]]]

    @classmethod
    def of(cls, study: Study, verdicts: list[Verdict]) -> _Known:
        numbers = {one.pk for one in verdicts}
        found = Verdict.objects.filter(pk__in=numbers).prefetch_related(
            "answers__criterion", "answers__chosen_from", "case__disputes"
        )
        finals, rules = {}, {}
        for one in found:
            finals[one.pk] = list(one.answers.all())
            by_criterion: dict[str, list[str]] = {}
            for dispute in one.case.disputes.all():
                by_criterion.setdefault(dispute.criterion, []).append(dispute.rule)
            rules[one.pk] = by_criterion
        return cls(finals, rules, _given(study, verdicts))


def _given(study: Study, verdicts: list[Verdict]) -> dict[Place, list[tuple[str, str]]]:
    """Ratings by item, form and criterion; excluded ratings are not included."""
    responses = annotations_in(study).filter(assignment__item__in={one.case.item_id for one in verdicts})
    rows = Rating.objects.filter(response__in=responses).values_list(
        "response__assignment__item",
        "response__assignment__form",
        "criterion__key",
        "response__assignment__rater__code",
        *ANSWER_COLUMNS,
    )
    found: dict[Place, list[tuple[str, str]]] = {}
    for item, form, key, code, *columns in rows:
        found.setdefault((item, form, key), []).append((code, str(cell_of(*columns))))
    return found


def _rows(
    study: Study, verdict: Verdict, known: _Known, deciders: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    case, rules = verdict.case, known.rules[verdict.pk]
    base = {
        "study": study.slug,
        "item": case.item.key,
        "group": case.item.group,
        "system": case.item.system,
        "form": case.form.key,
        "form_version": verdict.version.number,
        "cannot_rate": bool(verdict.cannot_rate),
        "reason": verdict.cannot_rate,
        "note": verdict.note,
        "revision": verdict.revision,
        "decided_by": deciders.get(verdict.author_id or 0, ""),
        "decided_at": utc_timestamp(verdict.decided_at),
    }
    finals = {one.criterion.key: one for one in known.finals[verdict.pk]}
    unanswered = [key for key in rules if verdict.cannot_rate and key not in finals]
    for key in [*finals, *unanswered]:
        final = finals.get(key)
        given = known.given.get((case.item_id, case.form_id, key), [])
        same = [code for code, answer in sorted(given) if final is not None and answer == str(final)]
        yield {
            **base,
            "criterion": key,
            "value": None if final is None else str(final),
            "rule": "|".join(rules.get(key, ())),
            "chosen_from": "" if final is None else _source(final),
            "n_answers": len(given),
            "same_as": "|".join(same),
        }


def _source(final: Any) -> str:
    if not final.chosen:
        return WRITTEN
    return final.chosen_from.code if final.chosen_from else ERASED
