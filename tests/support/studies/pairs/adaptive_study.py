"""A study whose pairs are chosen adaptively: every pair of some candidates, one criterion, true strengths."""

from __future__ import annotations

import random
from itertools import combinations

from scipy.special import expit

from annotation.domain.base.errors import NoSeatLeft
from annotation.domain.base.states import StudyState
from annotation.models import Assignment, Form, PairRound, Rater, Response, Seat, Study
from annotation.protocols.preference import PREFERENCE
from annotation.protocols.template import PairingTemplate
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.rating.next_item import next_assignment
from annotation.services.seats.pairing_setup import set_pairing
from annotation.services.studies.forms import create_form
from annotation.services.studies.lifecycle import change_state
from tests.support.people import Cast, make_cast
from tests.support.studies.staged_study import answer

QUESTION = "preference"


def adaptive_cast(
    *,
    candidates: int = 4,
    budget: int = 20,
    per_round: int = 3,
    per_item: int = 8,
    opened: bool = True,
    slug: str = "pairs",
) -> Cast:
    """The study `pairs`, with every pair of the candidates `c0`, `c1` … as an item."""
    cast = make_cast(slug=slug, items=0, opened=False)
    cast.study.forms.all().delete()
    Study.objects.filter(pk=cast.study.pk).update(seed=7)
    cast.study.refresh_from_db()
    form = create_form(study=cast.study, template=PREFERENCE.forms[0], overlap=per_item)
    pairs = combinations([f"c{number}" for number in range(candidates)], 2)
    add_items(
        study=cast.study,
        rows=[
            NewItem(
                f"{one}-{other}", {"a": f"text {one}", "b": f"text {other}"}, metadata={"a": one, "b": other}
            )
            for one, other in pairs
        ],
    )
    wanted = PairingTemplate(QUESTION, budget=budget, per_round=per_round)
    set_pairing(form=form, pairing=wanted, actor=cast.users["owner"])
    if opened:
        cast.study = change_state(study=cast.study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast


def prefer(page: Assignment, *, spread: float = 1.0) -> Response:
    """Answer a page as a rater to which `c0` is the weakest and each following candidate is stronger."""
    strengths = [int(page.item.metadata[side][1:]) * spread for side in "ab"]
    drawn = random.Random(f"{page.item.key}/{page.rater.code}").random()
    side = "a" if drawn < expit(strengths[0] - strengths[1]) else "b"
    return answer(page, {QUESTION: side})


def prefer_until_nothing_is_left(rater: Rater, *, spread: float = 1.0) -> int:
    """Answer every page that the rater is given; how many."""
    done = 0
    while True:
        try:
            page = next_assignment(rater=rater)
        except NoSeatLeft:
            return done
        prefer(page, spread=spread)
        done += 1


def rounds(study: Study) -> list[PairRound]:
    return list(PairRound.objects.filter(pairing__form__study=study))


def slots_by_item(study: Study) -> dict[str, list[int]]:
    """By item, the numbers of its slots."""
    found: dict[str, list[int]] = {}
    for key, slot in Seat.objects.filter(form__study=study).order_by("slot").values_list("item__key", "slot"):
        found.setdefault(key, []).append(slot)
    return found


def form_of(study: Study) -> Form:
    return Form.objects.get(study=study)
