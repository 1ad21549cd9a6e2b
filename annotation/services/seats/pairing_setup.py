"""Setup of adaptive pairs in a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.limits import MOST_COMPARISONS
from annotation.domain.base.messages import joined, message
from annotation.domain.base.states import DesignKind
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.registry import keys_yielding
from annotation.domain.seats.pairing import MOST_ITEMS, MOST_PER_ROUND, MOST_ROUNDS
from annotation.models import AdaptivePairing, Criterion, Form, StageFeed, Study, User
from annotation.protocols.template import PairingTemplate
from annotation.selectors.seats.pairing.counts import imported_answers, pair_counts
from annotation.selectors.seats.pairing.waiting import has_stopped
from annotation.services.base import audit
from annotation.services.base.drafts import CHANGES_IN_DRAFTS, lock_draft
from annotation.services.seats.pair_rounds import lock_pairings
from scoring.stats.choices.adaptive_pairs import (
    MOST_CANDIDATES,
    PairCount,
    candidates,
    connected,
    fewest_comparisons,
)


def set_pairing(*, form: Form, pairing: PairingTemplate | None, actor: User) -> None:
    """Choose the pairs of a form of a draft adaptively, or give each item its ratings (None).

    Parameters
    ----------
    form : Form
        A form of a draft.
    pairing : PairingTemplate or None
        The question, the budget and the length of a round.
    actor : User
        The member who sets it.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`).
    InvalidContent
        `pairing_impossible`; `fields` maps each problem to a sentence.
    """
    with transaction.atomic():
        study = lock_draft(form.study_id, CHANGES_IN_DRAFTS)
        store_pairing(form=form, pairing=pairing)
        check_pairing(study)
        detail = None if pairing is None else vars(pairing)
        audit.record(study=study, actor=actor, act="set_pairing", form=form.key, pairing=detail)


def store_pairing(*, form: Form, pairing: PairingTemplate | None) -> None:
    """Replace the adaptive pairs of a form; called inside a transaction, before `check_pairing`.

    Parameters
    ----------
    form : Form
        A form of a draft.
    pairing : PairingTemplate or None
        None for a fixed number of ratings per item.
    """
    AdaptivePairing.objects.filter(form=form).delete()
    if pairing is not None:
        AdaptivePairing.objects.create(form=form, **vars(pairing))


def check_pairing(study: Study) -> None:
    """Refuse adaptive pairs that the design, the stages or the form do not allow.

    Parameters
    ----------
    study : Study
        With its forms.

    Raises
    ------
    InvalidContent
        `pairing_impossible`; `fields` maps each problem to a sentence.
    """
    problems: dict[str, str] = {}
    for pairing in AdaptivePairing.objects.filter(form__study=study).select_related("form"):
        problems |= _problems(study, pairing)
    if problems:
        raise InvalidContent(joined(problems.values()), code="pairing_impossible", fields=problems)


def check_pairs(study: Study) -> None:
    """Refuse to open a study whose adaptive pairs cannot begin.

    Parameters
    ----------
    study : Study
        A draft with its items.

    Raises
    ------
    InvalidContent
        `pairing_impossible`, as `check_pairing`.
    NotAllowedNow
        The items do not connect all candidates (`pairs_not_connected`), are too many (`too_many_pairs`), or
        the budget does not connect them (`budget_too_small`).
    """
    check_pairing(study)
    for pairing in AdaptivePairing.objects.filter(form__study=study, rounds=None):
        counts = [one for one in pair_counts(pairing) if not one.closed]
        _refuse_items(counts)
        _refuse_budget(pairing, counts, imported=sum(imported_answers(study, pairing).values()))


def check_new_pairs(study: Study) -> None:
    """Refuse new items of an open study with which its adaptive pairs cannot go on.

    Parameters
    ----------
    study : Study
        Locked by the caller's transaction, with the new items.

    Raises
    ------
    NotAllowedNow
        The items do not connect all candidates (`pairs_not_connected`), or are too many (`too_many_pairs`).
    """
    for pairing in AdaptivePairing.objects.filter(form__study=study):
        if not has_stopped(pairing):
            _refuse_items(pair_counts(pairing))


def refuse_ended_pairs(study: Study) -> None:
    """Refuse items about which no rater would be asked, since the rounds of every form have ended.

    Parameters
    ----------
    study : Study
        Locked by the caller's transaction, which holds no slots; its adaptive pairs are locked too, so no
        round ends before the items are stored.

    Raises
    ------
    NotAllowedNow
        `pairs_ended`.
    """
    lock_pairings(study)
    pairings = list(AdaptivePairing.objects.filter(form__study=study))
    asked_otherwise = study.forms.filter(pairing=None).exists()
    if pairings and not asked_otherwise and all(has_stopped(one) for one in pairings):
        raise NotAllowedNow(
            message(
                "The rounds of adaptive pairs have ended: no rater would be asked about these items. Use "
                "them in a new study."
            ),
            code="pairs_ended",
        )


def _refuse_items(counts: Sequence[PairCount]) -> None:
    if not connected(counts):
        raise NotAllowedNow(
            message(
                "The items do not connect all candidates, so they have no common order. Add pairs of the "
                "others, or name the candidates in meta.a and meta.b."
            ),
            code="pairs_not_connected",
        )
    if len(candidates(counts)) > MOST_CANDIDATES or len(counts) > MOST_ITEMS:
        raise NotAllowedNow(
            message(
                "Adaptive pairs can have at most %(candidates)d candidates and %(items)d items.",
                candidates=MOST_CANDIDATES,
                items=MOST_ITEMS,
            ),
            code="too_many_pairs",
        )


def _refuse_budget(pairing: AdaptivePairing, counts: Sequence[PairCount], *, imported: int) -> None:
    missing = fewest_comparisons(counts)
    needed = imported + max(1, missing)
    if pairing.budget >= needed:
        return
    sentence = message(
        "The budget of adaptive pairs must be at least %(needed)d comparisons, to connect all candidates.",
        needed=needed,
    )
    if imported:
        sentence = message(
            "The budget of adaptive pairs must be at least %(needed)d comparisons: the %(imported)d imported "
            "ones count, and further ones connect all candidates.",
            needed=needed,
            imported=imported,
        )
    raise NotAllowedNow(sentence, code="budget_too_small")


def _problems(study: Study, pairing: AdaptivePairing) -> Mapping[str, str]:
    problems: dict[str, str] = {}
    if study.design != DesignKind.POOL:
        problems["design"] = message("Adaptive pairs need the design “pool”. Change the design first.")
    if StageFeed.objects.filter(target__study=study).exists():
        problems["fed_by"] = message(
            "Adaptive pairs cannot be combined with stages. Remove the stages first."
        )
    asked = Criterion.objects.filter(version__form=pairing.form, key=pairing.criterion)
    if not asked.filter(kind__in=keys_yielding(Yields.PREFERENCE)).exists():
        problems["criterion"] = message("Choose a question of the form that compares two texts.")
    if not 1 <= pairing.budget <= MOST_COMPARISONS:
        problems["budget"] = message("Enter 1 to %(most)d comparisons.", most=MOST_COMPARISONS)
    if not 1 <= pairing.per_round <= MOST_PER_ROUND:
        problems["per_round"] = message("Enter 1 to %(most)d comparisons.", most=MOST_PER_ROUND)
    elif "budget" not in problems and pairing.budget > pairing.per_round * MOST_ROUNDS:
        problems["per_round"] = message(
            "This budget would need more than %(most)d rounds. Enter more comparisons per round.",
            most=MOST_ROUNDS,
        )
    return problems
