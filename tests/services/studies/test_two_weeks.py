"""Two weeks of a study, through HTTP: pilot, correction, more items, careless raters, cases and pay."""

from __future__ import annotations

import csv
import io
import re
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.domain.base.platforms import Platform
from annotation.io.pay.prolific import Prolific
from annotation.models import Exclusion, Job, Rater, Response, Study, User
from annotation.services.base.jobs import claim
from annotation.services.base.tokens import sign_in_token
from annotation.services.pay.crowd.bonuses import payable_on
from annotation.services.pay.sending import run_sending
from annotation.tasks import run_job
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import unpacked
from tests.support.outside.prolific_server import TOKEN, ProlificServer, prolific_server
from tests.support.people import invited
from tests.support.studies.pay import states

pytestmark = pytest.mark.django_db
API = "/api/v1/studies/"
SYSTEMS = ("human", "model")
CRITERIA = ("quality", "creativity", "informativeness")
PLACES = 12
CARELESS = ("line", "fast", "against")


@pytest.fixture
def people() -> dict[str, User]:
    roles = ("owner", "admin", "adjudicator")
    return {who: User.objects.create_user(f"{who}@example.org", "simile-and-metaphor-42") for who in roles}


@pytest.fixture
def service(settings: Any) -> Iterator[ProlificServer]:
    with prolific_server() as running:
        settings.PROLIFIC_ADDRESS, settings.WEBHOOKS_PRIVATE = running.address, True
        yield running


class Team:
    """What the members of one study send to it."""

    def __init__(self, slug: str, people: dict[str, User]) -> None:
        self.slug, self.people = slug, people

    @property
    def study(self) -> Study:
        return Study.objects.get(slug=self.slug)

    def api(self, who: str) -> APIClient:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {sign_in_token(user=self.people[who])[1]}")
        return client

    def post(self, who: str, path: str, body: dict[str, Any]) -> Any:
        answer = self.api(who).post(f"{API}{self.slug}/{path}", body, format="json")
        assert answer.status_code < 300, (path, answer.status_code, answer.content)
        return answer.json()

    def put(self, who: str, path: str, body: dict[str, Any]) -> None:
        answer = self.api(who).put(f"{API}{self.slug}/{path}", body, format="json")
        assert answer.status_code < 300, (path, answer.status_code, answer.content)

    def page(self, who: str, path: str = "", **sent: str) -> str:
        client = Client()
        client.force_login(self.people[who])
        address = f"/studies/{self.slug}/{path}"
        answer = client.post(address, sent, follow=True) if sent else client.get(address)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.content.decode()

    def add_items(self, numbers: range) -> None:
        rows = [f"S{n:02d},G{n // 2:02d},{SYSTEMS[n % 2]},It shone.,It shone like lamp {n}." for n in numbers]
        content = "\n".join(["item,group,system,literal,simile", *rows]).encode()
        file = SimpleUploadedFile("items.csv", content)
        answer = self.api("owner").post(f"{API}{self.slug}/items/", {"file": file})
        assert answer.json() == {"stored": len(rows)}

    def link(self) -> str:
        link = {"label": "crowd", "platform": "prolific", "completion_code": "DONE1"}
        return str(self.post("admin", "invitations/", link)["token"])


def work_off() -> None:
    """Run the jobs that wait, as a worker would."""
    for job in Job.objects.filter(state="queued").order_by("pk"):
        run_job(job.pk)


def value_of(kind: str, item: int, criterion: int, rater: int) -> int:
    """Careful raters follow the item; `line` always gives 3, `against` the opposite of what is there."""
    value = 1 + (item * 7 + criterion) % 5
    if kind == "careful" and (item + rater) % 6 == 0:
        value = max(1, value - 1)
    return {"line": 3, "against": 6 - value}.get(kind, value)


def joins(team: Team, link: str) -> tuple[str, APIClient] | None:
    """A person that Prolific sends agrees to take part; None where no one else is admitted."""
    person, browser = f"p{uuid.uuid4().hex}", Client()
    address = f"/join/{link}/?PROLIFIC_PID={person}&STUDY_ID=study0&SESSION_ID=s-{person}"
    shown = browser.get(address)
    if shown.status_code == 409:
        return None
    assert browser.post(address, {"join_key": shown.context["join_key"]}).status_code == 302
    rater = Rater.objects.get(study=team.study, identity__person=person)
    return rater.code, invited(team.study.invitations.get(rater=rater).token)


