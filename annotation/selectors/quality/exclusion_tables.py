"""Exclusions and the rules they come from, as tables."""

from __future__ import annotations

import json

from annotation.domain.base.codebook import RULES
from annotation.domain.base.timestamps import utc_timestamp
from annotation.domain.quality.exclusion_rules import condition_words
from annotation.models import Exclusion, Study
from annotation.selectors.base.table_types import Table

EXCLUSION_COLUMNS = (
    "study",
    "target",
    "item",
    "rater",
    "response",
    "rule",
    "reason",
    "excluded_at",
    "lifted_at",
    "lift_reason",
)


def exclusions_table(study: Study) -> Table:
    """Every exclusion, also lifted ones; raters appear under their codes.

    `response` is the revision of the response; its `item` and `rater` are in the same row.
    """
    found = Exclusion.objects.filter(study=study).select_related(
        "item", "rater", "response__assignment__item", "response__assignment__rater", "lift"
    )
    rows = (
        _exclusion_row(study, one) for one in found.order_by("created_at", "pk").iterator(chunk_size=1000)
    )
    return EXCLUSION_COLUMNS, rows


def rules_table(study: Study) -> Table:
    """Every exclusion rule that was declared, in order."""
    rows = (
        {
            "study": study.slug,
            "rule": rule.key,
            "name": rule.name,
            "leaves_out": "; ".join(map(condition_words, rule.conditions)),
            "conditions": json.dumps(rule.conditions, ensure_ascii=False, sort_keys=True),
            "reason": rule.reason,
            "before_opening": rule.before_opening,
            "declared_at": utc_timestamp(rule.created_at),
        }
        for rule in study.exclusion_rules.order_by("created_at", "pk")
    )
    return tuple(RULES), rows


def _exclusion_row(study: Study, one: Exclusion) -> dict[str, object]:
    assignment = one.response.assignment if one.response else None
    item = one.item or (assignment.item if assignment else None)
    rater = one.rater or (assignment.rater if assignment else None)
    lift = getattr(one, "lift", None)
    return {
        "study": study.slug,
        "target": "response" if assignment else "item" if one.item else "rater",
        "item": item.key if item else "",
        "rater": rater.code if rater else "",
        "response": one.response.revision if one.response else None,
        "rule": one.rule,
        "reason": one.reason,
        "excluded_at": utc_timestamp(one.created_at),
        "lifted_at": utc_timestamp(lift.created_at) if lift else "",
        "lift_reason": lift.reason if lift else "",
    }
