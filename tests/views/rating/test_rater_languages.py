"""Pages of raters in each language: no English and no double space is left, and the choice is stored."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.pay.wages import PayFor
from annotation.domain.people.demographics import DemographicKind, RaterQuestion
from annotation.domain.quality.calibration import RuleKind
from annotation.models import (
    Assignment,
    BackgroundPage,
    CalibrationItem,
    Criterion,
    FormVersion,
    Rater,
    ScalePoint,
    Study,
)
from annotation.protocols.registry import TEMPLATES
from annotation.services.pay.pay_settings import set_pay
from annotation.services.people.consent import change_text
from annotation.services.people.demographics import set_questions
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, edit_study
from tests.support.people import Cast, make_cast
from tests.support.studies.choice_study import draft
from tests.support.studies.qualification_study import qualify
from tests.support.visible_words import TEXT, english_on, gaps_on, without_words

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
IN_EACH = pytest.mark.parametrize("language", ["ja", "zh-hans"])


class Visit:
    """A rater's browser in one language, which checks every page that it is given."""

    def __init__(self, language: str) -> None:
        self.language, self.client, self.left = language, Client(), list[tuple[str, list[str]]]()
        self.client.cookies["django_language"] = language
        self.pages = 0

    def get(self, address: str):
        return self._read(self.client.get(address, follow=True))

    def post(self, address: str, **sent: object):
        return self._read(self.client.post(address, sent, follow=True))

    def _read(self, page):
        html = page.content.decode()
        assert f'<html lang="{self.language}">' in html
        assert page["Content-Language"] == self.language
        self.pages += 1
        amiss = english_on(html, self.language) + gaps_on(html)
        if amiss:
            self.left.append((page.request["PATH_INFO"], amiss))
        return page

    def join(self, study: Study) -> Rater:
        link = reverse(
            "join", args=[invite(study=study, actor=study.memberships.get(role="owner").user).token]
        )
        shown = self.get(link)
        self.post(link, join_key=shown.context["join_key"], consent_number=study.consent_number or "")
        return Rater.objects.filter(study=study).latest("pk")


def answered(assignment: Assignment, **answers: object) -> dict[str, object]:
    named = {f"answer-{key}": value for key, value in answers.items()}
    return {
        "submission_key": str(uuid.uuid4()),
        "version": assignment.version_id,
        "seen_revision": 0,
        **named,
    }


def newest(rater: Rater) -> Assignment:
    return rater.assignments.latest("position")


def page_of(assignment: Assignment) -> str:
    return reverse("rate-assignment", args=[assignment.rater.study.slug, assignment.pk])


def full_study(**fields: int) -> Cast:
    """A study that says all it can to raters: warning, contact, pay, least time, questions, deadlines."""
    cast = make_cast(items=2, overlap=2, opened=False)
    owner = cast.users["owner"]
    edit_study(study=cast.study, actor=owner, content_warning=TEXT, contact=TEXT, **fields)
    set_pay(study=cast.study, actor=owner, currency="EUR", paid_for=PayFor.PAGE, amount=Decimal("0.10"))
    asked = (
        RaterQuestion("age", TEXT, DemographicKind.NUMBER),
        RaterQuestion("reads", TEXT, DemographicKind.CHOICE, (TEXT, f"{TEXT}{TEXT}")),
    )
    set_questions(study=cast.study, actor=owner, questions=asked)
    without_words(cast.study)
    cast.study.refresh_from_db()
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
    return cast


def add_instructions(cast: Cast) -> None:
    """Good and bad examples, a practice item, breaks."""
    example = {"criterion": "quality", "text": TEXT, "answer": "1", "right": True, "reason": TEXT}
    FormVersion.objects.filter(form__study=cast.study).update(
        examples=[example, {**example, "right": False}], practice=[{"field": "simile", "text": TEXT}]
    )
    Study.objects.filter(pk=cast.study.pk).update(break_after=5)


