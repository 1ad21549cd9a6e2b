"""Whether further pairs may be added, and how many a rater can expect."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.domain.base.states import Purpose, SeatState
from annotation.models import AdaptivePairing, Assignment, Form, PairRound, Rater, Seat, Study
from annotation.selectors.seats.study_features import features_of


def pairs_may_follow(study: Study, forms: Iterable[Form]) -> bool:
    """Whether pairs may still be added to one of these forms."""
    wanted = {form.pk for form in forms}
    return any(one.form_id in wanted and not has_stopped(one) for one in features_of(study).pairings)


def pairs_may_come(rater: Rater) -> bool:
    """Whether pairs may be added that this rater would be given."""
    for pairing in features_of(rater.study).pairings:
        had = Assignment.objects.filter(rater=rater, form=pairing.form_id, purpose=Purpose.MAIN).count()
        most = pairing.form.per_rater
        left = rater.study.items.filter(retired_at=None).count() - had
        if left > 0 and (most is None or had < most + rater.extra) and not has_stopped(pairing):
            return True
    return False


def has_stopped(pairing: AdaptivePairing) -> bool:
    """Whether no more pairs are added."""
    return PairRound.objects.filter(pairing=pairing).exclude(stopped="").exists()


def pairs_for_new_rater(pairing: AdaptivePairing) -> int:
    """How many pairs a new rater can expect at most: what is left of the budget, each pair once."""
    seats = Seat.objects.filter(form=pairing.form_id)
    if has_stopped(pairing):
        left = seats.filter(state=SeatState.FREE).values("item").distinct().count()
    else:
        left = pairing.budget - seats.exclude(state=SeatState.FREE).count()
    items = pairing.form.study.items.filter(retired_at=None).count()
    most = pairing.form.per_rater
    return max(0, min(left, items, items if most is None else most))
