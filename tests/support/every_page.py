"""Every page of a study, of its raters and of the site, with who asks for it: in a study of any size."""

from __future__ import annotations

import tomllib
import uuid
from pathlib import Path

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.domain.base.platforms import Platform
from annotation.domain.questions.answers import Submission
from annotation.models import (
    Assignment,
    BackgroundPage,
    CalibrationItem,
    ImportFile,
    Invitation,
    Item,
    Qualification,
    Rater,
    Study,
)
from annotation.services.people.messages.letters import links_of
from annotation.services.quality.qualification_progress import read_page
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from scoring.models import Score, ScoreRun
from tests.services.judges.judged_study import chat_judge
from tests.support.outside.rater_mail import message_to
from tests.support.people import Cast, make_cast
from tests.support.studies.adjudication_study import decide_all
from tests.support.studies.disagreement_study import figures_of
from tests.support.studies.pay import made, on_platform, pay
from tests.support.studies.reports import make_report
from tests.support.studies.simile_study import score

BUDGETS: dict[str, int] = tomllib.loads(
    (Path(__file__).parents[1] / "query_budgets" / "pages.toml").read_text(encoding="utf-8")
)


def rate(rater: Rater, number: int) -> int:
    """Answer so many items; returns the last assignment."""
    for _ in range(number):
        page = next_assignment(rater=rater)
        submission = Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "4"})
        submit(assignment=page, version=page.version, submission=submission)
    return page.pk


def calibrate(cast: Cast, items: int, raters: int) -> Assignment:
    """Calibration items, and raters whose answers wait; an answer of the last one."""
    study, form = cast.study, cast.study.forms.get()
    qualification = Qualification.objects.create(study=study, rule="hand", notes_released_at=timezone.now())
    BackgroundPage.objects.create(qualification=qualification, title="Similes", text="Two things.")
    for number in range(items):
        item = Item.everything.create(study=study, key=f"calibration:{number}", planted=True)
        CalibrationItem.objects.create(
            qualification=qualification, item=item, form=form, reference={"quality": 3}
        )
    # What a study has besides its items is fixed when it opens.
    Study.objects.filter(pk=study.pk).update(opened_at=timezone.now())
    for _ in range(raters):
        waiting = consent(invitation=cast.invitation)
        read_page(rater=waiting, number=1)
        rate(waiting, items)
    return waiting.assignments.latest("pk")


def lists(member: Client, part: Client, slug: str, code: str) -> dict[str, tuple[Client, str]]:
    """The lists of a study searched and sorted, and the parts that pages ask for when they are shown."""
    study, raters, items, disagreement, cases = (
        reverse(name, args=[slug])
        for name in ("study", "study-raters", "study-items", "study-disagreement", "study-adjudication")
    )
    return {
        "study-counts": (part, f"{study}?counts"),
        "study-raters-to-review": (part, study),
        "study-items-found": (member, f"{items}?q=L0"),
        "study-raters-found": (member, f"{raters}?q=R-0&state=active&sort=held_out"),
        "study-raters-by-responses": (member, f"{raters}?sort=-done"),
        "study-raters-by-time": (member, f"{raters}?sort=-seconds"),
        "study-raters-flags": (part, f"{raters}?flags=1"),
        "study-rater-panel": (part, reverse("study-rater", args=[slug, code]) + "?panel=1"),
        "study-disagreement-found": (member, f"{disagreement}?q=L0&where=quality.n>=1&sort=-quality.sd"),
        "study-adjudication-found": (member, f"{cases}?q=L0&state=all"),
    }


def asks(slug: str, items: int, raters: int) -> dict[str, tuple[Client, str]]:
    """Page → who asks for which path, in a study of that size."""
    cast: Cast = make_cast(slug=slug, items=items, overlap=raters + 2)
    run = ScoreRun.objects.create(study=cast.study, name="one")
    Score.objects.bulk_create(
        Score(run=run, item=item, metric="length", value=1.0) for item in cast.study.items.all()
    )
    score(cast.study)
    judge = chat_judge(cast.study)
    for _ in range(raters):
        rater = consent(invitation=cast.invitation)
        answered = rate(rater, items - 1)
    _, job = make_report(cast.study)
    calibrated = calibrate(cast, items, raters)
    figures_of(cast.study)
    case = decide_all(cast.study, cast.users["owner"], [item.key for item in cast.study.items.all()])
    pay(cast)
    made(cast)
    on_platform(cast)
    on_platform(cast, Platform.MTURK)
    file = ImportFile.objects.create(study=cast.study, what="scores", name="scores.csv", columns=["item"])
    member, browser, waiting, site = Client(), Client(), Client(), Client()
    site.force_login(cast.users["superuser"])
    account = cast.users["owner"].pk
    waiting.get(reverse("join", args=[Invitation.objects.get(rater=calibrated.rater).token]))
    member.force_login(cast.users["owner"])
    browser.get(reverse("join", args=[Invitation.objects.get(rater=rater).token]))
    message = message_to(cast)
    part = Client(headers={"HX-Request": "true"})
    part.force_login(cast.users["owner"])
    paths = {
        **lists(member, part, slug, rater.code),
        "home": (member, reverse("home")),
        "help": (member, reverse("help")),
        "help-page": (member, reverse("help-page", args=["statistics/icc"])),
        "join": (Client(), reverse("join", args=[cast.invitation.token])),
        "rate": (browser, reverse("rate", args=[slug])),
        "rate-assignment": (browser, reverse("rate-assignment", args=[slug, answered])),
        "rate-background": (waiting, reverse("rate-background", args=[slug, 1])),
        "rate-feedback": (waiting, reverse("rate-feedback", args=[slug, calibrated.pk])),
        "rate-qualification": (waiting, reverse("rate-qualification", args=[slug])),
        "rate-notes": (waiting, reverse("rate-notes", args=[slug])),
        "study-item": (member, reverse("study-item", args=[slug, "L00"])),
        "study-payment-list": (member, reverse("study-payment-list", args=[slug, 1])),
        "study-payment-results": (member, reverse("study-payment-results", args=[slug, 1])),
        "study-describe-item": (member, reverse("study-describe-item", args=[slug, "L00"])),
        "study-case": (member, reverse("study-case", args=[slug, case])),
        "study-score-item": (member, reverse("study-score-item", args=[slug, "L00"])),
        "study-judge": (member, reverse("study-judge", args=[slug, judge.pk])),
        "study-scores-file": (member, reverse("study-scores-file", args=[slug, file.pk])),
        "study-rater": (member, reverse("study-rater", args=[slug, rater.code])),
        "study-message": (member, reverse("study-message", args=[slug, message.number])),
        "study-message-new": (member, reverse("study-message-new", args=[slug]) + f"?rater={rater.code}"),
        "stop-messages": (Client(), links_of(rater, "").stop),
        "study-rater-data": (member, reverse("study-rater-data", args=[slug, rater.code])),
        "job": (member, reverse("job", args=[job])),
        "site-accounts": (site, reverse("site-accounts")),
        "site-account": (site, reverse("site-account", args=[account])),
        "site-account-delete": (site, reverse("site-account-delete", args=[account])),
        "site-log": (site, reverse("site-log")),
        "tokens": (member, reverse("tokens")),
        "site-system": (site, reverse("site-system")),
        "replications": (member, reverse("replications")),
        "replication": (member, reverse("replication", args=["hauser"])),
    }
    rest = {name: (member, reverse(name, args=[slug])) for name in BUDGETS if name not in paths}
    return paths | rest
