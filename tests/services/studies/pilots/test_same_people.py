"""Who rates in a pilot and in its main study stays known after their platform IDs and accounts are erased."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.base.states import StudyState
from annotation.models import FormVersion, Item, PilotMatch, PlatformIdentity, Rater, Study
from annotation.selectors.questions.long_table import long_ratings
from annotation.selectors.questions.pilots.pilot_answers import fits_nothing
from annotation.selectors.rating.personal_data import personal_data
from annotation.services.people.invitations import invite
from annotation.services.people.retention import erase_expired, set_retention
from annotation.services.rating.enrolment import consent
from annotation.services.rating.erasure import erase_rater
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.pilots.main_study import set_pilot_raters
from annotation.services.studies.pilots.pilot_pooling import separate_pilot
from tests.services.studies.pilots.two_studies import WHY, again, came_from_prolific, pooled
from tests.support.people import Cast

pytestmark = pytest.mark.django_db


def forget(study: Study, cast: Cast) -> None:
    """The study ends, and the period of its platform IDs and accounts is over."""
    set_retention(study=study, actor=cast.users["owner"], periods={"keep_ids_days": 0})
    change_state(study=study, to=StudyState.CLOSED, actor=None)
    erase_expired(study=study, now=timezone.now() + timedelta(days=1))


def raters_of(main: Study) -> set[str]:
    return {row["rater"] for row in long_ratings(again(main))}


@pytest.mark.parametrize("by", ["platform", "account"])
@pytest.mark.parametrize("first", ["pilot", "main"])
def test_ids_that_are_erased_after_the_decision_leave_the_match(cast, main, by, first):
    people = [study.raters.get(code="R-11") for study in (cast.study, main)]
    if by == "platform":
        for one in people:
            came_from_prolific(one)
    else:
        Rater.objects.filter(pk__in=[one.pk for one in people]).update(user=cast.users["stranger"])
    main = pooled(main, cast.users["owner"])
    before = list(long_ratings(main))
    for study in [cast.study, main] if first == "pilot" else [main, cast.study]:
        forget(study, cast)
    assert not PlatformIdentity.objects.filter(erased_at=None).exists()
    assert not Rater.objects.filter(user__isnull=False).exists()
    assert list(long_ratings(again(main))) == before
    assert raters_of(main) == {"R-11", "R-22", f"{cast.slug}:R-12"}


def test_ids_that_were_given_after_the_decision_leave_the_match_too(cast, main):
    pooled(main, cast.users["owner"])
    for study in (cast.study, main):
        came_from_prolific(study.raters.get(code="R-11"))
    for study in (cast.study, main):
        forget(again(study), cast)
    assert raters_of(main) == {"R-11", "R-22", f"{cast.slug}:R-12"}


@pytest.mark.parametrize("erased", ["pilot", "main"])
def test_an_id_that_one_study_erased_before_the_decision_is_recognised(cast, main, erased):
    for study in (cast.study, main):
        came_from_prolific(study.raters.get(code="R-11"))
    forget(cast.study if erased == "pilot" else main, cast)
    pooled(again(main), cast.users["owner"])
    assert raters_of(main) == {"R-11", "R-22", f"{cast.slug}:R-12"}


def test_a_rater_of_the_pilot_who_joins_after_it_forgot_them_is_recognised(cast, main):
    owner = cast.users["owner"]
    came_from_prolific(cast.study.raters.get(code="R-11"))
    main = pooled(main, owner)
    set_pilot_raters(study=main, refused=False, actor=owner)
    forget(cast.study, cast)
    link = invite(study=main, actor=owner, platform=Platform.PROLIFIC)
    joined = consent(invitation=link, entry=Entry(Platform.PROLIFIC, "p-1", "t", "s"))
    match = PilotMatch.objects.get()
    assert (match.rater.code, match.main_rater) == ("R-11", joined)


def test_a_match_is_in_the_file_of_the_rater_and_goes_with_their_data_or_the_decision(cast, main):
    owner = cast.users["owner"]
    people: list[Any] = [study.raters.get(code="R-11") for study in (cast.study, main)]
    for one in people:
        came_from_prolific(one)
    main = pooled(main, owner)
    files = [personal_data(one, with_review=False)["also_in"] for one in people]
    assert files == [[{"study": "main", "rater": "R-11"}], [{"study": cast.slug, "rater": "R-11"}]]
    separate_pilot(study=main, reason=WHY, actor=owner)
    assert not PilotMatch.objects.exists()
    pooled(main, owner)
    assert PilotMatch.objects.count() == 1
    erase_rater(rater=people[0], actor=owner)
    assert not PilotMatch.objects.exists()


def test_studies_that_are_not_pooled_store_nothing_about_people_of_both(cast, main):
    for study in (cast.study, main):
        came_from_prolific(study.raters.get(code="R-11"))
        forget(study, cast)
    assert not PilotMatch.objects.exists()


def queries(study: Study) -> tuple[int, int]:
    """How many queries say whether a response fits, and how many of them read the texts of all items."""
    with CaptureQueriesContext(connection) as captured:
        assert not fits_nothing(study)
    texts = [one["sql"] for one in captured if '"fields"' in one["sql"]]
    return len(captured), sum("LIMIT" not in sql and " IN (" not in sql for sql in texts)


def test_the_overview_compares_a_few_items_however_many_there_are(cast, main):
    main = pooled(main, cast.users["owner"])
    few = queries(main)
    more = [Item(key=f"M{n:03}", fields={"text": f"{n}"}) for n in range(200)]
    for study in (cast.study, main):
        Item.objects.bulk_create(Item(study=study, key=one.key, fields=one.fields) for one in more)
    assert queries(again(main)) == few
    assert few[1] == 0
    FormVersion.objects.filter(form__study=main).update(question="Another one?")
    assert fits_nothing(again(main))
