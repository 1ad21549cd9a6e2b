"""Answers: every revision in its order, the last one current, of the right study and on its scale."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from annotation.models import Assignment, FinalAnswer, Rating, Response
from annotation.selectors.studies.verify.breach import BY_HAND, Breach, Rule

NO_CURRENT = Rule(
    "no_current_revision",
    "It was answered, and no revision of the answer is the current one.",
    "Set current of its response with the highest revision to true.",
)
NOT_LAST = Rule(
    "earlier_revision_current",
    "It is current, and there is a later revision.",
    "Set its current to false, and that of the latest revision to true.",
)
GAPS = Rule(
    "revision_missing", "The revisions of its answer are not 1, 2, 3 and so on: one was deleted.", BY_HAND
)
NOT_SUBMITTED = Rule(
    "answer_not_noted",
    "There is an answer, and submitted_at is empty: the rater would get the page again.",
    "Set submitted_at to that of its first response.",
)
OTHER_STUDY = Rule("studies_mixed", "Rater, item and form are not of one study.", BY_HAND)
OTHER_VERSION = Rule("criterion_elsewhere", "Its criterion is not of the form that was answered.", BY_HAND)
OTHER_SCALE = Rule(
    "scale_differs",
    "The ends of its scale are not those of its criterion.",
    "Set its minimum and maximum to those of its criterion, if the value lies between them.",
)
WRONG_FORM = Rule("version_elsewhere", "The version that was answered is of another form.", BY_HAND)


def find_wrong_revisions() -> Iterator[Breach]:
    """Yield answers whose revisions are not numbered in order with the last one current."""
    responses = Response.objects.filter(assignment=OuterRef("pk"))
    answered = Assignment.objects.filter(Exists(responses))
    yield from NO_CURRENT.breaches(answered.exclude(Exists(responses.filter(current=True))))
    later = Response.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
    yield from NOT_LAST.breaches(Response.objects.filter(Exists(later), current=True))
    numbered = Response.objects.order_by().values("assignment")
    gaps = numbered.annotate(n=Count("pk"), low=Min("revision"), high=Max("revision"))
    gaps = gaps.filter(~Q(n=F("high")) | ~Q(low=1))
    yield from GAPS.breaches(Assignment.objects.filter(pk__in=gaps.values("assignment")))
    # Imported answers may come without their times.
    timed = Assignment.objects.filter(Exists(responses.filter(submitted_at__isnull=False)))
    yield from NOT_SUBMITTED.breaches(timed.filter(submitted_at=None))


def find_mixed_rows() -> Iterator[Breach]:
    """Yield rows whose parts belong to different studies, forms or scales."""
    mixed = ~Q(item__study=F("rater__study")) | ~Q(form__study=F("rater__study"))
    yield from OTHER_STUDY.breaches(Assignment.objects.filter(mixed))
    wrong_form = ~Q(version__form=F("assignment__form"))
    yield from WRONG_FORM.breaches(Response.objects.filter(wrong_form))
    yield from OTHER_VERSION.breaches(Rating.objects.exclude(criterion__version=F("response__version")))
    yield from OTHER_VERSION.breaches(FinalAnswer.objects.exclude(criterion__version=F("verdict__version")))
    for answers in (Rating.objects.all(), FinalAnswer.objects.all()):
        yield from OTHER_SCALE.breaches(_of_another_scale(answers))


def _of_another_scale(
    answers: QuerySet[Rating] | QuerySet[FinalAnswer],
) -> QuerySet[Rating] | QuerySet[FinalAnswer]:
    return answers.filter(value__isnull=False).filter(
        ~Q(minimum=F("criterion__minimum")) | ~Q(maximum=F("criterion__maximum"))
    )