def rates(team: Team, link: str, kind: str = "careful", most: int = PLACES) -> str:
    """A person joins and rates; the code of the rater, empty where no one else is admitted."""
    joined = joins(team, link)
    if joined is None:
        return ""
    code, client = joined
    address = f"/api/v1/rate/{team.slug}/next/"
    for _ in range(most):
        page = client.get(address)
        if page.status_code == 409:
            break
        task = page.json()
        number = int(re.findall(r"lamp (\d+)", " ".join(one["text"] for one in task["blocks"]))[0])
        answers = {name: value_of(kind, number, at, int(code[2:])) for at, name in enumerate(CRITERIA)}
        shown = {name: task[name] for name in ("assignment", "page_key")}
        sent = {**shown, "version": task["form"]["version"], "answers": answers}
        stored = client.post(address, sent, format="json")
        assert stored.status_code < 300, stored.content
    own = Response.objects.filter(assignment__rater__code=code, assignment__rater__study=team.study)
    took, now = 1.0 if kind == "fast" else 20.0, timezone.now()
    for left, answered in enumerate(own.order_by("-assignment__position")):
        at = now - timedelta(seconds=left * took)
        own.filter(pk=answered.pk).update(seconds=took, active_seconds=took, shown_at=None, submitted_at=at)
    return code


def days_pass(number: int) -> None:
    Response.objects.update(submitted_at=F("submitted_at") - timedelta(days=number))


def included(team: Team) -> Counter[str]:
    """Responses per item that statistics use, from the file that a researcher downloads."""
    answer = team.api("owner").get(f"{API}{team.slug}/exports/", {"what": "ratings", "format": "csv"})
    rows = csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig")))
    counted = [
        row for row in rows if row["criterion"] == CRITERIA[0] and row["excluded"] in {"", "false", "0"}
    ]
    return Counter(row["item"] for row in counted)


def needs_a_look(page: str) -> set[str]:
    """Codes of the raters that the overview asks researchers to look at."""
    part = page[page.index("Needs attention") :]
    return set(re.findall(r"/raters/(R-\d+)/", part[: part.index("These thresholds")]))


def pilot(people: dict[str, User]) -> Team:
    team = Team("pilot", people)
    body = {"slug": "pilot", "title": "Pilot", "protocol": "hauser", "overlap": 3}
    assert team.api("owner").post(API, body, format="json").status_code == 201
    for role in ("admin", "adjudicator"):
        team.put("owner", "members/", {"email": people[role].email, "role": role})
    team.add_items(range(6))
    team.api("owner").patch(
        f"{API}pilot/", {"consent": "Your ratings are stored under a code."}, format="json"
    )
    team.post("owner", "state/", {"state": "open"})
    link = team.link()
    for _ in range(2):
        rates(team, link, "careful", 6)
    team.post("owner", "state/", {"state": "closed"})
    return team


def main_study(first: Team, people: dict[str, User]) -> Team:
    first.post("owner", "main-study/", {"slug": "main", "title": "Main study", "items": "active"})
    team = Team("main", people)
    # Which raters share which items decides how far a careful rater agrees with the others.
    Study.objects.filter(slug="main").update(seed=20)
    for role in ("admin", "adjudicator"):
        if not team.study.memberships.filter(user=people[role]).exists():
            team.put("owner", "members/", {"email": people[role].email, "role": role})
    team.add_items(range(6, 24))
    # Twelve pages of 20 seconds are paid below the minimum, so that each rater is due a top-up.
    team.put("owner", "pay/", {"currency": "GBP", "paid_for": "page", "amount": "0.05", "floor": "12.00"})
    team.post("owner", "state/", {"state": "open"})
    return team


def finish(team: Team, link: str) -> None:
    """New raters come until no one else is admitted."""
    for _ in range(60):
        if not rates(team, link):
            return
    raise AssertionError("The study never has all its responses.")


def exclude(team: Team, code: str) -> None:
    team.page("admin", f"raters/{code}/exclude/", act="exclude", reason="Careless, see the evidence.")
    exclusion = Exclusion.objects.get(rater__code=code, study=team.study, lift__isnull=True)
    page = team.page("admin", f"exclusions/{exclusion.pk}/replacement/", send="1")
    assert "requested" in page


