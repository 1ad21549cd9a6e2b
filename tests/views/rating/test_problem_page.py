"""A rater reports a problem with an item without scripts; members find it and mark it as resolved."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.models import ProblemReport
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2)


def rating(cast: Cast) -> tuple[Client, str]:
    """A new rater's browser, and the address of their first item."""
    browser = Client()
    browser.post(f"/join/{cast.invitation.token}/")
    return browser, browser.get(f"/rate/{cast.slug}/").headers["Location"]


def test_a_report_is_sent_from_the_rating_page_and_found_by_members(cast: Cast) -> None:
    browser, address = rating(cast)
    assert f'href="{address}problem/"' in browser.get(address).content.decode()
    form = browser.get(f"{address}problem/")
    assert "Your rating stays as it is" in form.content.decode()
    key = form.context["report_key"]
    sent = {"reason": "other", "text": "The last word is missing.", "report_key": str(key)}
    for _ in range(2):
        back = browser.post(f"{address}problem/", sent, follow=True)
        assert back.redirect_chain == [(address, 302)]
        assert "Problem reported." in back.content.decode()
    problem = ProblemReport.objects.get()
    item = problem.assignment.item.key

    admin = Client()
    admin.force_login(cast.users["admin"])
    assert "1 reported problem" in admin.get(f"/studies/{cast.slug}/").content.decode()
    item_page = f"/studies/{cast.slug}/items/{item}/"
    assert "The last word is missing." in admin.get(item_page).content.decode()
    resolved = admin.post(f"/studies/{cast.slug}/problems/{problem.pk}/", follow=True)
    assert resolved.redirect_chain == [(item_page, 302)]
    assert "Problem resolved." in resolved.content.decode()
    assert "1 reported problem" not in admin.get(f"/studies/{cast.slug}/").content.decode()
    exported = admin.get(f"/studies/{cast.slug}/exports/problems/?format=csv")
    assert "The last word is missing." in b"".join(exported).decode()


def test_what_was_written_stays_on_the_page_that_asks_for_a_reason(cast: Cast) -> None:
    browser, address = rating(cast)
    refused = browser.post(f"{address}problem/", {"text": "Look at it."})
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "Choose what is wrong." in text
    assert "Look at it.</textarea>" in text
    other = browser.post(f"{address}problem/", {"reason": "other", "text": ""}).content.decode()
    # Shown at the field that lacks it, which may be far below a long text.
    assert 'aria-describedby="problem-error" autofocus' in other
    assert other.count("Describe the problem.") == 1
    assert not ProblemReport.objects.exists()


def test_the_item_of_another_rater_takes_no_report(cast: Cast) -> None:
    _, address = rating(cast)
    other, _ = rating(cast)
    answer = other.post(f"{address}problem/", {"reason": "upsetting"})
    assert answer.status_code == 404
    assert not ProblemReport.objects.exists()


def test_a_comment_is_sent_separately_and_is_no_open_problem(cast: Cast) -> None:
    browser, address = rating(cast)
    assert f'href="{address}problem/?comment"' in browser.get(address).content.decode()
    form = browser.get(f"{address}problem/?comment").content.decode()
    assert "The lamp hung like" in form
    assert 'type="radio"' not in form
    empty = browser.post(f"{address}problem/?comment", {"reason": "comment", "text": " "})
    assert empty.status_code == 422
    assert "Write your comment." in empty.content.decode()
    sent = browser.post(f"{address}problem/?comment", {"reason": "comment", "text": "Nice one."}, follow=True)
    assert "Comment sent." in sent.content.decode()
    again = browser.get(f"{address}problem/").content.decode()
    assert "Comment <span" in again
    assert "Nice one." in again

    item = ProblemReport.objects.get().assignment.item.key
    admin = Client()
    admin.force_login(cast.users["admin"])
    overview = admin.get(f"/studies/{cast.slug}/").content.decode()
    assert "1 comment on items" in overview
    assert "reported problem" not in overview
    shown = admin.get(f"/studies/{cast.slug}/items/{item}/").content.decode()
    assert "Nice one." in shown
    assert "Mark as resolved" not in shown
    exported = b"".join(admin.get(f"/studies/{cast.slug}/exports/problems/?format=csv")).decode()
    assert ",comment,Nice one.," in exported
    listed = cast.client("researcher").get(f"{cast.base}/problems/").json()["results"]
    assert [(one["reason"], one["text"]) for one in listed] == [("comment", "Nice one.")]


def test_the_page_itself_says_that_a_reason_is_missing_in_its_own_language(cast: Cast) -> None:
    browser, address = rating(cast)
    browser.cookies["django_language"] = "ja"
    # The browser would say it in another language, in a bubble that goes away.
    assert re.search(
        r"<form [^>]*/problem/[^>]* novalidate>", browser.get(f"{address}problem/").content.decode()
    )
    text = browser.post(f"{address}problem/", {"text": ""}).content.decode()
    error = re.search(r'id="reason-error">(.*?)</fieldset>', text, re.DOTALL)
    assert error
    assert "問題の種類を選んでください。" in error[1]
    assert re.search(r'name="reason" value="\w+" required\s+autofocus>', text)


def test_what_is_missing_is_refused_in_words_where_it_is_too_long_and_not_cut(cast: Cast) -> None:
    browser, address = rating(cast)
    page = browser.get(address)
    field = re.search(r'<textarea id="remark"[^>]*>', page.content.decode())
    assert field
    assert "maxlength" not in field[0]
    sent = {name: page.context[name] for name in ("submission_key", "version", "seen_revision")}
    remark = "x" * 10_001
    refused = browser.post(address, {**sent, "cannot_rate": "lacks_context", "remark": remark})
    assert refused.status_code == 422
    shown = refused.content.decode()
    assert "Shorten “What is missing?” to 10000 characters." in shown
    assert re.search(rf'name="remark"[^>]* aria-invalid="true"[^>]*>{remark}</textarea>', shown)


def test_a_longer_text_is_refused_in_words_and_not_cut(cast: Cast) -> None:
    browser, address = rating(cast)
    assert "maxlength" not in browser.get(f"{address}problem/?comment").content.decode()
    text = "x" * 2001
    refused = browser.post(f"{address}problem/?comment", {"reason": "comment", "text": text})
    assert refused.status_code == 422
    assert "Use at most 2000 characters." in refused.content.decode()
    assert text in refused.content.decode()
