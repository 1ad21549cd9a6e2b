"""A researcher sets a qualification up in a draft, decides on trials, and leads a group round."""

from __future__ import annotations

import csv
from collections.abc import Mapping

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.domain.quality.calibration import RuleKind
from annotation.models import AuditEntry, CalibrationItem, Item, Qualification, Rater
from annotation.services.quality.qualification_progress import read_page
from annotation.services.rating.enrolment import consent
from tests.support.people import Cast, make_cast
from tests.support.studies.qualification_study import REFERENCES, attempt, qualify

pytestmark = pytest.mark.django_db
RULE = {"act": "rule", "rule": "near", "tolerance": "1", "share": "80", "attempts": "2", "feedback": "on"}


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=3, overlap=2, opened=False)


def member(cast: Cast, who: str = "researcher") -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def send(cast: Cast, sent: Mapping[str, object]):
    return member(cast).post(reverse("study-qualification", args=[cast.slug]), sent)


def item(cast: Cast, **rest: object) -> dict[str, object]:
    sent = {
        "act": "item",
        "form": cast.study.forms.get().pk,
        "text-simile": "The lamp was {vehicle:a pearl}.",
        "value-quality": "4",
        "value-creativity": "2.5",
        "reason": "Often said.",
    }
    return {**sent, **rest}


def test_rule_pages_and_items_are_set_up_on_one_page(cast):
    assert send(cast, RULE).status_code == 302
    assert (
        send(cast, {"act": "page", "title": "Similes", "text": "## Parts\n\nA {vehicle:pearl}."}).status_code
        == 302
    )
    assert send(cast, item(cast)).status_code == 302
    assert send(cast, item(cast, picked="L01", **{"text-simile": ""})).status_code == 302
    made = Qualification.objects.get(study=cast.study)
    assert (made.rule, made.tolerance, made.share, made.attempts, made.feedback) == ("near", 1, 0.8, 2, True)
    written, picked = made.items.select_related("item")
    assert (written.reference, written.reason) == ({"quality": 4.0, "creativity": 2.5}, "Often said.")
    assert (picked.item.key, picked.item.planted) == ("L01", True)
    assert [part["text"] for part in written.item.components] == ["a pearl"]
    shown = member(cast).get(reverse("study-qualification", args=[cast.slug])).content.decode()
    assert "The lamp was a pearl." in shown
    page = made.pages.get()
    address = reverse("study-background-page", args=[cast.slug, page.pk])
    assert member(cast).post(address, {"title": "Similes", "text": "Shorter."}).status_code == 302
    page.refresh_from_db()
    assert page.text == "Shorter."
    member(cast).post(address, {"act": "remove"})
    assert not made.pages.exists()
    member(cast).post(reverse("study-calibration-item", args=[cast.slug, written.pk]))
    assert [one.item.key for one in made.items.all()] == ["L01"]
    send(cast, {"act": "off"})
    assert not Qualification.objects.exists()
    assert cast.study.items.count() == 3


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({**RULE, "share": ""}, "share"),
        ({**RULE, "attempts": "0"}, "greater than or equal to 1"),
        ({"act": "page", "title": "", "text": "Words."}, "This field is required"),
    ],
)
def test_what_is_wrong_is_reported_and_nothing_is_stored(cast, sent, message):
    made = qualify(cast, opened=False)
    answered = send(cast, sent)
    assert (answered.status_code, message in answered.content.decode()) == (422, True)
    made.refresh_from_db()
    assert (made.share, made.pages.count()) == (0.75, 0)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ({"value-quality": "6"}, "is not a possible value of “Quality”"),
        ({"text-simile": " "}, "Enter a text for: simile"),
        ({"picked": "L99"}, "has no item"),
        ({"value-quality": "", "value-creativity": ""}, "at least one criterion"),
    ],
)
def test_an_item_that_cannot_work_is_refused_in_words(cast, rest, message):
    made = qualify(cast, opened=False)
    answered = send(cast, item(cast, **rest))
    assert (answered.status_code, message in answered.content.decode()) == (422, True)
    assert made.items.count() == 4


def test_a_file_of_items_is_taken_as_a_whole_or_not_at_all(cast):
    made = qualify(cast, opened=False)
    lines = [
        "item,simile,reference.quality,reason",
        ",A lamp like a coin.,4,Plain.",
        "L02,,2,",
        ",A lamp like a drum.,{last},Odd.",
    ]

    def upload(last: str):
        file = SimpleUploadedFile("calibration.csv", "\n".join(lines).format(last=last).encode())
        return send(cast, {"act": "file", "form": cast.study.forms.get().pk, "file": file})

    refused = upload("9")
    assert refused.status_code == 422
    assert [problem.row for problem in refused.context["problems"]] == [4]
    assert (made.items.count(), cast.study.items.count()) == (4, 3)
    assert upload("1").status_code == 302
    assert [one.reference["quality"] for one in made.items.all()] == [*REFERENCES, 4, 2, 1]
    assert cast.study.items.count() == 2


def test_an_import_never_takes_the_key_of_a_calibration_item(cast):
    made = qualify(cast, opened=False)
    send(cast, item(cast, picked="L01"))
    address = reverse("study-import", args=[cast.slug])
    for what, text, message in (
        ("items", "item,simile\nL01,Again.", "already"),
        ("items", "item,simile\ncalibration:9,Again.", "reserved for check"),
        ("ratings", "item,rater,criterion,value\nL01,R-1,quality,3", "cannot be imported"),
    ):
        file = SimpleUploadedFile("file.csv", text.encode())
        refused = member(cast).post(address, {"what": what, "file": file})
        assert (refused.status_code, message in refused.content.decode()) == (422, True), what
    assert made.items.count() == 5
    assert Item.everything.filter(study=cast.study).count() == 7


