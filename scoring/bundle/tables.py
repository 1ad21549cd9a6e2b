"""The other tables of a study: items, scores, raters, exclusions, the audit log and final answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from annotation.domain.base.codebook import (
    ADJUDICATED,
    ADJUDICATED_TUPLES,
    AUDIT,
    DECISIONS,
    DISCUSSION,
    EXCLUSIONS,
    ITEM_METADATA,
    ITEM_TEXT,
    ITEMS,
    PROFILES,
    RATERS,
    RULES,
    SCORES,
)
from annotation.domain.base.timestamps import utc_timestamp
from annotation.models import Comment, Criterion, Exclusion, QueueMove, Rater, RaterKind, Verdict
from annotation.selectors.adjudication.discussion import discussion_rows
from annotation.selectors.adjudication.final_answers import (
    adjudicated_rows,
    adjudicated_tuples_table,
    decision_rows,
)
from annotation.selectors.base.audit_log import ABOUT_PAY
from annotation.selectors.people.consent import raters_table
from annotation.selectors.quality.exclusion_tables import rules_table
from annotation.selectors.quality.rater_profile import profiles
from annotation.selectors.questions.tuple_tables import has_tuples
from annotation.selectors.studies.exports import items_table
from scoring.bundle.contents import BundleFile, Contents, table_files
from scoring.bundle.ratings import IN_WORDS
from scoring.selectors.data.scores import scores_table

# Free texts about a person in entries of the audit log.
ABOUT_PEOPLE = frozenset({"label", "note"})
CHUNK_SIZE = 10


def items_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/items` in every format."""
    names, _rows = items_table(contents.study)
    columns = {
        name: ITEMS.get(name, ITEM_METADATA if name.startswith("meta.") else ITEM_TEXT) for name in names
    }
    yield from table_files(
        contents, "items", columns, lambda: items_table(contents.study)[1], every_format=True
    )


def scores_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/scores` in every format."""
    yield from table_files(
        contents, "scores", SCORES, lambda: scores_table(contents.study)[1], every_format=True
    )


def people_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/raters` and `data/rater_profiles`."""
    yield from table_files(contents, "raters", RATERS, lambda: raters_table(contents.study)[1])
    yield from table_files(contents, "rater_profiles", PROFILES, lambda: _profiles(contents))


def _profiles(contents: Contents) -> Iterator[dict[str, Any]]:
    if not contents.study.identified:
        return
    raters = contents.study.raters.filter(kind=RaterKind.PERSON).order_by("code")
    for some in batched(raters.iterator(chunk_size=CHUNK_SIZE)):
        for one in profiles(contents.study, some):
            for sign in one.profile.indicators:
                found = {name: getattr(sign, name) for name in ("value", "threshold", "flagged", "reason")}
                yield {
                    "rater": one.rater.code,
                    "n_pages": one.profile.n_pages,
                    "indicator": sign.key,
                    **found,
                }


def batched(raters: Iterable[Rater]) -> Iterator[list[Rater]]:
    """A few raters at a time, so that not all answers are held at once."""
    source = iter(raters)
    while some := list(islice(source, CHUNK_SIZE)):
        yield some


def decisions_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/exclusions`, `data/rules` and `data/audit_log`."""
    yield from table_files(contents, "exclusions", EXCLUSIONS, lambda: _exclusions(contents))
    yield from table_files(contents, "rules", RULES, lambda: _rules(contents))
    yield from table_files(contents, "audit_log", AUDIT, lambda: _audit(contents))


def _exclusions(contents: Contents) -> Iterator[dict[str, Any]]:
    found = Exclusion.objects.filter(study=contents.study).select_related(
        "item", "rater", "response__assignment__item", "response__assignment__rater",
        "response__assignment__form", "lift",
    )  # fmt: skip
    for one in found.order_by("created_at", "pk").iterator(chunk_size=1000):
        yield _exclusion_row(contents, one)


