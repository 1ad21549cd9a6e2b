"""The published votes of Miyazawa & Miyao (IWCS 2017) as a closed study."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from annotation.models import Study, User
from annotation.protocols.miyazawa import MIYAZAWA
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from scoring.replication.miyazawa.data import MiyazawaData
from scoring.services.reports.published.study_builder import criteria_of, loads_once, make_raters, make_study

NAME = "miyazawa"
VOTES = 10


@loads_once(NAME)
def import_miyazawa(published: MiyazawaData, owner: User | None, progress: Progress) -> Study:
    """Load 1,360 expressions, ten votes each on three criteria, by 793 identified raters.

    Votes (0 to 4) are stored as people chose them, 1 to 5. The files are `result.csv` and the
    rankings. Parameters as of `Importer`, but what was read.
    """
    with transaction.atomic():
        study = make_study(
            name=NAME,
            title="Miyazawa & Miyao, published votes",
            description="1,360 Japanese expressions, ten votes each on metaphoricity, comprehensibility and "
            "novelty (Miyazawa & Miyao, IWCS 2017).",
            template=MIYAZAWA,
            overlap=VOTES,
            identified=True,
            owner=owner,
            language="ja",
        )
        add_items(study=study, rows=list(_items(published)))
        _store_votes(study, published, progress)
    return study


def _items(published: MiyazawaData) -> Iterator[NewItem]:
    for noun, verb in published.expressions:
        romanised = published.romanised[noun, verb]
        yield NewItem(
            key=romanised.replace(" | X", ""),
            fields={"expression": verb.replace("X", noun, 1)},
            metadata={"noun": noun, "phrase": verb, "romanised": romanised},
        )


def _store_votes(study: Study, published: MiyazawaData, progress: Progress) -> None:
    criteria = criteria_of(study)
    items = list(study.items.order_by("position"))
    votes = published.votes
    people = list(dict.fromkeys(votes["user_id"]))
    codes = [f"R-{number:03d}" for number in range(1, len(people) + 1)]
    raters = dict(zip(people, make_raters(study, codes), strict=True))
    rows = zip(votes["metric"], published.codes, votes["user_id"], votes["vote"].astype(int), strict=True)
    store_responses(
        progress=progress,
        loaded=[
            LoadedResponse(
                item=items[expression],
                rater=raters[person],
                version=criteria[metric][0],
                values={criteria[metric][1]: int(vote) + 1},
            )
            for metric, expression, person, vote in rows
        ],
    )
