"""Orders of the options of a question, coded once: ranks, items, raters and what is resampled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import scipy

from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.data.bootstrap.units import item_units

BETTER, EQUAL = ">", "="


def groups_in(value: str) -> list[list[str]]:
    """Return the groups of tied options of an order such as `b>a=c>d`, best first."""
    return [group.split(EQUAL) for group in value.split(BETTER)]


@dataclass(frozen=True)
class Orders:
    """Raters' answers to one question, each an order of its options.

    Parameters
    ----------
    criterion
        Name of the question.
    options
        Its options.
    items, raters
        Item and rater of each answer, shape (answers,).
    place
        Number of the group of tied options that each option is in, 0 for the best, shape (answers, options);
        -1 where the answer is to a version of the form without this option.
    groups
        Group of an item; empty for an item without one.
    identified
        Whether raters are persons rather than anonymous slots.
    """

    criterion: str
    options: tuple[str, ...]
    items: Sequence[str]
    raters: Sequence[str]
    place: IntArray
    groups: Mapping[str, str]
    identified: bool = True

    @classmethod
    def of(
        cls, answers: pd.DataFrame, criterion: str, options: Sequence[str], *, identified: bool = True
    ) -> "Orders":
        """From rows with `item`, `rater`, `value` (an order), and `group` if there are any."""
        code = {option: number for number, option in enumerate(options)}
        place = np.full((len(answers), len(options)), -1, dtype=np.int64)
        for row, value in enumerate(answers["value"]):
            for number, group in enumerate(groups_in(value)):
                place[row, [code[option] for option in group]] = number
        has_groups = "group" in answers.columns
        groups = answers["group"].fillna("").astype(str) if has_groups else answers["item"].map(lambda _: "")
        return cls(
            criterion,
            tuple(options),
            [str(item) for item in answers["item"]],
            [str(rater) for rater in answers["rater"]],
            place,
            dict(zip(map(str, answers["item"]), groups, strict=True)),
            identified,
        )

    @cached_property
    def ranks(self) -> FloatArray:
        """Ranks from 1 for the best, shared ones as their mean; NaN for options that were not asked about."""
        places = np.where(self.place < 0, np.nan, self.place.astype(np.float64))
        return np.asarray(scipy.stats.rankdata(places, axis=1, nan_policy="omit"), dtype=np.float64)

    @cached_property
    def rows_of_items(self) -> dict[str, IntArray]:
        """The answers about each item."""
        names, codes = np.unique(np.array(self.items, dtype=str), return_inverse=True)
        order = np.argsort(codes, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(codes, minlength=len(names)))[:-1])
        return {str(name): rows for name, rows in zip(names, parts, strict=True)}

    def places_of(self, rows: IntArray) -> IntArray:
        """The places that some answers give to the options that all of them are about."""
        places = self.place[rows]
        return np.asarray(places[:, (places >= 0).all(axis=0)], dtype=np.int64)

    def units_of(self, items: Sequence[str]) -> tuple[IntArray, str]:
        """The units that are resampled: groups of the items if there are any, else the items themselves."""
        return item_units(items, self.groups)