def _exclusion_row(contents: Contents, exclusion: Exclusion) -> dict[str, Any]:
    answered = exclusion.response.assignment if exclusion.response else None
    item = exclusion.item or (answered.item if answered else None)
    rater = exclusion.rater or (answered.rater if answered else None)
    lift, redactor = getattr(exclusion, "lift", None), contents.redactor
    return {
        "target": "response" if exclusion.response else "item" if exclusion.item else "rater",
        "item": item.key if item else "",
        "form": answered.form.key if answered else "",
        "rater": rater.code if rater else "",
        "rule": exclusion.rule,
        "reason": redactor.note(exclusion.reason),
        "author": redactor.member(exclusion.author_id),
        "excluded_at": utc_timestamp(exclusion.created_at),
        "lifted_at": utc_timestamp(lift.created_at) if lift else "",
        "lift_reason": redactor.note(lift.reason) if lift else "",
        "lifted_by": redactor.member(lift.author_id) if lift else "",
    }


def _rules(contents: Contents) -> Iterator[dict[str, Any]]:
    redactor = contents.redactor
    for row in rules_table(contents.study)[1]:
        yield {**row, "name": redactor.note(row["name"]), "reason": redactor.note(row["reason"])}


def _audit(contents: Contents) -> Iterator[dict[str, Any]]:
    redactor = contents.redactor
    # A release omits what single raters were paid; its sheets state what raters were paid.
    tells_pay = contents.with_pay and not contents.version
    for one in contents.study.audit.order_by("created_at", "pk").iterator(chunk_size=1000):
        detail_shown = one.detail if tells_pay or one.act not in ABOUT_PAY else {}
        named = {name: value for name, value in detail_shown.items() if name not in ABOUT_PEOPLE}
        known = contents.rounded(named)
        detail = redactor.note(json.dumps(known, ensure_ascii=False, sort_keys=True)) if known else ""
        yield {
            "at": utc_timestamp(one.created_at),
            "actor": redactor.member(one.actor_id),
            "act": one.act,
            "detail": detail,
        }


def adjudicated_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """Final answers, with tuples their spans, all decisions, and the discussion of cases.

    Each file only if it has rows; no figure uses them.
    """
    yield from _final_answers(contents)
    of_study = {"case__study": contents.study}
    if Comment.objects.filter(**of_study).exists() or QueueMove.objects.filter(**of_study).exists():
        yield from table_files(contents, "adjudication_discussion", DISCUSSION, lambda: _discussion(contents))


def _final_answers(contents: Contents) -> Iterator[BundleFile]:
    if not Verdict.objects.filter(case__study=contents.study).exists():
        return
    yield from table_files(
        contents,
        "adjudicated",
        ADJUDICATED,
        lambda: _redacted(contents, adjudicated_rows(contents.study)),
        every_format=True,
    )
    if has_tuples(contents.study):
        yield from table_files(contents, "adjudicated_tuples", ADJUDICATED_TUPLES, lambda: _tuples(contents))
    yield from table_files(
        contents,
        "adjudication_decisions",
        DECISIONS,
        lambda: _redacted(contents, decision_rows(contents.study)),
    )


def _redacted(contents: Contents, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    redactor = contents.redactor
    criteria = Criterion.objects.filter(version__form__study=contents.study, kind__in=IN_WORDS)
    in_words = set(criteria.values_list("version__form__key", "key"))
    for row in rows:
        row["note"] = redactor.note(row["note"])
        if row["value"] and (row["form"], row["criterion"]) in in_words:
            row["value"] = redactor.answer(row["value"])
        yield row


def _discussion(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in discussion_rows(contents.study):
        yield {**row, "text": contents.redactor.note(row["text"])}


def _tuples(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in adjudicated_tuples_table(contents.study)[1]:
        yield {**row, "text": contents.redactor.answer(row["text"])}
