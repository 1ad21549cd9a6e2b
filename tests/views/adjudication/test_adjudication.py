"""Adjudicators see the annotations side by side and decide by one act; no other role can."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.questions.tuple_settings import TupleSettings
from annotation.models import (
    Case,
    Criterion,
    Form,
    FormVersion,
    Job,
    Membership,
    Response,
    Study,
    User,
    Verdict,
)
from annotation.services.adjudication.case_selection import send_items
from annotation.services.adjudication.decisions import show_names, write
from annotation.views.adjudication import queue as adjudication_page
from scoring.models import FigureSet
from tests.support.layout import filled_fields, folded
from tests.support.people import PASSWORD
from tests.support.studies.adjudication_study import cases_of, look_for, make_case_study, owner_of, sent
from tests.support.studies.disagreement_study import figures_of

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'name="(page_key|seen_revision|version|from|query)" value="([^"]*)"')
COPY = re.compile(r'name="copy" value="(\d+)".*?<kbd aria-hidden="true">(\w+)</kbd>', re.DOTALL)


@pytest.fixture
def study() -> Study:
    study = make_case_study()
    look_for(study, "spread", "quality", bound="4")
    look_for(study, "all_differ", "genuine")
    return study


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client


def test_the_queue_is_filtered_by_state_rule_and_criterion(study: Study, client: Client) -> None:
    write_final(study, "I-3", "2")
    assert listed(client, study, "") == ["I-0"]
    assert listed(client, study, "state=decided") == ["I-3"]
    assert listed(client, study, "state=all&rule=spread") == ["I-0", "I-3"]
    assert listed(client, study, "state=all&asked=all/genuine") == ["I-0"]
    assert listed(client, study, "state=all&form=elsewhere&criterion=genuine") == []
    assert listed(client, study, "state=nonsense&rule=nonsense") == ["I-0"]
    assert listed(client, study, "state=all&q=i-3") == ["I-3"]
    assert listed(client, study, "state=all&q=LEAKING roof") == ["I-0", "I-3"]
    assert listed(client, study, "state=all&to=nobody") == ["I-0", "I-3"]
    assert listed(client, study, "state=all&to=judge@example.org") == []


def test_the_queue_shows_the_ratings_in_dispute_as_dots(study: Study, client: Client) -> None:
    page = folded(client.get(reverse("study-adjudication", args=[study.slug])).content.decode())
    assert 'aria-label="Quality: 1, 3, 5"' in page
    assert page.count('class="strip"') == 2, "an answer that is no number has no place on a scale"


def test_tuples_are_compared_pair_by_pair_and_differences_are_quoted(study: Study, client: Client) -> None:
    page = client.get(case_address(study, "I-0"))
    (row, table), *others = page.context["wide_rows"]
    assert (row.name, others) == ("Tuples", [])
    by_name = {one.name: one for one in table.rows}
    # “roof” and “leaking roof” share 4 of 4 and of 12 characters.
    assert sorted(by_name["vehicle label"].shares) == [0.5, 0.5, 1.0]
    assert sorted(by_name["vehicle label"].wordings) == ["leaking roof", "roof"]
    assert (by_name["tenor label"].shares, by_name["tenor label"].wordings) == ([1.0, 1.0, 1.0], [])


def test_the_position_in_the_queue_is_shown_with_neighbouring_cases(study: Study, client: Client) -> None:
    page = folded(client.get(case_address(study, "I-0") + "?state=all").content.decode())
    assert "Case 1 of 2 in this list" in page
    following = case_address(study, "I-3") + "?state=all"
    assert f'rel="next" href="{following}"' in page
    assert 'rel="prev"' not in page


def test_letters_replace_pseudonyms_until_names_are_shown(study: Study, client: Client) -> None:
    address = case_address(study, "I-0")
    assert "R-00" not in client.get(address).content.decode()
    show_names(study=study, named=True, actor=owner_of(study))
    assert client.get(address).content.decode().count("R-002") == 1


def test_a_copied_response_is_saved_as_its_raters_and_leads_to_the_next_case(
    study: Study, client: Client
) -> None:
    address = case_address(study, "I-0")
    page = client.get(address).content.decode()
    letters = {letter: pk for pk, letter in COPY.findall(page)}
    assert sorted(letters) == ["A", "B", "C"]
    copied = client.post(address, {**hidden(page), "copy": letters["B"], "note": "Yes."})
    assert (copied.status_code, Verdict.objects.exists()) == (200, False)
    fields = filled_fields(copied.content.decode(), "decide")
    assert fields["note"] == ["Yes."]
    answer = client.post(address, fields)
    assert answer.headers["Location"] == case_address(study, "I-3")
    verdict = Verdict.objects.get()
    chosen = Response.objects.get(pk=letters["B"]).assignment.rater
    assert {one.chosen_from for one in verdict.answers.all()} == {chosen}
    shown = client.get(address).content.decode()
    assert "Decision 1" in shown
    assert folded(shown).count(">from B<") == verdict.answers.count()
    assert chosen.code not in shown


def test_a_decision_that_is_saved_unchanged_stays_as_it_is(study: Study, client: Client) -> None:
    address = case_address(study, "I-0")
    page = client.get(address).content.decode()
    copied = client.post(address, {**hidden(page), "copy": COPY.findall(page)[0][0]})
    for shown in (copied, client.get(address)):
        client.post(address, filled_fields(shown.content.decode(), "decide"))
    decided = client.get(address).content.decode()
    client.post(address, filled_fields(decided, "decide"))
    verdict = Verdict.objects.get()
    assert (verdict.revision, verdict.answers.filter(chosen=False).exists()) == (1, False)


def test_after_the_last_case_comes_the_queue(study: Study, client: Client) -> None:
    write_final(study, "I-0", "2")
    page = client.get(case_address(study, "I-3")).content.decode()
    answer = client.post(case_address(study, "I-3"), {**hidden(page), "answer-quality": "2"})
    assert answer.headers["Location"] == reverse("study-adjudication", args=[study.slug])


def test_every_kind_of_answer_is_written_by_the_fields_that_raters_use(study: Study, client: Client) -> None:
    page = client.get(case_address(study, "I-0")).content.decode()
    written = {
        "answer-quality": "2",
        "answer-genuine": "unsure",
        "answer-kinds": ["a", "c"],
        "answer-paraphrase": "It forgets.",
        "answer-better": "tie",
        "answer-tuples.1.tenor": "Memory",
        "answer-tuples.1.vehicle": "a leaking roof",
        "answer-tuples.1.ground": "forgetful mind",
    }
    assert client.post(case_address(study, "I-0"), {**hidden(page), **written}).status_code == 302
    final = {one.criterion.key: str(one) for one in Verdict.objects.get().answers.all()}
    assert '"text": "a leaking roof"' in final.pop("tuples")
    assert final == {
        "quality": "2",
        "genuine": "unsure",
        "kinds": "a|c",
        "paraphrase": "It forgets.",
        "better": "tie",
    }


@pytest.mark.parametrize("marked", [(), ("tenor", "vehicle")], ids=["plain", "marked"])
def test_fields_that_begin_from_an_annotation_keep_the_places_of_its_tuples(
    study: Study, client: Client, marked: tuple[str, ...]
) -> None:
    Criterion.objects.filter(key="tuples").update(settings=TupleSettings(marked=marked).stored())
    first = Response.objects.get(
        assignment__item__study=study, assignment__item__key="I-0", assignment__rater__code="R-001"
    )
    page = client.get(case_address(study, "I-0") + f"?from={first.pk}").content.decode()
    assert 'value="Memory"' in page
    parts = {"tenor": "Memory", "vehicle": "leaking roof", "ground": "forgetful mind"}
    written = {f"answer-tuples.1.{part}": text for part, text in parts.items()}
    others = {"answer-quality": "1", "answer-genuine": "yes"}
    assert client.post(case_address(study, "I-0"), {**hidden(page), **others, **written}).status_code == 302
    final = Verdict.objects.get().answers.get(criterion__key="tuples")
    assert final.chosen
    assert final.content == first.ratings.get(criterion__key="tuples").content


def test_the_second_adjudicator_sees_the_first_decision_and_loses_nothing(
    study: Study, client: Client
) -> None:
    page = client.get(case_address(study, "I-3")).content.decode()
    write_final(study, "I-3", "2")
    mine = {**hidden(page), "answer-quality": "4", "note": "My own reasons."}
    answer = client.post(case_address(study, "I-3"), mine)
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "Decision 1" in shown
    assert "My own reasons." in shown
    assert re.search(r'name="answer-quality" value="4"[^>]*checked', shown)
    assert Verdict.objects.count() == 1
    again = client.post(case_address(study, "I-3"), {**mine, **hidden(shown)})
    assert again.status_code == 302
    assert [str(one) for one in Verdict.objects.get(current=True).answers.all()] == ["4"]


def test_what_is_missing_is_reported_at_its_criterion(study: Study, client: Client) -> None:
    page = client.get(case_address(study, "I-0")).content.decode()
    answer = client.post(case_address(study, "I-0"), {**hidden(page), "answer-quality": "2"})
    assert answer.status_code == 422
    wrong = [one["key"] for one in answer.context["criteria"] if one["error"]]
    assert wrong == ["genuine"]


@pytest.mark.parametrize(
    "damage", [{"page_key": "x"}, {"seen_revision": ""}, {"version": "0"}, {"from": "-1"}]
)
def test_a_damaged_page_is_refused(study: Study, client: Client, damage: dict[str, str]) -> None:
    page = client.get(case_address(study, "I-0")).content.decode()
    answer = client.post(case_address(study, "I-0"), {**hidden(page), "answer-quality": "2", **damage})
    assert answer.status_code == 400


def test_a_researcher_reads_and_comments_and_decides_nothing(study: Study) -> None:
    user = User.objects.create_user("reads@example.org", PASSWORD)
    Membership.objects.create(study=study, user=user, role="researcher")
    client = Client()
    client.force_login(user)
    page = client.get(case_address(study, "I-0")).content.decode()
    assert "Save final answer" not in page
    assert 'name="copy"' not in page
    comment = {"text": "<b>Is it literal?</b>"}
    address = reverse("study-case-discuss", args=[study.slug, cases_of(study)["I-0"].pk])
    assert client.post(address, comment).status_code == 302
    assert "&lt;b&gt;Is it literal?" in client.get(case_address(study, "I-0")).content.decode()
    decision = {"page_key": uuid.uuid4(), "seen_revision": "0", "answer-quality": "1"}
    assert client.post(case_address(study, "I-0"), decision).status_code == 403


def test_a_rule_is_looked_for_by_a_worker(study: Study, client: Client) -> None:
    asked = {"asked": "all/better", "rule": "all_differ"}
    client.post(reverse("study-dispute-search", args=[study.slug]), asked)
    assert Job.objects.latest("pk").params["criterion"] == "better"
    refused = client.post(
        reverse("study-dispute-search", args=[study.slug]), {**asked, "rule": "spread"}, follow=True
    )
    assert "Choose a rule that applies to" in refused.content.decode()


def test_items_are_sent_from_the_list_of_disagreement(study: Study, client: Client) -> None:
    figures_of(study)
    assert FigureSet.objects.filter(study=study, ready=True).exists()
    everything = reverse("study-disagreement-adjudicate", args=[study.slug])
    client.post(everything, {"query": "where=quality.range>=2"})
    assert cases_of(study).keys() == {"I-0", "I-2", "I-3"}
    page = client.get(reverse("study-item", args=[study.slug, "I-1"])).content.decode()
    assert "Not sent to adjudication." in page
    client.post(reverse("study-adjudication-send", args=[study.slug]), {"item": ["I-1"]})
    assert cases_of(study).keys() == {"I-0", "I-1", "I-2", "I-3"}
    page = client.get(reverse("study-item", args=[study.slug, "I-1"])).content.decode()
    assert "to decide" in page


def test_another_studys_case_is_not_there(study: Study, client: Client) -> None:
    other = make_case_study("elsewhere")
    send_items(study=other, keys=["I-0"], actor=owner_of(other))
    foreign = Case.objects.get(study=other)
    assert client.get(reverse("study-case", args=[study.slug, foreign.pk])).status_code == 404


def test_raters_are_compared_with_the_final_answers(study: Study, client: Client) -> None:
    write_final(study, "I-0", "3")
    write_final(study, "I-3", "1")
    shown = client.get(reverse("study-adjudication", args=[study.slug]))
    comparison = shown.context["comparison"]
    column = comparison["criteria"].index("Quality")
    cells = {row["rater"]: row["cells"][column] for row in comparison["rows"]}
    assert {rater: one.same for rater, one in cells.items()} == {"R-001": 0.5, "R-002": 1.0, "R-003": 0.0}
    assert {one.reason for one in cells.values()} == {"too_few_items"}
    assert "not agreement between raters" in shown.content.decode()


def write_final(study: Study, key: str, quality: str) -> None:
    case = cases_of(study)[key]
    answers: dict[str, Any] = {"quality": quality}
    if case.disputes.filter(criterion="genuine").exists():
        answers["genuine"] = "yes"
    write(case=case, version=case.form.versions.get(), sent=sent(answers), actor=owner_of(study))


def case_address(study: Study, key: str) -> str:
    return reverse("study-case", args=[study.slug, cases_of(study)[key].pk])


def listed(client: Client, study: Study, query: str) -> list[str]:
    shown = client.get(reverse("study-adjudication", args=[study.slug]) + f"?{query}")
    return [row["case"].item.key for row in shown.context["rows"]]


def hidden(page: str) -> dict[str, str]:
    return dict(HIDDEN.findall(page))


def test_a_case_is_taken_off_the_queue_by_its_page_and_put_back(study: Study, client: Client) -> None:
    address = case_address(study, "I-0")
    case = cases_of(study)["I-0"]
    where = {"slug": study.slug, "pk": case.pk}
    assert COPY.search(client.get(address).content.decode())
    taken = client.post(reverse("study-case-withdraw", kwargs=where), {"reason": "A <b>caption</b>."})
    assert taken["Location"] == case_address(study, "I-3")
    page = client.get(address).content.decode()
    assert "A &lt;b&gt;caption&lt;/b&gt;." in page
    assert not COPY.search(page)
    assert "Return to queue" in page
    assert listed(client, study, "") == ["I-3"]
    assert listed(client, study, "state=withdrawn") == ["I-0"]
    client.post(reverse("study-case-put-back", kwargs=where))
    assert listed(client, study, "") == ["I-0", "I-3"]
    assert COPY.search(client.get(address).content.decode())


def test_the_table_of_raters_is_computed_unasked_for_few_decided_items_alone(
    study: Study, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_final(study, "I-3", "2")
    address = reverse("study-adjudication", args=[study.slug])
    assert "Decided cases only." in client.get(address).content.decode()
    monkeypatch.setattr(adjudication_page, "MOST_COMPARED_UNASKED", 0)
    unasked = client.get(address + "?state=all").content.decode()
    assert "Decided cases only." not in unasked
    assert "the final answers of 1 decided case takes" in unasked
    asked = client.get(address + "?state=all&raters=1").content.decode()
    assert "Decided cases only." in asked


def test_criteria_of_the_same_name_are_distinguished_by_their_form(study: Study, client: Client) -> None:
    again = Form.objects.create(study=study, key="again", title="Once more")
    version = FormVersion.objects.create(form=again, blocks=[])
    Criterion.objects.create(version=version, key="quality", name="Quality", minimum=1, maximum=5)
    page = client.get(reverse("study-adjudication", args=[study.slug])).content.decode()
    assert '<option value="again/quality" dir="auto">Once more: Quality</option>' in page
    assert '<option value="all/quality" dir="auto">All kinds: Quality</option>' in page
    assert '<option value="all/genuine" dir="auto">Genuine</option>' in page
    assert '<b class="strong" dir="auto">All kinds: Quality</b>' in page


def test_a_case_without_a_reason_stays_on_the_queue_and_the_page_says_so(
    study: Study, client: Client
) -> None:
    where = {"slug": study.slug, "pk": cases_of(study)["I-0"].pk}
    answer = client.post(reverse("study-case-withdraw", kwargs=where), {"reason": " "}, follow=True)
    assert "Enter a reason for removing the case from the queue." in answer.content.decode()
    assert listed(client, study, "") == ["I-0", "I-3"]


QUEUE_TEXT = re.compile(r'<td class="wrap text[^"]*"[^>]*lang="([^"]*)">(.*?)</td>', re.DOTALL)


@pytest.mark.parametrize(
    ("blocks", "shown"),
    [
        ([("context", "literal"), ("sentence", "figure")], "The sentence."),
        ([("context", "literal"), ("a", "side"), ("b", "side")], "One side. / Other side."),
        ([("context", "literal"), ("a", "text"), ("list", "options")], "One side."),
        ([("context", "literal")], "The context."),
        # Without named texts: the one whose name is last in the alphabet, on every database.
        ([], "The sentence."),
    ],
    ids=["figure", "pair", "text", "context alone", "no texts named"],
)
def test_the_queue_shows_the_text_that_the_form_of_the_case_asks_about(
    study: Study, client: Client, blocks: list[tuple[str, str]], shown: str
) -> None:
    fields = {"context": "The context.", "sentence": "The sentence.", "list": "x"}
    item = study.items.get(key="I-0")
    item.fields = {**fields, "a": "One side.", "b": "Other side."}
    item.save()
    version = FormVersion.objects.get(form__study=study)
    version.blocks = [{"field": field, "role": role} for field, role in blocks]
    version.save()
    assert queue_texts(client, study) == [(study.language, shown)]


def test_the_queue_shows_the_text_as_the_version_that_was_answered_shows_it(
    study: Study, client: Client
) -> None:
    FormVersion.objects.create(form=study.forms.get(), number=2, blocks=[{"field": "a", "role": "figure"}])
    assert queue_texts(client, study) == [(study.language, "Memory is a leaking roof.")]


def test_of_two_forms_each_case_shows_its_own_text_in_its_own_language(study: Study, client: Client) -> None:
    form = Form.objects.create(study=study, key="second", title="Second", overlap=3, position=1)
    FormVersion.objects.create(form=form, blocks=[{"field": "b", "role": "figure", "lang": "ja"}])
    first = study.cases.get(item__key="I-0")
    Case.objects.create(study=study, item=first.item, form=form, position=first.position)
    assert queue_texts(client, study) == [(study.language, "Memory is a leaking roof."), ("ja", "A bowl.")]


def queue_texts(client: Client, study: Study) -> list[tuple[str, str]]:
    """Language and text of the cases of the item I-0."""
    study.cases.filter(item__key="I-3").delete()
    return QUEUE_TEXT.findall(client.get(reverse("study-adjudication", args=[study.slug])).content.decode())
