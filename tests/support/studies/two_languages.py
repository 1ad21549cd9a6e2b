"""A study with texts in English and Chinese."""

from __future__ import annotations

import uuid
from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.domain.base.states import StudyState
from annotation.models import Rater, Response, Study, User
from annotation.services.items.item_storage import NewItem
from annotation.services.people.invitations import invite
from annotation.services.studies.definitions import create_from_definition
from annotation.services.studies.lifecycle import change_state

LANGUAGE = "zh-hans"
STUDY: dict[str, Any] = {
    "title": "Similes",
    "description": "How good similes are.",
    "consent": "You agree to take part.",
    "instructions": "Read each simile.",
    "content_warning": "Some similes are sad.",
    "translations": {
        LANGUAGE: {
            "title": "明喻",
            "consent": "您同意参加。",
            "instructions": "请阅读每个明喻。",
            "content_warning": "部分明喻令人难过。",
        }
    },
}
FORM: dict[str, Any] = {
    "key": "similes",
    "title": "Similes",
    "overlap": 2,
    "blocks": [{"field": "simile", "label": "Simile"}],
    "criteria": [
        {
            "key": "clarity",
            "name": "Clarity",
            "question": "How clear is it?",
            "points": [
                {"value": 1, "label": "Not clear", "description": "Nobody understands it."},
                {"value": 2, "label": "Clear", "description": "Everybody understands it."},
            ],
        }
    ],
    "examples": [
        {
            "criterion": "clarity",
            "text": "It rang like {vehicle:a bell}.",
            "answer": 2,
            "reason": "Everybody can hear it.",
        }
    ],
    "translations": {
        LANGUAGE: {
            "examples": [{"number": 1, "text": "它像{vehicle:钟}一样响。", "reason": "大家都听得见。"}],
            "blocks": [{"field": "simile", "label": "明喻"}],
            "criteria": [
                {
                    "key": "clarity",
                    "name": "清晰度",
                    "question": "它有多清晰？",
                    "points": [
                        {"value": 1, "label": "不清晰", "description": "没有人能理解。"},
                        {"value": 2, "label": "清晰"},
                    ],
                }
            ],
        }
    },
}
QUESTION: dict[str, Any] = {
    "key": "reads",
    "text": "How often do you read?",
    "kind": "choice",
    "options": ["often", "never"],
    "translations": {LANGUAGE: {"text": "您多久阅读一次？", "options": ["经常", "从不"]}},
}
QUALIFICATION: dict[str, Any] = {
    "rule": "near",
    "tolerance": 1,
    "share": 0.5,
    "pages": [
        {
            "title": "What a simile is",
            "text": "It {vehicle:compares}.",
            "translations": {LANGUAGE: {"title": "什么是明喻", "text": "它{vehicle:作比较}。"}},
        }
    ],
    "items": [
        {
            "form": "similes",
            "texts": {"simile": "It rang like a bell."},
            "reference": {"clarity": 2},
            "reason": "A bell rings.",
            "translations": {LANGUAGE: {"reason": "钟会响。"}},
        },
        {
            "form": "similes",
            "texts": {"simile": "It rang like a stone."},
            "reference": {"clarity": 1},
            "reason": "A stone does not ring.",
        },
    ],
}
DEFINITION: dict[str, Any] = {"format": "groundwork-study", "version": 1, "study": STUDY, "forms": [FORM]}


def study_in_two_languages(
    owner: User, *, slug: str = "two", opened: bool = True, asks: bool = False, qualifies: bool = False
) -> tuple[Study, str]:
    """The study, and the token of its open link.

    With `asks` it has a question about the rater, with `qualifies` a background page and calibration items.
    """
    definition = {
        **DEFINITION,
        "demographics": [QUESTION] if asks else [],
        "qualification": QUALIFICATION if qualifies else None,
    }
    items = (NewItem(key="i1", fields={"simile": "The lamp hung like a moon."}),)
    made = create_from_definition(definition=definition, slug=slug, owner=owner, items=items).study
    if opened:
        made = change_state(study=made, to=StudyState.OPEN, actor=owner)
    return made, invite(study=made, actor=owner).token


class Sitting:
    """One rater, whose browser asks for a language."""

    def __init__(self, study: Study, token: str, language: str) -> None:
        self.study, self.language = study, language
        self.client = Client(headers={"Accept-Language": language})
        self.join_page = self.client.get(reverse("join", args=[token])).content.decode()
        sent = {"interface_language": language, "join_key": str(uuid.uuid4())}
        self.client.post(reverse("join", args=[token]), sent)
        self.rater = Rater.objects.latest("pk")

    def page(self, name: str) -> Any:
        return self.client.get(reverse(name, args=[self.study.slug]), follow=True)

    def answer(self) -> Response:
        context = self.page("rate").context
        names = ("submission_key", "version", "assignment", "seen_revision")
        sent = {name: context[name] for name in names} | {"interface_language": self.language}
        self.client.post(context["action"], sent | {"answer-clarity": "2"})
        return Response.objects.latest("pk")
