"""Components by the dependency parse of a spaCy pipeline, for a researcher who has one installed.

spaCy is no dependency: it is imported when a pipeline is asked for by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from scoring.hauser.base import reasons
from scoring.hauser.base.parts import Components, Extraction, Part
from scoring.hauser.components.errors import ExtractorUnavailable

INSIDE = frozenset({"det", "amod", "compound", "poss", "nummod", "quantmod", "nmod", "case", "predet", "neg"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "nsubj:pass", "csubj:pass"})
OBJECTS = frozenset({"pobj", "pcomp", "obl", "nmod"})
# From a verb to the word whose subject it shares.
SHARING = frozenset({"conj", "xcomp", "acl", "relcl", "acl:relcl", "advcl"})
DESCRIBING = frozenset({"relcl", "acl", "acl:relcl"})
HIGHEST = 5


class Token(Protocol):
    """What is used of a spaCy token."""

    @property
    def i(self) -> int: ...
    @property
    def idx(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def lower_(self) -> str: ...
    @property
    def dep_(self) -> str: ...
    @property
    def pos_(self) -> str: ...
    @property
    def head(self) -> Token: ...
    @property
    def children(self) -> Iterable[Token]: ...


class Doc(Protocol):
    """What is used of a parsed text."""

    @property
    def text(self) -> str: ...
    def __iter__(self) -> Iterator[Token]: ...


def load_pipeline(name: str) -> Callable[[str], Extraction]:
    """An extractor that parses with an installed spaCy pipeline.

    Parameters
    ----------
    name : str
        A pipeline's package or folder, such as `en_core_web_sm`.

    Raises
    ------
    ExtractorUnavailable
        `spacy_missing`, `pipeline_missing` or `pipeline_without_parser`.
    """
    try:
        spacy = importlib.import_module("spacy")
    except ImportError as problem:
        message = f"spaCy is not installed; run pip install spacy and python -m spacy download {name}"
        raise ExtractorUnavailable("spacy_missing", f"{message}, or use the built-in extractor") from problem
    try:
        pipeline = spacy.load(name)
    except OSError as problem:
        message = f"spaCy has no pipeline {name!r}; run python -m spacy download {name}, or enter its folder"
        raise ExtractorUnavailable("pipeline_missing", message) from problem
    if "parser" not in pipeline.pipe_names:
        message = f"the pipeline {name!r} has no parser; choose one with a parser, such as en_core_web_sm"
        raise ExtractorUnavailable("pipeline_without_parser", message)
    return lambda sentence: extract_parsed(pipeline(sentence))


def extract_parsed(doc: Doc) -> Extraction:
    """The pairs of a parsed sentence.

    Parameters
    ----------
    doc : spacy.tokens.Doc
        Parsed text, with heads, dependencies and parts of speech in spaCy's English labels.

    Returns
    -------
    Extraction
        A pair for each `like` and each second `as` that governs a noun.
    """
    if not doc.text.strip():
        return Extraction((), reasons.EMPTY)
    pairs: list[Components] = []
    why = ""
    for token in doc:
        if token.lower_ not in ("like", "as"):
            continue
        found = _pair(doc, token)
        if isinstance(found, Components):
            pairs.append(found)
        else:
            why = why or found
    return Extraction(tuple(pairs), "" if pairs else why or reasons.NO_COMPARATOR)


def _pair(doc: Doc, comparator: Token) -> Components | str:
    first_as = None
    if comparator.lower_ == "as":
        first_as = _first_as(comparator)
        if first_as is None:
            return ""
    elif comparator.pos_ == "VERB":
        return reasons.VERB
    vehicle = next((child for child in comparator.children if child.dep_ in OBJECTS), None)
    if vehicle is None:
        return reasons.CLAUSE if comparator.dep_ == "mark" else reasons.NO_VEHICLE
    if vehicle.pos_ == "PRON":
        return reasons.POINTER
    governor = comparator.head
    verb = _verb(governor)
    topic = _subject(verb) if verb is not None else governor
    return Components(
        topic=None if topic is None else _phrase(doc, topic),
        vehicle=_phrase(doc, vehicle),
        event=None if verb is None else _part(doc, verb, verb),
        property=_part(doc, governor, governor) if governor.pos_ == "ADJ" else None,
        comparator=_part(doc, first_as or comparator, comparator),
    )


def _first_as(second: Token) -> Token | None:
    """The first `as` of `as … as`, which the same adjective or adverb governs."""
    described = second.head
    if described.pos_ not in ("ADJ", "ADV") or described.i > second.i:
        return None
    return next(
        (child for child in described.children if child.lower_ == "as" and child.i < described.i), None
    )


def _verb(token: Token) -> Token | None:
    for _ in range(HIGHEST):
        if token.pos_ in ("VERB", "AUX"):
            return token
        if token.pos_ not in ("ADJ", "ADV") or token.head is token:
            return None
        token = token.head
    return None


def _subject(verb: Token) -> Token | None:
    for _ in range(HIGHEST):
        subject = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
        if verb.dep_ in DESCRIBING and (subject is None or subject.pos_ == "PRON"):
            return verb.head
        if subject is not None:
            return subject
        if verb.dep_ not in SHARING:
            return None
        verb = verb.head
    return None


def _phrase(doc: Doc, head: Token) -> Part:
    """A noun with the words before it and its complement with `of`."""
    first, last = head, head
    for child in head.children:
        if child.dep_ in INSIDE and child.i < first.i:
            first = _leftmost(child)
        if child.lower_ == "of" and child.i > head.i:
            last = _rightmost(child)
    if head.pos_ == "VERB":
        last = _rightmost(head)
    return _part(doc, first, last)


def _leftmost(token: Token) -> Token:
    """The first token below one, itself included."""
    below, first = [token], token
    while below:
        current = below.pop()
        first = current if current.i < first.i else first
        below.extend(current.children)
    return first


def _rightmost(token: Token) -> Token:
    """The last token below one, itself included, without relative clauses and punctuation."""
    below, last = [token], token
    while below:
        current = below.pop()
        last = current if current.i > last.i else last
        below.extend(child for child in current.children if child.dep_ not in DESCRIBING | {"punct"})
    return last


def _part(doc: Doc, first: Token, last: Token) -> Part:
    start, end = first.idx, last.idx + len(last.text)
    return Part(doc.text[start:end], start, end)
