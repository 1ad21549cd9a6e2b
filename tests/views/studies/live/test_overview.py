"""The overview of a study: a forecast with its basis, what needs a look with its evidence, honest counts."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.states import StudyState
from annotation.models import CheckVerdict, Exclusion, Rater, Response, Study
from annotation.selectors.quality import raters_to_review
from annotation.selectors.quality.raters_to_review import find_raters_to_review
from annotation.selectors.studies.progress import forecast, totals
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.views.studies import overview
from tests.support.people import Cast, make_cast
from tests.views.studies.live.raters import ITEMS, rate

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=ITEMS, overlap=5)


@pytest.fixture
def people(cast: Cast) -> dict[str, Rater]:
    """Two careful raters, one who always chooses 3 in a second, and one who contradicts the items."""
    kinds = ("careful", "other", "line", "against")
    return {kind: rate(consent(invitation=cast.invitation), kind) for kind in kinds}


def page_of(cast: Cast, who: str = "admin", **headers: str) -> str:
    client = Client()
    client.force_login(cast.users[who])
    answer = client.get(reverse("study", args=[cast.slug]), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def without_tokens(page: str) -> str:
    """Each form of each answer has a token of its own."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def words_in(page: str) -> str:
    """What a page says, without its marks."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))).replace(" .", ".")


def words_of(cast: Cast, who: str = "admin") -> str:
    return words_in(page_of(cast, who))


def came(study: Study, *days_ago: float) -> None:
    """Responses of the study came at these times, the last one repeated."""
    responses = Response.objects.filter(assignment__rater__study=study).order_by("pk")
    for number, response in enumerate(responses):
        when = timezone.now() - timedelta(days=days_ago[min(number, len(days_ago) - 1)])
        Response.objects.filter(pk=response.pk).update(shown_at=None, submitted_at=when)


def test_raters_are_named_with_the_reason_the_evidence_and_the_acts(
    cast: Cast, people: dict[str, Rater]
) -> None:
    words = words_of(cast)
    line, against = people["line"].code, people["against"].code
    assert (
        f"{line} Faster than reading speed on 12 of 12 pages: median 1.0 s, reading takes at least" in words
    )
    assert "Almost the same value throughout: the standard deviation is 0% of the scale." in words
    assert re.search(rf"{against} Held-out correlation with the other raters: −1\.00 over 12 items\.", words)
    assert "Still included, with 12 responses." in words
    page = page_of(cast)
    for code in (line, against):
        address = reverse("study-rater", args=[cast.slug, code])
        assert f'href="{address}#answers"' in page
        assert f'href="{address}#reason"' in page
    for kind in ("careful", "other"):
        assert f"Exclude {people[kind].code}…" not in words


def test_a_member_who_may_not_exclude_is_not_offered_it(cast: Cast, people: dict[str, Rater]) -> None:
    words = words_of(cast, "researcher")
    assert f"Responses of {people['line'].code}" in words
    assert ("Exclude R" in words) == (
        "Exclude from statistics" in rater_page(cast, "researcher", people["line"])
    )


def rater_page(cast: Cast, who: str, rater: Rater) -> str:
    client = Client()
    client.force_login(cast.users[who])
    return words_in(client.get(reverse("study-rater", args=[cast.slug, rater.code])).content.decode())


def test_failed_checks_are_given_as_numbers(cast: Cast) -> None:
    rater = rate(consent(invitation=cast.invitation), "careful")
    pages = rater.assignments.order_by("pk")[:3]
    for number, page in enumerate(pages):
        CheckVerdict.objects.create(assignment=page, passed=number == 0, chance=0.2)
    assert (
        "Passed 1 of 3 attention checks; at least as many by chance with a probability of 0.49."
        in words_of(cast)
    )


def test_no_probability_is_given_for_passing_at_least_no_check(cast: Cast) -> None:
    rater = rate(consent(invitation=cast.invitation), "careful")
    for page in rater.assignments.order_by("pk")[:3]:
        CheckVerdict.objects.create(assignment=page, passed=False, chance=0.2)
    words = words_of(cast)
    assert "Passed 0 of 3 attention checks." in words
    assert "1.00" not in words


def test_an_excluded_rater_is_no_longer_listed(cast: Cast, people: dict[str, Rater]) -> None:
    exclude_rater(rater=people["line"], reason="One value throughout.", actor=cast.users["admin"])
    found = find_raters_to_review(cast.study)
    assert people["line"].code not in {one.code for one in found.named}


def test_the_thresholds_are_on_the_page_and_no_rater_is_accused(cast: Cast, people: dict[str, Rater]) -> None:
    words = words_of(cast)
    assert "These thresholds ask you to review a rater; they do not exclude anyone." in words
    assert "more than 20% of the timed pages are faster than twice the usual speed (from 5 pages)." in words
    assert "a held-out correlation below 0.10 (from 10 items that others rated too)." in words
    assert not re.search(r"careless|cheat|fraud|bot\b", words, re.IGNORECASE)


def test_in_a_large_study_a_sample_says_which_raters_to_examine_first(
    cast: Cast, people: dict[str, Rater], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raters_to_review, "MOST_PAGES", 2 * ITEMS)
    monkeypatch.setattr(raters_to_review, "SECONDS", 0)
    found = find_raters_to_review(cast.study)
    assert (found.examined, found.raters) == (2, 4)
    assert {one.code for one in found.named} == {people["line"].code, people["against"].code}
    page = words_of(cast)
    assert "Raters are being examined." in page
    assert "Nothing at present." not in page
    part = page_of(cast, **{"HX-Request": "true"})
    assert "2 of 4 raters were examined now" in words_in(part)
    assert "Raters are being examined." not in part


def test_the_page_of_a_large_study_waits_for_nothing_and_loads_counts_and_then_raters_to_review(
    cast: Cast, people: dict[str, Rater], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = words_in(page_of(cast, **{"HX-Request": "true"}))
    monkeypatch.setattr(overview, "MANY_RESPONSES", ITEMS)
    monkeypatch.setattr(raters_to_review, "MOST_PAGES", ITEMS)
    caches["fragments"].clear()
    address = reverse("study", args=[cast.slug])
    page = page_of(cast)
    assert "Responses are being counted." in page
    assert f'hx-get="{address}?counts"' in page
    assert people["line"].code in page
    client = Client()
    client.force_login(cast.users["admin"])
    counts = client.get(f"{address}?counts", headers={"HX-Request": "true"}).content.decode()
    assert "48 of 60 responses included (80%)." in words_in(counts)
    assert "Raters are being examined." in counts
    assert f'hx-get="{address}" hx-trigger="load"' in counts
    last = page_of(cast, **{"HX-Request": "true"})
    assert 'hx-trigger="load"' not in last
    assert people["line"].code in last
    progress = re.compile(r"\d+ of \d+ responses included.*?remaining\.")
    assert progress.findall(words_in(last)) == progress.findall(now)
    # Counted once, the page has it at once; without scripts a link leads to it.
    assert "responses included" in words_of(cast)
    caches["fragments"].clear()
    assert "responses included" in words_in(client.get(f"{address}?counts").content.decode())
    caches["fragments"].clear()


def test_a_rater_who_began_and_stopped_is_named_with_what_was_saved(cast: Cast) -> None:
    rater = rate(consent(invitation=cast.invitation), "careful", number=3)
    assert "has been inactive" not in words_of(cast)
    rater.assignments.filter(submitted_at__isnull=False).update(
        submitted_at=timezone.now() - timedelta(days=4)
    )
    assert re.search(
        rf"{rater.code} has been inactive for 4 days\. Saved 3 responses.* Not finished\.", words_of(cast)
    )
    Exclusion.objects.create(study=cast.study, rater=rater, reason="Asked to leave.")
    assert "has been inactive" not in words_of(cast)


def test_the_forecast_names_its_days_and_its_basis(cast: Cast, people: dict[str, Rater]) -> None:
    consent(invitation=cast.invitation)
    came(cast.study, 3.5, 1.2)
    words = words_of(cast)
    assert re.search(r"The 12 remaining responses are expected to be complete (around|between) \d", words)
    assert "Basis: 15.7 included responses per day, the mean of the last 3 days (47 responses)." in words


def test_a_forecast_from_one_day_names_two_days(cast: Cast) -> None:
    rate(consent(invitation=cast.invitation), "careful")
    came(cast.study, 1.5, 0.5)
    words = words_of(cast)
    assert re.search(r"responses are expected to be complete between \d+ \w+ \d+ and \d+ \w+ \d+\.", words)


def test_a_forecast_far_ahead_is_refused_with_the_reason(cast: Cast) -> None:
    rate(consent(invitation=cast.invitation), "careful", number=11)
    for _ in range(3):
        consent(invitation=cast.invitation)
    came(cast.study, 1.5, 0.5)
    words = words_of(cast)
    assert (
        "No forecast: at the speed of the last day, the remaining responses take more than 4 days." in words
    )


@pytest.mark.parametrize(
    ("number", "days_ago", "state", "sentence"),
    [
        (3, 0.1, StudyState.OPEN, "No forecast yet: a forecast needs responses over at least 1 whole day."),
        (3, 2.5, StudyState.OPEN, "No forecast: 0 included responses in the last 2 × 24 hours."),
        (12, 0.5, StudyState.PAUSED, "No forecast: the study is paused."),
    ],
)
def test_without_enough_to_go_by_the_forecast_says_so(
    cast: Cast, number: int, days_ago: float, state: StudyState, sentence: str
) -> None:
    rate(consent(invitation=cast.invitation), "careful", number=number)
    came(cast.study, days_ago)
    Study.objects.filter(pk=cast.study.pk).update(state=state)
    words = words_of(cast)
    assert sentence in words
    assert "Basis" not in words


def test_what_raters_saved_is_counted_next_to_what_exclusions_leave(
    cast: Cast, people: dict[str, Rater]
) -> None:
    for rater in people.values():
        exclude_rater(rater=rater, reason="A pilot.", actor=cast.users["admin"])
    words = words_of(cast)
    assert "0 of 60 responses included (0%). Raters saved 48; 48 of them are excluded or late." in words
    assert "Included 12 items with 0 of 5 responses" in words
    assert "Saved by raters 12 items with 4 of 5 responses" in words


def test_without_exclusions_there_is_one_bar(cast: Cast, people: dict[str, Rater]) -> None:
    words = words_of(cast)
    assert "48 of 60 responses included (80%). 12 remaining." in words
    assert "Saved by raters" not in words


def test_the_part_that_changes_is_fetched_alone_and_only_while_raters_can_work(
    cast: Cast, people: dict[str, Rater]
) -> None:
    part = page_of(cast, **{"HX-Request": "true"})
    assert part.strip().startswith('<div id="live" hx-get=')
    assert "<html" not in part
    assert without_tokens(part).strip() in without_tokens(page_of(cast))
    Study.objects.filter(pk=cast.study.pk).update(state=StudyState.CLOSED)
    assert "hx-get" not in page_of(cast)
    assert "hx-get" not in page_of(cast, **{"HX-Request": "true"})


def test_the_colour_of_an_alert_follows_what_it_says(cast: Cast, people: dict[str, Rater]) -> None:
    Response.objects.filter(assignment__item=cast.study.items.first()).update(cannot_rate="lacks_context")
    page = page_of(cast)
    alerts = page[page.index('<ul class="alerts">') :]
    lacking = alerts[: alerts.index("raters need more context")].rpartition("<li")[2]
    assert lacking.startswith(">")
    assert '<li class="is-warning">' in alerts


def test_a_large_study_is_not_counted_at_every_view_but_after_an_exclusion(
    cast: Cast, people: dict[str, Rater], monkeypatch: pytest.MonkeyPatch
) -> None:
    caches["fragments"].clear()
    monkeypatch.setattr(overview, "MANY_RESPONSES", 1)
    assert "48 of 60 responses included" in words_in(page_of(cast, **{"HX-Request": "true"}))
    rate(consent(invitation=cast.invitation), "careful", number=1)
    assert "48 of 60 responses included" in words_in(page_of(cast, **{"HX-Request": "true"}))
    exclude_rater(rater=people["line"], reason="One value throughout.", actor=cast.users["admin"])
    assert "37 of 60 responses included" in words_in(page_of(cast, **{"HX-Request": "true"}))
    caches["fragments"].clear()


def test_each_slot_is_included_reserved_or_neither(cast: Cast, people: dict[str, Rater]) -> None:
    next_assignment(rater=consent(invitation=cast.invitation))
    assert "48 included 1 reserved for raters 11 neither included nor reserved" in words_of(cast)
    exclude_rater(rater=people["line"], reason="One value.", actor=cast.users["admin"])
    assert "36 included 1 reserved for raters 23 neither included nor reserved" in words_of(cast)


def test_slots_that_excluded_responses_fill_have_no_date(cast: Cast, people: dict[str, Rater]) -> None:
    exclude_rater(rater=people["line"], reason="One value throughout.", actor=cast.users["admin"])
    reached = totals(cast.study)
    assert reached.closed > 0
    found = forecast(cast.study, reached, reached.left - reached.closed, timezone.now())
    assert found is not None
    assert (found.expected, found.unfillable, found.completion) == (0, reached.left, None)
