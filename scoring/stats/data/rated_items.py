"""Items with their mean ratings and scores: the table for correlations."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from scoring.stats.base.errors import CodedError
from scoring.stats.base.resampling import FloatArray, IntArray
from scoring.stats.base.result import Sample


class MeasuredItemsError(CodedError):
    """Scores and ratings that cannot be combined."""


@dataclass(frozen=True)
class MeasuredItems:
    """Mean ratings and metric scores of the same items."""

    items: tuple[str, ...]  # Keys
    # group, system: Code of each item's group and system, or None where items have none
    group: IntArray | None
    # groups, systems: Labels of the codes
    groups: tuple[str, ...]
    system: IntArray | None
    systems: tuple[str, ...]
    # criteria, metrics: Names of the columns of `human` and `scores`
    criteria: tuple[str, ...]
    human: FloatArray  # Mean rating of each item, shape (items, criteria); NaN for an unrated item
    metrics: tuple[str, ...]
    scores: FloatArray  # Shape (items, metrics); NaN where a metric has no score
    # Items, raters and ratings behind each criterion, where known
    rated: Mapping[str, Sample] = field(default_factory=dict)

    @classmethod
    def from_frames(
        cls,
        human: pd.DataFrame,
        scores: pd.DataFrame,
        places: pd.DataFrame,
        rated: Mapping[str, Sample] | None = None,
    ) -> Self:
        """Put mean ratings and scores of the same items side by side.

        Parameters
        ----------
        human
            Index item, one column per criterion.
        scores
            Index item, one column per metric; items without ratings are left out.
        places
            Index item, columns `group` and `system`; an empty column means there are none.
        rated
            Items, raters and ratings behind each criterion.

        Returns
        -------
        MeasuredItems
            In the order of `human`.

        Raises
        ------
        MeasuredItemsError
            `no_shared_items`, or `partly_group`, `partly_system` where only some items have one.
        """
        items = [str(item) for item in human.index]
        matched = scores.reindex(human.index)
        if not human.index.isin(scores.index).any():
            raise MeasuredItemsError(
                "no_shared_items", "no item has both ratings and scores; check that the keys are the same"
            )
        group, groups = _codes(places.reindex(human.index), "group")
        system, systems = _codes(places.reindex(human.index), "system")
        return cls(
            items=tuple(items),
            group=group,
            groups=groups,
            system=system,
            systems=systems,
            criteria=tuple(str(name) for name in human.columns),
            human=human.to_numpy(dtype=np.float64),
            metrics=tuple(str(name) for name in matched.columns),
            scores=matched.to_numpy(dtype=np.float64),
            rated=rated or {},
        )

    @property
    def unit(self) -> str:
        """What a bootstrap resamples: `groups` where items belong to groups, else `items`."""
        return "items" if self.group is None else "groups"

    @cached_property
    def unit_codes(self) -> IntArray:
        """Code of the resampled unit of each item."""
        return np.arange(len(self.items)) if self.group is None else self.group

    @property
    def n_units(self) -> int:
        """Number of units a bootstrap draws from."""
        return len(self.items) if self.group is None else len(self.groups)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over the content, whatever the order of items, criteria and metrics."""
        digest = hashlib.sha256()
        for names, values in ((self.criteria, self.human), (self.metrics, self.scores)):
            for column in np.argsort(np.array(names, dtype=object)):
                digest.update(f"\x1e{names[column]}\x1f".encode())
                digest.update(np.ascontiguousarray(values[self._order, column]).tobytes())
        for position in self._order:
            place = (
                self.items[position],
                "" if self.group is None else self.groups[self.group[position]],
                "" if self.system is None else self.systems[self.system[position]],
            )
            digest.update("\x1f".join(place).encode() + b"\x1e")
        return digest.hexdigest()

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(np.array(self.items, dtype=object), kind="stable").astype(np.int64)

    def only(self, *, systems: Sequence[str] | None = None, without: Sequence[str] = ()) -> "MeasuredItems":
        """The items of some systems.

        Parameters
        ----------
        systems
            Systems to keep; None keeps all.
        without
            Systems to leave out, such as the human outlier.

        Returns
        -------
        MeasuredItems
            Groups and systems have new codes.
        """
        if self.system is None:
            return self
        labels = np.array(self.systems, dtype=object)[self.system]
        chosen = ~np.isin(labels, list(without))
        if systems is not None:
            chosen &= np.isin(labels, list(systems))
        return self.keep(np.asarray(chosen, dtype=np.bool_))

    def keep(self, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "MeasuredItems":
        """The items where `chosen` is true, with new codes of groups and systems."""
        group, groups = _again(self.group, self.groups, chosen)
        system, systems = _again(self.system, self.systems, chosen)
        return replace(
            self,
            items=tuple(item for item, is_chosen in zip(self.items, chosen, strict=True) if is_chosen),
            group=group,
            groups=groups,
            system=system,
            systems=systems,
            human=self.human[chosen],
            scores=self.scores[chosen],
        )

    def select(
        self, *, criteria: Sequence[str] | None = None, metrics: Sequence[str] | None = None
    ) -> "MeasuredItems":
        """Some of the columns, in the given order.

        Parameters
        ----------
        criteria, metrics
            Names to select; None for all.

        Raises
        ------
        MeasuredItemsError
            `unknown_criterion` or `unknown_metric`.
        """
        human = _positions("criterion", self.criteria, criteria)
        scores = _positions("metric", self.metrics, metrics)
        return replace(
            self,
            criteria=tuple(self.criteria[position] for position in human),
            human=self.human[:, human],
            metrics=tuple(self.metrics[position] for position in scores),
            scores=self.scores[:, scores],
        )

    def among_criteria(self) -> "MeasuredItems":
        """The criteria on both sides, for correlations among criteria."""
        return replace(self, metrics=self.criteria, scores=self.human)

    def among_metrics(self) -> "MeasuredItems":
        """The metrics on both sides, for correlations among metrics."""
        return replace(self, criteria=self.metrics, human=self.scores, rated={})


def _positions(kind: str, names: tuple[str, ...], asked: Sequence[str] | None) -> list[int]:
    unknown = sorted(set(asked or ()) - set(names))
    if unknown:
        raise MeasuredItemsError(
            f"unknown_{kind}", f"there is no {kind} {unknown[0]!r}; there are: {', '.join(names)}"
        )
    return [names.index(name) for name in (names if asked is None else asked)]


def _codes(groupings: pd.DataFrame, column: str) -> tuple[IntArray | None, tuple[str, ...]]:
    """Codes in order of first appearance."""
    if column not in groupings.columns:
        return None, ()
    labels = groupings[column].astype("object").where(groupings[column].notna(), "").astype(str)
    empty = labels.eq("")
    if empty.all():
        return None, ()
    if empty.any():
        item = groupings.index[empty.to_numpy()][0]
        raise MeasuredItemsError(
            f"partly_{column}",
            f"item {item} has no {column} while others have one; give all of them one or none",
        )
    codes, names = pd.factorize(labels)
    return codes.astype(np.int64), tuple(str(name) for name in names)


def _again(
    codes: IntArray | None, labels: tuple[str, ...], chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> tuple[IntArray | None, tuple[str, ...]]:
    if codes is None:
        return None, ()
    left, again = np.unique(codes[chosen], return_inverse=True)
    return again.astype(np.int64), tuple(labels[code] for code in left)
