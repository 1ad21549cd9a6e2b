"""A small open study with one person in every role, and clients that speak for them."""

from __future__ import annotations

from dataclasses import dataclass

from rest_framework.test import APIClient

from annotation.domain.base.states import Role, StudyState
from annotation.models import Criterion, Form, FormVersion, Invitation, Item, Rater, ScalePoint, Study, User
from annotation.services.base.tokens import sign_in_token
from annotation.services.people.invitations import invite
from annotation.services.people.members import add_member
from annotation.services.rating.enrolment import consent
from annotation.services.studies.lifecycle import change_state, create_study
from tests.support.running.made_once import made_once

PASSWORD = "simile-and-metaphor-42"
ROLES = ("owner", "admin", "researcher")
EVERYBODY = ("anonymous", "stranger", "rater", *ROLES, "superuser")


@dataclass
class Cast:
    study: Study
    users: dict[str, User]
    invitation: Invitation

    @property
    def slug(self) -> str:
        return self.study.slug

    @property
    def base(self) -> str:
        return f"/api/v1/studies/{self.slug}"

    def client(self, who: str) -> APIClient:
        client = APIClient()
        if who != "anonymous":
            _, key = sign_in_token(user=self.users[who])
            client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
        return client


def invited(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Invitation {token}")
    return client


def join(invitation: Invitation) -> tuple[Rater, APIClient]:
    """A new rater follows an open link."""
    answer = APIClient().post(f"/api/v1/join/{invitation.token}/", {"agree": True}, format="json")
    assert answer.status_code == 201, answer.json()
    rater = Rater.objects.get(study=invitation.study, code=answer.json()["rater"])
    return rater, invited(answer.json()["token"])


def make_cast(*, slug: str = "lamps", items: int = 4, overlap: int = 3, opened: bool = True) -> Cast:
    asked = (slug, items, overlap, opened)
    return made_once(("cast", *asked), lambda: made_cast(*asked))


def made_cast(slug: str, items: int, overlap: int, opened: bool) -> Cast:
    users = {
        who: User.objects.create_user(f"{who}-{slug}@example.org", PASSWORD)
        for who in EVERYBODY
        if who not in {"anonymous", "superuser"}
    }
    users["superuser"] = User.objects.create_superuser(f"superuser-{slug}@example.org", PASSWORD)
    study = create_study(
        slug=slug, title="Lamps and moons", owner=users["owner"], consent="You agree.", instructions="Rate."
    )
    for role in (Role.ADMIN, Role.RESEARCHER):
        add_member(study=study, user=users[role.value], role=role, actor=users["owner"])
    add_form(study, overlap=overlap)
    add_items(study, items)
    if opened:
        study = change_state(study=study, to=StudyState.OPEN, actor=users["owner"])
    invitation = invite(study=study, actor=users["admin"], label="everybody")
    if opened:
        consent(invitation=invitation, user=users["rater"])
    return Cast(study, users, invitation)


def add_form(study: Study, *, overlap: int, key: str = "similes") -> FormVersion:
    form = Form.objects.create(study=study, key=key, title=key.capitalize(), overlap=overlap)
    version = FormVersion.objects.create(
        form=form,
        question="How good is it?",
        blocks=[{"field": "simile", "label": "Simile", "role": "figure", "mark": ["vehicle"]}],
    )
    for position, name in enumerate(("quality", "creativity")):
        criterion = Criterion.objects.create(
            version=version, key=name, name=name.title(), minimum=1, maximum=5, position=position
        )
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, value=str(value), label=f"{name} {value}", position=value)
            for value in range(1, 6)
        )
    return version


def add_items(study: Study, number: int) -> None:
    texts = [f"The lamp hung like moon {position}." for position in range(number)]
    Item.objects.bulk_create(
        Item(
            study=study,
            key=f"L{position:02d}",
            group="lamp",
            system="by-hand",
            fields={"simile": text},
            components=[{"field": "simile", "part": "vehicle", "start": 19, "end": 23, "text": "moon"}],
            position=position,
        )
        for position, text in enumerate(texts)
    )
