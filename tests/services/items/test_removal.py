"""An import of the wrong file can be undone: a draft loses all its items, and no study loses a rating."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.states import JobState
from annotation.domain.questions.answers import Submission
from annotation.models import AuditEntry, Item, Job, Rating
from annotation.selectors.questions.form_versions import required_texts
from annotation.services.base.jobs import enqueue
from annotation.services.items.draft_items import delete_item, enter_texts
from annotation.services.items.removal import remove_items
from annotation.services.quality.exclusions import exclude_items
from annotation.services.rating.enrolment import consent, trial_rater
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.submission import submit
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


def test_a_draft_loses_its_items_and_the_previews_of_them() -> None:
    cast = make_cast(opened=False, items=4)
    owner = cast.users["owner"]
    page = next_assignment(rater=trial_rater(study=cast.study, user=owner))
    submit(
        assignment=page,
        version=page.version,
        submission=Submission(page_key=uuid.uuid4(), answers={"quality": "3", "creativity": "3"}),
    )
    assert Rating.objects.count() == 2
    client = Client()
    client.force_login(cast.users["researcher"])
    listed = client.get(reverse("study-items", args=[cast.slug])).content.decode()
    assert "The draft loses its 4 items and your previews of them." in listed
    after = client.post(reverse("study-remove-items", args=[cast.slug]), follow=True).content.decode()
    assert "4 items removed." in after
    assert (Item.objects.count(), Rating.objects.count()) == (0, 0)
    assert AuditEntry.objects.get(act="remove_items").detail == {"count": 4}
    assert "Remove all items" not in after


def test_a_study_in_which_raters_work_keeps_its_items() -> None:
    cast = make_cast(items=2)
    consent(invitation=cast.invitation)
    with pytest.raises(NotAllowedNow) as refusal:
        remove_items(study=cast.study, actor=cast.users["owner"])
    assert refusal.value.code == "not_a_draft"
    assert Item.objects.count() == 2


def test_items_that_a_decision_refers_to_stay() -> None:
    cast = make_cast(opened=False, items=2)
    exclude_items(study=cast.study, keys=["L00"], reason="doubled", actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refusal:
        remove_items(study=cast.study, actor=cast.users["owner"])
    assert refusal.value.code == "items_in_use"
    assert Item.objects.count() == 2


@pytest.mark.parametrize("kind", ["score", "judge", "item_figures"])
def test_items_stay_while_a_job_reads_them(kind: str) -> None:
    """The job would fail where it stores what it found about the item."""
    cast = make_cast(opened=False, items=2)
    item = cast.study.items.earliest("position")
    job = enqueue(kind=kind, study=cast.study, params={"judge": 1}, created_by=None)
    enqueue(kind="webhook", study=cast.study, params={}, created_by=None)
    for state in (JobState.QUEUED, JobState.RUNNING):
        Job.objects.filter(pk=job.pk).update(state=state)
        for delete in (
            lambda: delete_item(item=item, actor=cast.users["owner"]),
            lambda: remove_items(study=cast.study, actor=cast.users["owner"]),
        ):
            with pytest.raises(NotAllowedNow) as refusal:
                delete()
            assert refusal.value.code == "items_are_read"
    Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED)
    delete_item(item=item, actor=cast.users["owner"])
    assert cast.study.items.count() == 1


def test_an_item_that_lacks_a_text_is_linked_and_can_be_completed_or_deleted() -> None:
    cast = make_cast(opened=False, items=4)
    item = cast.study.items.earliest("position")
    (name,) = required_texts(cast.study)
    Item.objects.filter(pk=item.pk).update(fields={})
    client = Client()
    client.force_login(cast.users["researcher"])
    own = reverse("study-item", args=[cast.slug, item.key])
    assert f'href="{own}"' in client.get(reverse("study-open", args=[cast.slug])).content.decode()
    assert f'name="text-{name}"' in client.get(own).content.decode()
    address = reverse("study-draft-item", args=[cast.slug, item.key])
    client.post(address, {"act": "enter", f"text-{name}": "A lamp like a moon."})
    item.refresh_from_db()
    assert item.fields == {name: "A lamp like a moon."}
    client.post(address, {"act": "enter", f"text-{name}": "Another."})
    item.refresh_from_db()
    assert item.fields == {name: "A lamp like a moon."}
    client.post(address, {"act": "delete"})
    assert list(cast.study.items.order_by("position").values_list("position", flat=True)) == [0, 1, 2]


def test_an_item_is_not_deleted_after_opening() -> None:
    cast = make_cast()
    with pytest.raises(NotAllowedNow) as caught:
        delete_item(item=cast.study.items.earliest("position"), actor=cast.users["owner"])
    assert caught.value.code == "not_a_draft"


def test_texts_of_an_item_that_another_member_deleted_are_refused_with_the_reason() -> None:
    cast = make_cast(opened=False)
    item = cast.study.items.order_by("position")[0]
    delete_item(item=Item.objects.get(pk=item.pk), actor=cast.users["owner"])
    with pytest.raises(NotAllowedNow) as refusal:
        enter_texts(item=item, texts={"text": "A lamp."}, actor=cast.users["owner"])
    assert refusal.value.code == "item_deleted"
    places = list(cast.study.items.values_list("key", "position"))
    with pytest.raises(NotAllowedNow):
        delete_item(item=item, actor=cast.users["owner"])
    assert list(cast.study.items.values_list("key", "position")) == places
