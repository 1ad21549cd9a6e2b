"""The calls of a run as rows, what a judge has counted so far, and the words that it is asked in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from django.db import transaction

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Item
from annotation.services.base.jobs import Lease
from scoring.judging.prompt import template_name
from scoring.models import Judge, JudgeCall, Judgement
from scoring.services.judges.running.asking import Asker, LocalAsker

COUNTS = "counts"
INTERRUPTED = "interrupted"
PLANNED_AT_ONCE = 500


@dataclass(frozen=True)
class Counts:
    """What a judge has counted over all of its runs.

    Parameters
    ----------
    spent
        Cost of its calls, those with an unknown cost at their highest possible one.
    failures
        Calls that were tried and gave no answer.
    repeated
        Calls that were in flight when a run was killed, and were made again.
    """

    spent: Decimal
    failures: int
    repeated: int

    @classmethod
    def of(cls, judge: Judge) -> Self:
        """The counts of a judge’s row.

        Parameters
        ----------
        judge : Judge
            As its row is.
        """
        stored = judge.settings.get(COUNTS, {})
        return cls(Decimal(stored.get("spent", "0")), stored.get("failures", 0), stored.get("repeated", 0))

    @classmethod
    def add(cls, judge: Judge, *, spent: Decimal = Decimal(0), failures: int = 0, repeated: int = 0) -> None:
        """Add to the counts of a judge’s row; called inside a transaction.

        Parameters
        ----------
        judge : Judge
            Its row is locked and read again.
        spent, failures, repeated
            As of `Counts`.
        """
        if not (spent or failures or repeated):
            return
        locked = Judge.objects.select_for_update().get(pk=judge.pk)
        before = cls.of(locked)
        locked.settings[COUNTS] = {
            "spent": f"{before.spent + spent:f}",
            "failures": before.failures + failures,
            "repeated": before.repeated + repeated,
        }
        locked.save(update_fields=["settings"])


def return_to_plan(judge: Judge, highest_cost: Callable[[Item], Decimal]) -> int:
    """Plan again the calls that a killed run left as sent, and those that failed; returns how many were sent.

    Whether the endpoint answered a call that was in flight is not known: it counts as repeated, at its
    highest possible cost.

    Parameters
    ----------
    judge : Judge
        Judge whose run begins.
    highest_cost : callable
        Cost of a call about an item at most.
    """
    with transaction.atomic():
        calls = JudgeCall.objects.filter(judge=judge)
        sent = list(calls.filter(state="sent").select_related("item"))
        cost = sum((highest_cost(one.item) for one in sent), Decimal(0))
        Counts.add(judge, spent=cost, repeated=len(sent))
        calls.filter(state="sent").update(state="planned", error=INTERRUPTED)
        calls.filter(state="failed").update(state="planned")
    judge.refresh_from_db()
    return len(sent)


def plan_calls(judge: Judge, asker: Asker, lease: Lease) -> None:
    """Store a call for each item and sample that has none.

    Parameters
    ----------
    judge : Judge
        Judge whose run begins.
    asker : Asker
        What it asks.
    lease : Lease
        Renewed between pieces.
    """
    if isinstance(asker, LocalAsker) and "revision" not in judge.settings:
        judge.settings["revision"] = asker.revision
        judge.save(update_fields=["settings"])
    known = set(JudgeCall.objects.filter(judge=judge).values_list("item", "sample"))
    items = list(judge.study.items.order_by("position", "pk"))
    for start in range(0, len(items), PLANNED_AT_ONCE):
        piece = items[start : start + PLANNED_AT_ONCE]
        rows = [
            JudgeCall(judge=judge, item=item, sample=sample, key=key_of(asker, item, sample))
            for item in piece
            for sample in range(1, asker.samples + 1)
            if (item.pk, sample) not in known
        ]
        with transaction.atomic():
            lease.renew()
            JudgeCall.objects.bulk_create(rows)


def key_of(asker: Asker, item: Item, sample: int) -> str:
    """Digest of all that an answer depends on; the item is a part of it, for texts may be alike.

    Parameters
    ----------
    asker, item, sample
        What is asked about which item, for which sample.
    """
    parts: list[Any] = [asker.prompt_digest(item), asker.identity, item.pk, sample]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def has_answers(judge: Judge) -> bool:
    """Whether a judge was given an answer, also one that cannot be used.

    Parameters
    ----------
    judge : Judge
        Judge of any way.
    """
    answered = JudgeCall.objects.filter(judge=judge, state="answered")
    return answered.exists() or Judgement.objects.filter(judge=judge).exists()


def use_current_template(judge: Judge) -> None:
    """Use the current prompt template for a judge that has no answers; its row is locked.

    Parameters
    ----------
    judge : Judge
        Judge that answers by a model; it gets the settings that its row has now.

    Raises
    ------
    NotAllowedNow
        `other_prompt_template`: it has answers to prompts with other words.
    """
    current = template_name()
    with transaction.atomic():
        # Permissions are in the same column: one that was withdrawn meanwhile must not come back.
        locked = Judge.objects.select_for_update(of=("self",)).get(pk=judge.pk)
        judge.settings = locked.settings
        if locked.settings["template"] == current:
            return
        if has_answers(locked):
            raise NotAllowedNow(
                message(
                    "The wording of prompts has changed since this judge answered. Add a new judge, so that "
                    "all answers of a judge are to the same words."
                ),
                code="other_prompt_template",
            )
        judge.settings = locked.settings = locked.settings | {"template": current}
        locked.save(update_fields=["settings"])
