"""The pages on which a form is edited."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.models import Study, User


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def fields(page: Any) -> dict[str, Any]:
    """What the page's own fields would send."""
    document: dict[str, Any] = page.context["document"]
    sent = {"title": document["title"], "key": document["key"], "question": document["question"]}
    sent |= {"cannot_rate": "on"} if document["cannot_rate"] else {}
    for place, block in enumerate(document["blocks"]):
        sent |= {f"block-{place}-{name}": block.get(name, "") for name in ("field", "label", "role")}
        sent[f"block-{place}-mark"] = ", ".join(block["mark"])
    for place, one in enumerate(document["criteria"]):
        texts = ("key", "name", "question", "kind", "asked_after", "asked_when")
        sent |= {f"criterion-{place}-{name}": one[name] for name in texts}
        sent |= {f"criterion-{place}-required": "on"} if one["required"] else {}
        for inner, point in enumerate(one["points"]):
            sent |= {f"point-{place}-{inner}-{name}": value for name, value in point.items()}
    return sent


def form_url(study: Study) -> str:
    return reverse("study-form", args=[study.slug, study.forms.get().key])
