"""Worked examples and background pages show media files of the study to its raters, and to no one else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from annotation.domain.base.errors import GroundworkError
from annotation.domain.base.states import StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.models import FormVersion, MediaFile
from annotation.services.quality.qualification_setup import (
    add_calibration_item,
    set_qualification,
    write_page,
)
from annotation.services.studies.lifecycle import change_state
from annotation.views.rating.media.addresses import GUIDE, Grant
from tests.support.media.media_study import picture_cast
from tests.support.people import Cast
from tests.views.items.media.rater_addresses import address, joined

pytestmark = pytest.mark.django_db
TEXT = "As in this picture:\n\n{file:p1.png}"


@pytest.fixture
def cast(tmp_path: Path) -> Cast:
    """A draft with a picture in an example and on a background page."""
    cast = picture_cast(tmp_path)
    version = FormVersion.objects.get(form__study=cast.study)
    key = version.criteria.all()[0].key
    example = {"criterion": key, "text": TEXT, "answer": "4", "right": True}
    version.examples = [{**example, "reason": "It says what is seen."}]
    version.save()
    made = set_qualification(
        study=cast.study, actor=cast.users["owner"], kind=RuleKind.NEAR, tolerance=1, share=1, attempts=2
    )
    write_page(qualification=made, actor=cast.users["owner"], title="Pictures", text=TEXT)
    add_calibration_item(
        qualification=made,
        actor=cast.users["owner"],
        form=version.form,
        texts={"file": "p0.png", "simile": "A field like glass."},
        reference={key: 4},
    )
    return cast


def opened(cast: Cast) -> Cast:
    cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


@pytest.mark.parametrize("page", ["guide/", "background/1/"])
def test_a_rater_sees_the_picture_and_loads_it_with_an_address_of_their_own(cast: Cast, page: str) -> None:
    client, _ = joined(opened(cast))
    shown = client.get(f"/rate/{cast.slug}/{page}").content.decode()
    found = re.search(r'<img[^>]* src="([^"]+)" alt="([^"]+)"', shown)
    assert found is not None, shown
    assert found[2] == MediaFile.objects.get(study=cast.study, name="p1.png").alt
    assert "{file:" not in shown
    assert client.get(found[1]).status_code == 200
    assert Client().get(found[1]).status_code != 200


def test_the_grant_of_the_guide_loads_no_file_of_an_item(cast: Cast) -> None:
    client, _ = joined(opened(cast))
    other = MediaFile.objects.filter(study=cast.study).exclude(name="p1.png")[0]
    assert client.get(address(cast, Grant(other.pk, GUIDE, 2**40))).status_code == 404


def test_a_study_whose_example_shows_a_missing_file_does_not_open(cast: Cast) -> None:
    version = FormVersion.objects.get(form__study=cast.study)
    version.examples = [{**version.examples[0], "text": "{file:lost.png}"}]
    version.save()
    with pytest.raises(GroundworkError, match=r"lost\.png"):
        opened(cast)
