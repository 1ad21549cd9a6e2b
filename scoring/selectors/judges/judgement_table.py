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


def _row(judgement: Judgement) -> dict[str, Any]:
    probabilities = judgement.probabilities
    return {
        "item": judgement.item.key,
        "form": judgement.criterion.version.form.key,
        "criterion": judgement.criterion.key,
        "judge": judgement.judge.name,
        "way": judgement.judge.way,
        "sample": judgement.sample,
        "value": None if judgement.reason else judgement.cell,
        "reason": judgement.reason,
        "probabilities": "" if probabilities is None else json.dumps(probabilities, ensure_ascii=False),
        "raw": judgement.raw,
        "tokens_in": judgement.tokens_in,
        "tokens_out": judgement.tokens_out,
        "latency_ms": judgement.latency_ms,
        "attempts": judgement.attempts,
        "created_at": utc_timestamp(judgement.created_at),
    }
