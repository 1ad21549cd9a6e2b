"""What somebody new is told to expect: how long a page usually takes."""

from __future__ import annotations

from statistics import fmean

from django.db.models import Count

from annotation.domain.quality.reading_speed import usual_seconds
from annotation.models import FormVersion, Item, Study

SAMPLE = 5
# Choosing a point and looking at its rubric; a text whose reading speed is not known.
DECIDING, UNKNOWN = 6.0, 15.0


def page_seconds(study: Study) -> float:
    """Seconds that a page of the study usually takes, from its first items and the length of its forms.

    Parameters
    ----------
    study : Study
        With at least one form and item; its least time is not looked at.
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
    shown = [block["field"] for block in version.blocks] or list(item.fields)
    text = " ".join(str(item.fields.get(name) or "") for name in shown)
    seconds = usual_seconds(text, item.metadata.get("language") or study.language)
    return UNKNOWN if seconds is None else seconds