def test_an_open_study_shows_its_qualification_and_changes_nothing(cast):
    qualify(cast, pages=1)
    page = member(cast).get(reverse("study-qualification", args=[cast.slug])).content.decode()
    assert "at least 75% of the ratings within 1 of the reference value" in " ".join(page.split())
    assert "Add item" not in page
    assert send(cast, RULE).status_code == 409
    assert Qualification.objects.get().share == 0.75


def test_trials_wait_on_a_page_and_are_decided_with_a_reason(cast):
    qualify(cast, RuleKind.HAND, attempts=1)
    raters = [consent(invitation=cast.invitation) for _ in range(2)]
    for rater, values in zip(raters, (REFERENCES, (1, 1, 1, 1)), strict=True):
        attempt(rater, values)
    page = member(cast).get(reverse("study-trials", args=[cast.slug]))
    given = [[cell["given"] for _, cell in trial["rows"]] for trial in page.context["trials"]]
    assert given == [["5", "1", "3", "4"], ["1", "1", "1", "1"]]
    assert "Approve R-001" not in page.content.decode()
    admin = member(cast, "admin")
    first, second = (rater.attempts.get() for rater in raters)
    admin.post(reverse("study-trial", args=[cast.slug, first.pk]), {"act": "approve"})
    address = reverse("study-trial", args=[cast.slug, second.pk])
    unexplained = admin.post(address, {"act": "decline", "reason": ""}, follow=True)
    assert "Enter a reason." in unexplained.content.decode()
    assert len(unexplained.context["trials"]) == 1
    admin.post(address, {"act": "decline", "reason": "One value throughout."})
    assert list(Rater.objects.filter(study=cast.study).values_list("state", flat=True)) == [
        "qualified",
        "failed",
    ]
    entry = AuditEntry.objects.get(act="decline_qualification")
    assert (entry.actor, entry.detail["reason"]) == (cast.users["admin"], "One value throughout.")
    profile = member(cast).get(reverse("study-rater", args=[cast.slug, "R-002"])).content.decode()
    assert "A researcher has not approved the answers." in profile
    assert "One value throughout." in profile


def test_a_group_sees_all_values_side_by_side_takes_notes_and_starts(cast):
    qualify(cast, RuleKind.HAND)
    for values in (REFERENCES, (3, 2, 3, 4)):
        attempt(consent(invitation=cast.invitation), values)
    address = reverse("study-calibration-round", args=[cast.slug])
    rows = member(cast).get(address).context["rows"]
    assert [(row.reference, [cell["given"] for cell in row.cells]) for row in rows] == [
        ("5", ["5", "3"]),
        ("1", ["1", "2"]),
        ("3", ["3", "3"]),
        ("4", ["4", "4"]),
    ]
    first = CalibrationItem.objects.order_by("position")[0]
    member(cast).post(address, {"act": "note", "item": first.pk, "note": "A 5 after all."})
    first.refresh_from_db()
    assert first.note == "A 5 after all."
    admin = member(cast, "admin")
    assert "Approve 2 raters" in admin.get(address).content.decode()
    admin.post(address, {"act": "release"})
    assert Qualification.objects.get().notes_released_at is not None
    admin.post(address, {"act": "start", "reason": "Discussed."})
    assert set(Rater.objects.filter(study=cast.study).values_list("state", flat=True)) == {"qualified"}
    assert "Approve 2 raters" not in admin.get(address).content.decode()


def test_calibration_answers_are_exported_separately(cast):
    qualify(cast, attempts=2)
    rater = consent(invitation=cast.invitation)
    attempt(rater)
    answered = member(cast).get(reverse("study-download", args=[cast.slug, "qualification"]))
    rows = list(csv.DictReader(answered.getvalue().decode().splitlines()))
    assert [(row["rater"], row["attempt"], row["given"], row["reference"]) for row in rows] == [
        (rater.code, "1", str(value), str(value)) for value in REFERENCES
    ]
    assert {(row["passed"], row["figure"], row["counts"]) for row in rows} == {("true", "1.0", "true")}
    for what in ("ratings", "items", "checks"):
        other = member(cast).get(reverse("study-download", args=[cast.slug, what]))
        assert "calibration:" not in other.getvalue().decode()


def test_another_studys_pages_and_items_are_not_there(cast):
    other = make_cast(slug="moons", opened=False)
    made = qualify(other, RuleKind.HAND, pages=1)
    trial = attempt(read_page(rater=consent(invitation=other.invitation), number=1))
    qualify(cast, RuleKind.HAND)
    admin = member(cast, "admin")
    for name, pk in (
        ("study-background-page", made.pages.get().pk),
        ("study-calibration-item", made.items.all()[0].pk),
        ("study-trial", trial.pk),
    ):
        assert admin.post(reverse(name, args=[cast.slug, pk]), {"act": "approve"}).status_code == 404
    note = {"act": "note", "item": made.items.all()[0].pk, "note": "Mine."}
    assert admin.post(reverse("study-calibration-round", args=[cast.slug]), note).status_code == 404
