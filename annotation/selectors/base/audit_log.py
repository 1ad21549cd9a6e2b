"""The audit log: filtered for a page, and as a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.http import QueryDict

from annotation.domain.base.timestamps import utc_timestamp
from annotation.models import AuditEntry, Study
from annotation.selectors.base.item_search import json_contains
from annotation.selectors.base.table_types import Table

# What of the log only those read who may see the pay.
ABOUT_PAYMENTS = frozenset(
    {
        *("make_payment_list", "approve_payments", "change_payment", "change_payments", "enter_payment"),
        *("import_payment_results", "export_payments", "send_payments", "set_budget"),
    }
)
ABOUT_PAY = ABOUT_PAYMENTS | {"set_pay", "grant_bonus", "export_bonuses"}
COLUMNS = ("study", "at", "actor", "act", "detail")


@dataclass(frozen=True)
class AuditView:
    """The filters of the log; both days are included, in UTC."""

    act: str = ""
    actor: str = ""
    q: str = ""
    since: date | None = None
    until: date | None = None

    def query(self) -> str:
        """The filters as the query string of the page's address."""
        written = QueryDict(mutable=True)
        for name in ("act", "actor", "q", "since", "until"):
            if getattr(self, name):
                written[name] = str(getattr(self, name))
        return written.urlencode()


def read_audit_view(asked: QueryDict) -> AuditView:
    """Read the filters of a URL; a day that cannot be read is left out."""
    text = {name: asked.get(name, "").strip().replace("\x00", "") for name in ("act", "actor", "q")}
    return AuditView(**text, since=_day(asked.get("since", "")), until=_day(asked.get("until", "")))


def entries(study: Study, view: AuditView, *, with_pay: bool) -> QuerySet[AuditEntry]:
    """The entries of a view, newest first; those about pay only for members who may see it."""
    found = AuditEntry.objects.filter(study=study).select_related("actor").order_by("-created_at", "-pk")
    if not with_pay:
        found = found.exclude(act__in=ABOUT_PAY)
    if view.act:
        found = found.filter(act=view.act)
    if view.actor:
        found = found.filter(actor__email=view.actor)
    if view.q:
        found = found.filter(json_contains("detail", view.q))
    if view.since:
        found = found.filter(created_at__gte=datetime.combine(view.since, time.min, UTC))
    if view.until and view.until < date.max:
        after = datetime.combine(view.until, time.min, UTC) + timedelta(days=1)
        found = found.filter(created_at__lt=after)
    return found


def audit_table(study: Study, view: AuditView | None = None, *, with_pay: bool) -> Table:
    """Who did what when, oldest first; members are named by their address."""
    rows = (
        {
            "study": study.slug,
            "at": utc_timestamp(entry.created_at),
            "actor": entry.actor.email if entry.actor else "",
            "act": entry.act,
            "detail": json.dumps(entry.detail, ensure_ascii=False, sort_keys=True),
        }
        for entry in entries(study, view or AuditView(), with_pay=with_pay)
        .order_by("created_at", "pk")
        .iterator(chunk_size=1000)
    )
    return COLUMNS, rows


def site_entries(q: str = "", acts: Sequence[str] = ()) -> QuerySet[AuditEntry]:
    """Acts on the installation, newest first.

    With `q`, only those that name an account or a study or are by an account, are so named in files, or are
    among `acts`.
    """
    found = AuditEntry.objects.filter(study=None).select_related("actor").order_by("-created_at", "-pk")
    if q:
        of_act = Q(act__icontains=q.replace(" ", "_")) | Q(act__in=acts)
        of_account_or_study = (
            Q(detail__account__icontains=q) | Q(detail__study__icontains=q) | Q(actor__email__icontains=q)
        )
        found = found.filter(of_account_or_study | of_act)
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None
