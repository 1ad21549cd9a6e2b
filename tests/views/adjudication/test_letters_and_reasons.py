"""On the page of a case letters and keys stay what they are, and reasons follow the answers that count."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Exclusion, FormVersion, Membership, Rater, Response, Study, User
from annotation.selectors.adjudication.case_table import CaseRow
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.templatetags.adjudication_words import agreement_words
from tests.support.layout import folded
from tests.support.people import PASSWORD
from tests.support.studies.adjudication_study import cases_of, look_for, make_case_study, owner_of

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
COPY = re.compile(r'name="copy" value="(\d+)".*?<kbd aria-hidden="true">(\w+)</kbd>', re.DOTALL)


@pytest.fixture
def study() -> Study:
    study = make_case_study()
    look_for(study, "spread", "quality", bound="4")
    return study


def signed_in(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client


def page_of(study: Study) -> str:
    return (
        signed_in(study)
        .get(reverse("study-case", args=[study.slug, cases_of(study)["I-0"].pk]))
        .content.decode()
    )


def test_letters_stay_when_a_rater_is_excluded_or_another_answers(study: Study) -> None:
    before = copied(study)
    Exclusion.objects.create(study=study, rater=study.raters.get(code="R-001"), reason="A bot.")
    answer_later(study, "I-0", ["R-004", "R-005"])
    after = copied(study)
    gone = Response.objects.get(assignment__item__key="I-0", assignment__rater__code="R-001")
    stayed = {letter: pk for letter, pk in before.items() if pk != str(gone.pk)}
    assert len(stayed) == 2
    assert {letter: pk for letter, pk in after.items() if letter not in "DF"} == stayed
    assert len(after) == 4


def test_no_key_of_a_case_does_two_things(study: Study) -> None:
    answer_later(study, "I-0", [f"R-{number:03d}" for number in range(4, 24)])
    page = page_of(study)
    keys = re.findall(r'data-press="(\w)"', page)
    assert sorted(keys) == sorted([*"abcdfghij", "m", "n", "s"]), "letters to J copy, later ones are commands"
    assert len(copied(study)) == 23


def test_the_reasons_of_a_case_follow_the_answers_that_count(study: Study) -> None:
    look_for(study, "no_majority", "quality")
    assert "no majority of 3 raters" in why(study)
    Exclusion.objects.create(study=study, rater=study.raters.get(code="R-003"), reason="A bot.")
    assert "no majority of 2 raters" in why(study)
    assert "difference of 4 on the scale" not in why(study)
    assert "large difference on the scale (no longer)" in why(study)


def copied(study: Study) -> dict[str, str]:
    """The response that is copied under each letter."""
    return {letter: pk for pk, letter in COPY.findall(page_of(study))}


def why(study: Study) -> str:
    page = page_of(study)
    return folded(page.partition('<p class="disputes')[2].partition("</p>")[0])


def answer_later(study: Study, key: str, codes: list[str]) -> None:
    """Others answer an item after those who answered it first."""
    version, item = FormVersion.objects.get(form__study=study), study.items.get(key=key)
    quality = version.criteria.get(key="quality")
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=Rater.objects.create(study=study, code=code, state="active"),
                version=version,
                values={quality: 3},
                submitted_at=timezone.now(),
            )
            for code in codes
        ]
    )


def test_answers_of_a_criterion_without_dispute_are_not_reported_to_agree() -> None:
    row = CaseRow("creativity", "Creativity", None, [], False, True, 3, False, low=1, high=5)
    assert agreement_words(row) == "1 to 5, no reason for this case"
    assert agreement_words(replace(row, disputed=True)) == "1 to 5, in dispute"


def test_a_comment_that_was_not_added_is_saved_with_the_answer(study: Study) -> None:
    client, address = signed_in(study), reverse("study-case", args=[study.slug, cases_of(study)["I-0"].pk])
    page = client.get(address).content.decode()
    assert re.search(r'<textarea id="text" name="text"[^>]* form="decide"', page)
    answers = {"answer-quality": "2", "answer-genuine": "yes"}
    sent = {**dict(HIDDEN.findall(page)), **answers, "text": "Both readings are possible."}
    assert client.post(address, sent).status_code == 302
    case = cases_of(study)["I-0"]
    assert (case.state, [one.text for one in case.comments.all()]) == ("decided", [sent["text"]])


def test_a_case_that_is_discussed_waits_for_its_adjudicator(study: Study) -> None:
    user = User.objects.create_user("decides@example.org", PASSWORD)
    Membership.objects.create(study=study, user=user, role="adjudicator")
    study.cases.filter(pk=cases_of(study)["I-0"].pk).update(adjudicator=user, state="discussed")
    adjudicator = Client()
    adjudicator.force_login(user)
    page = adjudicator.get(reverse("study-adjudication", args=[study.slug])).content.decode()
    assert "1 case to decide" in page
