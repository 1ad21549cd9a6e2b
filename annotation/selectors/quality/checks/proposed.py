"""A ready-made attention check for a draft, which a member can change before adding it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from django.utils import translation
from django.utils.translation import gettext as _

from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.models import FormVersion, ScalePoint, Study

MOST_ITEMS_BETWEEN = 10
FEWEST_ITEMS_BETWEEN = 2
# So many checks appear among the items of one rater.
CHECKS_PER_RATER = 2


@dataclass(frozen=True)
class ProposedCheck:
    """An instructed-response check: the texts by field, and the value to choose by criterion."""

    key: str
    texts: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)


def propose_check(study: Study, version: FormVersion | None) -> ProposedCheck:
    """Propose the next check of a draft; only its name if there is no scale or no text.

    Parameters
    ----------
    study : Study
        The draft.
    version : FormVersion or None
        The form on whose pages the check appears.
    """
    taken = set(study.checks.values_list("key", flat=True))
    number = next(n for n in count(len(taken) + 1) if f"check-{n}" not in taken)
    key = f"check-{number}"
    point = _point(version, number) if version else None
    if version is None or point is None:
        return ProposedCheck(key)
    shown = [block["field"] for block in version.blocks if not block.get("optional")] or _texts(study)
    if not shown:
        return ProposedCheck(key)
    value = f"{point.value} ({point.label})" if point.label else point.value
    with translation.override(study.language):
        sentence = _("To show that you are reading, please select “%(value)s” for “%(criterion)s”.")
        text = sentence % {"value": value, "criterion": point.criterion.name}
        texts = dict.fromkeys(shown, _("Please read the other text.")) | {_main(version, shown): text}
    return ProposedCheck(key, texts, {point.criterion.key: point.value})


def own_question_name(study: Study) -> str:
    """The heading of a check’s own question, in the language of the study."""
    with translation.override(study.language):
        return _("Question")


def _main(version: FormVersion, shown: Sequence[str]) -> str:
    """The text that raters judge, which alone says what to choose, so that they read it once."""
    judged = [block["field"] for block in version.blocks if block.get("role", "figure") == "figure"]
    return next((name for name in shown if name in judged), shown[0])


def propose_items_between(study: Study) -> int:
    """Propose about how many items to show between two checks, so that a rater sees two of them."""
    limits = [*study.forms.exclude(per_rater=None).values_list("per_rater", flat=True), study.items.count()]
    fewest = min(filter(None, limits), default=MOST_ITEMS_BETWEEN * (CHECKS_PER_RATER + 1))
    return max(FEWEST_ITEMS_BETWEEN, min(MOST_ITEMS_BETWEEN, fewest // (CHECKS_PER_RATER + 1)))


def _point(version: FormVersion, number: int) -> ScalePoint | None:
    """A point of the first scale that raters always see: near its upper end, then near its lower end."""
    criteria = version.criteria.filter(kind__in=keys_yielding(Yields.NUMBER), required=True, asked_after="")
    criterion = criteria.order_by("position", "pk").first()
    points = list(criterion.points.select_related("criterion")) if criterion else []
    if not points:
        return None
    offset = 1 if len(points) > CHECKS_PER_RATER else 0
    return points[-1 - offset] if number % CHECKS_PER_RATER else points[offset]


def _texts(study: Study) -> list[str]:
    """The texts of the first item, which a form without listed texts shows."""
    item = study.items.order_by("position").first()
    return list(item.fields) if item else []
