"""What no export of a study may hold unless it was asked for, each with words that nothing else has."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from annotation.models import PlatformIdentity, Rater, Study
from scoring.models import Judgement
from scoring.services.judges.running.endpoint_keys import set_key
from tests.services.judges.judged_study import add_judge
from tests.support.people import Cast

PERSON, SESSION = "person-qvx-17", "session-qvx-17"
VALUE, WORDS = "4.4321", "because-zyx-says-so"
KEY = "own-key-of-this-study-4f7Q"
JUDGE, PEOPLE, SECRET = "judge", "people", "secret"


def add_secrets(cast: Cast) -> dict[str, list[str]]:
    """Store judgements, a key, and IDs and addresses of raters; by kind, the words that would betray them."""
    study = Study.objects.get(pk=cast.study.pk)
    settings.JUDGE_ADDRESS = "https://models.example.org/v1"
    set_key(study=study, actor=cast.users["owner"], key=KEY)
    judge = add_judge(study, "Judge Zyx", value=float(VALUE))
    Judgement.objects.filter(judge=judge).update(raw=WORDS, probabilities={WORDS: 1.0})
    rater = study.raters.exclude(user=None).select_related("user").first()
    assert rater is not None
    assert rater.user is not None
    other = study.raters.filter(identity=None).exclude(pk=rater.pk).first() or rater
    PlatformIdentity.objects.create(
        rater=other,
        study=study,
        invitation=cast.invitation,
        platform="prolific",
        person=PERSON,
        session=SESSION,
    )
    return {
        JUDGE: [VALUE, WORDS],
        PEOPLE: [PERSON, SESSION, rater.user.email],
        SECRET: [KEY, *_links(study), cast.invitation.token],
    }


def _links(study: Study) -> Iterator[str]:
    for rater in Rater.objects.filter(study=study).exclude(invitation=None).select_related("invitation"):
        if rater.invitation is not None:
            yield rater.invitation.token