def adjudicate(team: Team) -> int:
    """Cases of the items on which raters differ most, decided by an adjudicator; how many."""
    disputed = sorted(included(team))[:3]
    team.post("admin", "adjudication/", {"items": disputed})
    cases = team.api("admin").get(f"{API}{team.slug}/adjudication/").json()["results"]
    own = {"cases": [one["id"] for one in cases], "adjudicator": team.people["adjudicator"].email}
    team.post("admin", "adjudication/assignments/", own)
    for one in cases:
        case = team.api("adjudicator").get(f"{API}{team.slug}/adjudication/{one['id']}/").json()
        decision = {"page_key": str(uuid.uuid4()), "seen_revision": 0}
        decision["choose"] = case["annotations"][0]["annotation"]
        team.post("adjudicator", f"adjudication/{one['id']}/decision/", decision)
    return len(cases)


class Killed(BaseException):
    """The end of a worker, which no handler of the job sees."""


def connect(team: Team, service: ProlificServer) -> None:
    """The study is connected with Prolific and drafted there, and everybody has a submission."""
    team.put("owner", "prolific/connection/", {"token": TOKEN})
    work_off()
    draft = {"title": "Similes", "description": "Rate.", "places": 40, "reward": 60, "minutes": 5}
    crowd = team.study.invitations.filter(platform="prolific").latest("pk")
    team.post("owner", "prolific/drafts/", {**draft, "invitation": crowd.pk})
    work_off()
    for person in team.study.raters.values_list("identity__person", flat=True):
        service.add_submission(person)


def pay_once(team: Team, monkeypatch: pytest.MonkeyPatch) -> int:
    """Pay what is due with a worker that dies in the call, and with the one after it; how many payments."""
    listed = team.post("owner", "pay/lists/", {})
    number = listed["number"]
    team.post("owner", f"pay/lists/{number}/", {"approve": listed["amount"]})
    payable = payable_on(team.study.payment_lists.get(number=number), Platform.PROLIFIC)
    assert payable is not None
    seen = {"payments": payable.payments, "amount": str(payable.total)}
    path = f"pay/lists/{number}/sending/"
    job = team.post("owner", path, {"payer": "prolific", **seen})["job"]
    whole = Prolific.pay_bonuses

    def dies(self: Prolific, batch: str, **given: Any) -> None:
        whole(self, batch, **given)
        raise Killed

    monkeypatch.setattr(Prolific, "pay_bonuses", dies)
    lease = claim(job_id=job)
    assert lease is not None
    with pytest.raises(Killed):
        run_sending(lease=lease)
    monkeypatch.setattr(Prolific, "pay_bonuses", whole)
    Job.objects.filter(pk=job).update(lease_until=timezone.now() - timedelta(seconds=1))
    run_job(job)
    team.post("owner", path, {"payer": "prolific"})
    work_off()
    return int(payable.payments)


def test_two_weeks_of_a_study(
    people: dict[str, User], service: ProlificServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    team = main_study(pilot(people), people)
    link = team.link()
    for _ in range(4):
        rates(team, link)
    days_pass(5)
    corrected = {"instructions": "Rate each simile as a whole.", "meaning": "same", "reason": "Spelling."}
    team.post("admin", "texts/", corrected)
    team.add_items(range(24, 44))
    team.post("owner", "item-changes/", {"act": "ratings", "all": True, "to": 4, "for_new_items": True})
    for _ in range(6):
        rates(team, link)
    days_pass(3)
    careless = {rates(team, link, kind) for kind in CARELESS}
    days_pass(3)

    assert needs_a_look(team.page("admin")) == careless
    for code in careless:
        exclude(team, code)
    finish(team, link)
    days_pass(3)
    assert included(team) == Counter({f"S{n:02d}": 4 for n in range(44)})
    assert needs_a_look(team.page("admin")) == set()

    assert adjudicate(team) == 3
    team.post("owner", "state/", {"state": "closed"})
    connect(team, service)
    paid = pay_once(team, monkeypatch)
    assert paid == team.study.raters.count() - 1, "who rated a second a page is above the minimum"
    assert set(service.paid.values()) == {1}
    assert (len(service.paid), states(team.study)["confirmed"]) == (paid, paid)

    team.post("owner", "reports/", {"replicates": 50})
    work_off()
    folder = unpacked(team.study, tmp_path / "bundle")
    status, printed = recompute(folder)
    assert status == 0, printed
    paragraph = (folder / "methods.md").read_text(encoding="utf-8")
    assert f"We collected {4 * 44 + 36} responses about 44 items" in paragraph
    assert "the statistics use versions 1 and 1.1 together" in paragraph
    assert "A pilot study, “Pilot”, came before; its responses are in no statistic." in paragraph
    assert f"We excluded {len(careless) * PLACES} responses" in paragraph
