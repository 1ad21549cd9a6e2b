"""A case is taken off the queue for a reason and put back; nothing is lost, and all of it exported."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.management import call_command

from annotation.domain.base.codebook import DISCUSSION
from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.models import AuditEntry, Case, FormVersion, Item, QueueMove, Study, Verdict
from annotation.selectors.adjudication.queue import QueueView, case_counts, judged_texts, queue
from annotation.services.adjudication.case_selection import SentItems, send_items
from annotation.services.adjudication.decisions import comment, write
from annotation.services.adjudication.queue import put_back, withdraw_case, withdraw_cases
from tests.support.studies.adjudication_study import (
    cases_of,
    decide_all,
    look_for,
    make_case_study,
    owner_of,
    sent,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    study = make_case_study()
    look_for(study, "spread", "quality", bound="4")
    return study


@pytest.fixture
def case(study: Study) -> Case:
    return cases_of(study)["I-0"]


def waiting(study: Study) -> list[str]:
    return [one.item.key for one in queue(study, QueueView())]


def withdrawn(case: Case) -> Case:
    return withdraw_case(case=case, reason="A caption.", actor=owner_of(case.study))


def test_several_cases_are_withdrawn_at_once_and_decided_ones_stay(study: Study) -> None:
    decide_all(study, owner_of(study), ["I-0"])
    send_items(study=study, keys=["I-1", "I-2"], actor=owner_of(study))
    everything = [one.pk for one in study.cases.all()]
    n = withdraw_cases(study=study, cases=everything, reason="Captions.", actor=owner_of(study))
    states = {key: one.state for key, one in cases_of(study).items()}
    assert (n, states) == (2, {"I-0": "decided", "I-1": "withdrawn", "I-2": "withdrawn", "I-3": "decided"})
    assert set(QueueMove.objects.values_list("reason", "withdrawn")) == {("Captions.", True)}
    foreign = make_case_study("elsewhere")
    with pytest.raises(InvalidContent) as caught:
        withdraw_cases(study=foreign, cases=everything, reason="Not mine.", actor=owner_of(foreign))
    assert caught.value.code == "unknown_case"


def test_what_is_withdrawn_is_on_the_queue_no_more_until_it_is_put_back(study: Study, case: Case) -> None:
    comment(case=case, text="Is it literal?", actor=owner_of(study))
    withdrawn(case)
    assert waiting(study) == ["I-3"]
    assert (case_counts(study)["undecided"], case_counts(study)["withdrawn"]) == (1, 1)
    put_back(case=case, actor=owner_of(study))
    put_back(case=case, actor=owner_of(study))
    assert waiting(study) == ["I-0", "I-3"]
    case.refresh_from_db()
    assert case.state == "discussed"
    assert case.disputes.count() == 1
    moves = QueueMove.objects.filter(case=case).values_list("withdrawn", "reason")
    assert list(moves) == [(True, "A caption."), (False, "")]
    acts = AuditEntry.objects.filter(study=study, act__in=["withdraw_case", "put_case_back"]).order_by("pk")
    assert [(one.act, one.detail.get("reason")) for one in acts] == [
        ("withdraw_case", "A caption."),
        ("put_case_back", None),
    ]


def test_a_case_that_was_withdrawn_since_its_page_was_opened_cannot_be_decided(
    study: Study, case: Case
) -> None:
    withdrawn(case)
    version = case.form.versions.get()
    with pytest.raises(NotAllowedNow) as refusal:
        write(case=case, version=version, sent=sent({"quality": "2"}), actor=owner_of(study))
    assert refusal.value.code == "case_withdrawn"
    assert not Verdict.objects.exists()


@pytest.mark.parametrize("names", [("zz", "abc"), ("abc", "zz")])
def test_a_form_that_names_no_text_shows_the_same_one_on_every_database(
    study: Study, case: Case, names: tuple[str, str]
) -> None:
    """PostgreSQL keeps texts by the length of their names, SQLite in the order in which they came."""
    FormVersion.objects.filter(form__study=study).update(blocks=[])
    Item.objects.filter(pk=case.item_id).update(fields={name: f"text {name}" for name in names})
    (shown,) = judged_texts(list(Case.objects.filter(pk=case.pk).select_related("item"))).values()
    assert shown.text == "text zz"


def test_a_reason_is_needed_and_what_is_decided_stays(study: Study, case: Case) -> None:
    for reason, code in (("  ", "no_reason"), ("a" * 2001, "too_long")):
        with pytest.raises(InvalidContent) as refusal:
            withdraw_case(case=case, reason=reason, actor=owner_of(study))
        assert refusal.value.code == code
    decide_all(study, owner_of(study), ["I-3"])
    with pytest.raises(NotAllowedNow) as refused:
        withdrawn(cases_of(study)["I-3"])
    assert refused.value.code == "case_decided"
    assert not QueueMove.objects.exists()


def test_the_first_reason_is_stored_where_two_withdraw_at_once(study: Study, case: Case) -> None:
    withdrawn(case)
    withdraw_case(case=case, reason="Another.", actor=owner_of(study))
    assert QueueMove.objects.get().reason == "A caption."


def test_a_rule_leaves_it_off_and_a_hand_puts_it_back(study: Study, case: Case) -> None:
    withdrawn(case)
    look_for(study, "all_differ", "quality")
    assert waiting(study) == ["I-3"]
    assert case.disputes.count() == 2
    sent_now = send_items(study=study, keys=["I-0", "I-1", "I-3"], actor=owner_of(study), criterion="quality")
    assert sent_now == SentItems(new=1, there=1, without=0, back=1)
    assert waiting(study) == ["I-0", "I-1", "I-3"]


def test_the_discussion_is_exported_in_order_without_names(
    study: Study, case: Case, capsysbinary: Any
) -> None:
    comment(case=case, text='Is it, "literal"?\n=1+1', actor=owner_of(study))
    withdrawn(case)
    put_back(case=case, actor=owner_of(study))
    comment(case=cases_of(study)["I-3"], text="Far apart.", actor=owner_of(study))
    call_command("export", study.slug, "--what", "adjudication_discussion", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(capsysbinary.readouterr().out.decode())))
    assert list(rows[0]) == list(DISCUSSION)
    assert [(row["item"], row["kind"], row["text"]) for row in rows] == [
        ("I-0", "comment", 'Is it, "literal"?\n=1+1'),
        ("I-0", "withdrawn", "A caption."),
        ("I-0", "put_back", ""),
        ("I-3", "comment", "Far apart."),
    ]
    assert {row["author"] for row in rows} == {"owner 1"}
    assert rows[0]["state"] == "discussed"
