"""How far adaptive pairs are: their rounds, what is open, and why they stopped."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.domain.base.messages import message
from annotation.domain.seats.pairing import Stop
from annotation.models import AdaptivePairing, Exclusion, PairRound, Seat, Study
from annotation.selectors.seats.pairing.waiting import has_stopped
from annotation.selectors.seats.study_features import features_of

STOPPED: dict[str, str] = {
    Stop.ORDER_KNOWN: message(
        "no interval of a difference contains 0 (as every round looks again, this happens to equally strong "
        "candidates in more than 5 of 100 studies)"
    ),
    Stop.BUDGET: message("all comparisons of the budget were asked for"),
    Stop.PAIR_LIMIT: message("no item is left for the pairs whose order is open"),
    Stop.ROUND_LIMIT: message("the highest number of rounds was reached"),
}


@dataclass(frozen=True)
class PairProgress:
    """The rounds of a form; `used` comparisons of `pairing.budget` have a slot, imported ones too."""

    pairing: AdaptivePairing
    rounds: tuple[PairRound, ...]
    used: int

    @property
    def last(self) -> PairRound | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def stopped(self) -> str:
        """Why no more pairs are added, in words; empty while they are."""
        return STOPPED.get(self.last.stopped, "") if self.last else ""


def pair_progress(study: Study, form_key: str = "") -> list[PairProgress]:
    """The progress of each form with adaptive pairs, or of one of them.

    Parameters
    ----------
    study : Study
        Any study.
    form_key : str
        Of the one form; empty for all.
    """
    found = []
    for pairing in features_of(study).pairings:
        if form_key in {"", pairing.form.key}:
            rounds = tuple(pairing.rounds.defer("counts").order_by("number"))
            used = Seat.objects.filter(form=pairing.form_id).count()
            found.append(PairProgress(pairing, rounds, used))
    return found


def comparisons_to_come(study: Study) -> int:
    """How many comparisons further rounds may ask for at most: what budgets and ratings per item leave.

    Parameters
    ----------
    study : Study
        Any study; 0 without adaptive pairs, and where they have stopped.
    """
    return sum(_to_come(study, one) for one in features_of(study).pairings if not has_stopped(one))


def _to_come(study: Study, pairing: AdaptivePairing) -> int:
    excluded = Exclusion.objects.filter(study=study, item__isnull=False, lift__isnull=True)
    asked = study.items.filter(retired_at=None).exclude(pk__in=excluded.values("item"))
    seats = Seat.objects.filter(form=pairing.form_id)
    places = asked.count() * pairing.form.overlap - seats.filter(item__in=asked).count()
    return max(0, min(pairing.budget - seats.count(), places))
