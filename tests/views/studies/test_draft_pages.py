"""A draft can be changed, given to others, and deleted; what is open cannot; closing is confirmed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.domain.pay.wages import PayFor
from annotation.domain.quality.checks import CheckKind
from annotation.models import AuditEntry, Membership, Study
from annotation.selectors.pay.costs import pay_figures
from annotation.selectors.pay.workload_preview import Preview
from annotation.services.pay.pay_settings import set_pay
from annotation.services.quality.checks import create_check
from annotation.services.rating.enrolment import trial_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.studies.lifecycle import change_state, edit_study
from tests.support.people import Cast, add_form, make_cast

pytestmark = pytest.mark.django_db
REPEAT = {"criteria": ["quality"], "tolerance": 1}
TEXTS = {
    "title": "Lamps at night",
    "description": "",
    "consent": "Nothing is stored but your answers.",
    "instructions": "Read, then rate.",
    "language": "pt-BR",
    "seat_minutes": "15",
    "on_withdrawal": "exclude",
    "design": "pool",
    "keep_groups": "apart",
    "check_jitter": "0",
    "content_warning": "Some lamps fall.",
    "least_seconds": "20",
    "exempt_characters": "",
    "overlap-similes": "4",
    "per_rater-similes": "20",
}


@pytest.fixture
def draft() -> Cast:
    return make_cast(opened=False)


def member(cast: Cast, who: str) -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def test_texts_and_numbers_of_a_draft_are_changed_on_one_page(draft):
    page = member(draft, "researcher").post(reverse("study-texts", args=[draft.slug]), TEXTS, follow=True)
    assert "Draft saved." in page.content.decode()
    study = Study.objects.get(slug=draft.slug)
    form = study.forms.get()
    assert (study.title, study.consent, study.language) == ("Lamps at night", TEXTS["consent"], "pt-BR")
    assert (study.seat_minutes, form.overlap, form.per_rater) == (15, 4, 20)
    assert (study.content_warning, study.least_seconds) == ("Some lamps fall.", 20)
    assert study.exempt_characters == 0
    assert (study.on_withdrawal, study.design, study.keep_groups) == ("exclude", "pool", "apart")


def test_a_draft_opens_from_its_checklist_alone(draft):
    """The checklist names what is missing and creates the invitation link."""
    owner, checklist = member(draft, "owner"), reverse("study-open", args=[draft.slug])
    settings = owner.get(reverse("study-settings", args=[draft.slug])).content.decode()
    assert f'href="{checklist}"' in settings
    assert 'value="open"' not in settings
    sent = owner.post(reverse("study-state", args=[draft.slug]), {"state": "open"})
    saved = owner.post(reverse("study-texts", args=[draft.slug]), TEXTS)
    assert (sent.headers["Location"], saved.headers["Location"]) == (checklist, checklist)
    assert Study.objects.get(slug=draft.slug).state == StudyState.DRAFT


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("language", "Klingon!"),
        ("overlap-similes", "0"),
        ("seat_minutes", "x"),
        ("least_seconds", "900"),
        ("exempt_characters", "-1"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_stored(draft, field, value):
    sent = {**TEXTS, field: value}
    page = member(draft, "owner").post(reverse("study-texts", args=[draft.slug]), sent)
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [field]
    assert Study.objects.get(slug=draft.slug).title == draft.study.title


def test_an_open_study_takes_no_form_of_a_draft(draft):
    change_state(study=draft.study, to=StudyState.OPEN, actor=draft.users["owner"])
    page = member(draft, "owner").post(reverse("study-texts", args=[draft.slug]), TEXTS)
    assert page.status_code == 422
    assert member(draft, "researcher").post(page.request["PATH_INFO"], TEXTS).status_code == 403
    assert Study.objects.get(slug=draft.slug).title == draft.study.title
    assert draft.study.forms.get().overlap == 3


def test_a_draft_is_deleted_with_the_trials_in_it(draft):
    next_assignment(rater=trial_rater(study=draft.study, user=draft.users["owner"]))
    page = member(draft, "owner").post(reverse("study-delete", args=[draft.slug]), follow=True)
    assert f"Draft “{draft.study.title}” deleted." in page.content.decode()
    assert not Study.objects.filter(slug=draft.slug).exists()


def test_an_open_study_is_not_deleted(draft):
    change_state(study=draft.study, to=StudyState.OPEN, actor=draft.users["owner"])
    page = member(draft, "owner").post(reverse("study-delete", args=[draft.slug]), follow=True)
    assert "Close the study before you delete it." in page.content.decode()
    assert Study.objects.filter(slug=draft.slug).exists()


def test_a_member_is_removed_and_the_last_owner_stays(draft):
    owner = member(draft, "owner")
    memberships = {one.role: one for one in draft.study.memberships.all()}
    for role in ("researcher", "owner"):
        owner.post(reverse("study-former-member", args=[draft.slug, memberships[role].pk]))
    assert sorted(Membership.objects.filter(study=draft.study).values_list("role", flat=True)) == [
        "admin",
        "owner",
    ]
    assert member(draft, "researcher").get(reverse("study", args=[draft.slug])).status_code == 404


def test_closing_is_separate_from_pausing_and_says_what_it_does(draft):
    change_state(study=draft.study, to=StudyState.OPEN, actor=draft.users["owner"])
    page = member(draft, "admin").get(reverse("study-settings", args=[draft.slug])).content.decode()
    confirm = page.index('<details class="confirm">')
    assert page.index('value="paused"') < confirm < page.index('value="closed"')
    assert "Only an owner can reopen the study" in page[confirm:]


def test_a_closed_study_tells_an_admin_who_can_open_it(draft):
    for state in (StudyState.OPEN, StudyState.CLOSED):
        change_state(study=draft.study, to=state, actor=draft.users["owner"])
    page = member(draft, "admin").get(reverse("study-settings", args=[draft.slug])).content.decode()
    assert draft.users["owner"].email in page[page.index("Only an owner can reopen it") :]
    assert 'value="open"' not in page
    assert (
        'value="open"'
        in member(draft, "owner").get(reverse("study-settings", args=[draft.slug])).content.decode()
    )


def test_the_audit_log_shows_who_did_what_and_narrows_to_an_act(draft):
    member(draft, "researcher").post(reverse("study-texts", args=[draft.slug]), TEXTS)
    address = reverse("study-audit", args=[draft.slug])
    every = member(draft, "researcher").get(address)
    narrowed = member(draft, "researcher").get(address, {"act": "edit_study"})
    assert len(every.context["entries"]) == AuditEntry.objects.filter(study=draft.study).count() > 1
    assert [one.act for one in narrowed.context["entries"]] == ["edit_study"]
    assert str(draft.users["researcher"]) in narrowed.content.decode()


def test_the_design_can_be_looked_at_before_opening(draft):
    page = member(draft, "researcher").get(
        reverse("study-design", args=[draft.slug]), {"raters": "4", "seconds": "60", "per_hour": "12"}
    )
    plan = page.context["preview"].plan
    assert (plan.seats, plan.raters_needed.raters, plan.hours) == (12, 3, pytest.approx(0.2))
    assert str(plan.cost) == "2.40"
    assert page.context["preview"].connected
    assert page.content.decode().count('<th scope="row"') == 4


def test_an_impossible_design_says_why(draft):
    Study.objects.filter(slug=draft.slug).update(design="batches")
    page = member(draft, "researcher").get(reverse("study-design", args=[draft.slug]))
    assert "Enter the number of pages per batch." in page.content.decode()
    draft.study.forms.update(per_rater=2)
    Study.objects.filter(slug=draft.slug).update(batch_size=2)
    capped = member(draft, "researcher").get(reverse("study-design", args=[draft.slug]))
    assert "Limit the batches per rater, not the items" in capped.content.decode()


def previewed(draft: Cast, who: str, **asked: str) -> Preview:
    page = member(draft, who).get(reverse("study-design", args=[draft.slug]), asked)
    preview: Preview = page.context["preview"]
    return preview


def test_the_design_reckons_with_checks_and_with_what_the_study_pays(draft):
    """As the page of the pay does; what is paid is not shown to a researcher.

    Four items, three raters: each meets the only check once.
    """
    owner = draft.users["owner"]
    create_check(
        study=draft.study,
        actor=owner,
        key="again",
        kind=CheckKind.REPEAT,
        settings=REPEAT,
        form=draft.study.forms.get(),
    )
    Study.objects.filter(pk=draft.study.pk).update(check_every=3)
    pay = set_pay(
        study=draft.study,
        actor=owner,
        currency="EUR",
        paid_for=PayFor.PAGE,
        amount=Decimal("0.25"),
        page_seconds=20,
    )
    seen = previewed(draft, "admin")
    assert (seen.plan.seats, seen.plan.checks, seen.plan.seconds) == (12, 3, 15 * 20)
    assert (seen.cost, seen.currency) == (Decimal("3.75"), "EUR")
    assert pay_figures(Study.objects.get(pk=draft.study.pk), pay).expected == seen.cost
    hidden = previewed(draft, "researcher")
    assert (hidden.cost, hidden.currency, hidden.plan.seconds) == (None, "", 15 * 30)


def test_the_design_tells_how_many_raters_a_panel_lacks(draft):
    """Raters come by links of their own, so a panel that is not full yet is no fault of the design."""
    Study.objects.filter(pk=draft.study.pk).update(design="panels")
    add_form(draft.study, overlap=2, key="novelty")
    seen = previewed(draft, "admin")
    assert [(one.form.key, one.has, one.needs) for one in seen.panels] == [
        ("similes", 0, 3),
        ("novelty", 0, 2),
    ]
    assert (seen.plan.seats, seen.plan.raters) == (20, 5)
    address = reverse("study-open", args=[draft.slug])
    page_text = member(draft, "owner").post(address, follow=True).content.decode()
    assert "These panels have no invitation link: “Similes”, “Novelty”" in page_text


def test_lines_end_as_they_did_before_a_browser_sent_them(draft):
    """A definition that is written, read and compared has the same texts, wherever they were typed."""
    sent = {**TEXTS, "instructions": "Read.\r\n\r\nThen rate.", "consent": "One.\r\nTwo."}
    member(draft, "researcher").post(reverse("study-texts", args=[draft.slug]), sent)
    study = Study.objects.get(pk=draft.study.pk)
    assert (study.instructions, study.consent) == ("Read.\n\nThen rate.", "One.\nTwo.")
    page = member(draft, "researcher").get(reverse("study-definition", args=[draft.slug]))
    assert 'value="Lamps at night (copy)"' in page.content.decode()


def test_a_language_with_translations_is_not_made_that_of_the_study(draft):
    owner = draft.users["owner"]
    edit_study(study=draft.study, actor=owner, translations={"ja": {"title": "明かり"}})
    page = member(draft, "owner").post(reverse("study-texts", args=[draft.slug]), {**TEXTS, "language": "ja"})
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["language"]
    assert Study.objects.get(slug=draft.slug).translations == {"ja": {"title": "明かり"}}
