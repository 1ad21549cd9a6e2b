"""The answers of judges as a table for an export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.domain.base.codebook import JUDGEMENTS
from annotation.domain.base.timestamps import utc_timestamp
from annotation.models import Study
from scoring.models import Judgement

COLUMNS = tuple(JUDGEMENTS)
CHUNK_SIZE = 2000


def judgements_table(study: Study) -> tuple[Sequence[str], Iterable[Mapping[str, Any]]]:
    """The answers of the judges of a study in long form, one row an answer.

    Parameters
    ----------
    study : Study
        The study.
    """
    found = (
        Judgement.objects.filter(judge__study=study)
        .select_related("judge", "item", "criterion__version__form")
        .order_by("judge", "item__position", "item", "criterion__position", "criterion", "sample")
    )
    return COLUMNS, (_row(one) for one in found.iterator(chunk_size=CHUNK_SIZE))


def _row(one: Judgement) -> dict[str, Any]:
    probabilities = one.probabilities
    return {
        "item": one.item.key,
        "form": one.criterion.version.form.key,
        "criterion": one.criterion.key,
        "judge": one.judge.name,
        "way": one.judge.way,
        "sample": one.sample,
        "value": None if one.reason else one.cell,
        "reason": one.reason,
        "probabilities": "" if probabilities is None else json.dumps(probabilities, ensure_ascii=False),
        "raw": one.raw,
        "tokens_in": one.tokens_in,
        "tokens_out": one.tokens_out,
        "latency_ms": one.latency_ms,
        "attempts": one.attempts,
        "created_at": utc_timestamp(one.created_at),
    }