@IN_EACH
def test_a_whole_visit_is_in_one_language(language):
    cast, visit = full_study(least_seconds=30, exempt_characters=1), Visit(language)
    slug = cast.slug
    add_instructions(cast)
    rater = visit.join(cast.study)
    visit.post(reverse("rate-about-you", args=[slug]), **{"answer-age": "x", "answer-reads": ""})
    visit.post(reverse("rate-about-you", args=[slug]), **{"answer-age": "34", "answer-reads": TEXT})
    visit.post(reverse("rate-practice", args=[slug]))
    visit.post(reverse("rate-practice", args=[slug]), **{"answer-quality": 4, "answer-creativity": 3})
    first = newest(rater)
    visit.post(page_of(first), **answered(first))
    visit.post(page_of(first), **answered(first, quality=9, creativity="x"))
    visit.post(page_of(first), **answered(first, quality=4, creativity=3))
    Assignment.objects.filter(pk=first.pk).update(opened_at=LONG_AGO)
    visit.post(page_of(first), **answered(first, quality=4, creativity=3))
    visit.post(page_of(first), **answered(first, quality=2, creativity=2))
    visit.get(page_of(first))
    for name in ("rate-guide", "rate-pause", "rate-withdraw"):
        visit.get(reverse(name, args=[slug]))
    visit.get(f"{reverse('rate-pause', args=[slug])}?break")
    visit.get(f"{page_of(first)}problem/")
    visit.post(f"{page_of(first)}problem/")
    visit.post(f"{page_of(first)}problem/", reason="other")
    visit.post(f"{page_of(first)}problem/", reason="page_broken", text=TEXT)
    visit.get(f"{page_of(first)}problem/?comment")
    visit.post(f"{page_of(first)}problem/?comment", reason="comment")
    visit.post(f"{page_of(first)}problem/?comment", reason="comment", text=TEXT)
    visit.post(reverse("rate-link", args=[slug]))
    change_text(study=cast.study, actor=cast.users["owner"], text=f"{TEXT}{TEXT}")
    visit.get(reverse("rate", args=[slug]))
    visit.post(reverse("rate-consent", args=[slug]), consent_number=2)
    second = newest(rater)
    Assignment.objects.filter(pk=second.pk).update(opened_at=LONG_AGO)
    visit.post(page_of(second), **answered(second, quality=4, creativity=3))
    visit.get(f"/rate/{slug}/999999/")
    visit.post(reverse("rate-withdraw", args=[slug]))
    assert visit.left == []
    assert visit.pages > 15


@IN_EACH
@pytest.mark.parametrize("policy", ["keep", "exclude", "erase"])
def test_withdrawing_is_in_the_language_whatever_becomes_of_the_answers(language, policy):
    cast, visit = make_cast(items=2, opened=False), Visit(language)
    edit_study(study=cast.study, actor=cast.users["owner"], on_withdrawal=policy)
    without_words(cast.study)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = visit.join(cast.study)
    visit.post(page_of(newest(rater)), **answered(newest(rater), quality=4, creativity=3))
    visit.get(reverse("rate-withdraw", args=[cast.slug]))
    visit.post(reverse("rate-withdraw", args=[cast.slug]))
    assert visit.left == []


@IN_EACH
def test_what_is_refused_is_refused_in_the_language(language):
    cast, visit = make_cast(items=1, overlap=1, opened=False), Visit(language)
    owner = cast.users["owner"]
    without_words(cast.study)
    link = reverse("join", args=[cast.invitation.token])
    visit.get(link)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
    rater = visit.join(cast.study)
    other = Visit(language)
    other.get(link)
    visit.post(page_of(newest(rater)), **answered(newest(rater), quality=4, creativity=3))
    other.get(link)
    for state in (StudyState.PAUSED, StudyState.CLOSED):
        cast.study = change_state(study=cast.study, to=state, actor=owner)
        visit.get(reverse("rate", args=[cast.slug]))
        visit.get(page_of(newest(rater)))
        other.get(link)
    other.get(f"{link}declined/")
    other.get("/join/not-a-link/")
    assert visit.left + other.left == []


