"""A main study is a copy that names its pilot; the answers of the two are separate."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.platforms import Entry, Platform
from annotation.domain.base.states import StudyState
from annotation.models import AuditEntry, Invitation, Item, Rater, Study
from annotation.selectors.questions.counting import submitted
from annotation.selectors.studies.definition import definition_of
from annotation.services.people.identity import erase_identity
from annotation.services.people.invitations import invite
from annotation.services.rating.enrolment import consent
from annotation.services.seats.retirement import retire_items
from annotation.services.studies.deletion import delete_draft
from annotation.services.studies.lifecycle import change_state
from annotation.services.studies.pilots.main_study import MainItems, create_main_study, set_pilot_raters
from scoring.selectors.reports.methods import methods_paragraph
from scoring.selectors.reports.study_facts import facts_of
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import unpacked
from tests.services.questions.rewording import rate
from tests.support.people import Cast, make_cast
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """A pilot of six items: two are answered, one of these and another one are retired."""
    cast = make_cast(items=6, overlap=2)
    rate(cast.study, "R-11", ["L00", "L01"], cast.study.forms.get().versions.get())
    chosen = Item.objects.filter(study=cast.study, key__in=["L01", "L05"])
    retire_items(study=cast.study, items=chosen, reason="Doubled", actor=cast.users["owner"])
    return cast


def main_of(cast: Cast, items: MainItems = MainItems.ACTIVE, *, refuse: bool = True) -> Study:
    return create_main_study(
        pilot=cast.study,
        slug="main",
        title="The main study",
        owner=cast.users["owner"],
        items=items,
        refuse_raters=refuse,
        with_pay=True,
    ).study


@pytest.mark.parametrize(
    ("items", "keys"),
    [
        (MainItems.ALL, "L00 L01 L02 L03 L04 L05"),
        (MainItems.ACTIVE, "L00 L02 L03 L04"),
        (MainItems.UNRATED, "L02 L03 L04"),
    ],
)
def test_it_has_the_items_that_were_chosen_and_no_answers(cast, items, keys):
    main = main_of(cast, items)
    assert [item.key for item in main.items.order_by("position")] == keys.split()
    assert not main.items.exclude(retired_at=None).exists()
    assert (main.state, main.pilot, main.refuse_pilot_raters) == (StudyState.DRAFT, cast.study, True)
    assert not submitted(main).exists()
    assert not Invitation.objects.filter(study=main).exists()
    assert not main.raters.exists()
    copied = definition_of(main, with_pay=True)
    assert copied["study"].pop("title") == "The main study"
    pilot = definition_of(cast.study, with_pay=True)
    del pilot["study"]["title"]
    assert copied == pilot


def test_its_raters_can_reach_the_same_contact(cast):
    Study.objects.filter(pk=cast.study.pk).update(
        contact="lab@example.org", contact_translations={"ja": "研究室 lab@example.org"}
    )
    cast.study.refresh_from_db()
    found = Study.objects.get(pk=main_of(cast).pk)
    assert (found.contact, found.contact_translations) == (
        "lab@example.org",
        {"ja": "研究室 lab@example.org"},
    )


def test_both_studies_log_it(cast):
    main = main_of(cast, MainItems.UNRATED)
    entry = AuditEntry.objects.get(study=main, act="create_main_study")
    assert entry.detail == {"pilot": cast.slug, "items": "unrated", "refuse_pilot_raters": True}
    assert AuditEntry.objects.get(study=cast.study, act="begin_main_study").detail["main_study"] == "main"


def test_a_closed_pilot_has_a_main_study_and_a_draft_or_a_rated_out_pilot_has_none(cast):
    rate(cast.study, "R-12", ["L02", "L03", "L04"], cast.study.forms.get().versions.get())
    with pytest.raises(InvalidContent) as left:
        main_of(cast, MainItems.UNRATED)
    assert left.value.code == "no_items_left"
    change_state(study=cast.study, to=StudyState.CLOSED, actor=None)
    cast.study.refresh_from_db()
    assert main_of(cast).items.count() == 4
    draft = make_cast(slug="draft", opened=False)
    with pytest.raises(NotAllowedNow) as refusal:
        main_of(draft)
    assert refusal.value.code == "pilot_draft"


def came(study: Study, person: str) -> None:
    link, _ = Invitation.objects.get_or_create(study=study, platform=Platform.PROLIFIC.value, rater=None)
    consent(invitation=link, entry=Entry(Platform.PROLIFIC, person, "task", f"session-{person}"))


def test_a_rater_of_the_pilot_cannot_join_the_main_study_unless_it_says_so(cast, client):
    came(cast.study, "prolific-person-1")
    main = main_of(cast)
    change_state(study=main, to=StudyState.OPEN, actor=None)
    with pytest.raises(NotAllowedNow) as refusal:
        came(main, "prolific-person-1")
    assert refusal.value.code == "took_part_in_pilot"
    # Who opens the page with another person's platform ID learns nothing of that person.
    link = main.invitations.get(platform=Platform.PROLIFIC.value)
    ids = {"PROLIFIC_PID": "prolific-person-1", "STUDY_ID": "task", "SESSION_ID": "session"}
    page = client.get(reverse("join", args=[link.token]), ids)
    assert "took part in the pilot" not in page.content.decode()
    erase_identity(Rater.objects.select_related("study").get(study=cast.study, identity__isnull=False))
    with pytest.raises(NotAllowedNow):
        came(main, "prolific-person-1")
    came(main, "prolific-person-2")
    assert main.raters.count() == 1
    set_pilot_raters(study=main, refused=False, actor=cast.users["owner"])
    came(main, "prolific-person-1")
    set_pilot_raters(study=main, refused=True, actor=cast.users["owner"])
    came(main, "prolific-person-1")
    assert main.raters.count() == 2
    assert AuditEntry.objects.filter(study=main, act="set_pilot_raters").count() == 2


def test_an_account_that_rated_in_the_pilot_is_refused_before_the_consent_page(cast, client):
    rater = cast.users["rater"]
    consent(invitation=cast.invitation, user=rater)
    main = main_of(cast)
    change_state(study=main, to=StudyState.OPEN, actor=None)
    link = invite(study=main, actor=cast.users["owner"])
    client.force_login(rater)
    page = client.get(reverse("join", args=[link.token]))
    assert page.status_code == 409
    assert "You took part in the pilot of this study" in page.content.decode()
    with pytest.raises(NotAllowedNow):
        consent(invitation=link, user=rater)


def test_a_study_without_a_pilot_has_no_raters_of_one(cast):
    with pytest.raises(NotAllowedNow) as refusal:
        set_pilot_raters(study=cast.study, refused=True, actor=cast.users["owner"])
    assert refusal.value.code == "no_pilot"


def test_the_methods_paragraph_and_the_bundle_name_the_pilot_and_recompute(cast, tmp_path: Path):
    main = main_of(cast)
    change_state(study=main, to=StudyState.OPEN, actor=None)
    rate(main, "R-21", ["L00", "L02", "L03"], main.forms.get().versions.get())
    rate(main, "R-22", ["L00", "L02", "L03"], main.forms.get().versions.get())
    text = methods_paragraph(main, facts_of(main, {}, with_pay=False))
    assert f"A pilot study, “{cast.study.title}”, came before; its responses are in no statistic." in text
    folder = unpacked(Study.objects.get(pk=main.pk), tmp_path)
    status, printed = recompute(folder)
    assert status == 0, printed
    named = json.loads((folder / "study.json").read_text())["pilot"]
    assert named == {"study": cast.slug, "title": cast.study.title, "responses": "separate"}


def test_the_main_study_stays_when_its_pilot_is_deleted(cast):
    pilot = make_cast(slug="short", opened=False)
    main = main_of(cast)
    main.pilot = pilot.study
    main.save(update_fields=["pilot"])
    delete_draft(study=pilot.study, actor=pilot.users["owner"])
    assert Study.objects.get(slug="main").pilot is None


def test_the_page_creates_it_and_the_settings_name_the_pilot(cast):
    client = client_of(cast.users["owner"])
    url = reverse("study-definition", args=[cast.slug])
    assert "Main study of this pilot" in client.get(url).content.decode()
    sent = {"act": "main", "main-title": "Main", "main-items": "unrated", "main-refuse_raters": "on"}
    assert client.post(url, {**sent, "main-title": ""}).status_code == 422
    made = client.post(url, sent)
    main = Study.objects.get(title="Main")
    assert made["Location"] == reverse("study-settings", args=[main.slug])
    assert main.items.count() == 3
    shown = client.get(made["Location"]).content.decode()
    assert f'href="{reverse("study", args=[cast.slug])}"' in shown
    client.post(reverse("study-pilot-raters", args=[main.slug]), {})
    assert not Study.objects.get(pk=main.pk).refuse_pilot_raters


def test_the_api_creates_it_and_says_its_pilot(cast):
    client = client_of(cast.users["owner"])
    body = {"slug": "main", "title": "Main", "items": "all", "refuse_pilot_raters": False}
    made = client.post(reverse("api_main_study", args=[cast.slug]), body, content_type="application/json")
    assert (made.status_code, made.json()) == (201, {"slug": "main", "left_out": []})
    pilot = reverse("api_pilot", args=["main"])
    named = {"pilot": cast.slug, "title": cast.study.title, "responses": "separate"}
    named |= {"pooled_at": None, "pooled_because": ""}
    assert client.get(pilot).json() == {**named, "refuse_pilot_raters": False}
    changed = client.patch(pilot, {"refuse_pilot_raters": True}, content_type="application/json")
    assert changed.json()["refuse_pilot_raters"] is True
    again = client.post(reverse("api_main_study", args=[cast.slug]), body, content_type="application/json")
    assert (again.status_code, Study.objects.filter(pilot=cast.study).count()) == (400, 1)


def test_the_command_creates_it(cast):
    out = StringIO()
    given = ["study_definition", "main", cast.slug, "--title", "Main", "--owner", cast.users["owner"].email]
    call_command(*given, "--slug", "main", "--items", "unrated", stdout=out)
    assert "Draft 'main' created as the main study of 'lamps': 3 items." in out.getvalue()
    assert Study.objects.get(slug="main").refuse_pilot_raters
    with pytest.raises(CommandError, match="already taken"):
        call_command(*given, "--slug", "main", stdout=out)
