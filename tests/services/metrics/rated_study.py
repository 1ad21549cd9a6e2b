"""A study with systems, groups and a severe rater, for tests of models of its ratings."""

from __future__ import annotations

import numpy as np
import pandas as pd
from django.test import Client

from annotation.models import Item, Rating, Study
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from tests.support.people import make_cast

SYSTEMS = ("crow", "heron", "owl")


def rated_study(lowest: int = 1, highest: int = 5) -> Study:
    """36 items of three systems in twelve groups, rated by five people; the first is severe."""
    study = make_cast().study
    study.items.all().delete()
    made = Item.objects.bulk_create(
        Item(study=study, key=f"I{n:02d}", group=f"G{n // 3}", system=SYSTEMS[n % 3], position=n, fields={})
        for n in range(36)
    )
    version = study.forms.get().versions.get()
    raters = [study.raters.create(code=f"M-{n}") for n in range(5)]
    generator = np.random.default_rng(4)
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=version,
                values={
                    criterion: int(
                        np.clip(round(3 + n % 3 / 2 - (not place) + generator.normal()), lowest, highest)
                    )
                    for criterion in version.criteria.all()
                },
            )
            for n, item in enumerate(made)
            for place, rater in enumerate(raters)
        ]
    )
    return study


def owner_of(study: Study) -> Client:
    client = Client()
    client.force_login(study.memberships.get(role="owner").user)
    return client


def ratings_of(study: Study, criterion: str) -> pd.DataFrame:
    rows = Rating.objects.filter(
        criterion__key=criterion, response__assignment__item__study=study, response__current=True
    ).values_list(
        "response__assignment__item__key",
        "response__assignment__rater__code",
        "value",
        "response__assignment__item__system",
        "response__assignment__item__group",
    )
    frame = pd.DataFrame(rows, columns=["item", "rater", "value", "system", "group"])
    return frame.assign(criterion=criterion)
