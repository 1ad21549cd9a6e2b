"""Samples of a column show characters beyond ASCII where it has some: a wrong encoding is seen by them."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.io.items.column_profiles import sample_values
from tests.support.people import make_cast


def samples(cells: list[str], longest: int = 20) -> list[str]:
    return sample_values(
        "text", [(n, {"text": cell}) for n, cell in enumerate(cells)], most=3, longest=longest
    )


def test_the_first_cells_are_shown_where_they_tell_the_encoding_or_none_does():
    assert samples(["a", "b", "c", "d"]) == ["a", "b", "c"]
    assert samples(["a", "é", "c", "ü"]) == ["a", "é", "c"]
    assert samples([]) == []


def test_a_later_cell_beyond_ascii_is_shown_in_place_of_the_last():
    assert samples([*"abcdef", "crème"]) == ["a", "b", "crème"]


def test_of_a_long_text_the_part_with_such_a_character_is_shown():
    [*_, last] = samples(["a", "b", "c" * 90 + "é" + "c" * 90])
    assert "é" in last
    assert len(last) <= 21


@pytest.mark.django_db
def test_the_page_of_the_columns_shows_them():
    cast = make_cast(opened=False)
    client = Client()
    client.force_login(cast.users["researcher"])
    lines = "".join(f"a{n},like rain\n" for n in range(30))
    content = f"item,simile\n{lines}b,comme une crème\n".encode("cp1252")
    sent = {"what": "columns", "file": SimpleUploadedFile("similes.csv", content)}
    page = client.post(reverse("study-import", args=[cast.slug]), sent, follow=True)
    assert "comme une crème" in page.content.decode()
