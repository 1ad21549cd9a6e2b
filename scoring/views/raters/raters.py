"""`/studies/<study>/raters/`: figures of all raters, and two raters compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from annotation.models import RaterKind
from annotation.permissions import Access, Act
from annotation.selectors.people.contacts import contacts_of
from annotation.selectors.people.platform_ids import raters_with_platform_id
from annotation.selectors.quality.raters_to_review import MOST_PAGES
from annotation.selectors.seats.reserved_slots import slot_holders
from annotation.services.quality.replacements import count_replaceable_seats
from annotation.templatetags.rater_words import rater_state
from annotation.views.base.page import shown_page, study_page
from scoring.selectors.raters.item_figures import newest_set, out_of_date
from scoring.selectors.raters.rater_list import (
    COLUMNS,
    ListedRater,
    compare_raters,
    flags_of,
    list_raters,
    rater_table,
)
from scoring.views.base.page import page

RATERS_PER_PAGE = 25
EXCLUDED = "excluded"
# Columns that are hidden while the panel of one rater is next to the list.
SPARE = frozenset({"cannot", "last", "severity", "longest_run"})
# Columns that phones leave out too: the page of a rater has them.
MINOR = frozenset({"done", "held_out", "flat"})


@study_page(get=Act.READ)
def raters(request: HttpRequest, access: Access) -> HttpResponse:
    study = access.study
    figure_set = newest_set(study)
    sort = request.GET.get("sort", "code")
    sort = sort if sort.lstrip("-") in COLUMNS else "code"
    listed = list_raters(study, figure_set, sort)
    q = request.GET.get("q", "").strip().replace("\x00", "")
    states = _states(listed)
    state = request.GET.get("state", "")
    state = state if state in {one["key"] for one in states} else ""
    query = {name: value for name, value in (("q", q), ("state", state)) if value}
    chosen = [one for one in listed if _is_in(one, state)] if state else listed
    shown = shown_page(request, _found(access, chosen, q) if q else chosen, size=RATERS_PER_PAGE)
    rows = rater_table(study, figure_set, list(shown))
    # In a large study the page asks for the flags when it is shown.
    flags_follow = "flags" not in request.GET and sum(row["done"] for row in rows) > MOST_PAGES
    if access.may_view and not flags_follow:
        profiled = flags_of(study, [row["rater"] for row in rows])
        rows = [{**row, "profiled": profiled[row["rater"].pk]} for row in rows]
    if access.may_view and request.headers.get("HX-Request"):
        return render(request, "scoring/raters/list/flags.html", {"rows": rows})
    context = {
        **page(access, "raters"),
        "rows": rows,
        "shown": shown,
        "sort": sort,
        "q": q,
        "state": state,
        "states": states,
        "query": query,
        "list_query": (list_query := urlencode({"sort": sort, **query})),
        "flags_query": f"{list_query}&page={shown.number}&flags=1" if flags_follow else "",
        "heads": _heads(sort, query),
        "codes": sorted(one.code for one in listed),
        "figure_set": figure_set,
        "stale": figure_set is not None and out_of_date(study, figure_set),
        "n_replaceable": count_replaceable_seats(study) if _offers_replacement(request, access) else 0,
        "holders": shown_page(request, slot_holders(study), "holders") if access.may_review else (),
        "n_contacts": contacts_of(study).count() if access.may_manage else 0,
    }
    return render(request, "scoring/raters/raters.html", context)


@study_page(get=Act.READ)
def compare(request: HttpRequest, access: Access) -> HttpResponse:
    """Two raters over what both rated."""
    people = access.study.raters.exclude(kind=RaterKind.TRIAL).order_by("code")
    codes = list(people.values_list("code", flat=True))
    context: dict[str, Any] = {**page(access, "raters"), "codes": codes}
    first, second = request.GET.get("a", ""), request.GET.get("b", "")
    if first and second and first != second:
        pair = [get_object_or_404(people, code=code) for code in (first, second)]
        compared = compare_raters(access.study, *pair)
        crosstabs = [criterion for criterion in compared["criteria"] if criterion["table"]]
        context |= {"a": first, "b": second, "compared": compared, "crosstabs": crosstabs}
    elif first or second:
        context |= {"a": first, "b": second, "problem": _("Choose two different raters.")}
    return render(request, "scoring/raters/raters_compared.html", context)


def _offers_replacement(request: HttpRequest, access: Access) -> bool:
    """Whether excluded raters are asked for by a member who may have them replaced."""
    return access.may_review and request.GET.get("state") == EXCLUDED


def _found(access: Access, listed: Sequence[ListedRater], q: str) -> list[ListedRater]:
    """The raters whose code contains a text; for members who may see platform IDs, also the one with it."""
    known = raters_with_platform_id(access.study, q) if access.may_manage else frozenset()
    wanted = q.casefold()
    return [one for one in listed if wanted in one.code.casefold() or one.pk in known]


def _states(listed: Sequence[ListedRater]) -> list[dict[str, Any]]:
    """The states that raters are in, with their numbers; excluded raters are counted in both."""
    counts = Counter(one.state for one in listed)
    found = [{"key": key, "words": rater_state(key), "n": n} for key, n in sorted(counts.items())]
    excluded = sum(one.excluded for one in listed)
    return [*found, *([{"key": EXCLUDED, "words": _("excluded"), "n": excluded}] if excluded else [])]


def _is_in(rater: ListedRater, state: str) -> bool:
    return rater.excluded if state == EXCLUDED else rater.state == state


def _heads(sort: str, query: Mapping[str, str]) -> list[dict[str, Any]]:
    words = {
        "code": _("Rater"),
        "done": _("Responses"),
        "cannot": _("Can’t rate"),
        "seconds": _("Median time"),
        "last": _("Last active"),
        "failed": _("Checks failed"),
        "severity": _("Severity"),
        "held_out": _("Held-out r"),
        "flat": _("Straight-lining"),
        "longest_run": _("Identical responses in a row"),
    }
    found = []
    for column in COLUMNS:
        way = {column: "ascending", f"-{column}": "descending"}.get(sort, "")
        first = column if column == "code" else f"-{column}"
        turned = {"ascending": f"-{column}", "descending": column}.get(way, first)
        address = urlencode({"sort": turned, **query})
        order = sort if way else first
        head = {"column": column, "words": words[column], "query": address, "way": way, "order": order}
        found.append({**head, "spare": column in SPARE, "minor": column in MINOR})
    return found
