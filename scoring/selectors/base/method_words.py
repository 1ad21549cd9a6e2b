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
    if method == "percentile-bootstrap":
        return message("percentile bootstrap over %(unit)s", unit=UNITS.get(unit, unit))
    if method == "bca-bootstrap":
        return message("BCa bootstrap over %(unit)s", unit=UNITS.get(unit, unit))
    if method == "pigeonhole-bootstrap-t":
        return message("pigeonhole bootstrap over %(unit)s", unit=UNITS.get(unit, unit))
    if method == "wilson" and unit:
        return message("Wilson’s interval with the effective number of %(unit)s", unit=UNITS.get(unit, unit))
    return METHODS.get(code, code)
