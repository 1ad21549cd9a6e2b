"""Whole answers of raters to items, for exclusions and shuffles."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from scoring.stats.base.resampling import BoolArray, FloatArray, IntArray
from scoring.stats.data.coded_rows import LabelArray
from scoring.stats.data.scale import Scale, categories_of
from scoring.stats.data.table import Ratings


@dataclass(frozen=True)
class Answers:
    """One entry per answer of a rater to a form about an item."""

    # item, rater, form: Codes of the item, the rater and the form of each answer, shape (answers,)
    item: IntArray
    rater: IntArray
    form: IntArray
    cannot: BoolArray  # Whether the answer says that the item cannot be rated, shape (answers,)
    lacks_context: BoolArray  # Whether the reason is missing context, shape (answers,)
    seconds: FloatArray  # Time each answer took; NaN where unknown, shape (answers,)
    # Value of each answer by criterion, NaN where there is none, shape (answers,)
    values: Mapping[str, FloatArray]
    scales: Mapping[str, Scale]  # Of each criterion
    group: IntArray  # Group code of each item, -1 for an item without one, shape (items,)
    # item_labels, rater_labels: Label of each item code and of each rater code
    item_labels: LabelArray
    rater_labels: LabelArray
    failed_checks: IntArray  # Attention checks each rater has failed, shape (raters,)
    # Number of each answer, such as its key in a database, shape (answers,)
    number: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    identified: bool = True  # Whether the same rater code is the same person

    def __len__(self) -> int:
        """Number of answers."""
        return len(self.item)

    @property
    def n_items(self) -> int:
        """Number of item codes, rated or not."""
        return len(self.item_labels)

    @property
    def n_raters(self) -> int:
        """Number of rater codes."""
        return len(self.rater_labels)

    @cached_property
    def rated(self) -> BoolArray:
        """Whether an answer has a value on any criterion, shape (answers,)."""
        found = np.zeros(len(self), dtype=np.bool_)
        for value in self.values.values():
            found |= ~np.isnan(value)
        return found

    def only(self, chosen: BoolArray) -> "Answers":
        """The answers where `chosen` is true, with unchanged codes."""
        return replace(
            self,
            item=self.item[chosen],
            rater=self.rater[chosen],
            form=self.form[chosen],
            cannot=self.cannot[chosen],
            lacks_context=self.lacks_context[chosen],
            seconds=self.seconds[chosen],
            values={name: value[chosen] for name, value in self.values.items()},
            number=self.number[chosen] if len(self.number) else self.number,
        )

    def shuffled(self, generator: np.random.Generator) -> "Answers":
        """Shuffle each rater's whole answers among the items that rater answered by the same form.

        Every rater keeps how often they gave which answer, and the criteria of an answer stay together;
        whatever two raters still have in common about an item is chance.

        Parameters
        ----------
        generator
            Source of the shuffle.
        """
        at_random = np.argsort(generator.random(len(self)), kind="stable")
        dealt = at_random[np.argsort(self._dealt_within[at_random], kind="stable")]
        item = np.empty_like(self.item)
        item[dealt] = self._items_in_order
        return replace(self, item=item)

    def ratings(self, criterion: str) -> Ratings:
        """The values of one criterion by item, then rater, with the categories of the declared scale.

        Parameters
        ----------
        criterion
            A key of `values`.
        """
        value = self.values[criterion]
        rows = np.flatnonzero(~np.isnan(value))
        rows = rows[np.lexsort((self.rater[rows], self.item[rows]))]
        whole = Ratings(
            criterion=criterion,
            item=self.item[rows],
            rater=self.rater[rows],
            value=value[rows],
            items=self.item_labels,
            raters=tuple(self.rater_labels),
            group=self._groups,
            categories=self.categories(criterion),
            continuous=self.scales[criterion].continuous,
            declared=True,
            identified=self.identified,
            cannot_rate=int(np.count_nonzero(self.cannot & np.isnan(value))),
        )
        return whole.keep(np.ones(len(rows), dtype=np.bool_))

    def categories(self, criterion: str) -> FloatArray:
        """Possible values of a criterion in order: the declared scale, or else the values that occur.

        Parameters
        ----------
        criterion
            A key of `values`.
        """
        value = self.values[criterion]
        return categories_of(value[~np.isnan(value)], self.scales[criterion])

    @cached_property
    def _dealt_within(self) -> npt.NDArray[np.integer]:
        """A code of each answer's rater and form, in as few bits as will do: those are sorted quickest."""
        codes = np.unique(np.stack([self.rater, self.form]), axis=1, return_inverse=True)[1].ravel()
        return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))

    @cached_property
    def _items_in_order(self) -> IntArray:
        """The items of the answers, by rater and form."""
        return self.item[np.argsort(self._dealt_within, kind="stable")]

    @cached_property
    def _groups(self) -> IntArray | None:
        """Group codes in which an item without a group is a group of its own; None without groups."""
        alone = self.group < 0
        if alone.all():
            return None
        found = self.group.copy()
        found[alone] = found.max() + 1 + np.arange(np.count_nonzero(alone))
        return found
