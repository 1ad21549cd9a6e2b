"""`/studies/<study>/raters/…`: the review queue, keeping, excluding and lifting."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Exclusion, Rater, RaterKind
from annotation.permissions import Access, Act
from annotation.selectors.quality.rater_profile import counted_of, profiles
from annotation.selectors.quality.raters_to_review import order_for_review
from annotation.services.quality.exclusions import exclude_rater, lift_exclusion
from annotation.services.quality.replacements import collect_all_replacements, collect_replacement, rater_of
from annotation.services.quality.review_decisions import (
    exclude_raters,
    keep_rater,
    keep_raters,
    list_rater_again,
)
from annotation.views.base.page import page, redirect_back, refusal_shown, shown_page, study_page
from config.formats.enumeration import between_names

RATERS_PER_PAGE = 20
# More excluded raters are not linked in a message.
MOST_LINKED = 10


@study_page(get=Act.VIEW)
def review(request: HttpRequest, access: Access) -> HttpResponse:
    """All raters with what is flagged about each: those to review first, then others with flags."""
    order = order_for_review(access.study)
    shown = shown_page(request, order.raters, size=RATERS_PER_PAGE)
    unknown = [rater for rater in shown.object_list if rater.pk not in order.profiled]
    known = dict(order.profiled)
    known |= {one.rater.pk: one for one in profiles(access.study, unknown)} if unknown else {}
    active = Exclusion.objects.filter(rater__in=shown.object_list, lift__isnull=True)
    context = {
        **page(access, "review"),
        "shown": shown,
        "profiled": [known[rater.pk] for rater in shown.object_list],
        "n_to_review": len(order.waiting),
        "first_to_review": order.waiting[0].code if order.waiting else "",
        "excluded": set(active.values_list("rater", flat=True)),
        "retained": order.retained,
    }
    return render(request, "annotation/quality/review.html", context)


@study_page(post=Act.REVIEW)
def exclude(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Exclude a rater with a reason, or lift the active exclusion."""
    found = _rater(access, code)
    reason = request.POST.get("reason", "")
    active = Exclusion.objects.filter(rater=found, lift__isnull=True).first()
    act = request.POST.get("act")
    if act not in {"exclude", "lift"}:
        raise BadRequest("The page says neither to exclude nor to lift.")
    refused = True
    with refusal_shown(request):
        if act == "exclude":
            n = counted_of(found)
            exclude_rater(rater=found, reason=reason, actor=access.user)
            messages.success(request, _excluded(found, n))
        elif active is not None:
            lift_exclusion(exclusion=active, reason=reason, actor=access.user)
            messages.success(request, _included(found, counted_of(found)))
        else:
            messages.error(request, _("%(rater)s is not excluded.") % {"rater": found.code})
        refused = False
    own = reverse("study-rater", args=[access.slug, code])
    # What was refused is not decided yet: the next rater would seem to be meant.
    return redirect(own) if refused else redirect_back(request, own)


@study_page(post=Act.REVIEW)
def decide(request: HttpRequest, access: Access) -> HttpResponse:
    """Keep or exclude the raters that are selected on *Raters*, or replace all that is excluded."""
    study, codes, actor = access.study, set(request.POST.getlist("rater")), access.user
    reason = request.POST.get("reason", "")
    act = request.POST.get("act")
    if act not in {"keep", "exclude", "replace"}:
        raise BadRequest("The act must be keep, exclude or replace.")
    with refusal_shown(request):
        if act == "keep":
            n = len(keep_raters(study=study, codes=codes, actor=actor))
            receipt = ngettext("%(n)d rater with flags kept.", "%(n)d raters with flags kept.", n)
        elif act == "replace":
            n = collect_all_replacements(study=study, actor=actor)
            receipt = ngettext("%(n)d replacement requested.", "%(n)d replacements requested.", n)
        else:
            excluded = exclude_raters(study=study, codes=codes, reason=reason, actor=actor)
            n = len(excluded)
            receipt = ngettext(
                "%(n)d rater excluded. To undo this, lift the exclusion on the rater’s page.",
                "%(n)d raters excluded. To undo this, lift the exclusion on each rater’s page.",
                n,
            )
        links = _links_to_exclusions(access, excluded) if act == "exclude" else ""
        messages.success(request, format_html("{} {}", receipt % {"n": n}, links))
    return redirect_back(request, reverse("study-raters", args=[access.slug]))


