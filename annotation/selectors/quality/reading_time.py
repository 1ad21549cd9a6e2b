"""The least time that a page takes, by the study's own rule and by what it shows."""

from __future__ import annotations

from annotation.domain.quality.reading_speed import Least, Minimum, least_seconds
from annotation.models import FormVersion, Item, Study


def minimum_of(study: Study) -> Minimum | None:
    """The study's own rule; None where it has none."""
    if study.least_seconds is None:
        return None
    return Minimum(study.least_seconds, study.exempt_characters)


def least_of(study: Study, version: FormVersion, item: Item, *, criteria: int = 0) -> Least:
    """The least seconds of one page.

    Parameters
    ----------
    study : Study
        Whose rule it is.
    version : FormVersion
        Says which texts are shown.
    item : Item
        Has the texts.
    criteria : int
        How many criteria the page asks.
    """
    shown = [block["field"] for block in version.blocks] or list(item.fields)
    texts = [str(item.fields[name]) for name in shown if item.fields.get(name)]
    language = item.metadata.get("language") or study.language
    return least_seconds(texts, language, criteria=criteria, minimum=minimum_of(study))
