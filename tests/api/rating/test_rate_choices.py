"""Rating questions with options and pairs over the API."""

from __future__ import annotations

import pytest

from annotation.models import Criterion, Rating, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.people.invitations import invite
from annotation.services.studies.demo_studies import add_demo_items
from tests.support.people import join
from tests.support.studies.choice_study import draft, opened

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("protocol", "criterion"), [("simile_probing", "property"), ("preference_ties", "preference")]
)
def test_options_come_in_the_order_for_this_rater_and_the_value_goes_back(protocol, criterion):
    study = draft(protocol)
    add_demo_items(study=study, template=TEMPLATES[protocol])
    study.items.update(metadata={"right": "the-key-itself", "a": "the-name-of-a", "b": "b"})
    study = opened(study)
    owner = User.objects.get(email="owner@example.org")
    _, client = join(invite(study=study, actor=owner))
    address = f"/api/v1/rate/{study.slug}/next/"
    page = client.get(address)
    assert "the-key-itself" not in page.content.decode()
    assert "the-name-of-a" not in page.content.decode()
    task = page.json()
    shown = task["options"][criterion]
    assert [option["keyboard"] for option in shown] == [str(place + 1) for place in range(len(shown))]
    roles = {block["role"] for block in task["blocks"]}
    assert not roles & {"options", "side"}
    chosen = shown[0]
    body = {
        "assignment": task["assignment"],
        "page_key": task["page_key"],
        "version": task["form"]["version"],
        "answers": {criterion: chosen["value"]},
    }
    assert client.post(address, body, format="json").status_code == 201
    rating = Rating.objects.select_related("response__assignment__item").get()
    assert rating.shown == [option["value"] for option in shown]
    fields = rating.response.assignment.item.fields
    texts = fields["options"].splitlines() if "options" in fields else fields
    assert chosen["label"] == texts[int(chosen["value"]) if "options" in fields else chosen["value"]]


def test_all_options_go_back_in_an_order_and_any_other_is_refused():
    study = draft("preference")
    add_demo_items(study=study, template=TEMPLATES["preference"])
    Criterion.objects.filter(version__form__study=study).update(kind="ranking")
    _, client = join(invite(study=opened(study), actor=User.objects.get(email="owner@example.org")))
    address = f"/api/v1/rate/{study.slug}/next/"
    task = client.get(address).json()
    first, second = (option["value"] for option in task["options"]["preference"])
    body = {name: task[name] for name in ("assignment", "page_key")} | {"version": task["form"]["version"]}
    for order, status in ((first, 422), (f"{first}={second}", 422), (f"{second}>{first}", 201)):
        answer = client.post(address, body | {"answers": {"preference": order}}, format="json")
        assert answer.status_code == status, answer.content
    rating = Rating.objects.get()
    assert (rating.content, rating.shown) == ([[second], [first]], [first, second])