@study_page(post=Act.REVIEW)
def keep(request: HttpRequest, access: Access, code: str) -> HttpResponse:
    """Keep a rater in spite of the flags that the page shows, or list the rater again."""
    found = _rater(access, code)
    act = request.POST.get("act")
    if act not in {"keep", "again"}:
        raise BadRequest("The page says neither to keep the rater nor to list the rater again.")
    if act == "again":
        list_rater_again(rater=found, actor=access.user)
        messages.success(request, _("%(rater)s is listed again.") % {"rater": code})
        return redirect("study-rater", slug=access.slug, code=code)
    with refusal_shown(request):
        keep_rater(rater=found, flags=request.POST.getlist("flag"), actor=access.user)
        sentence = _(
            "%(rater)s is kept, and is listed again if there are other flags or a flag is clearly worse. To "
            "undo this, open the page of the rater."
        )
        messages.success(request, sentence % {"rater": code})
    return redirect_back(request, reverse("study", args=[access.slug]))


@study_page(post=Act.REVIEW)
def replace(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let other raters fill the slots of the responses that an exclusion leaves out."""
    exclusions = Exclusion.objects.select_related("rater", "response__assignment__rater")
    exclusion = get_object_or_404(exclusions, pk=pk, study=access.study, item__isnull=True)
    with refusal_shown(request):
        n = collect_replacement(exclusion=exclusion, actor=access.user)
        message = ngettext("%(n)d replacement requested.", "%(n)d replacements requested.", n)
        messages.success(request, message % {"n": n})
    return redirect("study-rater", slug=access.slug, code=rater_of(exclusion).code)


def _excluded(rater: Rater, n: int) -> SafeString:
    sentence = ngettext(
        "%(rater)s excluded. %(n)s response is no longer included in statistics.",
        "%(rater)s excluded. %(n)s responses are no longer included in statistics.",
        n,
    )
    link = _("Lift the exclusion of %(rater)s") % {"rater": rater.code}
    address = _address_of_exclusion(rater.study.slug, rater.code)
    reported = sentence % {"rater": rater.code, "n": f"{n:,}"}
    return format_html('{} <a href="{}">{}</a>', reported, address, link)


def _links_to_exclusions(access: Access, codes: list[str]) -> SafeString:
    links = ((_address_of_exclusion(access.slug, code), code) for code in codes[:MOST_LINKED])
    more = " …" if len(codes) > MOST_LINKED else ""
    return format_html("{}{}", format_html_join(between_names(), '<a href="{}">{}</a>', links), more)


def _address_of_exclusion(slug: str, code: str) -> str:
    """The part of the page of a rater where an exclusion is lifted."""
    return f"{reverse('study-rater', args=[slug, code])}#decision"


def _included(rater: Rater, n: int) -> str:
    sentence = ngettext(
        "Exclusion of %(rater)s lifted. %(n)s response is included in statistics again. To undo this, "
        "exclude the rater on this page.",
        "Exclusion of %(rater)s lifted. %(n)s responses are included in statistics again. To undo this, "
        "exclude the rater on this page.",
        n,
    )
    return sentence % {"rater": rater.code, "n": f"{n:,}"}


def _rater(access: Access, code: str) -> Rater:
    people = Rater.objects.select_related("study").exclude(kind=RaterKind.TRIAL)
    return get_object_or_404(people, study=access.study, code=code)
