"""Answers of automatic judges, and the ratings of the same criteria."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..arrays import Row
from ..bundle import Bundle, parse_numbers, read_table
from ..counting import select_counted
from ..ratings import Ratings, make_ratings_table


@dataclass(frozen=True)
class JudgedCriterion:
    """The ratings of a criterion, and what each judge answered."""

    ratings: Ratings
    # Index item; one column a judge, with the mean of its samples
    scores: pd.DataFrame
    # Index item; columns `group` and `system`
    places: pd.DataFrame

    @property
    def name(self) -> str:
        """Name of the criterion."""
        return self.ratings.name

    @property
    def judges(self) -> list[str]:
        """Names of the judges that answered it."""
        return [str(judge) for judge in self.scores.columns]

    @property
    def means(self) -> pd.Series:
        """Mean rating of each rated item."""
        values = pd.Series(self.ratings.value, index=self.ratings.items[self.ratings.item])
        return values.groupby(level=0).mean()

    def has(self, place: str) -> bool:
        """Whether any item has a group, or a system."""
        return bool((self.places[place] != "").any())


def read_judgements(bundle: Bundle) -> pd.DataFrame:
    """Read the answers of judges, with every cell as text."""
    return read_table(bundle.folder / "data" / "judgements.csv")


def read_judged(bundle: Bundle) -> tuple[list[JudgedCriterion], Row]:
    """Read the scales that judges and raters have answered, and the counts of the ratings."""
    counting, data = select_counted(bundle, bundle.ratings, pooled=False)
    table = make_ratings_table(bundle, counting)
    places = counting[["form", "criterion", "name"]].drop_duplicates()
    names = {(form, key): name for form, key, name in places.itertuples(index=False)}
    answers = average_samples(read_judgements(bundle), find_scales(bundle), names)
    found = []
    for name, ratings in table.criteria.items():
        own = answers[answers["name"] == name]
        if own.empty or not len(ratings.value):
            continue
        judged = list_places(bundle, set(ratings.items))
        scores = own.pivot_table(index="item", columns="judge", values="number", sort=False)
        found.append(JudgedCriterion(ratings, scores.reindex(judged.index).dropna(how="all"), judged))
    return found, data


def find_scales(bundle: Bundle) -> set[tuple[str, str]]:
    """Find the criteria of each form's newest version whose numbers count as they are."""
    newest: dict[str, tuple[int, int]] = {}
    for form in bundle.forms:
        version = form["version"], form.get("correction", 0)
        newest[form["form"]] = max(newest.get(form["form"], version), version)
    return {
        (scale["form"], scale["criterion"])
        for scale in bundle.facts["scales"]
        if scale["yields"] == "number"
        and not scale.get("measure")
        and newest[scale["form"]] == (scale["form_version"], scale.get("form_correction", 0))
    }


def average_samples(
    answers: pd.DataFrame, scales: Collection[tuple[str, str]], names: Mapping[tuple[str, str], str]
) -> pd.DataFrame:
    """Average the samples of each judge, item and criterion on a scale."""
    on_scale = [place in scales for place in zip(answers["form"], answers["criterion"], strict=True)]
    given = answers[np.array(on_scale, dtype=bool) & (answers["value"] != "").to_numpy()]
    given = given.assign(
        number=parse_numbers(given["value"]),
        name=[names.get(place, "") for place in zip(given["form"], given["criterion"], strict=True)],
    )
    return given.groupby(["judge", "item", "name"], sort=False)["number"].mean().reset_index()


def list_places(bundle: Bundle, rated: Collection[str]) -> pd.DataFrame:
    """List group and system of the rated items, and of those that are neither excluded nor retired."""
    exclusions = read_table(bundle.folder / "data" / "exclusions.csv")
    active = (exclusions["target"] == "item") & (exclusions["lifted_at"] == "")
    gone = {*exclusions.loc[active, "item"], *bundle.facts["items_retired"]}
    places = bundle.items[["item", "group", "system"]].set_index("item")
    return places[[item in rated or item not in gone for item in places.index]]
