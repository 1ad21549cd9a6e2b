"""The demo study: Groundwork's own sentences, rated by seven simulated raters, one of them careless."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils import timezone

from annotation.domain.adjudication.differences import Rule
from annotation.domain.base.states import JobState, RaterState, Role, StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Assignment, Invitation, Rater, Response, Study, User
from annotation.protocols.hauser import HAUSER
from annotation.selectors.people.site_accounts import able_accounts
from annotation.selectors.studies.demo_study import OWNER, SLUG, public_demo
from annotation.services.adjudication.assignments import assign_cases
from annotation.services.adjudication.case_selection import read_search, send_disputed
from annotation.services.adjudication.decisions import comment
from annotation.services.base.jobs import enqueue
from annotation.services.people.contact import set_contact
from annotation.services.people.invitations import invite
from annotation.services.people.members import add_member
from annotation.services.people.site_accounts import set_site_administrator
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from annotation.services.studies.demo_studies import add_demo_items
from annotation.services.studies.lifecycle import change_state, create_from_template

SEED = 11
PASSWORD = "groundwork-demo"  # noqa: S105
PEOPLE = {
    Role.OWNER: (OWNER, "Ines Duarte"),
    Role.ADMIN: ("admin@example.org", "Adam Okafor"),
    Role.RESEARCHER: ("researcher@example.org", "Rui Tanaka"),
    Role.ADJUDICATOR: ("adjudicator@example.org", "Noor Haddad"),
    Role.VIEWER: ("viewer@example.org", "Pavel Lind"),
}
# No member of the study: a site administrator has no rights in studies.
SITE_ADMINISTRATOR = ("site@example.org", "Jonas Weil")
DEMO_EMAILS = tuple(email for email, _ in (*PEOPLE.values(), SITE_ADMINISTRATOR))
OVERLAP = 10
# As `scoring.services.similes.score_settings` reads them; the weights are the best of HAUSER's Table 5.
SCORES = {
    "profile": "embedded",
    "base": "demo",
    "weights": {"relevance": 3 / 6, "logic": 2 / 6, "sentiment": 1 / 6},
    "extractor": "built-in",
    "metrics": [],
    "reference_set": "group",
}
# Kinds of jobs with their settings: the quick ones first.
RESULTS: Mapping[str, dict[str, Any]] = {
    "item_figures": {},
    "reliability": {},
    "score": SCORES,
    "mixed_model": {},
}
# What compares the scores with the ratings, and so waits for them.
OF_SCORES: Mapping[str, dict[str, Any]] = {"metrics": {"without": [], "replicates": 2000}}
# What the adjudicator of the demo has to decide.
DISPUTED = {"criterion": "quality", "rule": Rule.SPREAD, "bound": 3}
COMMENT = "Does the comparison fit the sentence, or only its mood?"
ANSWERS_PER_RATER = (27, 27, 27, 27, 26, 26)
# The careless rater, who gives one value throughout: what *Needs attention* and *Quality* are for.
CARELESS_ANSWERS = 20
CARELESS_VALUE = "4"
QUALITY_OF_SYSTEM = {"anna": 4.2, "bruno": 3.9, "chen": 3.7, "template": 3.3, "shuffled": 1.6}
CREATIVITY_OF_SYSTEM = {"anna": 4.1, "bruno": 4.0, "chen": 4.2, "template": 1.5, "shuffled": 2.6}
DETAIL_OF_SYSTEM = {"anna": 4.0, "bruno": 3.8, "chen": 4.0, "template": 1.8, "shuffled": 2.0}


@dataclass(frozen=True)
class DemoAccess:
    """The addresses and passwords of the demo."""

    study_slug: str
    owner_email: str
    researcher_email: str
    admin_email: str
    adjudicator_email: str
    viewer_email: str
    site_admin_email: str
    # By email address; empty if the owner has changed it. Accounts that cannot sign in are left out.
    passwords: Mapping[str, str]
    # Empty if all links were revoked
    invitation_token: str


def ensure_demo() -> DemoAccess:
    """Create the demo study with its accounts if it is missing.

    An existing study is not changed: deleted accounts and revoked links are not created again.
    """
    with transaction.atomic():
        study = Study.objects.filter(slug=SLUG).first() or _make_demo()
    open_links = Invitation.objects.filter(study=study, rater=None, revoked_at=None)
    newest = open_links.order_by("-pk").first()
    # The accounts share one hash until one gets another password: it is checked once, not for each.
    is_public = cache(partial(check_password, PASSWORD))
    return DemoAccess(
        study_slug=SLUG,
        owner_email=PEOPLE[Role.OWNER][0],
        researcher_email=PEOPLE[Role.RESEARCHER][0],
        admin_email=PEOPLE[Role.ADMIN][0],
        adjudicator_email=PEOPLE[Role.ADJUDICATOR][0],
        viewer_email=PEOPLE[Role.VIEWER][0],
        site_admin_email=SITE_ADMINISTRATOR[0],
        passwords={
            user.email: PASSWORD if is_public(user.password) else ""
            for user in able_accounts().filter(email__in=DEMO_EMAILS).order_by("pk")
        },
        invitation_token="" if newest is None else newest.token,
    )


def set_demo_passwords(passwords: Mapping[str, str]) -> dict[str, str]:
    """Replace the public password of the demo accounts; a password that its owner chose is retained.

    Parameters
    ----------
    passwords : mapping of str to str
        By email address.

    Returns
    -------
    dict of str to str
        The valid password by email address; empty for an account with another password. Accounts that
        cannot sign in are left out.
    """
    let_in = {}
    with transaction.atomic():
        for user in User.objects.filter(email__in=passwords).select_for_update().order_by("pk"):
            own = passwords[user.email]
            if user.check_password(PASSWORD):
                user.set_password(own)
                user.save(update_fields=["password"])
            if user.is_active and user.has_usable_password():
                let_in[user.email] = own if user.check_password(own) else ""
    return let_in


def ensure_demo_results() -> None:
    """Ask the workers, once, for what the result pages of the demo study show.

    Scores are computed with the models that come with the project.
    """
    study = public_demo()
    if study is not None:
        _request_once(study, RESULTS)


def request_results_of_demo_scores() -> None:
    """Ask the workers, once, for what compares the scores of the demo study with its ratings.

    Nothing is asked for before the scores that `ensure_demo_results` requested are computed.
    """
    study = public_demo()
    if study is None:
        return
    if study.jobs.filter(kind="score", created_by=None, state=JobState.DONE).exists():
        _request_once(study, OF_SCORES)


def _request_once(study: Study, results: Mapping[str, dict[str, Any]]) -> None:
    asked = set(study.jobs.values_list("kind", flat=True))
    for kind, params in results.items():
        if kind not in asked:
            enqueue(kind=kind, study=study, params=params, created_by=None)


def _make_demo() -> Study:
    hashed = make_password(PASSWORD)
    if not User.objects.filter(email=SITE_ADMINISTRATOR[0]).exists():
        administrator = _user(*SITE_ADMINISTRATOR, hashed)
        set_site_administrator(user=administrator, is_administrator=True, actor=None)
    return _make_study({role: _user(*person, hashed) for role, person in PEOPLE.items()})


def _make_study(users: Mapping[Role, User]) -> Study:
    owner = users[Role.OWNER]
    study = create_from_template(
        template=HAUSER,
        overlap=OVERLAP,
        slug=SLUG,
        title="Everyday similes",
        owner=owner,
        description="Forty similes for eight literal sentences, rated on three criteria.",
        simulated=True,
        seed=SEED,
    )
    for role, user in users.items():
        if role is not Role.OWNER:
            add_member(study=study, user=user, role=role, actor=owner)
    set_contact(study=study, actor=users[Role.ADMIN], contact=PEOPLE[Role.ADMIN][0])
    add_demo_items(study=study, template=HAUSER)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    opened = timezone.now() - timedelta(days=9)
    Study.objects.filter(pk=study.pk).update(opened_at=opened)
    study.items.update(added_at=opened)
    invitation = invite(study=study, actor=owner, label="Everybody")
    draw = random.Random(SEED)
    _simulate(invitation, draw)
    _find_cases(study, admin=users[Role.ADMIN], adjudicator=users[Role.ADJUDICATOR])
    _simulate_careless(invitation, draw)
    return study


def _user(email: str, name: str, hashed: str) -> User:
    found = User.objects.filter(email=email).first()
    return found or User.objects.create(email=email, password=hashed, name=name)


def _find_cases(study: Study, *, admin: User, adjudicator: User) -> None:
    """Send items with a large disagreement to adjudication, and assign all but the last of them."""
    search = read_search(study, {"form": study.forms.get().key, **DISPUTED})
    send_disputed(study=study, search=search, actor=admin)
    cases = list(study.cases.order_by("position", "pk"))
    assign_cases(study=study, cases=[one.pk for one in cases[:-1]], adjudicator=adjudicator, actor=admin)
    comment(case=cases[0], text=COMMENT, actor=admin)


def _simulate(invitation: Invitation, draw: random.Random) -> None:
    """Simulate six raters, each with a severity, through the services that people use."""
    for place, count in enumerate(ANSWERS_PER_RATER):
        severity, now = draw.gauss(0, 0.35), timezone.now() - timedelta(days=draw.uniform(2, 8))
        rater = _join(invitation, place, pages=count, at=now)
        for number in range(count):
            assignment = next_assignment(rater=rater)
            response = _answer(assignment, draw, severity, correction=number == 3 and count == 26)
            seconds = draw.lognormvariate(3.0, 0.4)
            now += timedelta(seconds=seconds + draw.uniform(1, 5))
            _backdate(assignment, response, now, seconds=seconds)
        _finish(rater, at=now)


def _simulate_careless(invitation: Invitation, draw: random.Random) -> None:
    """Simulate a rater who answers within seconds, always with the same value."""
    now = timezone.now() - timedelta(days=1)
    rater = _join(invitation, len(ANSWERS_PER_RATER), pages=CARELESS_ANSWERS, at=now)
    for _ in range(CARELESS_ANSWERS):
        assignment = next_assignment(rater=rater)
        answers = dict.fromkeys(("quality", "creativity", "informativeness"), CARELESS_VALUE)
        response = _send(assignment, answers, draw)
        seconds = draw.lognormvariate(0.8, 0.3)
        now += timedelta(seconds=seconds + draw.uniform(0.5, 1.5))
        _backdate(assignment, response, now, seconds=seconds)
    _finish(rater, at=now)


def _join(invitation: Invitation, place: int, *, pages: int, at: datetime) -> Rater:
    rater = consent(invitation=invitation)
    # Drawn, so that every demo has the same ratings; the seed of a person is secret.
    rater.seed = random.Random(f"{SEED}/rater/{place}").randrange(2**31)
    Rater.objects.filter(pk=rater.pk).update(
        simulated=True, seed=rater.seed, target=pages, consented_at=at, created_at=at
    )
    return rater


def _finish(rater: Rater, *, at: datetime) -> None:
    Rater.objects.filter(pk=rater.pk).update(state=RaterState.FINISHED, finished_at=at, last_seen_at=at)


def _answer(assignment: Assignment, draw: random.Random, severity: float, *, correction: bool) -> Response:
    if draw.random() < 0.03:
        remark = "Who is speaking here?" if draw.random() < 0.5 else ""
        return _send(assignment, {}, draw, cannot_rate="lacks_context", remark=remark)
    system = assignment.item.system
    bent = random.Random(f"{SEED}/{assignment.item.key}").gauss(0, 0.5)
    answers = {
        "quality": _point(QUALITY_OF_SYSTEM[system] + bent - severity, draw),
        "creativity": _point(CREATIVITY_OF_SYSTEM[system] - bent / 2 - severity, draw),
        "informativeness": _point(DETAIL_OF_SYSTEM[system] + bent / 3 - severity, draw),
    }
    response = _send(assignment, answers, draw)
    if correction:
        changed = {**answers, "creativity": str(6 - int(answers["creativity"]) or 1)}
        response = _send(assignment, changed, draw)
    return response


def _point(mean: float, draw: random.Random) -> str:
    return str(min(5, max(1, round(draw.gauss(mean, 0.75)))))


def _send(
    assignment: Assignment,
    answers: dict[str, str],
    draw: random.Random,
    *,
    cannot_rate: str = "",
    remark: str = "",
) -> Response:
    page_key = uuid.UUID(int=draw.getrandbits(128), version=4)
    submission = Submission(page_key=page_key, answers=answers, cannot_rate=cannot_rate, remark=remark)
    return submit(assignment=assignment, version=assignment.version, submission=submission).response


def _backdate(assignment: Assignment, response: Response, when: datetime, *, seconds: float) -> None:
    """Spread the simulated session over the past days; only simulated rows are ever backdated."""
    shown = when - timedelta(seconds=seconds)
    Assignment.objects.filter(pk=assignment.pk).update(opened_at=shown, submitted_at=when)
    responses = Response.objects.filter(assignment=assignment)
    responses.update(shown_at=shown, submitted_at=when, seconds=round(seconds, 1))
    response.refresh_from_db()
