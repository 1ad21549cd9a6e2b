"""What saving a changed form does to the statistics of a study that has responses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotation.domain.base.states import SeatState
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.questions.wording.changes import TextChange, changed_texts, is_wording_only
from annotation.domain.questions.wording.version_numbers import version_label
from annotation.models import Form, FormVersion, Response, Seat
from annotation.selectors.questions.counting import PARTS, Counting, counted, submitted

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ItemsAtTheEnd:
    """How many items have the requested ratings when all rating slots are filled.

    Parameters
    ----------
    items
        Items with a rating slot.
    pooled
        Items with the ratings if old and new responses count together.
    before, after
        Items with the ratings from responses to the version in use, and from those to the new version alone.
    more
        Further responses needed until every item has the ratings under the new version alone.
    """

    items: int
    pooled: int
    before: int
    after: int
    more: int


@dataclass(frozen=True)
class WordingChange:
    """The effects of saving a changed form.

    Parameters
    ----------
    version, correction
        Numbers of the version that would be stored, as a new version and as a correction, such as 3 and 2.1.
    is_wording
        Only texts change; otherwise the change cannot be a correction.
    texts
        The changed texts.
    responses
        Version number to the responses that were given to it and stay with it.
    leaving
        Version number to the responses that the statistics use now. After a new version they use none of
        these once a response to it counts; after a correction they use them together with the new ones.
    to_come
        Rating slots that no response fills yet.
    items
        Items that will have the requested ratings.
    lost_translations
        Translations of changed texts: a correction keeps them, a new version has none.
    """

    version: str
    correction: str
    is_wording: bool
    texts: tuple[TextChange, ...]
    responses: Counts
    leaving: Counts
    to_come: int
    items: ItemsAtTheEnd
    lost_translations: int = 0

    @property
    def n_responses(self) -> int:
        """Responses to all versions so far."""
        return sum(n for _, n in self.responses)

    @property
    def n_used(self) -> int:
        """Responses that the statistics use now."""
        return sum(n for _, n in self.leaving)


def wording_change(form: Form, before: Mapping[str, Any], after: Mapping[str, Any]) -> WordingChange | None:
    """Compute the effects of storing a changed form.

    Parameters
    ----------
    form : Form
        Of a study.
    before, after : mapping
        The newest version and the changed form in the shape of a definition. Only answers to the kinds of
        criteria that the changed form asks leave the statistics: other statistics go on with an older
        version.

    Returns
    -------
    WordingChange or None
        None where the form has no responses: then nothing changes for the statistics.
    """
    given = submitted(form.study).filter(version__form=form)
    responses = _per_version(given)
    if not responses:
        return None
    used = given.filter(_used(form, {one["kind"] for one in after["criteria"]}))
    newest = FormVersion.objects.filter(form=form).latest("number", "correction")
    seats = Seat.objects.filter(form=form)
    changes = changed_texts(before, after)
    lost = [one for one in changes if one.place[0] in before["translations"] and not one.after]
    return WordingChange(
        version=str(newest.number + 1),
        correction=version_label(newest.number, newest.correction + 1),
        is_wording=is_wording_only(before, after),
        texts=tuple(one for one in changes if one not in lost),
        responses=responses,
        leaving=_per_version(used),
        to_come=seats.exclude(state=SeatState.FILLED).count(),
        items=_at_the_end(seats, used),
        lost_translations=len(lost),
    )


def _used(form: Form, kinds: Collection[str]) -> Q:
    study, used = form.study, Q(pk__in=[])
    for part in PARTS.values():
        if set(keys_yielding(*part)) & set(kinds):
            used |= Q(
                pk__in=counted(study, Counting.in_statistics(study, yields=part)).order_by().values("pk")
            )
    return used


def _at_the_end(seats: QuerySet[Seat], used: QuerySet[Response]) -> ItemsAtTheEnd:
    open_seats = Count("pk", filter=~Q(state=SeatState.FILLED))
    rows = seats.order_by().values_list("item").annotate(wanted=Count("pk"), to_come=open_seats)
    wanted = {item: (n, to_come) for item, n, to_come in rows}
    given = dict(used.order_by().values_list("assignment__item").annotate(n=Count("pk")))
    old = {item: given.get(item, 0) for item in wanted}
    return ItemsAtTheEnd(
        items=len(wanted),
        pooled=sum(old[item] + to_come >= n for item, (n, to_come) in wanted.items()),
        before=sum(old[item] >= n for item, (n, _) in wanted.items()),
        after=sum(to_come >= n for n, to_come in wanted.values()),
        more=sum(n - to_come for n, to_come in wanted.values()),
    )


def _per_version(responses: QuerySet[Response]) -> Counts:
    numbered = responses.order_by("version__number", "version__correction")
    counts = numbered.values_list("version__number", "version__correction").annotate(n=Count("pk"))
    return tuple((version_label(number, correction), n) for number, correction, n in counts)
