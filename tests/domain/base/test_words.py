"""The words of pages and documents: one term for one thing, and none that made sentences hard to read.

Every sentence that a page can say is in the catalogues; so they are what is checked here. Of documents the
prose is checked: neither code nor the decisions of the past, nor the list of changes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from config.catalogues.extraction import sentences
from tests.architecture.pages import PAGES, ROOT, prose_of

# Whole words that are not written, and what is written instead.
BANNED = {
    r"nought|naught|aught": "0",
    r"whom|who(?:so)?ever": "the role: raters, study members",
    r"somebody": "the role, or “anyone”",
    r"beside(?!s)": "next to, compared with",
    r"part ways|go(?:es)? with the others": "disagree, low agreement",
    r"com(?:e|es) about": "is computed",
    r"anew": "again",
    r"by hand": "manually",
    r"told": "sent, shown, reported",
    r"(?:set )?apart": "separately, differ by",
    r"stands?|standing": "is, appears, active",
    r"in hand": "current",
    r"takes? away|taken away": "download, remove",
    r"hand(?:s|ed)? (?:out|on)|handing out": "assign",
    r"annotators?": "rater",
    r"log-?ins?|log in(?:to)?|logged in": "sign in, account",
    r"e-mails?": "email",
    r"programmes?": "program, software",
    r"overlap": "ratings per item",
    r"verdicts?": "final answer",
    r"sittings?": "session",
    r"crowd links?": "platform link",
    r"own link": "personal link",
    r"pseudonyms?": "rater code",
    r"seats?": "rating slot",
    r"reckon(?:s|ed)?": "assume, compute",
    r"wished": "target",
    r"planted?": "attention check",
    r"remarks?": "comment",
    r"the study runs": "the study is open",
    r"henceforth|thereby|therein|herein|whence|hence|anyhow|lest|shall": "a plainer sentence",
    r"95 %": "95%",
    r"least seconds": "minimum page time",
    r"trials?(?! annotation)": "preview",
    r"as it falls": "in any order",
    r"mend(?:s|ed)?": "fix, correct",
    r"gone": "excluded, removed",
    r"MaxDiff": "best–worst scaling",
}
FOUND = re.compile(r"(?<![\w-])(?:" + "|".join(BANNED) + r")(?![\w-])", re.IGNORECASE)
# A word in its plain meaning, or the name of a published measure or of a check in the interface of programs.
ALLOWED = frozenset(
    [
        "Spans can overlap or lie inside each other. The lower line shows the wider span.",
        "overlap",
    ]
)
# What spans do, shared characters as a measure of agreement on them, and the name of a test.
TERMS = re.compile(
    "overlap of tuples|partial overlap|same component that overlap|alternative annotator test", re.IGNORECASE
)
DOCUMENTS = [
    page for page in PAGES if page.name != "CHANGELOG.md" and ROOT / "docs" / "adr" not in page.parents
]
UNFINISHED = re.compile(r"\bTODO\b|\bFIXME\b|lorem ipsum", re.IGNORECASE)


@cache
def all_messages() -> tuple[str, ...]:
    forms: set[str] = set()
    for one in sentences():
        forms.update([one.id] if isinstance(one.id, str) else one.id)
    return tuple(sorted(forms - {""}))


def test_no_page_uses_a_word_that_the_language_guide_replaces():
    found = [
        (words[0], one)
        for one in all_messages()
        if one not in ALLOWED and (words := FOUND.search(TERMS.sub("", one)))
    ]
    assert found == []


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_document_uses_such_a_word(page: Path):
    found = [(words[0], text) for text in prose_of(page) if (words := FOUND.search(TERMS.sub("", text)))]
    assert found == []


def test_no_sentence_is_unfinished():
    assert [one for one in all_messages() if UNFINISHED.search(one)] == []


@pytest.mark.parametrize(
    "sentence",
    ["Whoever rates it", "Nought or more", "3 seats are free", "A log-in is needed", "A trial of the task"],
)
def test_such_a_word_is_found(sentence):
    assert FOUND.search(sentence)


@pytest.mark.parametrize(
    "sentence", ["Trial annotations", "besides", "A standalone file", "Hand-picked items"]
)
def test_longer_words_and_terms_are_not(sentence):
    assert not FOUND.search(sentence)
