"""The words of the code: names, comments and docstrings use the terms of the field, not private ones."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from tests.architecture.pages import ROOT

# What a reader cannot know the meaning of, and what is written instead.
BANNED = {
    "told": "given, shown, reported",
    "apart": "separately, difference, distance",
    "kept": "stored, retained, remaining",
    "stand stands stood standing": "is listed, active, current",
    "beside": "next to, in addition to",
    "somebody whoever whom nobody": "the role, or “no one”",
    "anew": "again",
    "mend mended": "correct, corrected",
    "nought": "0",
    "lest": "so that … not",
    "said saying": "text, value, message",
}
WORDS = frozenset(word for group in BANNED for word in group.split())
ANY_WORD = re.compile("|".join(sorted(WORDS)), re.IGNORECASE)
SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SOURCES = [
    path
    for package in ("annotation", "scoring", "config", "tests", "benchmarks", "docker")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "migrations" not in path.parts
]
# Names that the database, files or the API have, and that therefore remain; a docstring quotes them as code.
STORED = frozenset({"told", "apart", "criteria_apart", "n_standing", "mend"})
CODE = re.compile(r"`[^`]*`")
TITLE = "Learning Whom to Trust with MACE"


def names_and_prose(source: str) -> Iterator[str]:
    """Names, comments and docstrings of a source; texts that are shown are checked elsewhere."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NAME, tokenize.COMMENT):
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, SCOPES):
            yield CODE.sub("", ast.get_docstring(node) or "").replace(TITLE, "")


def private_words(source: str) -> set[tuple[str, str]]:
    if not ANY_WORD.search(source):
        return set()
    return {
        (word, text)
        for text in names_and_prose(source)
        for word in re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text.replace("_", " ")).lower())
        if word in WORDS and text not in STORED
    }


def test_no_source_has_a_private_word():
    found = {str(path.relative_to(ROOT)): private_words(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "source", ["kept = 1", "def _keptRows(): ...", '"""What stands in a row."""', "x = 1  # set apart"]
)
def test_a_private_word_is_found(source):
    assert private_words(source)


def test_a_text_that_is_shown_is_not_prose_of_the_code():
    assert private_words('message("Nothing stands here.")') == set()
