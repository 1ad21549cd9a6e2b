"""The final answers are separate from the ratings: exported unchanged, and part of no figure."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from annotation.domain.base.codebook import ADJUDICATED, DECISIONS
from annotation.domain.base.states import Role
from annotation.models import Criterion, Form, FormVersion, Rater, Study, User, Withdrawal
from annotation.selectors.adjudication.final_agreement import agreement_with_final
from annotation.selectors.adjudication.final_answers import adjudicated_rows
from annotation.services.adjudication.case_selection import send_items
from annotation.services.adjudication.decisions import write
from annotation.services.adjudication.second_opinions import ask_second_opinion
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.people.members import add_member
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.withdrawal import withdraw
from scoring.selectors.base.reports import figures_json
from tests.support.studies.adjudication_study import (
    cases_of,
    decide_all,
    look_for,
    make_case_study,
    owner_of,
    sent,
)
from tests.support.studies.choice_study import report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_case_study()


def exported(study: Study, what: str, file_format: str, capsysbinary: Any) -> str:
    call_command("export", study.slug, "--what", what, "--format", file_format)
    return str(capsysbinary.readouterr().out.decode())


def test_no_figure_and_no_fingerprint_changes_by_adjudication(study: Study) -> None:
    before = figures_json(report_of(study))
    decide_all(study, owner_of(study), ["I-0", "I-1", "I-2", "I-3"])
    after = figures_json(report_of(study))
    assert before["results"]
    assert after["results"] == before["results"]
    assert after["data"]["fingerprint"] == before["data"]["fingerprint"]


def test_a_row_says_what_was_decided_why_and_whose_it_is(study: Study, capsysbinary: Any) -> None:
    look_for(study, "all_differ", "quality")
    look_for(study, "spread", "quality", bound="4")
    cases = cases_of(study)
    write(
        case=cases["I-0"], version=cases["I-0"].form.versions.get(), sent=sent({"quality": "2"}),
        actor=owner_of(study),
    )  # fmt: skip
    decide_all(study, owner_of(study), ["I-3"], note="Said so.")
    rows = list(csv.DictReader(io.StringIO(exported(study, "adjudicated", "csv", capsysbinary))))
    assert list(rows[0]) == list(ADJUDICATED)
    found = {(row["item"], row["criterion"]): row for row in rows}
    first = found["I-0", "quality"]
    assert (first["rule"], first["n_answers"], first["decided_by"]) == ("all_differ|spread", "3", "owner 1")
    last = found["I-3", "quality"]
    assert (last["value"], last["same_as"], last["note"]) == ("1", "R-001|R-002", "Said so.")
    assert (first["chosen_from"], last["chosen_from"]) == ("written", "R-001")
    assert found["I-3", "genuine"]["rule"] == "hand_picked"


def test_no_decision_vanishes_earlier_ones_and_second_opinions_are_exported(
    study: Study, capsysbinary: Any
) -> None:
    look_for(study, "all_differ", "quality")
    case, owner = cases_of(study)["I-0"], owner_of(study)
    second = User.objects.create_user("second@example.org")
    add_member(study=study, user=second, role=Role.ADJUDICATOR, actor=owner)
    ask_second_opinion(case=case, adjudicator=second, actor=owner)
    for user, value, seen in ((owner, "2", 0), (second, "4", 0), (owner, "3", 1)):
        answers = sent({"quality": value}, seen=seen)
        write(case=case, version=case.form.versions.get(), sent=answers, actor=user)
    rows = list(csv.DictReader(io.StringIO(exported(study, "adjudication_decisions", "csv", capsysbinary))))
    assert list(rows[0]) == list(DECISIONS)
    found = [(row["revision"], row["value"], row["second_opinion"], row["latest"]) for row in rows]
    assert found == [
        ("1", "2", "false", "false"),
        ("2", "4", "true", "true"),
        ("3", "3", "false", "true"),
    ]
    assert [row["decided_by"].split()[0] for row in rows] == ["owner", "adjudicator", "owner"]
    assert [row["value"] for row in adjudicated_rows(study)] == ["3"]


def test_what_was_written_is_nobodys(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case = cases_of(study)["I-0"]
    answers = sent({"quality": "2"})
    write(case=case, version=case.form.versions.get(), sent=answers, actor=owner_of(study))
    (row,) = adjudicated_rows(study)
    assert (row["value"], row["chosen_from"], row["same_as"]) == ("2", "written", "")


def test_a_verdict_that_cannot_be_rated_has_no_value(study: Study) -> None:
    look_for(study, "all_differ", "quality")
    case = cases_of(study)["I-0"]
    nothing = sent()
    nothing = type(nothing)(page_key=nothing.page_key, cannot_rate="lacks_context", seen_revision=0)
    write(case=case, version=case.form.versions.get(), sent=nothing, actor=owner_of(study))
    (row,) = adjudicated_rows(study)
    assert (row["criterion"], row["value"], row["reason"]) == ("quality", None, "lacks_context")


def test_final_tuples_keep_their_places(study: Study, capsysbinary: Any) -> None:
    decide_all(study, owner_of(study), ["I-1"])
    lines = exported(study, "adjudicated_tuples", "jsonl", capsysbinary).splitlines()
    rows = [json.loads(line) for line in lines]
    assert [(row["part"], row["start"], row["end"], row["text"]) for row in rows] == [
        ("tenor", 0, 6, "Memory"),
        ("vehicle", 12, 24, "leaking roof"),
        ("ground", None, None, "forgetful mind"),
    ]


def test_an_erased_rater_is_named_nowhere_in_the_layer(study: Study) -> None:
    decide_all(study, owner_of(study), ["I-0"])
    Study.objects.filter(pk=study.pk).update(on_withdrawal=Withdrawal.ERASE)
    for rater in Rater.objects.filter(study=study):
        withdraw(rater=rater)
    rows = list(adjudicated_rows(study))
    assert {row["chosen_from"] for row in rows} == {"erased"}
    assert "R-00" not in repr(rows)


def test_forms_with_criteria_of_the_same_key_are_compared_separately(study: Study) -> None:
    """As in two stages: the first stage's answers are not measured by the second's final ones."""
    decide_all(study, owner_of(study), ["I-0", "I-1", "I-2", "I-3"])
    before = agreement_with_final(study)
    again = Form.objects.create(study=study, key="again", title="Again", overlap=1)
    version = FormVersion.objects.create(form=again)
    quality = Criterion.objects.create(version=version, key="quality", name="Quality", minimum=1, maximum=5)
    rater = study.raters.get(code="R-001")
    answers = [
        LoadedResponse(item=item, rater=rater, version=version, values={quality: 5})
        for item in study.items.all()
    ]
    store_responses(loaded=answers)
    send_items(study=study, keys=["I-0"], actor=owner_of(study), form="again")
    case = study.cases.get(form=again)
    write(case=case, version=version, sent=sent({"quality": "2"}), actor=owner_of(study))
    found = {(one.rater, one.form, one.criterion): one for one in agreement_with_final(study)}
    assert [one for one in found.values() if one.form == "all"] == before
    assert (found["R-001", "again", "quality"].n, found["R-001", "again", "quality"].same) == (1, 0.0)


def test_an_excluded_rater_is_shown_next_to_no_final_answer(study: Study) -> None:
    decide_all(study, owner_of(study), ["I-0", "I-1", "I-2", "I-3"])
    exclude_rater(rater=study.raters.get(code="R-003"), reason="a bot", actor=owner_of(study))
    found = {(one.rater, one.criterion): one for one in agreement_with_final(study)}
    assert {rater for rater, _ in found} == {"R-001", "R-002"}
    assert found["R-001", "quality"].same == 1.0
    assert found["R-001", "quality"].value == pytest.approx(1.0)
    assert found["R-002", "quality"].same == 0.5
    assert found["R-002", "tuples"].value == pytest.approx(1.0)
