"""A pilot with its main study: what tests about both say of them."""

from __future__ import annotations

from annotation.domain.base.platforms import Platform
from annotation.models import Invitation, PlatformIdentity, Rater, Study, User
from annotation.services.studies.pilots.pilot_pooling import pool_pilot

ITEMS = ["L00", "L01", "L02", "L03"]
WHY = "Nothing was changed after the pilot."


def again(study: Study) -> Study:
    return Study.objects.select_related("pilot").get(pk=study.pk)


def pooled(study: Study, owner: User, reason: str = WHY) -> Study:
    pool_pilot(study=study, reason=reason, actor=owner)
    return again(study)


def came_from_prolific(rater: Rater) -> None:
    link = Invitation.objects.create(study=rater.study, platform=Platform.PROLIFIC.value)
    PlatformIdentity.objects.create(
        rater=rater, study=rater.study, invitation=link, platform=Platform.PROLIFIC.value, person="p-1"
    )
