"""What happens in a study is reported in the transaction of the act, without answers or reasons."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.db import transaction

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import StudyState
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission
from annotation.models import Exclusion, Rater, Study, Webhook, WebhookDelivery
from annotation.services.base.webhook_events import register_event, registered_events
from annotation.services.quality.checks import create_check
from annotation.services.quality.exclusion_rules import apply_rule, declare_rule, lift_rule
from annotation.services.quality.exclusions import exclude_items, exclude_rater, lift_exclusion
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import make_cast
from tests.support.studies.disagreement_study import CRITERIA, HAUSER, make_study, owner_of, previewed
from tests.support.studies.simile_study import score

pytestmark = pytest.mark.django_db


def listening(study: Study) -> None:
    Webhook.objects.create(study=study, address="https://example.org/told", events=list(registered_events()))


def details_of(event: str) -> list[dict[str, Any]]:
    bodies = WebhookDelivery.objects.filter(event=event).order_by("pk").values_list("body", flat=True)
    return [json.loads(body)["detail"] for body in bodies]


def rate_all(rater: Rater, value: str) -> None:
    try:
        while True:
            page = next_assignment(rater=rater)
            answers = {"quality": value, "creativity": value}
            submit(
                assignment=page,
                version=page.version,
                submission=Submission(page_key=uuid.uuid4(), answers=answers),
            )
    except NoSeatLeft:
        return


def test_an_event_is_registered_once() -> None:
    with pytest.raises(ValueError, match="withdraw"):
        register_event("withdraw", "Something else")
    assert registered_events()["withdraw"].title == "Rater withdrew"


def test_a_rater_who_finishes_is_reported_once_however_often_they_come_back() -> None:
    cast = make_cast(items=2)
    listening(cast.study)
    rater = consent(invitation=cast.invitation)
    rate_all(rater, "3")
    rate_all(rater, "3")
    assert details_of("rater_finished") == [{}]


def test_a_failed_check_is_reported_by_its_name_and_a_passed_one_is_not() -> None:
    cast = make_cast(items=4, opened=False)
    owner = cast.users["owner"]
    create_check(
        study=cast.study,
        key="told",
        kind=CheckKind.INSTRUCTED,
        settings={"told": {"quality": 5}},
        form=cast.study.forms.get(),
        texts={"simile": "Choose 5."},
        actor=owner,
    )
    Study.objects.filter(pk=cast.study.pk).update(check_every=2)
    cast.study.refresh_from_db()
    change_state(study=cast.study, to=StudyState.OPEN, actor=owner)
    listening(cast.study)
    rate_all(consent(invitation=cast.invitation), "5")
    assert details_of("check_failed") == []
    rate_all(consent(invitation=cast.invitation), "1")
    assert details_of("check_failed") == [{"check": "told"}]


def test_exclusions_are_reported_by_number_and_rule_without_raters_or_reasons() -> None:
    study = make_study()
    listening(study)
    owner = owner_of(study)
    rule = declare_rule(
        study=study, name="HAUSER", conditions=HAUSER, reason="Secret.", criteria=CRITERIA, actor=owner
    )
    n = apply_rule(rule=rule, actor=owner, **previewed(rule).tables["caught"])
    lift_rule(rule=rule, reason="Secret.", actor=owner)
    exclude_rater(rater=study.raters.get(code="R-001"), reason="Secret.", actor=owner)
    exclude_items(study=study, keys=["G00-0", "G01-1"], reason="Secret.", actor=owner)
    lift_exclusion(exclusion=Exclusion.objects.get(rater__code="R-001"), reason="Secret.", actor=owner)
    assert details_of("apply_rule") == [{"rule": rule.key, "n_items": n, "n_raters": 0, "n_responses": 0}]
    assert details_of("lift_rule") == [{"rule": rule.key, "n": n}]
    assert (details_of("exclude_rater"), details_of("exclude_items"), details_of("lift_exclusion")) == (
        [{}],
        [{"n": 2}],
        [{}],
    )
    bodies = " ".join(WebhookDelivery.objects.values_list("body", flat=True))
    assert "Secret" not in bodies
    assert "R-001" not in bodies
    assert owner.email not in bodies


def test_reports_and_runs_of_scores_are_announced_when_they_are_stored() -> None:
    study = make_study()
    listening(study)
    rule = declare_rule(
        study=study, name="H", conditions=HAUSER, reason="r", criteria=CRITERIA, actor=owner_of(study)
    )
    report = previewed(rule)
    assert details_of("report_ready") == [{"kind": "exclusion_preview", "report": report.pk}]
    assert details_of("scores_ready") == []
    run = score(study)
    assert details_of("scores_ready") == [{"run": run.name}]


def test_what_is_rolled_back_is_not_reported() -> None:
    study = make_study()
    listening(study)
    with transaction.atomic():
        exclude_items(study=study, keys=["G00-0"], reason="r", actor=owner_of(study))
        assert details_of("exclude_items") == [{"n": 1}]
        transaction.set_rollback(True)
    assert details_of("exclude_items") == []
