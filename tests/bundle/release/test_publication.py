"""Licence and authors of a bundle: what cannot be read is refused by name, before anything is made."""

from __future__ import annotations

import pytest
import yaml
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent
from annotation.models import Job
from scoring.bundle.prose import readme
from scoring.bundle.release.citation import citation_file, zenodo
from scoring.bundle.release.croissant import croissant
from scoring.bundle.release.csvw import description
from scoring.bundle.release.publication import LICENCES, Author, Publication, has_check_digit
from scoring.services.reports.bundles import bundle_contents
from tests.bundle.studies import rich_cast
from tests.support.people import make_cast

NAMES = st.text("abcdeéñø '-李", min_size=1, max_size=20).filter(lambda name: name.strip() == name)


def orcid_of(digits: list[int]) -> str:
    """An iD of fifteen digits with the check digit that fits."""
    text = "".join(map(str, digits))
    found = next(text + last for last in "0123456789X" if has_check_digit(text + last))
    return "-".join(found[place : place + 4] for place in range(0, 16, 4))


IDS = st.lists(st.integers(0, 9), min_size=15, max_size=15).map(orcid_of)


@given(family=NAMES, given_names=st.just("") | NAMES, orcid=st.just("") | IDS)
def test_every_author_is_read_as_written(family: str, given_names: str, orcid: str) -> None:
    written = f"{family}, {given_names}" if given_names else family
    assert Author.read(f" {written} ({orcid})" if orcid else written) == Author(family, given_names, orcid)


@pytest.mark.parametrize("orcid", ["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X"])
def test_published_ids_have_a_check_digit_that_fits_and_another_does_not(orcid: str) -> None:
    assert has_check_digit(orcid)
    assert not has_check_digit(orcid[:-1] + ("1" if orcid[-1] != "1" else "2"))


@pytest.mark.parametrize(
    "text",
    [
        "Duarte, Ines, Dr",
        "(0000-0002-1825-0097)",
        "Duarte (12)",
        "a\nb",
        "x" * 201,
    ],
)
def test_what_is_no_author_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(InvalidContent) as refusal:
        Publication.read("CC-BY-4.0", ["Duarte, Ines", text])
    assert refusal.value.code == "bad_author"
    assert text.strip() in str(refusal.value.message)


def test_the_message_names_a_wrong_check_digit() -> None:
    with pytest.raises(InvalidContent) as refusal:
        Publication.read("CC-BY-4.0", ["Duarte, Ines (0000-0002-1825-0098)"])
    assert refusal.value.code == "bad_orcid"
    assert str(refusal.value.message).startswith(
        "The check digit of the ORCID iD 0000-0002-1825-0098 does not"
    )


def test_unknown_licences_and_too_many_authors_are_refused() -> None:
    for licence, authors, code in (("MIT", [], "unknown_licence"), ("", ["A"] * 101, "too_many_authors")):
        with pytest.raises(InvalidContent) as refusal:
            Publication.read(licence, authors)
        assert refusal.value.code == code


@pytest.mark.django_db
def test_a_refused_author_makes_no_job_and_the_page_keeps_what_was_typed() -> None:
    cast, client = make_cast(), Client()
    client.force_login(cast.users["owner"])
    sent = {"licence": "CC0-1.0", "authors": "Duarte, Ines\nDuarte (1)"}
    page = client.post(reverse("study-bundle", args=[cast.slug]), sent)
    text = page.content.decode()
    assert page.status_code == 422
    assert "“Duarte (1)” cannot be read as an author." in text
    assert sent["authors"] in text
    assert '<option value="CC0-1.0" selected>' in text
    assert not Job.objects.filter(kind="bundle").exists()
    client.post(reverse("study-bundle", args=[cast.slug]), {**sent, "authors": " Duarte, Ines \n\n"})
    made = Job.objects.get(kind="bundle")
    assert (made.params["licence"], made.params["authors"]) == ("CC0-1.0", ["Duarte, Ines"])


@pytest.mark.django_db
def test_the_api_takes_the_same_and_refuses_the_same() -> None:
    cast, client = make_cast(), Client()
    client.force_login(cast.users["owner"])
    address = reverse("api_bundle", args=[cast.slug])
    refused = client.post(address, {"authors": ["a, b, c"]}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_author")
    assert not Job.objects.filter(kind="bundle").exists()
    licence = next(iter(LICENCES))
    made = client.post(address, {"licence": licence, "authors": ["Group"]}, content_type="application/json")
    assert made.status_code == 202
    assert Job.objects.get(kind="bundle").params["licence"] == licence


def test_texts_have_the_licence_of_the_data_their_own_or_none() -> None:
    same = Publication.read("CC-BY-4.0", [])
    own = Publication.read("CC-BY-4.0", [], "CC-BY-NC-4.0")
    reserved = Publication.read("CC-BY-4.0", [], "none")
    by, non_commercial = LICENCES["CC-BY-4.0"], LICENCES["CC-BY-NC-4.0"]
    assert [one.of_texts for one in (same, own, reserved)] == [by, non_commercial, None]
    assert [one.licences for one in (same, own, reserved)] == [(by,), (by, non_commercial), (by,)]
    assert Publication.read("CC-BY-4.0", [], "CC-BY-4.0") == same
    with pytest.raises(InvalidContent) as refusal:
        Publication.read("", [], "MIT")
    assert (refusal.value.code, set(refusal.value.fields)) == ("unknown_licence", {"texts_licence"})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("of_all", "of_one", "kind"),
    [(False, False, "human"), (False, True, "human and simulated"), (True, True, "simulated")],
    ids=str,
)
def test_simulated_ratings_are_published_under_no_name_of_human_ones(
    of_all: bool, of_one: bool, kind: str
) -> None:
    study = rich_cast().study
    study.raters.update(simulated=of_all)
    study.raters.filter(code="R-15").update(simulated=of_one)
    authors = Publication.read("", ("Duarte, Ines",))
    contents = bundle_contents(study, (), authors, bom=False, with_pay=False, judges=False)
    cited, deposit = yaml.safe_load(citation_file(contents)), zenodo(contents)
    page = readme(contents, [])
    card = yaml.safe_load(page.split("---\n")[1])
    assert cited["title"] == deposit["title"] == f"{study.title}: {kind} ratings"
    assert f"title = {{{study.title}: {kind} ratings}}" in page
    assert cited["keywords"][0] == deposit["keywords"][0] == f"{kind} ratings"
    assert ("human-evaluation" in card["tags"]) == (kind != "simulated")
    named = croissant(contents, [])
    described = named["description"]
    assert ("simulated-ratings" in named["name"]) == of_one
    for title in (named["alternateName"], description(contents, [])["dc:title"], card["pretty_name"]):
        assert title == f"{study.title}: {kind} ratings"
    note = f"{contents.facts.simulated} of {contents.facts.raters} raters are simulated"
    for text in (cited.get("abstract", ""), deposit["description"], described, page):
        assert (note in text) == of_one
