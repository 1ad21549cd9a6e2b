"""History of one item, newest first: added, corrected, rated, retired or decided, each with the person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Q

from annotation.domain.base.states import StudyState
from annotation.models import AuditEntry, Item, Response, Study
from annotation.selectors.base.item_search import json_contains

# Acts about one item, and acts whose entry lists items.
OF_ITEM = (
    *("correct_item", "correct_components", "forget_correction", "exclude_response", "lift_exclusion"),
    *("adjudicate", "withdraw_case", "discuss_case", "resolve_problem"),
    *("ask_second_opinion", "give_second_opinion"),
)
OF_ITEMS = (
    *("retire_items", "restore_items", "raise_overlap", "exclude_items"),
    *("send_to_adjudication", "assign_cases"),
)
SHOWN_DETAILS = ("before", "after", "metadata", "to", "form", "reason")


class Happened(StrEnum):
    """What an event is; `ACT` is an entry of the audit log."""

    ADDED = "added"
    OPENED = "opened"
    SAVED = "saved"
    ACT = "act"
    RETIRED = "retired"


@dataclass(frozen=True)
class Event:
    """One event: an `entry` of the audit log, or a `response` that was saved, where it is one of these."""

    what: Happened
    at: datetime
    entry: AuditEntry | None = None
    response: Response | None = None

    @property
    def detail(self) -> dict[str, Any]:
        """The details of the audit entry that are shown with the act."""
        named = self.entry.detail if self.entry and self.what is Happened.ACT else {}
        return {name: named[name] for name in SHOWN_DETAILS if named.get(name)}


def item_history(study: Study, item: Item, responses: Sequence[Response]) -> list[Event]:
    """The events of an item, newest first.

    Items that were added by an earlier version of the program have no time of adding. An act about very many
    items lists some of them in the audit log; whether an item was retired is known in any case.

    Parameters
    ----------
    study, item
        A study and its item.
    responses : sequence of Response
        Responses to the item, all revisions.
    """
    events = [*_of_item(item), *_openings(study, item.added_at), *_acts(study, item)]
    events += [
        Event(Happened.SAVED, response.submitted_at, response=response)
        for response in responses
        if response.submitted_at
    ]
    retirements = {event.entry.act for event in events if event.entry} & {"retire_items"}
    if item.retired_at is not None and not retirements:
        events.append(Event(Happened.RETIRED, item.retired_at))
    return sorted(events, key=lambda one: one.at, reverse=True)


def _of_item(item: Item) -> Iterator[Event]:
    if item.added_at is not None:
        yield Event(Happened.ADDED, item.added_at)


def _openings(study: Study, since: datetime | None) -> Iterator[Event]:
    """When raters could begin with the item, and again after a pause."""
    opened = AuditEntry.objects.filter(study=study, act="change_state", detail__after=StudyState.OPEN.value)
    for entry in opened.select_related("actor").order_by("pk"):
        if since is None or entry.created_at > since:
            yield Event(Happened.OPENED, entry.created_at, entry=entry)


def _acts(study: Study, item: Item) -> Iterator[Event]:
    named = Q(act__in=OF_ITEM, detail__item=item.key)
    listed = Q(act__in=OF_ITEMS) & json_contains("detail", item.key)
    found = AuditEntry.objects.filter(named | listed, study=study).select_related("actor")
    for entry in found.order_by("pk"):
        if entry.act in OF_ITEM or item.key in entry.detail.get("items", ()):
            yield Event(Happened.ACT, entry.created_at, entry=entry)
