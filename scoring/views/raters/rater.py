"""`/studies/<study>/raters/<code>/`: one rater on one page, or in a panel next to the list of raters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from annotation.domain.quality.careless_responding import flags
from annotation.models import Exclusion, Qualification, Rater, RaterKind, Response
from annotation.permissions import Access, Act
from annotation.selectors.people.consent import agreements_of
from annotation.selectors.people.rater_messages import messages_to
from annotation.selectors.quality.checks.criterion_names import criterion_names
from annotation.selectors.quality.rater_evidence import evidence_of, failed_checks
from annotation.selectors.quality.rater_profile import (
    answers_of,
    counted_of,
    detection_power_for,
    verdicts_of,
)
from annotation.selectors.quality.retained_raters import retained_raters
from annotation.selectors.seats.reserved_slots import slot_holders
from annotation.views.base.page import shown_page, study_page
from annotation.views.quality.rater_charts import pace_chart, seconds_chart
from scoring.selectors.raters.exclusion_consequence import consequences_of_exclusion
from scoring.selectors.raters.item_figures import newest_set, out_of_date
from scoring.selectors.raters.rater_comparison import compared_with_others
from scoring.selectors.raters.rater_list import codes_around
from scoring.selectors.raters.review_queue import review_queue
from scoring.views.base.page import page

MESSAGES_SHOWN = 5


@study_page(get=Act.VIEW)
def rater(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """One rater; htmx gets the panel next to the list, which is computed from this rater alone."""
    people = Rater.objects.select_related("study").exclude(kind=RaterKind.TRIAL)
    found = get_object_or_404(people, study=access.study, code=code)
    if request.headers.get("HX-Request"):
        return render(request, "scoring/raters/rater/panel.html", _panel(request, access, found))
    answers = answers_of(found)
    figure_set = newest_set(access.study)
    context: dict[str, Any] = {
        **page(access, "review" if "review" in request.GET else "raters"),
        **_evidence(access, found),
        **_around(request, access, found),
        **_consequences(request, access, found),
        "compared": compared_with_others(figure_set, found),
        "stale": figure_set is not None and out_of_date(access.study, figure_set),
        "verdicts": shown_page(request, verdicts_of(found), "checks"),
        "qualification": Qualification.objects.filter(study=access.study).first(),
        "attempts": shown_page(request, found.attempts.select_related("decided_by"), "attempts"),
        "answers": shown_page(request, answers, "answers"),
        "n_seats_filled": sum(answer.fills_seat for answer in answers),  # type: ignore[attr-defined]
        "power": detection_power_for(access.study, len(answers)),
        "agreements": agreements_of(found),
        "holder": slot_holders(access.study).filter(pk=found.pk).first(),
        "messages_got": messages_to(found)[:MESSAGES_SHOWN] if access.may_manage else (),
        "exclusions": found.exclusions.select_related("author", "lift", "by_rule").order_by("-pk"),
        "excluding_rules": _excluding_rules(answers),
    }
    return render(request, "scoring/raters/rater/page.html", context)


def _excluding_rules(answers: list[Response]) -> list[dict[str, Any]]:
    """The rules that exclude responses of a rater, each with their number."""
    found = Counter(
        (answer.excluding_rule, answer.name_of_rule)  # type: ignore[attr-defined]
        for answer in answers
        if answer.excluding_rule  # type: ignore[attr-defined]
    )
    return [{"pk": pk, "name": name, "n": n} for (pk, name), n in found.items()]


def _around(request: HttpRequest, access: Access, found: Rater) -> dict[str, Any]:
    """The raters before and after, and the page that opens after a decision."""
    here = reverse("study-rater", args=[access.slug, found.code])
    if "review" not in request.GET:
        return {"around": codes_around(access.study, found.code), "next": here}
    queue = review_queue(access.study, found.code)
    after = reverse("study-review", args=[access.slug])
    if queue.following:
        after = f"{reverse('study-rater', args=[access.slug, queue.following])}?review"
    return {"around": (queue.before, queue.after), "queue": queue, "next": after}


def _consequences(request: HttpRequest, access: Access, found: Rater) -> dict[str, Any]:
    """What an exclusion would change, for who may exclude and asks for it."""
    if "consequences" not in request.GET or not access.may_review:
        return {}
    return {"wants_consequences": True, "consequences": consequences_of_exclusion(found)}


def _panel(request: HttpRequest, access: Access, found: Rater) -> dict[str, Any]:
    figure_set = newest_set(access.study)
    htmx = getattr(request, "htmx", None)
    here = htmx.current_url_abs_path if htmx else None
    return {
        "access": access,
        "study": access.study,
        **_evidence(access, found),
        "compared": compared_with_others(figure_set, found),
        "next": here or reverse("study-raters", args=[access.slug]),
    }


def _evidence(access: Access, found: Rater) -> dict[str, Any]:
    """What the page and the panel show of how the rater works."""
    evidence = evidence_of(found)
    review_decision = retained_raters(access.study).get(found.code)
    excluded = Exclusion.objects.filter(rater=found, lift__isnull=True).exists()
    undecided = [
        one
        for one in flags(evidence.profile)
        if not review_decision or review_decision.is_new(one, evidence.n_pages)
    ]
    return {
        "rater": found,
        "evidence": evidence,
        "profile": evidence.profile,
        "pace": pace_chart(evidence),
        "times": seconds_chart(evidence),
        "failed": failed_checks(found),
        "criterion_names": criterion_names(access.study),
        "review_decision": review_decision,
        "excluded": excluded,
        "n_counted": counted_of(found),
        "may_keep": access.may_review and undecided and not excluded,
    }
