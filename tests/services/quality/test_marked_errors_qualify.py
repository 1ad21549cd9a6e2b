"""Raters qualify by the errors that they mark, whatever the tolerance of scales."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import LONGEST_REFERENCE
from annotation.domain.base.states import StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.questions.answers import Submission
from annotation.models import Criterion, QualificationAttempt, ScalePoint
from annotation.selectors.quality.qualification import calibration_of, compare_with_reference
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment, open_assignment
from annotation.services.rating.submit_and_advance import submit_and_advance
from annotation.services.studies.definitions import copy_study
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db
TEXT = "The sea lay like a tired dog."
REFERENCE = {"errors": "tired dog (major, meaning)", "creativity": "3"}


@pytest.fixture
def cast() -> Cast:
    """A draft that asks for errors and a rating, with a tolerance wider than any F1."""
    cast = make_cast(items=2, overlap=1, opened=False)
    errors = Criterion.objects.get(version__form__study=cast.study, key="quality")
    errors.points.all().delete()
    weights = {"errors": {"weights": {"minor": 1, "major": 5}}}
    Criterion.objects.filter(pk=errors.pk).update(
        key="errors", name="Errors", kind="errors", minimum=None, maximum=None, settings=weights
    )
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=errors, value=value, position=place)
        for place, value in enumerate(("meaning", "grammar", "minor", "major"))
    )
    set_qualification(
        study=cast.study, actor=cast.users["owner"], kind=RuleKind.NEAR, tolerance=2, share=1, attempts=1
    )
    return cast


def calibrate(cast: Cast, reference: dict[str, object]) -> None:
    add_calibration_item(
        qualification=cast.study.qualification,
        actor=cast.users["owner"],
        form=cast.study.forms.get(),
        reference=reference,
        reason="Dogs do not lie like that.",
        texts={"simile": TEXT},
    )


@pytest.mark.parametrize(
    ("marked", "passed"),
    [
        ('[{"start": 19, "end": 28, "category": "meaning", "severity": "major"}]', True),
        ('[{"start": 25, "end": 28, "category": "meaning", "severity": "major"}]', True),
        ('[{"start": 0, "end": 7, "category": "meaning", "severity": "major"}]', False),
        ("[]", False),
    ],
)
def test_an_attempt_is_passed_by_marking_what_the_reference_marks(cast, marked, passed):
    calibrate(cast, dict(REFERENCE))
    member = Client()
    member.force_login(cast.users["owner"])
    page = member.get(reverse("study-qualification", args=[cast.slug])).content.decode()
    assert "tired dog (major, meaning)" in page
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    rater = consent(invitation=cast.invitation)
    shown = open_assignment(assignment=next_assignment(rater=rater))
    submission = Submission(page_key=uuid.uuid4(), answers={"errors": marked, "creativity": "4"})
    submit_and_advance(assignment=shown, version=shown.version, submission=submission)
    assert QualificationAttempt.objects.get().passed is passed
    calibration = calibration_of(shown)
    assert calibration is not None
    compared = {one.criterion: one for one in compare_with_reference(shown, calibration)}
    assert compared["errors"].within is passed
    assert compared["errors"].reference == "tired dog (major, meaning)"
    assert compared["creativity"].within


def test_a_reference_must_be_in_the_text_of_its_item(cast):
    with pytest.raises(InvalidContent) as refused:
        calibrate(cast, {"errors": "angry dog (major, meaning)"})
    assert refused.value.code == "invalid_reference"
    assert "“angry dog” is not in the text." in refused.value.fields["errors"]
    assert not cast.study.qualification.items.exists()


def test_a_copy_of_the_study_has_the_errors_of_its_calibration_items(cast):
    calibrate(cast, dict(REFERENCE))
    owner, study = cast.users["owner"], cast.study
    copied = copy_study(study=study, slug="copy", title="Copy", owner=owner, with_items=True, with_pay=True)
    (own,), (of_copy,) = (one.qualification.items.all() for one in (study, copied.study))
    assert of_copy.reference == own.reference


def test_a_reference_longer_than_a_definition_holds_is_refused(cast):
    with pytest.raises(InvalidContent, match="at most") as refused:
        calibrate(cast, {"errors": "x" * LONGEST_REFERENCE + " (major, meaning)", "creativity": "3"})
    assert refused.value.code == "invalid_reference"
