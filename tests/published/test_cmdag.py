"""CMDAG's published annotations: in as sentences with tuples, out again byte for byte."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command

from annotation.models import Study
from annotation.selectors.questions.documents import DOCUMENTS

pytestmark = [pytest.mark.django_db, pytest.mark.published_data]

# Strings of the files found in their contexts; the paper prints no such numbers.
LOCATED = {
    "cmdag-test": "3447 tuples; tenor and vehicle located: 2507 wholly, 797 partly, 143 not",
    "cmdag-train": "200 tuples; tenor and vehicle located: 136 wholly, 54 partly, 10 not",
}
FILES = {"cmdag-test": "test_data.json", "cmdag-train": "train_data_sampled_200.json"}


def test_every_record_goes_out_equal_located_or_not(published_data):
    out = io.StringIO()
    call_command("import_published", "cmdag", f"--data={published_data / 'cmdag'}", stdout=out)
    assert "Study 'cmdag' imported: 800 items" in out.getvalue()
    for slug, line in LOCATED.items():
        assert line in out.getvalue()
        exported = b"".join(DOCUMENTS["cmdag"].pieces(Study.objects.get(slug=slug)))
        assert exported == (published_data / "cmdag" / FILES[slug]).read_bytes()
