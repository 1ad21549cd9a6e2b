"""Complete answers to the sets of yes/no tests of a study."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from annotation.models import Study
from scoring.services.data.counting import criterion_names
from scoring.services.data.sums import SUM, Version, sets_of
from scoring.stats.agreement.internal_consistency import BinarySet
from scoring.stats.base.result import Sample
from scoring.stats.data.bootstrap.units import item_units

OF_VERSION = ["form", "form_version", "form_correction"]


def binary_sets(study: Study, counting: pd.DataFrame) -> list[BinarySet]:
    """The answers to each set of tests, as the newest version that counts and has the set asks them.

    Answers to older versions and corrections that count are among them where they have the same tests.

    Parameters
    ----------
    study : Study
        Study of the ratings.
    counting : DataFrame
        From `with_sums`.
    """
    asking: dict[tuple[str, str], dict[Version, tuple[str, ...]]] = {}
    present = set(counting[OF_VERSION].itertuples(index=False, name=None))
    for version, of_version in sorted(sets_of(study).items()):
        if version in present:
            for name, tests in of_version.items():
                asking.setdefault((version[0], name), {})[version] = tests
    named = counting.assign(name=criterion_names(counting))
    found = [
        _binary_set(study, _of_same_tests(named, of_versions), (name + SUM, [*of_versions.values()][-1]))
        for (_form, name), of_versions in asking.items()
    ]
    return [one for one in found if one is not None]


def _of_same_tests(named: pd.DataFrame, of_versions: Mapping[Version, tuple[str, ...]]) -> pd.DataFrame:
    """The ratings of the versions that ask the tests of the last one."""
    newest = set([*of_versions.values()][-1])
    same = [version for version, tests in of_versions.items() if set(tests) == newest]
    return named[pd.MultiIndex.from_frame(named[OF_VERSION]).isin(same)]


def _binary_set(study: Study, rows: pd.DataFrame, asked: tuple[str, tuple[str, ...]]) -> BinarySet | None:
    total, tests = asked
    summed = rows[rows["criterion"] == total].sort_values(["item", "rater"], kind="stable")
    if summed.empty:
        return None
    answered = rows[rows["criterion"].isin(tests)]
    table = answered.pivot_table(index="response", columns="criterion", values="value")
    names = dict(zip(answered["criterion"], answered["name"], strict=True))
    groups = dict(zip(summed["item"], summed["group"], strict=True))
    items = list(dict.fromkeys(summed["item"]))
    codes, unit_kind = item_units(items, groups)
    unit_of = dict(zip(items, codes, strict=True))
    raters = summed["rater"].nunique() if study.identified else None
    return BinarySet(
        criterion=str(summed["name"].iloc[0]),
        tests=tuple(str(names[test]) for test in tests),
        passed=table.loc[summed["response"], list(tests)].to_numpy(dtype=int),
        unit=summed["item"].map(unit_of).to_numpy(dtype=int),
        unit_kind=unit_kind,
        sample=Sample(len(items), raters, len(summed)),
    )
