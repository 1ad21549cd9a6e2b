"""What no export of a study may hold unless it was asked for, each with words that nothing else has."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from annotation.models import (
    Criterion,
    DemographicAnswer,
    DemographicQuestion,
    Invitation,
    PlatformIdentity,
    Study,
    User,
)
from annotation.services.people.invitations import invite
from scoring.models import Judge, Judgement, Score, ScoreRun
from scoring.services.judges.running.endpoint_keys import set_key

PERSON, SESSION = "person-qvx-17", "session-qvx-17"
VALUE, WORDS = "4.4321", "because-zyx-says-so"
KEY = "own-key-of-this-study-4f7Q"
JUDGE, PEOPLE, SECRET = "judge", "people", "secret"


def add_secrets(study: Study) -> dict[str, list[str]]:
    """Store judgements, a key, and IDs and addresses of raters; by kind, the words that would betray them."""
    owner = study.memberships.select_related("user").get(role="owner").user
    invitation = study.invitations.filter(rater=None).first() or invite(study=study, actor=owner, label="all")
    set_key(study=study, actor=owner, key=KEY)
    _add_judge(study)
    rater, other = study.raters.filter(identity=None).order_by("user", "pk")[:2]
    if rater.user is None:
        rater.user = User.objects.create_user(f"qvx-{study.slug}@example.org")
        rater.save(update_fields=["user"])
    PlatformIdentity.objects.create(
        rater=other, study=study, invitation=invitation, platform="prolific", person=PERSON, session=SESSION
    )
    item = study.items.first()
    assert item is not None
    Score.objects.create(run=ScoreRun.objects.create(study=study, name="z"), item=item, metric="m", value=1)
    question, _ = DemographicQuestion.objects.get_or_create(study=study, key="age", defaults={"text": "Age?"})
    DemographicAnswer.objects.create(rater=other, question=question, value="31", answered_at=timezone.now())
    return {
        JUDGE: [VALUE, WORDS],
        PEOPLE: [PERSON, SESSION, rater.user.email],
        SECRET: [KEY, *_links(study)],
    }


def _add_judge(study: Study) -> None:
    judge = Judge.objects.create(study=study, name="Judge Zyx", way="file")
    scales = Criterion.objects.filter(version__form__study=study, kind="likert")
    Judgement.objects.bulk_create(
        Judgement(
            judge=judge,
            item=item,
            criterion=scale,
            value=float(VALUE),
            minimum=scale.minimum,
            maximum=scale.maximum,
            raw=WORDS,
            probabilities={WORDS: 1.0},
        )
        for item in study.items.all()
        for scale in scales
    )


def _links(study: Study) -> Iterator[str]:
    yield from (link.token for link in Invitation.objects.filter(study=study))
