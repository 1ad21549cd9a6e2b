"""Which coefficient to report: fixed by the design of the ratings and by their use, never by a result."""

from dataclasses import dataclass
from typing import Literal

# What the values say: which option, which place among an item's own options, which set of options, the
# order of points, or distances between values.
Level = Literal["nominal", "places", "sets", "ordinal", "interval"]
# Whether every rater rated every item, raters share only some items, they form groups that share none, or
# it is unknown which ratings are by the same person.
Raters = Literal["crossed", "linked", "nested", "unknown"]
Use = Literal["mean", "single"]

NUMERIC: frozenset[Level] = frozenset({"ordinal", "interval"})
LEVELS: tuple[Level, ...] = ("nominal", "places", "sets", "ordinal", "interval")
RATERS: tuple[Raters, ...] = ("crossed", "linked", "nested", "unknown")
USES: tuple[Use, ...] = ("mean", "single")


@dataclass(frozen=True)
class RatingDesign:
    """What is known of the ratings of one criterion before anything is computed."""

    level: Level
    raters: Raters


@dataclass(frozen=True)
class Rule:
    """A coefficient, and the designs and the use that it is for."""

    name: str  # Key of the reason
    coefficient: str  # Key of the coefficient
    variant: str  # First word of its variant; empty where the coefficient has one only
    levels: frozenset[Level]
    raters: frozenset[Raters] = frozenset(RATERS)
    uses: frozenset[Use] = frozenset(USES)

    def applies(self, design: RatingDesign, use: Use) -> bool:
        """Whether the rule is for ratings of this design in this use."""
        return design.level in self.levels and design.raters in self.raters and use in self.uses


def _of_means(name: str, coefficient: str, raters: Raters) -> Rule:
    return Rule(name, coefficient, "", NUMERIC, frozenset({raters}), frozenset({"mean"}))


def _of_singles(name: str, level: Level) -> Rule:
    return Rule(name, "alpha", level, frozenset({level}), uses=frozenset({"single"}))


RULES: tuple[Rule, ...] = (
    Rule("no_order", "alpha", "nominal", frozenset({"nominal"})),
    Rule("options_differ", "brennan_prediger", "", frozenset({"places"})),
    Rule("several_options", "alpha", "masi", frozenset({"sets"})),
    _of_singles("order_counts", "ordinal"),
    _of_singles("distances_count", "interval"),
    _of_means("same_raters", "icc2k", "crossed"),
    _of_means("shared_items", "icc2k", "linked"),
    _of_means("separate_groups", "icc2k", "nested"),
    _of_means("unknown_raters", "icc1k", "unknown"),
)


def choose_coefficient(design: RatingDesign, use: Use) -> Rule:
    """The rule that says which coefficient to report.

    Parameters
    ----------
    design
        Level of the values, and how raters and items meet.
    use
        Whether the analysis uses the mean of an item's ratings, or single ratings.

    Returns
    -------
    Rule
        Exactly one applies; options have no mean, so their use makes no difference.

    References
    ----------
    McGraw & Wong (1996) for the ICC by model and unit; Krippendorff (2019), chapter 12, for α by level.
    """
    return next(rule for rule in RULES if rule.applies(design, use))


def uses_of(level: Level) -> tuple[Use, ...]:
    """The uses between which the coefficient can differ.

    Parameters
    ----------
    level
        Level of the values.
    """
    return USES if level in NUMERIC else ("single",)