@IN_EACH
@pytest.mark.parametrize("protocol", sorted(TEMPLATES))
def test_the_page_of_every_protocol_is_in_the_language(language, protocol):
    study, visit = draft(protocol), Visit(language)
    fields = {block["field"] for form in study.forms.all() for block in form.versions.get().blocks}
    for number in range(2):
        study.items.create(
            key=f"i{number}", group="g", system="s", fields=dict.fromkeys(fields, TEXT), position=number
        )
    without_words(study)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN)
    member = Client()
    member.cookies["django_language"] = language
    member.force_login(study.memberships.get(role="owner").user)
    visit.client = member
    visit.get(reverse("rate", args=[study.slug]))
    assert visit.left == []


@IN_EACH
def test_a_slider_is_in_the_language(language):
    cast, visit = make_cast(items=1, opened=False), Visit(language)
    version = cast.study.forms.get().versions.get()
    slider = Criterion.objects.create(
        version=version, key="fit", name=TEXT, kind="slider", minimum=0, maximum=100, position=5
    )
    for position, value in enumerate((0, 100)):
        ScalePoint.objects.create(criterion=slider, value=str(value), position=position)
    without_words(cast.study)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = visit.join(cast.study)
    for fit in ("101", "x", ""):
        visit.post(page_of(newest(rater)), **answered(newest(rater), quality=4, creativity=3, fit=fit))
    assert visit.left == []


@IN_EACH
@pytest.mark.parametrize("rule", list(RuleKind))
def test_qualifying_is_in_the_language(language, rule):
    cast, visit = make_cast(items=2, opened=False), Visit(language)
    given = {"least": 0.9} if rule is RuleKind.RANK else {}
    qualify(cast, rule, pages=2, opened=False, feedback=rule is not RuleKind.HAND, attempts=2, **given)
    without_words(cast.study)
    BackgroundPage.objects.update(title=TEXT, text=TEXT)
    CalibrationItem.objects.update(reason=TEXT)
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater, slug = visit.join(cast.study), cast.slug
    for number in (1, 2):
        visit.post(reverse("rate-background", args=[slug, number]))
    for attempt in range(2):
        for value in (1, 5, 1, 5):
            visit.get(reverse("rate", args=[slug]))
            shown = newest(rater)
            visit.post(page_of(shown), **answered(shown, quality=value, creativity=3))
        visit.get(reverse("rate-qualification", args=[slug]))
        if attempt == 0:
            visit.post(reverse("rate-qualification", args=[slug]))
    assert visit.left == []
    assert visit.pages > 10


class TestTheChoice:
    def choose(self, client: Client, language: str, following: str):
        return client.post(reverse("set_language"), {"language": language, "next": following})

    def test_it_is_stored_and_comes_back_to_the_page(self):
        cast, client = make_cast(), Client(headers={"Accept-Language": "ja"})
        link = reverse("join", args=[cast.invitation.token])
        assert '<html lang="ja">' in client.get(link).content.decode()
        chosen = self.choose(client, "zh-hans", link)
        assert (chosen.status_code, chosen["Location"]) == (302, link)
        assert chosen.cookies["django_language"]["httponly"]
        assert '<html lang="zh-hans">' in client.get(link).content.decode()

    def test_each_language_is_offered_under_its_own_name(self):
        html = Client().get(reverse("join", args=[make_cast().invitation.token])).content.decode()
        for code, name in (("en", "English"), ("ja", "日本語"), ("zh-hans", "简体中文")):
            assert f'name="language" value="{code}" lang="{code}"' in html
            assert f">{name}</button>" in html

    @pytest.mark.parametrize("language", ["fr", "de-DE", "../ja", ""])
    def test_a_language_that_is_not_offered_changes_nothing(self, language):
        link, client = reverse("join", args=[make_cast().invitation.token]), Client()
        self.choose(client, language, link)
        assert '<html lang="en">' in client.get(link).content.decode()

    def test_it_leads_to_no_other_site(self):
        assert self.choose(Client(), "ja", "https://elsewhere.example/")["Location"] == "/"
