"""The rounds of adaptive pairs as tables, with the counts that they were computed from."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import QuerySet

from annotation.domain.base.codebook import PAIR_COUNTS, PAIR_ROUNDS
from annotation.domain.base.timestamps import utc_timestamp
from annotation.domain.seats.pairing import MOST_ROUNDS
from annotation.models import PairRound, Study
from annotation.selectors.base.table_types import Table

COUNTED = tuple(PAIR_COUNTS)[3:]


def pair_rounds(study: Study) -> QuerySet[PairRound]:
    """All rounds of a study, by form and number."""
    rounds = PairRound.objects.filter(pairing__form__study=study).select_related("pairing__form")
    return rounds.order_by("pairing__form__position", "pairing__form", "number")


def pair_rounds_table(study: Study) -> Table:
    """One row per round: what it chose, by which limits, and why it is the last one."""
    return tuple(PAIR_ROUNDS), (_round_row(study, one) for one in pair_rounds(study).defer("counts"))


def pair_counts_table(study: Study) -> Table:
    """One row per round and item whose counts are new or have changed since the round before."""
    rows = (
        {
            "study": study.slug,
            "form": one.pairing.form.key,
            "round": one.number,
            **dict(zip(COUNTED, counts, strict=True)),
        }
        for one in pair_rounds(study).iterator(chunk_size=100)
        for counts in one.counts
    )
    return tuple(PAIR_COUNTS), rows


def _round_row(study: Study, one: PairRound) -> dict[str, Any]:
    pairing = one.pairing
    return {
        "study": study.slug,
        "form": pairing.form.key,
        "criterion": pairing.criterion,
        "round": one.number,
        "created_at": utc_timestamp(one.created_at),
        "seed": one.seed,
        "budget": pairing.budget,
        "per_round": pairing.per_round,
        "per_item": pairing.form.overlap,
        "most_rounds": MOST_ROUNDS,
        "n_chosen": len(one.items),
        "items": json.dumps(one.items, ensure_ascii=False),
        "slots": json.dumps(one.slots),
        "open_pairs": one.open_pairs,
        "all_pairs": one.all_pairs,
        "strengths": json.dumps(one.strengths, ensure_ascii=False) if one.strengths else "",
        "stopped": one.stopped,
    }
