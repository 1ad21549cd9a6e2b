"""The pages of a study: overview, items, state."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from django.core.cache import caches
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.base.states import TAKING_ANSWERS, DesignKind, StudyState
from annotation.domain.rating.simulated_raters import AnsweringPattern
from annotation.models import FormVersion, ImportFile, RaterKind, Seat, Study
from annotation.permissions import Access, Act
from annotation.selectors.base.item_search import representative_fields, text_of
from annotation.selectors.items.of_study import add_responses, items_with, waiting_item_files
from annotation.selectors.people.silent_raters import silent_raters, with_numbers
from annotation.selectors.quality.raters_to_review import are_at_hand, find_raters_to_review
from annotation.selectors.quality.setup_warnings import find_setup_warnings
from annotation.selectors.questions.counting import count_of_earlier_versions, submitted
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.questions.pilots.pilot_answers import fits_nothing
from annotation.selectors.questions.shown_options import texts_in_order
from annotation.selectors.rating.problem_reports import open_problems
from annotation.selectors.seats.pairing.progress import pair_progress
from annotation.selectors.seats.stages import flows, outcomes
from annotation.selectors.seats.unfillable_seats import find_unfillable_seats
from annotation.selectors.studies import progress
from annotation.selectors.studies.overview import simulated_patterns
from annotation.services.pay.admission import admission_to
from annotation.views.base.page import page, shown_page, study_page
from config.formats.enumeration import between_clauses, joined

ITEMS_PER_PAGE = 50
INACTIVE_NAMED = 5
# With more responses, counting takes longer: the part is counted and fetched less often.
LIVE_SECONDS, LIVE_SECONDS_OF_MANY, MANY_RESPONSES = 30, 180, 20_000
CHART = {"width": 760, "foot": 116, "height": 94}


@study_page(get=Act.ENTER)
def overview(request: HttpRequest, access: Access) -> HttpResponse:
    """The overview; its own requests for what changes while raters work are answered with that part alone.

    An adjudicator is led to the cases instead.
    """
    if access.own_cases_of:
        return redirect("study-adjudication", slug=access.slug)
    access.require(Act.READ)
    study = access.study
    versions = form_versions(study=study)
    part_alone = bool(request.headers.get("HX-Request"))
    live = _live(study, _wait(request))
    context = {**page(access, "overview"), **live, "has_cap": _has_cap(study, versions)}
    if part_alone:
        return render(request, "annotation/studies/live/part.html", context)
    context |= {
        "flows": flows(study),
        "pair_progress": pair_progress(study),
        "days": _bars(progress.per_day(study)),
        "raters": _raters(request, study),
        "versions": versions,
        "n_of_earlier_versions": count_of_earlier_versions(study),
        "n_items": study.items.count(),
        "pilot_fits_nothing": fits_nothing(study),
        "excluded": _excluded(study),
        "patterns": _patterns(study) if study.simulated else "",
        "budget_stop": access.may_manage
        and study.state == StudyState.OPEN
        and admission_to(study=study, panel=None).is_stopped,
    }
    return render(request, "annotation/studies/overview.html", context)


class _Wait(IntEnum):
    """How long a request can wait in a large study: the page asks for what it lacks when it is shown."""

    SHORT = 0
    COUNTS = 1
    ALL = 2


def _wait(request: HttpRequest) -> _Wait:
    if "counts" in request.GET:
        return _Wait.COUNTS
    return _Wait.ALL if request.headers.get("HX-Request") else _Wait.SHORT


def _is_large(study: Study) -> bool:
    slots, given = Seat.objects.filter(form__study=study).order_by(), submitted(study).order_by()
    return slots[MANY_RESPONSES:].exists() or given[MANY_RESPONSES:].exists()


def _live(study: Study, wait: _Wait) -> dict[str, Any]:
    """What changes while raters work: progress, alerts and coverage.

    That of a large study is as old as `now` says, unless something was excluded since. Where the request
    cannot wait for it, it is left to count (`to_count`), or lacks the raters to review (`to_review`).
    """
    key = f"overview-{study.pk}-{study.state}-{study.exclusions.filter(lift__isnull=True).count()}"
    found: dict[str, Any] | None = caches["fragments"].get(key)
    if found is None and wait is _Wait.SHORT and _is_large(study):
        return {"to_count": True}
    if found is None or (wait is _Wait.ALL and found["to_review"] is None):
        found = _counted_now(study, examine=wait is _Wait.ALL)
        if found["totals"].needed > MANY_RESPONSES:
            caches["fragments"].set(key, found, LIVE_SECONDS_OF_MANY)
    found = {
        **found,
        "live_seconds": _live_seconds(study, found["totals"]),
        "setup_warnings": find_setup_warnings(study),
    }
    return {**found, "n_alerts": _number_of_alerts(found)}


def _counted_now(study: Study, *, examine: bool) -> dict[str, Any]:
    now = timezone.now()
    responses = progress.item_responses(study)
    coverage, unfillable = progress.coverage(study, responses), find_unfillable_seats(study)
    totals = progress.totals(study, coverage, responses)
    silent = silent_raters(study, now)
    held = min(progress.active_reservations(study), totals.left)
    return {
        "now": now,
        "totals": totals,
        "held": held,
        "free": totals.left - held,
        "taken": totals.placed + held,
        "coverage": coverage,
        "left_out": any(one.saved for one in coverage),
        "forecast": progress.forecast(study, totals, unfillable.seats if unfillable else 0, now),
        "to_review": find_raters_to_review(study) if examine or are_at_hand(study, totals.stored) else None,
        "unfillable": unfillable,
        "silent": with_numbers(silent[:INACTIVE_NAMED]),
        "more_silent": len(silent[INACTIVE_NAMED:]),
        "lacking": progress.items_lacking_context(study),
        "problems": open_problems(study),
    }


def _number_of_alerts(found: dict[str, Any]) -> int:
    """The raters, items and warnings that the list names or counts."""
    to_review, problems, unfillable = found["to_review"], found["problems"], found["unfillable"]
    lists = (found["setup_warnings"], found["lacking"], found["silent"], problems.items)
    further = found["more_silent"] + problems.more
    further += len(to_review.named) + to_review.more if to_review else 0
    return int(sum(map(len, lists)) + further + bool(unfillable and unfillable.seats))


def _live_seconds(study: Study, totals: progress.Totals) -> int | None:
    """After how many seconds the part is fetched again; None where no rater can be at work."""
    if study.source or study.state != StudyState.OPEN:
        return None
    return LIVE_SECONDS if totals.needed <= MANY_RESPONSES else LIVE_SECONDS_OF_MANY


@study_page(get=Act.READ)
def items(request: HttpRequest, access: Access) -> HttpResponse:
    wanted = request.GET.get("q", "").strip()
    shown = shown_page(request, items_with(access.study, wanted), size=ITEMS_PER_PAGE)
    add_responses(access.study, list(shown))
    staged = outcomes(access.study, [item.pk for item in shown])
    representative = representative_fields(access.study)
    context = {
        **page(access, "items"),
        "items": shown,
        "rows": [(item, text_of(item, representative), staged.get(item.pk, [])) for item in shown],
        "staged": bool(staged),
        "removable": _removable(access.study),
        "changeable": access.may_manage and access.study.state in TAKING_ANSWERS and not access.study.source,
        "q": wanted,
        "set_size": texts_in_order(access.study),
        "waiting_files": _waiting_files(access) if not shown.paginator.count else [],
    }
    return render(request, "annotation/items/items.html", context)


def _waiting_files(access: Access) -> list[ImportFile]:
    """Files whose import ends when a member says what their columns contain."""
    return list(waiting_item_files(access.study)) if access.may_edit else []


def _raters(request: HttpRequest, study: Study) -> Any:
    shown = shown_page(request, progress.listed_raters(study), "raters")
    shown.object_list = progress.rater_rows(study, list(shown.object_list))
    return shown


def _removable(study: Study) -> bool:
    """Whether the items of a study can be removed: it is a draft without raters."""
    return study.state == StudyState.DRAFT and not study.raters.exclude(kind=RaterKind.TRIAL).exists()


def _patterns(study: Study) -> str:
    """How many simulated raters there are of each answering pattern."""
    words = {
        AnsweringPattern.CAREFUL: _("careful"),
        AnsweringPattern.RANDOM: _("at random"),
        AnsweringPattern.LINE: _("always the same answer"),
        AnsweringPattern.FAST: _("at random and too fast"),
        AnsweringPattern.MIDDLE: _("always the middle"),
    }
    found = simulated_patterns(study=study)
    return between_clauses().join(f"{words[AnsweringPattern(pattern)]}: {n}" for pattern, n in found.items())


def _excluded(study: Study) -> str:
    """The number of excluded raters, items and responses."""
    counts = study.exclusions.filter(lift__isnull=True).aggregate(
        raters=Count("rater"), items=Count("item"), answers=Count("response")
    )
    parts = (
        ngettext("%(n)d rater", "%(n)d raters", counts["raters"]) % {"n": counts["raters"]},
        ngettext("%(n)d item", "%(n)d items", counts["items"]) % {"n": counts["items"]},
        ngettext("%(n)d response", "%(n)d responses", counts["answers"]) % {"n": counts["answers"]},
    )
    return joined(words for words, n in zip(parts, counts.values(), strict=True) if n)


def _has_cap(study: Study, versions: list[FormVersion]) -> bool:
    """Whether the study has a limit per rater."""
    if study.design in {DesignKind.BATCHES, DesignKind.ALL}:
        return study.batches_per_rater is not None
    return any(version.form.per_rater is not None for version in versions)


def _bars(days: list[tuple[Any, int]]) -> list[dict[str, Any]]:
    """Bars of the chart of responses per day, in its own units."""
    if not days:
        return []
    most, step = max(number for _, number in days) or 1, CHART["width"] / len(days)
    bars = []
    for place, (day, number) in enumerate(days):
        height = CHART["height"] * number / most
        middle = step * (place + 0.5)
        bars.append(
            {
                "day": day,
                "number": number,
                "x": round(middle - 11, 1),
                "middle": round(middle, 1),
                "y": round(CHART["foot"] - height, 1),
                "label_y": round(CHART["foot"] - height - 6, 1),
                "height": round(height, 1),
            }
        )
    return bars
