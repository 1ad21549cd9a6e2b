"""Rating pages to try without an account: items and form of the demo, of which nothing is read or stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import Criterion, Item, Study
from annotation.protocols.hauser import CREATIVITY, HAUSER
from annotation.protocols.translations.tables import ENGLISH, protocol_texts
from annotation.selectors.rating.rating_page import Given
from annotation.selectors.studies.form_preview import UNANSWERED, shown_page, unsaved_criteria

(FORM,) = HAUSER.forms
# Sentences and systems differ, so that different answers suit them.
ITEMS = tuple(HAUSER.demo.items[place] for place in (0, 9, 13, 16, 22))
SAMPLE_ANSWER = "4"


def sandbox_page(
    number: int, language: str, given: Given = UNANSWERED, errors: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """What the page of an item shows, with answers that were given.

    Parameters
    ----------
    number : int
        From 1 to the number of `ITEMS`.
    language : str
        The language of the form; English where it has no translation. Items are English.
    given, errors
        Answers to show as chosen, and what is wrong with them, by criterion.
    """
    texts = protocol_texts(HAUSER, own=language, offered=())
    study = Study(title="Everyday similes", language=language if texts.table else ENGLISH)
    return {"study": study, **shown_page(study, texts.of_form(FORM), sandbox_item(number), given, errors)}


def sandbox_item(number: int) -> Item:
    """The item of a page, not stored."""
    item = ITEMS[number - 1]
    return Item(
        fields=dict(item.fields),
        components=list(item.components),
        metadata={"language": ENGLISH, **item.metadata},
    )


def sandbox_criteria() -> list[Criterion]:
    """The criteria of every page, not stored."""
    return unsaved_criteria(FORM)


def sample_page(language: str) -> dict[str, Any]:
    """The first page with one criterion answered, to look at, in a language as `sandbox_page`."""
    page = sandbox_page(1, language)
    criterion = next(one for one in page["criteria"] if one["key"] == CREATIVITY.key)
    (point,) = (one for one in criterion["points"] if one.value == SAMPLE_ANSWER)
    return {**page, "criterion": criterion, "point": point}
