"""The documentation inside the program: every page, every link between pages, and every link to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from annotation.io.base.help.contents import DOCUMENTS, by_address, entries
from annotation.io.base.help.rendering import rendered
from annotation.models import User
from annotation.templatetags.components import help_link
from annotation.views.base.navigation import HELP, HELP_BELOW, PAGES
from scoring.stats.agreement.coefficients import COEFFICIENTS
from tests.support.people import make_cast

TEMPLATES = Path(__file__).resolve().parents[4] / "templates"
LINK = re.compile(r'<a href="([^"]+)"')
PICTURE = re.compile(r'<img [^>]*src="([^"]+)"')
HEADING = re.compile(r"<h2[^>]*>{% translate \"([^\"]+)\" %}</h2>")
TAG = re.compile(r"{% help (\S+) %}")
QUOTED = re.compile(r"[\"'](.+)[\"']")
OF_COEFFICIENTS = {f"statistics/{one.page}" for one in COEFFICIENTS.values()}


def leads_nowhere(link: str, own: str) -> bool:
    """Whether a link of a rendered page names a page, heading or file that does not exist."""
    if "://" in link:
        return False
    if link.startswith("/static/"):
        return not finders.find(link.removeprefix("/static/"))
    address, _, anchor = link.partition("#")
    page = by_address().get(address.removeprefix(reverse("help")).strip("/") if address else own)
    return page is None or bool(anchor and anchor not in rendered(page).anchors)


def targets() -> Iterator[tuple[str, str]]:
    for path in sorted(TEMPLATES.rglob("*.html")):
        for target in TAG.findall(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(TEMPLATES)), target


def test_the_contents_name_every_document_once() -> None:
    files = sorted(str(path.relative_to(DOCUMENTS)) for path in DOCUMENTS.rglob("*.md"))
    assert sorted(entry.file for entry in entries()) == files
    assert len(by_address()) == len(files)


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.file)
def test_every_link_and_picture_of_a_page_leads_somewhere(entry) -> None:
    body = rendered(entry).body
    assert [link for link in LINK.findall(body) if leads_nowhere(link, entry.address)] == []
    names = [source.removeprefix("/static/") for source in PICTURE.findall(body)]
    assert [name for name in names if not finders.find(name)] == []
    assert body.count("<h1") == 1
    assert " style=" not in body


def test_every_link_from_a_page_of_the_program_leads_to_a_page_and_a_heading() -> None:
    found = list(targets())
    named = [(where, quoted[1]) for where, target in found if (quoted := QUOTED.fullmatch(target))]
    assert named
    for where, target in named:
        page, _, anchor = target.partition("#")
        assert page in by_address(), f"{where}: {target}"
        assert not anchor or anchor in rendered(by_address()[page]).anchors, f"{where}: {target}"


def test_the_sections_of_the_reliability_page_have_the_names_that_the_page_gives_them() -> None:
    text = (DOCUMENTS / "reading-reliability.md").read_text(encoding="utf-8")
    table = text.partition("## The sections of the page")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")]
    pages = [path.read_text(encoding="utf-8") for path in (TEMPLATES / "scoring").rglob("*.html")]
    headings = {name for page in pages for name in HEADING.findall(page)}
    assert len(rows) > 5
    assert [name for name in rows[1:] if name not in headings] == []


def test_every_page_of_a_study_leads_to_its_own_part_of_the_help() -> None:
    assert HELP.keys() == PAGES.keys()
    for target in (*HELP.values(), *HELP_BELOW.values()):
        page, _, anchor = target.partition("#")
        assert not anchor or anchor in rendered(by_address()[page]).anchors, target
        assert page in by_address(), target


def test_the_page_of_every_coefficient_exists() -> None:
    assert by_address().keys() >= OF_COEFFICIENTS


def test_a_link_names_its_page_for_a_screen_reader() -> None:
    link = help_link("statistics/icc#intraclass-correlation")
    assert link == {"address": "/help/statistics/icc/#intraclass-correlation", "title": "ICC"}


@pytest.mark.django_db
def test_everybody_reads_the_help_in_the_layout_of_the_program() -> None:
    page = Client().get(reverse("help-page", args=["statistics/icc"])).content.decode()
    assert '<article class="help-text" lang="en" dir="ltr">' in page
    assert 'rel="prev"' in page
    assert 'rel="next"' in page
    assert 'aria-current="page">ICC</a>' in page
    assert Client().get(reverse("help-page", args=["statistics/nothing"])).status_code == 404


@pytest.mark.django_db
def test_the_help_of_a_page_is_not_shown_again_below_its_first_heading() -> None:
    cast = make_cast()
    client = Client()
    client.force_login(cast.users["owner"])
    exports = client.get(reverse("study-exports", args=[cast.slug])).content.decode()
    main = exports[exports.index("<main") :]
    assert main.count('class="help-link" href="/help/exports/"') == 1
    assert "/help/exports/#the-bundle" not in main


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["tokens", "site-accounts", "site-system", "study-new"])
def test_help_is_above_the_heading_on_pages_outside_a_study_too(name: str) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("site@example.org", "simile-and-metaphor-42"))
    page = client.get(reverse(name)).content.decode()
    main = page[page.index("<main") :]
    assert main.index('<p class="page-help">') < main.index("<h1")
    assert main.count('class="help-link"') == 1
