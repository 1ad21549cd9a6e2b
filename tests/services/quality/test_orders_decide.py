"""The best of an order leads to later questions and stages; checks and calibration know the right order."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.states import Purpose, StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.quality.checks import CheckKind
from annotation.domain.questions.answers import Submission
from annotation.forms.checks import CheckForm
from annotation.models import CheckVerdict, Rating, ScalePoint, Seat, StageFeed
from annotation.protocols.definition_forms import form_problems
from annotation.selectors.questions.form_versions import form_versions
from annotation.selectors.studies.definition import definition_of
from annotation.services.quality.checks import create_check
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
ORDERS = {"ranking": ("b>a>c", "a>b>c"), "best_worst": ("b>a>c", "a>b>c")}


@pytest.fixture(params=ORDERS)
def cast(request: pytest.FixtureRequest) -> Cast:
    """A study with the question `order`, after which `creativity` is asked where b is the best."""
    cast = make_cast(items=2, overlap=1, opened=False)
    version = form_versions(study=cast.study)[0]
    quality = version.criteria.get(key="quality")
    quality.points.all().delete()
    version.criteria.filter(key="quality").update(
        key="order", name="Order", kind=request.param, minimum=None, maximum=None
    )
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=quality, value=value, position=place) for place, value in enumerate("abc")
    )
    version.criteria.filter(key="creativity").update(asked_after="order", asked_when="b")
    return cast


def opened(cast: Cast) -> None:
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])


def answer(rater: Any, order: str) -> Any:
    page = open_assignment(assignment=next_assignment(rater=rater))
    submission = Submission(page_key=uuid.uuid4(), answers={"order": order, "creativity": "3"})
    return submit(assignment=page, version=page.version, submission=submission).response


def test_a_question_is_asked_only_after_the_best_that_its_condition_names(cast):
    assert list(form_problems(definition_of(cast.study, with_pay=False)["forms"][0])) == []
    opened(cast)
    rater = consent(invitation=cast.invitation)
    answered = [
        set(answer(rater, order).ratings.values_list("criterion__key", flat=True))
        for order in ("b>a>c", "a>b>c")
    ]
    assert answered == [{"order", "creativity"}, {"order"}]


def test_the_best_lets_an_item_into_the_next_stage(cast):
    form = cast.study.forms.get()
    second = form_versions(study=cast.study)[0]
    second.pk, form.pk = None, None
    form.key, form.position = "second", 1
    form.save()
    second.form = form
    second.save()
    StageFeed.objects.create(
        target=form, source=cast.study.forms.get(key="similes"), criterion="order", value="b", rule="any"
    )
    opened(cast)
    rater = consent(invitation=cast.invitation)
    first = answer(rater, "b>a>c").assignment.item_id
    answer(rater, "a>b>c")
    assert set(Seat.objects.filter(form=form).values_list("item", flat=True)) == {first}


def test_a_check_says_which_order_to_give(cast):
    cast.study.check_every = 1
    cast.study.save()
    form = cast.study.forms.get()
    texts = {"simile": "Please choose b as the best and c as the worst."}
    made = {"study": cast.study, "actor": cast.users["owner"], "form": form, "texts": texts}
    with pytest.raises(InvalidContent):
        create_check(**made, key="wrong", kind=CheckKind.INSTRUCTED, settings={"told": {"order": "b>a"}})
    posted = {"kind": "instructed", "key": "told", "answer-order": "b>a>c", "text-simile": texts["simile"]}
    page = CheckForm(cast.study, form_versions(study=cast.study)[0], posted)
    assert page.is_valid(), page.errors
    create_check(**made, key="told", kind=CheckKind.INSTRUCTED, settings=page.settings())
    opened(cast)
    rater = consent(invitation=cast.invitation)
    while not CheckVerdict.objects.exists():
        answer(rater, "b>a>c")
    found = CheckVerdict.objects.get()
    assert (found.passed, found.reason) == (True, "as_told")
    assert found.chance == pytest.approx(1 / 6)


@pytest.mark.parametrize(("orders", "passed"), [(("b>a>c", "a>b>c"), True), (("c>a>b", "c>b>a"), False)])
def test_calibration_items_have_a_reference_order(cast, orders, passed):
    owner = cast.users["owner"]
    made = set_qualification(
        study=cast.study, actor=owner, kind=RuleKind.NEAR, tolerance=1, share=1.0, attempts=1
    )
    for order in ("b>a>c", "b>a>c"):
        add_calibration_item(
            qualification=made,
            actor=owner,
            form=cast.study.forms.get(),
            texts={"simile": "The lamp was a moon."},
            reference={"order": order},
            reason="b is new.",
        )
    opened(cast)
    rater = consent(invitation=cast.invitation)
    assert answer(rater, orders[0]).assignment.purpose == Purpose.QUALIFICATION
    answer(rater, orders[1])
    assert rater.attempts.get().passed is passed
    assert Rating.objects.filter(content__isnull=False).count() == 2
