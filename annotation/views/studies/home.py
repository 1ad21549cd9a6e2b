"""The first page: what Groundwork is, or my studies; and what this browser rates in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.models import Rater, Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.translations.tables import ENGLISH
from annotation.selectors.studies.demo_study import public_demo
from annotation.selectors.studies.sandbox import sample_page
from annotation.selectors.studies.study_list import study_rows
from annotation.views.base.page import person, shown_page
from annotation.views.base.uploads import listed_uploads
from annotation.views.rating.rater_session import list_session_raters
from annotation.views.rating.shown_texts import shown_study

LONGEST_MENU = 12
GROUPS = (
    ("running", _("Open and paused")),
    ("draft", _("Drafts")),
    ("closed", _("Closed")),
    ("published", _("Published ratings")),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    context: dict[str, object] = {"enrolments": _enrolments(request)}
    if isinstance(request.user, User):
        return render(request, "home.html", context | _studies(request, request.user))
    context |= {"demo": public_demo(), "sample": sample_page(get_language() or ENGLISH)}
    return render(request, "annotation/studies/public/home.html", context)


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """The list of studies is the first page; a search for studies is one there."""
    return redirect(f"{reverse('home')}?{query}" if (query := request.GET.urlencode()) else "home")


@login_required
@require_safe
def studies_menu(request: HttpRequest) -> HttpResponse:
    """The newest studies of a member, for the menu behind the name of a study."""
    mine = Study.objects.filter(memberships__user=person(request), memberships__archived=False)
    context = {"studies": mine.order_by("-created_at", "-pk")[:LONGEST_MENU]}
    return render(request, "annotation/base/parts/studies_menu.html", context)


def _enrolments(request: HttpRequest) -> list[tuple[Rater, Study]]:
    """What this browser rates in: each rater, and the study as a page in this language shows it."""
    return [(rater, shown_study(rater.study)) for rater in list_session_raters(request)]


def _studies(request: HttpRequest, user: User) -> dict[str, object]:
    words = request.GET.get("q", "").strip()
    archived = request.GET.get("show") == "archive"
    rows = study_rows(user=user, archived=archived, words=words)
    order = [key for key, _name in GROUPS]
    shown = shown_page(request, sorted(rows, key=lambda row: order.index(row.group)))
    groups = [
        (name, sum(row.group == key for row in rows), [row for row in shown if row.group == key])
        for key, name in GROUPS
    ]
    return {
        "shown": shown,
        "groups": [group for group in groups if group[2]],
        "q": words,
        "archived": archived,
        "n_archived": user.memberships.filter(archived=True).count(),
        "templates": [(key, one.title, one.description) for key, one in TEMPLATES.items()],
        "own_uploads": listed_uploads(user),
    }
