"""The answers of judges as statistics take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from django.db.models import Avg, Count, Max, Q

from annotation.domain.questions.option_settings import SIDES
from annotation.models import Exclusion, Study
from scoring.backends.checkpoints import shown_checkpoint
from scoring.models import Judge, Judgement

COLUMNS = ["judge", "item", "form", "criterion", "value"]
ANSWER_COLUMNS = ["judge", "item", "form", "criterion", "sample", "value", "answer", "probabilities"]


def judged_values(study: Study) -> pd.DataFrame:
    """The numbers that judges gave, one row for each judge, item and criterion.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    DataFrame
        Columns `judge` (its name), `item` (its ID), `form`, `criterion` and `value`, the mean over samples.
        In the order of the judges and items.
    """
    given = Judgement.objects.filter(judge__study=study, value__isnull=False)
    names = ("judge__name", "item__key", "criterion__version__form__key", "criterion__key")
    rows = given.order_by("judge", "item__position", "item").values_list(*names).annotate(Avg("value"))
    return pd.DataFrame(list(rows), columns=COLUMNS)


def judged_answers(study: Study) -> pd.DataFrame:
    """The answers of judges as they gave them, one row a sample; texts with marks and orders are left out.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    DataFrame
        Columns `judge` (its name), `item` (its ID), `form`, `criterion`, `sample`, `value` (a number or
        None), `answer` (an option, or empty) and `probabilities` (a mapping or None). In the order of the
        judges, items and samples.
    """
    given = Judgement.objects.filter(judge__study=study, reason="", content__isnull=True)
    names = ("judge__name", "item__key", "criterion__version__form__key", "criterion__key")
    rows = given.order_by("judge", "item__position", "item", "sample").values_list(
        *names, "sample", "value", "answer", "probabilities"
    )
    return pd.DataFrame(list(rows), columns=ANSWER_COLUMNS)


def item_contents(study: Study, items: set[str], fields: Mapping[str, str]) -> pd.DataFrame:
    """The texts of the sides of pairs, and the systems that wrote them where that is known.

    Parameters
    ----------
    study : Study
        The study.
    items : set of str
        IDs of the pairs.
    fields : mapping of str to str
        Field of an item with the text of each side.

    Returns
    -------
    DataFrame
        Index item ID; columns `text_a`, `text_b`, `a` and `b`, empty where there is none.
    """
    asked = study.items.filter(key__in=items).order_by("position", "pk")
    rows = [
        (
            key,
            *(str(texts.get(fields.get(side, side), "")) for side in SIDES),
            *(str(metadata.get(side) or "") for side in SIDES),
        )
        for key, texts, metadata in asked.values_list("key", "fields", "metadata")
    ]
    return pd.DataFrame(rows, columns=["item", "text_a", "text_b", *SIDES]).set_index("item")


def judge_facts(study: Study) -> list[dict[str, Any]]:
    """What a report states of each judge: how it came about, and how many answers it has.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    list of dict
        `name`, `way`, `description`, `settings`, `same_family_as`, `saw_items`, `created_at` (ISO 8601),
        `n_answers`, `n_items`, `n_without` (answers with a reason instead) and `n_samples`, the most of an
        item.
    """
    judges = Judge.objects.filter(study=study).annotate(
        n_answers=Count("judgements", filter=Q(judgements__reason="")),
        n_without=Count("judgements", filter=~Q(judgements__reason="")),
        n_items=Count("judgements__item", distinct=True),
        n_samples=Max("judgements__sample"),
    )
    names = ("name", "way", "description", "same_family_as", "saw_items")
    counts = ("n_answers", "n_items", "n_without", "n_samples")
    return [
        {
            **{name: getattr(judge, name) for name in names},
            "settings": shown_settings(judge.settings),
            "created_at": judge.created_at.isoformat(),
            **{name: getattr(judge, name) or 0 for name in counts},
        }
        for judge in judges.order_by("pk")
    ]


def shown_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with the folder of a model by its name: where it lies stays in this installation.

    Parameters
    ----------
    settings : dict
        Settings of a judge.
    """
    if "model" not in settings:
        return settings
    return {
        **settings,
        "model": {**settings["model"], "checkpoint": shown_checkpoint(settings["model"]["checkpoint"])},
    }


def judged_places(study: Study, rated: set[str]) -> pd.DataFrame:
    """Group and system of the items that judges may have answered: the rated and the ratable ones.

    Parameters
    ----------
    study : Study
        The study.
    rated : set of str
        IDs of items with ratings that count.

    Returns
    -------
    DataFrame
        Index item ID, columns `group` and `system`. Excluded and retired items without ratings are left out.
    """
    excluded = Exclusion.objects.filter(study=study, lift__isnull=True, item__isnull=False).values("item")
    asked = study.items.filter(Q(key__in=rated) | Q(retired_at=None) & ~Q(pk__in=excluded))
    rows = asked.order_by("position", "pk").values_list("key", "group", "system")
    return pd.DataFrame(list(rows), columns=["item", "group", "system"]).set_index("item")
