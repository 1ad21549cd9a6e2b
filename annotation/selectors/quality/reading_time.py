"""The minimum time of a page by the study's own rule, and the usual time that new raters are shown."""

from __future__ import annotations

from statistics import fmean

from django.db.models import Count

from annotation.domain.quality.reading_speed import Least, Minimum, least_seconds, usual_seconds
from annotation.models import FormVersion, Item, Study

SAMPLE = 5
# Choosing a point and looking at its rubric; a text whose reading speed is not known.
DECIDING, UNKNOWN = 6.0, 15.0


def minimum_of(study: Study) -> Minimum | None:
    """The study's own rule; None where it has none."""
    if study.least_seconds is None:
        return None
    return Minimum(study.least_seconds, study.exempt_characters)


def least_of(study: Study, version: FormVersion, item: Item, *, criteria: int = 0) -> Least:
    """The least seconds of one page with so many criteria."""
    texts = _texts_shown(version, item)
    return least_seconds(texts, _language(study, item), criteria=criteria, minimum=minimum_of(study))


def page_seconds(study: Study) -> float:
    """Seconds that a page of the study usually takes, from its first items and the length of its forms.

    Its minimum page time does not count.
    """
    newest = (
        FormVersion.objects.filter(form__study=study, form__planted=False)
        .annotate(asked=Count("criteria"))
        .order_by("form_id", "-number")
    )
    versions = list({version.form_id: version for version in reversed(newest)}.values())
    items = list(study.items.order_by("position").only("study", "fields", "metadata")[:SAMPLE])
    each = [
        _reading(study, version, item) + DECIDING * version.asked for version in versions for item in items
    ]
    return fmean(each) if each else UNKNOWN


def _reading(study: Study, version: FormVersion, item: Item) -> float:
    seconds = usual_seconds(" ".join(_texts_shown(version, item)), _language(study, item))
    return UNKNOWN if seconds is None else seconds


def _texts_shown(version: FormVersion, item: Item) -> list[str]:
    shown = [block["field"] for block in version.blocks] or list(item.fields)
    return [str(item.fields[name]) for name in shown if item.fields.get(name)]


def _language(study: Study, item: Item) -> str:
    return item.metadata.get("language") or study.language
