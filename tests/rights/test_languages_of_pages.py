"""Every page that an owner or a site administrator may open is in the language that they chose."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotation.models import MediaFile
from scoring.models import ShareLink
from tests.rights.permissions import pages
from tests.rights.world import World, client_for, ours
from tests.support.visible_words import TEXT, english_on, without_words

# Three words of English in a row: a name, a key of a column or a format is no sentence.
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
# Documentation is in English and says so; what a file holds is shown as it is.
ENGLISH = frozenset(["help", "help-page", "study-paper", "study-definition-download"])


def path_of(world: World, name: str) -> str:
    return reverse(name, kwargs=world.arguments(name, ours()[name].arguments))


@pytest.mark.parametrize("who", ["owner", "superuser"])
def test_no_english_sentence_is_left_on_any_page(world: World, who: str) -> None:
    without_words(world.cast.study)
    # A shared result has the title that the study had when it was shared.
    ShareLink.objects.update(title=TEXT)
    MediaFile.objects.update(name=TEXT, alt=TEXT)
    client, left = client_for(world.cast, who), []
    client.cookies["django_language"] = "ja"
    for name in pages():
        if name in ENGLISH:
            continue
        page = client.get(path_of(world, name), follow=True)
        if page.headers.get("Content-Type", "").startswith("text/html") and not page.streaming:
            found = [
                sentence for sentence in english_on(page.content.decode(), "ja") if SENTENCE.search(sentence)
            ]
            left += [(name, sentence) for sentence in found]
    assert left == []
