"""A form that names no texts shows all of an item, in the same order on every database."""

from __future__ import annotations

import pytest

from annotation.models import FormVersion, Item
from annotation.selectors.rating.rating_page import page_blocks
from tests.support.people import join, make_cast

pytestmark = pytest.mark.django_db


def test_texts_that_no_form_names_are_shown_by_their_names():
    cast = make_cast()
    FormVersion.objects.update(blocks=[])
    fields = {"simile": "It fell like rain.", "after": "Then it stopped.", "context": "It had been dry."}
    Item.objects.update(fields=fields, components=[])
    shown = page_blocks(FormVersion.objects.get(), Item.objects.get(key="L00"))
    assert [block["label"] for block in shown] == ["After", "Context", "Simile"]
    page = join(cast.invitation)[1].get(f"/api/v1/rate/{cast.slug}/next/").json()
    assert [block["field"] for block in page["blocks"]] == ["after", "context", "simile"]
