"""Every list of the researcher's pages is shown in pages of at most 100 rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil

import pytest
from django.test import Client
from django.urls import reverse

from tests.views.lists.long_study import ROWS, SLUG, long_study

LARGEST = 100


@dataclass(frozen=True)
class LongList:
    """A list of 120 rows: its page, the parameter that turns it, and what identifies a row."""

    page: str
    row: str
    parameter: str = "page"
    size: int = LARGEST
    arguments: tuple[str | int, ...] = (SLUG,)
    query: str = ""

    def __str__(self) -> str:
        return f"{self.page}-{self.parameter}"


LISTS = (
    LongList("home", r'href="/studies/((?:other|long)[\w-]*)/" dir', arguments=()),
    LongList("study", r'/raters/(R-\d+)/">', "raters"),
    LongList("study-items", r'/items/(I-\d+)/"', size=50),
    LongList(
        "study-item",
        r'/raters/(R-\d+)/">R-\d+</a>\s+<span class="tag">',
        "responses",
        arguments=(SLUG, "I-000"),
    ),
    LongList("study-item", r"Comment (\d+)\.", "problems", arguments=(SLUG, "I-000")),
    LongList("study-item", r"<bdi>reason (\d+)</bdi>", "exclusions", arguments=(SLUG, "I-000")),
    LongList("study-raters", r'<a href="/studies/long/raters/(R-\d+)/"', size=25),
    LongList("study-review", r'/raters/(R-\d+)/"', size=20),
    LongList("study-rater", r'/items/(I-\d+)/"', "answers", arguments=(SLUG, "R-000")),
    LongList("study-rater", r'<th scope="row" class="n">(\d+)</th>', "attempts", arguments=(SLUG, "R-000")),
    LongList("study-links", r"(link \d{3})"),
    LongList("study-members", r"<td[^>]*>([\w-]+@example\.org)</td>"),
    LongList("study-consent", r"Consent (\d{3})\."),
    LongList("study-personal-data", r'/raters/(R-\d+)/"'),
    LongList("study-pay", r'<th scope="row"><a href="/studies/long/raters/(R-\d+)/"', "bonuses"),
    LongList("study-pay", r'/pay/lists/(\d+)/"', "lists", size=25),
    LongList("study-payment-list", r'/raters/(R-\d+)/"', arguments=(SLUG, 1)),
    LongList("study-checks", r'<th scope="row">(check-\d+)</th>'),
    LongList("study-qualification", r'<th scope="row">(P-\d+)</th>', "items"),
    LongList("study-rules", r">(Rule \d{3})<"),
    LongList("study-jobs", r'<th scope="row"><a href="/jobs/(\d+)/"'),
    LongList("study-audit", r"(R-\d{3})", size=50, query="?act=erase_rater"),
    LongList("study-adjudication", r'/adjudication/(\d+)/"', size=50),
    LongList("study-disagreement", r'href="/studies/long/items/(I-\d+)/\?view=', size=50),
    LongList("study-reliability", r'<th scope="row">(R-\d+)</th>', "raters"),
    LongList("study-score-runs", r"(run \d{3})"),
    LongList("study-scores", r'name="direction-(metric \d{3})"'),
    LongList("study-score-items", r"/scores/items/(I-\d+)/", size=50),
    LongList("study-score-groups", r"(G-\d{3})", size=10),
    LongList("site-accounts", r"((?:member|owner)-[\w-]+@example\.org)</", size=50, arguments=()),
    LongList("site-log", r"(site \d{3})", size=50, arguments=()),
)


def rows_of(client: Client, one: LongList) -> list[list[str]]:
    """The rows on each page of a list, following the links of its pager."""
    address = reverse(one.page, args=one.arguments)
    query: str | None = one.query
    found: list[list[str]] = []
    while query is not None and len(found) <= ROWS:
        shown = client.get(address + query).content.decode()
        main = shown[shown.index("<main") :]
        found.append(list(dict.fromkeys(re.findall(one.row, main))))
        following = re.search(rf'href="(\?[^"]*\b{one.parameter}={len(found) + 1}(?:#[\w-]+)?)"', main)
        query = following[1].replace("&amp;", "&") if following else None
    return found


def problem_of(one: LongList, pages: list[list[str]]) -> str:
    """How the pages of a list differ from full pages of all its rows, each shown once."""
    sizes = [len(rows) for rows in pages]
    full = [one.size] * (ceil(ROWS / one.size) - 1)
    rows = {row for rows in pages for row in rows}
    return "" if sizes[:-1] == full and len(rows) == sum(sizes) == ROWS else f"{len(rows)} rows: {sizes}"


@pytest.mark.django_db
def test_each_list_of_120_rows_is_shown_in_pages() -> None:
    client = Client()
    client.force_login(long_study())
    found = {str(one): problem for one in LISTS if (problem := problem_of(one, rows_of(client, one)))}
    assert found == {}
