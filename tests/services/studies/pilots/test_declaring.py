"""Pooling a pilot with its main study is declared by API and command as on the page."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import AuditEntry
from tests.services.studies.pilots.two_studies import WHY, again
from tests.views.questions.form_pages import client_of

pytestmark = pytest.mark.django_db
POOLING_ACTS = ("pool_pilot", "pooled_in_main", "separate_pilot", "separated_from_main")


def log() -> list[tuple[str, str, Any]]:
    """The entries of both studies: study, actor and detail."""
    rows = AuditEntry.objects.filter(act__in=POOLING_ACTS).order_by("pk")
    return list(rows.values_list("study__slug", "actor__email", "detail"))


def test_the_api_declares_and_withdraws_it_with_the_same_entries_of_the_log_as_the_page(cast, main):
    client = client_of(cast.users["owner"])
    api, page = (reverse(name, args=["main"]) for name in ("api_pilot_pooling", "study-pilot-pooling"))

    def posted(act: str, reason: str = WHY) -> Any:
        return client.post(api, {"act": act, "reason": reason}, content_type="application/json")

    before = client.get(api).json()
    assert (before["responses"], before["responses_that_fit"], before["obstacle"]) == ("separate", 6, "")
    given = posted("pool").json()
    assert (given["responses"], given["pooled_because"], given["items_that_fit"]) == ("pooled", WHY, 6)
    assert again(main).pilot_pooled_at is not None
    assert posted("pool").json()["code"] == "pilot_pooled"
    assert posted("separate", " ").status_code == 400
    assert posted("separate").json()["responses"] == "separate"
    both = log()
    for act in ("pool", "separate"):
        client.post(page, {"act": act, "reason": WHY})
    assert log() == both * 2


def test_the_command_declares_and_withdraws_it_in_the_name_of_a_member(cast, main):
    owner = cast.users["owner"].email

    def command(*given: str) -> str:
        out = StringIO()
        call_command("study_definition", *given, stdout=out)
        return out.getvalue()

    assert "'main' is separate from its pilot 'lamps'" in command("pooling", "main")
    assert "pooled with its pilot" in command("pool", "main", "--by", owner, "--reason", WHY)
    assert "Responses that fit: 6, about 6 common items." in command("pooling", "main")
    assert again(main).pilot_pooled_because == WHY
    assert "separated from" in command("separate", "main", "--by", owner, "--reason", WHY)
    assert len(log()) == 4
    for by, study, message in (
        (cast.users["researcher"].email, "main", "is no admin or owner"),
        (owner, "nowhere", "is no admin or owner"),
        (owner, cast.slug, "no pilot study"),
    ):
        with pytest.raises(CommandError, match=message):
            command("pool", study, "--by", by, "--reason", WHY)
