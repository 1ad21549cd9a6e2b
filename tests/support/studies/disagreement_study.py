"""A study in HAUSER's form: five candidates a sentence, raters who agree on some and part ways on others."""

from __future__ import annotations

import numpy as np
from django.test import Client

from annotation.models import Criterion, Item, Rater, Rating, Study, User
from annotation.services.base.jobs import Lease, claim
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.lifecycle import create_study
from scoring.models import FigureSet, Report
from scoring.services.raters.exclusion_preview import compute_preview, request_preview
from scoring.services.raters.item_figures import compute_figures, request_figures
from tests.support.people import PASSWORD, add_form

CRITERIA = ("quality", "creativity")
HAUSER = [
    {"kind": "lacks_context", "raters": 1},
    {"kind": "opposition", "criterion": "quality", "low": 2, "high": 4},
]


def make_study(
    *, slug: str = "candidates", groups: int = 12, raters: int = 3, noise: float = 1.0, seed: int = 0
) -> Study:
    """A draft with ratings from 1 to 5 whose noise opposes raters on some of the items.

    Two items of every fourth group cannot be rated for want of context by one rater.
    """
    rng = np.random.default_rng(seed)
    owner = User.objects.create_user(f"owner-{slug}@example.org", PASSWORD)
    study = create_study(slug=slug, title="Candidates", owner=owner, consent="", instructions="")
    version = add_form(study, overlap=raters)
    criteria = list(version.criteria.order_by("position"))
    items = Item.objects.bulk_create(
        Item(
            study=study,
            key=f"G{group:02d}-{place}",
            group=f"G{group:02d}",
            system=("human", "tuned", "prompted")[place % 3],
            fields={
                "literal": f"The bus {group} climbed.",
                "simile": f"The bus {group} climbed like candidate {place}.",
            },
            position=5 * group + place,
        )
        for group in range(groups)
        for place in range(5)
    )
    people = Rater.objects.bulk_create(
        Rater(study=study, code=f"R-{n + 1:03d}", state="active") for n in range(raters)
    )
    worth = rng.normal(3, 1, (len(items), len(criteria)))
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=version,
                values=_values(criteria, worth[number] + rng.normal(0, noise, len(criteria))),
                cannot_rate="lacks_context" if number % 20 < 2 and place == 0 else "",
                remark="A remark." if number == 0 else "",
                seconds=float(5 + (number + place) % 40),
            )
            for place, rater in enumerate(people)
            for number, item in enumerate(items)
        ]
    )
    return study


def owner_of(study: Study) -> User:
    """Who made it."""
    return User.objects.get(memberships__study=study, memberships__role="owner")


def figures_of(study: Study) -> FigureSet:
    """Compute the figures of all items here and now."""
    return compute_figures(lease=_lease(request_figures(study=study, actor=None).pk))


def previewed(rule: object) -> Report:
    """Compute the preview of a rule here and now."""
    return compute_preview(lease=_lease(request_preview(rule=rule, actor=None).pk))  # type: ignore[arg-type]


def _lease(job: int) -> Lease:
    lease = claim(job_id=job)
    assert lease is not None
    return lease


def _values(criteria: list[Criterion], latent: np.ndarray) -> dict[Criterion, int | str]:
    return {one: int(np.clip(round(value), 1, 5)) for one, value in zip(criteria, latent, strict=True)}


def caught_by_hand(study: Study) -> set[str]:
    """HAUSER's rule in the plainest way."""
    lacking = set(
        Rating.objects.filter(response__cannot_rate="lacks_context").values_list(
            "response__assignment__item__key", flat=True
        )
    )
    values: dict[str, list[float]] = {}
    rows = Rating.objects.filter(criterion__key="quality").values_list(
        "response__assignment__item__key", "value"
    )
    for key, value in rows:
        assert value is not None
        values.setdefault(key, []).append(value)
    return lacking | {key for key, own in values.items() if min(own) <= 2 and max(own) >= 4}


def client_of(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client
