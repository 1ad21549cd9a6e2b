"""A reservation that runs out before its page is answered: the rater reads it when the answer has come."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.demo import Demo
from tests.e2e.rating.keeping.pages_ahead import LATEST, begin_with_pages_ahead, save_item, stored
from tests.e2e.rating.rating_pages import at_item, saved

pytestmark = [pytest.mark.browser, pytest.mark.processes]

TAKE = """
from annotation.models import Rater, Seat
rater = {rater}
for place in {places}:
    for seat in Seat.objects.filter(item=rater.assignments.get(position=place).item).exclude(state="filled"):
        other = Rater.objects.create(study=rater.study, code=f"S-{{seat.pk}}", kind="slot")
        Seat.objects.filter(pk=seat.pk).update(state="filled", rater=other, until=None)
"""
LATE = "Saved after the reservation had ended: item {}."


def give_away(demo: Demo, *places: int) -> None:
    """Others have filled all rating slots of the rater's items."""
    demo.installation.run_script(TAKE.format(rater=LATEST, places=places))


def test_the_page_that_is_shown_says_which_answer_came_late(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    save_item(page, 1)
    saved(page, 1)
    give_away(demo, 2)
    expect(page.locator("#late-items")).to_be_hidden()
    save_item(page, 2)
    at_item(page, 3)
    notice = page.locator("#late-items")
    expect(notice).to_contain_text(LATE.format("2"))
    expect(notice).to_contain_text("Late answers are kept and marked as late.")
    assert [row[:3] for row in stored(demo)] == [(1, 1, False), (2, 1, True)]
    save_item(page, 3)
    saved(page, 3)
    expect(page.locator("#late-items")).to_be_hidden()


def test_all_late_answers_that_waited_are_named_when_they_have_come(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    for number in (1, 2, 3):
        save_item(page, number)
    expect(page.locator("#offline")).to_contain_text("No more items are loaded.")
    give_away(demo, 1, 3)
    context.set_offline(False)
    at_item(page, 4)
    expect(page.locator("#late-items")).to_contain_text(LATE.format("1, 3"))
    expect(page.locator("#late")).to_have_count(0)
    expect(page.get_by_text("Answers sent from this device: 3.")).to_be_visible()
    assert [row[:3] for row in stored(demo)] == [(1, 1, True), (2, 1, False), (3, 1, True)]


def test_an_item_that_went_to_another_rater_while_it_was_shown_is_named(
    context: BrowserContext, demo: Demo
) -> None:
    page = context.new_page()
    begin_with_pages_ahead(page, demo)
    context.set_offline(True)
    save_item(page, 1)
    at_item(page, 2)
    give_away(demo, 2)
    context.set_offline(False)
    at_item(page, 3)
    expect(page.locator("#gone")).to_contain_text("You can no longer rate item 2.")
    expect(page.locator("#gone")).to_contain_text("another rater has it now. This is the next item.")
    save_item(page, 3)
    at_item(page, 4)
    expect(page.locator("#gone")).to_be_hidden()
    assert [row[:3] for row in stored(demo)] == [(1, 1, False), (3, 1, False)]


def test_a_page_that_is_shown_after_its_reservation_says_so(context: BrowserContext, demo: Demo) -> None:
    page = context.new_page()
    page.clock.install()
    begin_with_pages_ahead(page, demo)
    page.clock.fast_forward("01:01:00")
    save_item(page, 1)
    at_item(page, 2)
    page.clock.run_for(500)
    expect(page.locator("#seat")).to_contain_text(
        "The reservation has ended. Another rater may have this item now, but you can still save your answer."
    )
