"""The published ratings of HANNA (Chhun et al., COLING 2022) as a closed study."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from annotation.models import Item, Study, User
from annotation.protocols.stories.hanna import HANNA
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from scoring.replication.hanna.data import CRITERIA, SCORES, HannaData
from scoring.services.reports.published.study_builder import (
    criteria_of,
    loads_once,
    make_raters,
    make_study,
    store_scores,
)

NAME = "hanna"
SLOTS = (1, 2, 3)
NO_TEXT = "The text is not part of the public ratings files."


@loads_once(NAME)
def import_hanna(hanna: HannaData, owner: User | None, progress: Progress) -> Study:
    """Load 1,056 stories of eleven systems, three anonymous ratings each on six criteria, and 72 metrics.

    The files are `ratings_long.csv` and `hanna_metric_scores.csv`; their mean ratings must be the same.

    Parameters as of `Importer`, but what was read.
    """
    with transaction.atomic():
        study = make_study(
            name=NAME,
            title="HANNA, published ratings",
            description="1,056 stories for 96 prompts, three ratings each on six criteria "
            "(Chhun et al., COLING 2022). The slots are not persons.",
            template=HANNA,
            overlap=len(SLOTS),
            identified=False,
            owner=owner,
        )
        add_items(study=study, rows=list(_items(hanna)))
        items = {(item.system, item.group): item for item in study.items.all()}
        _store_ratings(study, items, hanna, progress)
        store_scores(study, f"imported from {SCORES}", _scores(items, hanna), progress)
    return study


def _group(prompt: int) -> str:
    return f"P{prompt:02d}"


def _items(hanna: HannaData) -> Iterator[NewItem]:
    for system in hanna.systems:
        for prompt in range(hanna.values.shape[1]):
            yield NewItem(
                key=f"{_group(prompt)} {system}",
                group=_group(prompt),
                system=system,
                fields={"prompt": f"Prompt {prompt}. {NO_TEXT}", "story": f"Story of {system}. {NO_TEXT}"},
            )


def _store_ratings(
    study: Study, items: dict[tuple[str, str], Item], hanna: HannaData, progress: Progress
) -> None:
    criteria = criteria_of(study)
    slots = dict(zip(SLOTS, make_raters(study, [str(slot) for slot in SLOTS]), strict=True))
    version = next(iter(criteria.values()))[0]
    values = hanna.ratings[list(CRITERIA)].astype(int)
    slot_keys = zip(hanna.ratings["system"], hanna.ratings["item"], hanna.ratings["rater_slot"], strict=True)
    store_responses(
        progress=progress,
        loaded=[
            LoadedResponse(
                item=items[system, _group(int(prompt))],
                rater=slots[int(slot)],
                version=version,
                values={criteria[name.lower()][1]: value for name, value in zip(CRITERIA, row, strict=True)},
            )
            for (system, prompt, slot), row in zip(slot_keys, values.to_numpy().tolist(), strict=True)
        ],
    )


def _scores(items: dict[tuple[str, str], Item], hanna: HannaData) -> Iterator[tuple[Item, str, float]]:
    for position, system in enumerate(hanna.systems):
        for prompt in range(hanna.values.shape[1]):
            of_story = hanna.values[position, prompt, len(CRITERIA) :]
            for metric, value in zip(hanna.metrics, of_story.tolist(), strict=True):
                yield items[system, _group(prompt)], metric, value
