"""Where the walk stops: every page of raters, and the states that a rating page can be in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from playwright.sync_api import Page

READY = "html.has-script"
SAVE = ".rate__actions button[type=submit]"


def stops(page: Page, links: Mapping[str, str]) -> Iterator[str]:
    """Go from stop to stop; the page is there, under the name that is given."""
    yield from _around(page, links["around"])
    yield from _rating(page, links["hauser"])
    for name in ("miyazawa", "simile_probing", "preference", "hanna", "story_pairs", "creativity_tests"):
        join(page, links[name])
        yield name.replace("_", "-")
    for name in ("best_worst_novelty", "image_captions"):
        join(page, links[name])
        yield from _with_missing(page, name.replace("_", "-"))
    yield from _tuples(page, links["cmdag_refined"])
    yield from _errors(page, links["error_spans"])


def join(page: Page, link: str) -> None:
    """Agree, and come to the first page of the study."""
    page.context.clear_cookies()
    page.goto(link)
    _press(page, "main button[type=submit] >> nth=0")


def _press(page: Page, selector: str) -> None:
    """Press what leads to another page, and wait until that is there."""
    with page.expect_navigation(wait_until="load"):
        page.locator(selector).click()


def _around(page: Page, link: str) -> Iterator[str]:
    page.goto(link)
    yield "join"
    page.goto(f"{link}declined/")
    yield "declined"
    page.goto(f"{link[:-5]}gone/")
    yield "no-such-link"
    join(page, link)
    yield "about-you"
    page.locator("main input[name]:not([type=hidden])").first.fill("9")
    _press(page, "main button[type=submit] >> nth=0")
    yield "background"
    _press(page, "main .btn--main >> nth=0")
    _at_item(page)
    yield "calibration"
    _save(page, keys="555")
    page.wait_for_url("**/feedback/**")
    yield "feedback"
    _press(page, "main .btn--main >> nth=0")
    yield "qualified"
    _press(page, "main .btn--main >> nth=0")
    yield "practice"
    _press(page, ".rate__actions .btn--main")
    yield "practice-missing"
    page.goto(page.url.replace("/practice/", "/guide/"))
    yield "guide-examples"
    page.goto(page.url.replace("/guide/", "/practice/"))
    _press(page, "[name=skip]")
    _at_item(page)
    _save(page, keys="345")
    page.wait_for_url(re.compile("/rate/walk-around/$"))
    yield "finished"
    page.goto(f"{page.url}withdraw/")
    yield "withdraw"
    _press(page, "main form button[type=submit] >> nth=-1")
    yield "withdrawn"


def _at_item(page: Page) -> None:
    page.locator("form.criteria").wait_for()
    page.locator(READY).wait_for(state="attached")


def _save(page: Page, *, keys: str) -> None:
    for place, key in enumerate(keys):
        if place:
            page.keyboard.press("ArrowDown")
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def _rating(page: Page, link: str) -> Iterator[str]:
    join(page, link)
    _at_item(page)
    item = page.url
    yield "item"
    page.keyboard.press("4")
    yield "item-chosen"
    page.locator(SAVE).click()
    page.locator(".criterion__error:visible").first.wait_for()
    yield "item-missing"
    page.keyboard.press("x")
    yield "item-cannot-rate"
    page.keyboard.press("x")
    page.locator(".menu summary").click()
    yield "item-menu"
    page.get_by_role("switch").first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    yield "item-keys"
    page.keyboard.press("Escape")
    page.reload()
    _at_item(page)
    page.context.set_offline(True)
    _save(page, keys="444")
    page.locator("#offline").wait_for()
    yield "item-offline"
    page.context.set_offline(False)
    page.locator("#offline").wait_for(state="hidden")
    page.goto(item)
    yield "item-correction"
    for name in ("guide/", "pause/", "pause/?break"):
        page.goto(item.split("/rate/")[0] + f"/rate/walk-hauser/{name}")
        yield name.strip("/").replace("/?", "-")
    for name in ("problem/", "problem/?comment"):
        page.goto(item + name)
        yield name.strip("/").replace("/?", "-")


def _with_missing(page: Page, name: str) -> Iterator[str]:
    """The page, and what it says of an answer that is not there."""
    _at_item(page)
    yield name
    page.locator(SAVE).click()
    page.locator(".criterion__error:visible").first.wait_for()
    yield f"{name}-missing"


def _tuples(page: Page, link: str) -> Iterator[str]:
    join(page, link)
    _at_item(page)
    yield "tuples"
    page.keyboard.press("1")
    page.locator(SAVE).click()
    yield "tuples-missing"


def _errors(page: Page, link: str) -> Iterator[str]:
    join(page, link)
    _at_item(page)
    yield "errors"
    # Words are selected by keys, and the toolbar for severity and category opens at them.
    page.locator("[data-marked-text]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.locator("[data-bar]").wait_for()
    yield "errors-selected"
    page.locator("[data-bar] [data-severity]").nth(1).click()
    page.locator("[data-bar] [data-category]").first.click()
    page.locator("[data-told-list] li").wait_for()
    yield "errors-marked"
