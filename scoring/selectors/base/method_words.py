"""How intervals and ICCs were computed, as messages that a page can translate."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.domain.base.messages import Message, message

UNITS: Mapping[str, Message] = {
    "items": message("items"),
    "groups": message("groups"),
    "pairs": message("pairs"),
    "items+raters": message("items and raters"),
    "groups+raters": message("groups and raters"),
}
METHODS: Mapping[str, Message] = {
    "F (Shrout & Fleiss 1979)": message("F distribution (Shrout & Fleiss 1979)"),
    "F, Satterthwaite (McGraw & Wong 1996)": message(
        "F distribution, Satterthwaite’s degrees of freedom (McGraw & Wong 1996)"
    ),
    "exact agreement": message("all ratings of an item are equal, so the interval is one value"),
    "generalised pivots of the components": message("generalised pivots of the variance components"),
    "wilson": message("Wilson’s interval"),
    "one-way ANOVA": message("one-way analysis of variance"),
    "unbalanced one-way ANOVA": message("one-way analysis of variance, unbalanced"),
    "two-way ANOVA": message("two-way analysis of variance"),
    "moments (Gao & Owen 2017)": message("method of moments (Gao & Owen 2017)"),
    "REML": message("restricted maximum likelihood (REML)"),
}


def method_words(code: str) -> str:
    """`percentile-bootstrap:items` → “percentile bootstrap over items”; an unknown code is unchanged.

    Parameters
    ----------
    code : str
        Method of an interval, or way of estimating an ICC, as a report stores it.
    """
    method, _, unit = code.partition(":")
    over_units = _over_units(UNITS.get(unit, unit)) if unit else {}
    return over_units[method] if method in over_units else METHODS.get(code, code)


def _over_units(unit: str) -> Mapping[str, Message]:
    return {
        "percentile-bootstrap": message("percentile bootstrap over %(unit)s", unit=unit),
        "bca-bootstrap": message("BCa bootstrap over %(unit)s", unit=unit),
        "pigeonhole-bootstrap-t": message("pigeonhole bootstrap over %(unit)s", unit=unit),
        "pigeonhole-jackknife-t": message("pigeonhole bootstrap and jackknife over %(unit)s", unit=unit),
        "two-way-jackknife": message("jackknife over %(unit)s", unit=unit),
        "t": message("Student’s t over %(unit)s", unit=unit),
        "wilson": message("Wilson’s interval with the effective number of %(unit)s", unit=unit),
    }
