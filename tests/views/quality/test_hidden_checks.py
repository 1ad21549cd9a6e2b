"""Nothing that the browser is sent tells a check from an item: not the page, its address or its headers."""

from __future__ import annotations

import gzip
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.models import Assignment, Check, Seat, Study
from annotation.protocols.markup import mark
from annotation.services.quality.checks import create_check
from annotation.services.studies.lifecycle import change_state
from benchmarks.quick_client import Answered, rating_form
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
BROWSER = {"accept-encoding": "gzip", "prefer": "return=representation"}
SECRETS = re.compile(
    "|".join(
        f'(?<={name}=")[^"]+'
        for name in ('csrfmiddlewaretoken" value', 'submission_key" value', "data-token")
    )
)
# How long a compressed page is depends on its numbers and secrets; each request has an identifier.
OF_ONE_ANSWER = {"Content-Length", "X-Request-ID"}
LARGE = 12


@pytest.fixture
def cast() -> Cast:
    return planted(check_every=2)


def planted(**design: Any) -> Cast:
    """Items and three kinds of checks whose texts differ by their numbers alone."""
    cast = make_cast(items=LARGE, opened=False)
    Study.objects.filter(pk=cast.study.pk).update(**design)
    cast.study.refresh_from_db()
    kinds: dict[CheckKind, dict[str, Any]] = {
        CheckKind.INSTRUCTED: {"told": {"quality": 4}},
        CheckKind.GOLD: {"reference": {"quality": 4}, "tolerance": {"quality": 1}},
        CheckKind.REPEAT: {"criteria": ["quality"], "tolerance": 1},
    }
    for number, (kind, settings) in enumerate(kinds.items(), start=80):
        item = cast.study.items.all()[0]
        texts = {
            name: re.sub(r"\d+", str(number), mark(text, name, item.components))
            for name, text in item.fields.items()
        }
        create_check(
            study=cast.study,
            actor=cast.users["owner"],
            key=f"check {number}",
            kind=kind,
            form=cast.study.forms.get(),
            settings=settings,
            texts=None if kind is CheckKind.REPEAT else texts,
        )
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def masked(text: str) -> str:
    """Without what differs from page to page anyway: numbers and the secrets of one page."""
    return re.sub(r"\d+", "0", SECRETS.sub("", text))


def seen(response: Any) -> tuple[Any, ...]:
    """All that a rater could compare: status, headers and page."""
    page = gzip.decompress(response.content).decode()
    headers = {name: masked(value) for name, value in response.headers.items() if name not in OF_ONE_ANSWER}
    return response.status_code, tuple(sorted(headers.items())), masked(page)


def answer(browser: Client, page: str, held: str = "") -> Any:
    action, fields = rating_form(Answered(200, "", page, 0.0))
    return browser.post(action, fields | {"held": held})


def test_pages_of_checks_are_as_those_of_items_shown_now_or_fetched_ahead(cast):
    browser = Client(headers=BROWSER)
    browser.post(f"/join/{cast.invitation.token}/")
    response = browser.get(browser.get(f"/rate/{cast.slug}/").headers["Location"])
    kinds: dict[str, set[tuple[Any, ...]]] = {}
    for _ in range(LARGE):
        page = gzip.decompress(response.content).decode()
        action, _ = rating_form(Answered(200, "", page, 0.0))
        shown = Assignment.objects.get(pk=int(action.strip("/").split("/")[-1]))
        ahead = browser.post(f"{action}ahead/")
        if ahead.status_code == 200 and shown.position > 1:
            fetched = Assignment.objects.get(pk=int(ahead["Content-Location"].strip("/").split("/")[-1]))
            kinds.setdefault(f"ahead {fetched.purpose}", set()).add(seen(ahead))
        if shown.position > 1:
            kinds.setdefault(f"shown {shown.purpose}", set()).add(seen(response))
        response = answer(browser, page)
    assert set(kinds) == {
        f"{how} {what}" for how in ("ahead", "shown") for what in (Purpose.MAIN, Purpose.CHECK)
    }
    for how in ("ahead", "shown"):
        assert kinds[f"{how} {Purpose.CHECK}"] == kinds[f"{how} {Purpose.MAIN}"]
        assert len(kinds[f"{how} {Purpose.MAIN}"]) == 1


def pass_minutes(minutes: float) -> None:
    """As if all that is stored had been stored so long ago."""
    past = timedelta(minutes=minutes)
    for name in ("created_at", "opened_at", "held_until"):
        Assignment.objects.update(**{name: F(name) - past})
    Seat.objects.update(until=F("until") - past)


def seconds_held(browser: Client, page: Assignment) -> int:
    return int(browser.get(f"/rate/{page.rater.study.slug}/{page.pk}/").context["seat_seconds"])


@pytest.mark.parametrize("design", [{"check_every": 2}, {"design": "batches", "batch_size": 6}])
def test_a_check_is_reserved_as_long_as_an_item_whenever_it_is_shown(design):
    cast = planted(**design)
    # Nothing can be repeated so early.
    Check.objects.filter(kind=CheckKind.REPEAT).delete()
    browser = Client()
    browser.post(f"/join/{cast.invitation.token}/")
    page = browser.get(f"/rate/{cast.slug}/", follow=True)
    browser.post(browser.post(f"{page.context['action']}ahead/").context["ahead_url"])
    check = Assignment.objects.get(purpose=Purpose.CHECK)
    item = Assignment.objects.exclude(pk=check.pk).latest("position")
    for number, minutes in enumerate((10, 15, 20, 25, 40, 70)):
        pass_minutes(minutes)
        pages = [check, item] if number % 2 else [item, check]
        first, second = (seconds_held(browser, page) for page in pages)
        assert first == pytest.approx(second, abs=2)
        assert first >= cast.study.seat_minutes * 30 - 2
