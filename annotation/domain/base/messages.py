"""Sentences of rules and services, stored so that a page can show them in another language."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any


class Message(str):
    """An English sentence with its template and the values of its placeholders.

    The API and the log, which have no languages, use it as plain text.

    Attributes
    ----------
    singular, plural : str
        Templates with named placeholders, `%(name)s`; `plural` is empty where nothing is counted.
    values : mapping of str to object
        By name of the placeholder; `n` is what is counted.
    """

    singular: str
    plural: str
    values: Mapping[str, object]


def message(template: str, **values: object) -> Message:
    """Put values into a sentence.

    Parameters
    ----------
    template : str
        A literal, so that it can be found for translation.
    **values : object
        By name of the placeholder. A value that is itself a message is translated with the sentence.
    """
    return _filled(template, "", template, values)


def counted_message(singular: str, plural: str, *, n: int, **values: object) -> Message:
    """Put values into a sentence about a number of things.

    Parameters
    ----------
    singular, plural : str
        Literals, for one thing and for several.
    n : int
        How many things; the placeholder is `%(n)d`.
    **values : object
        The other values.
    """
    return _filled(singular, plural, singular if n == 1 else plural, {"n": n, **values})


def joined(sentences: Iterable[str]) -> str:
    """Sentences in a row, as one message that is translated sentence by sentence.

    Parameters
    ----------
    sentences : iterable of str
        In their order; empty for no text.
    """
    return reduce(_followed_by, sentences, "")


def _followed_by(first: str, second: str) -> str:
    return message("%(first)s %(second)s", first=first, second=second) if first else second


def as_stored(sentence: str) -> Any:
    """A sentence as a JSON value; plain text stays as it is.

    Parameters
    ----------
    sentence : str
        Its values are texts, numbers and messages.
    """
    if not isinstance(sentence, Message):
        return sentence
    values = {name: _stored_value(value) for name, value in sentence.values.items()}
    return {"singular": sentence.singular, "plural": sentence.plural, "values": values}


def _stored_value(value: object) -> Any:
    """A value of a sentence; JSON has no infinite number, so that one is stored as text."""
    if isinstance(value, str):
        return as_stored(value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def from_stored(stored: Any) -> str:
    """The sentence that `as_stored` wrote.

    Parameters
    ----------
    stored : object
        A JSON value from `as_stored`.
    """
    if not isinstance(stored, dict):
        return str(stored)
    values = {
        name: from_stored(value) if isinstance(value, dict) else value
        for name, value in stored["values"].items()
    }
    singular, plural = stored["singular"], stored["plural"]
    return _filled(singular, plural, plural if plural and values["n"] != 1 else singular, values)


def _filled(singular: str, plural: str, chosen: str, values: Mapping[str, object]) -> Message:
    filled = Message(chosen % values if values else chosen)
    filled.singular, filled.plural, filled.values = singular, plural, dict(values)
    return filled
