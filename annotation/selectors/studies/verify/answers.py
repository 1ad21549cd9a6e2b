"""Checks of responses: revisions in order with the last one current, of the right study and scale."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from annotation.models import Assignment, FinalAnswer, Rating, Response
from annotation.selectors.studies.verify.breach import MANUALLY, Breach, Rule

NO_CURRENT = Rule(
    "no_current_revision",
    "None of its responses is current.",
    "Set current of the response with the highest revision to true.",
)
NOT_LAST = Rule(
    "earlier_revision_current",
    "It is current, but a later revision exists.",
    "Set current to false, and current of the latest revision to true.",
)
GAPS = Rule("revision_missing", "The revisions of its responses have a gap: one was deleted.", MANUALLY)
NOT_SUBMITTED = Rule(
    "answer_not_noted",
    "It has a response, but submitted_at is empty, so the rater would get the page again.",
    "Set submitted_at to the value of its first response.",
)
OTHER_STUDY = Rule("studies_mixed", "Rater, item and form belong to different studies.", MANUALLY)
OTHER_VERSION = Rule("criterion_elsewhere", "Its criterion does not belong to the answered form.", MANUALLY)
OTHER_SCALE = Rule(
    "scale_differs",
    "Its minimum and maximum differ from those of its criterion.",
    "Set minimum and maximum to those of its criterion, if the value is between them.",
)
WRONG_FORM = Rule("version_elsewhere", "The answered version belongs to another form.", MANUALLY)


def find_wrong_revisions() -> Iterator[Breach]:
    """Yield responses whose revisions are not numbered in order, or whose last one is not current."""
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
