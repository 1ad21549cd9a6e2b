"""Names of coefficients and their variants, as messages that a page can translate."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.domain.base.messages import Message, message

TITLES: Mapping[str, Message] = {
    "held_out_pearson": message("Held-out Pearson"),
    "held_out_spearman": message("Held-out Spearman"),
    "icc1": message("ICC1, one rating"),
    "icc1k": message("ICC1, mean of ratings"),
    "icc2": message("ICC2, one rating"),
    "icc2k": message("ICC2, mean of ratings"),
    "icc3": message("ICC3, one rating"),
    "icc3k": message("ICC3, mean of ratings"),
    "alpha": message("Krippendorff α"),
    "fleiss": message("Fleiss κ"),
    "ac1": message("Gwet AC1"),
    "ac2": message("Gwet AC2"),
    "kappa_n": message("Brennan–Prediger κ"),
    "exact": message("Equal ratings"),
    "within_one": message("Ratings within 1 point"),
    "brennan_prediger": message("Brennan–Prediger S"),
    "kr20": message("KR-20"),
    "kendall_w": message("Kendall W"),
    "kendall_tau": message("Kendall τ-b"),
    "pair_order": message("Pairs in equal order"),
    "precision": message("Precision"),
    "recall": message("Recall"),
    "f1": message("F1"),
}
# With the number of ratings that the mean is taken over.
MEANS_OF: Mapping[str, Message] = {
    "icc1k": message("ICC1, mean of %(k)s ratings"),
    "icc2k": message("ICC2, mean of %(k)s ratings"),
    "icc3k": message("ICC3, mean of %(k)s ratings"),
}
VARIANTS: Mapping[str, Message] = {
    "nominal": message("nominal"),
    "ordinal": message("ordinal"),
    "interval": message("interval"),
    "ratio": message("ratio"),
    "nominal, characters": message("nominal, characters"),
    "linear": message("linear"),
    "quadratic": message("quadratic"),
    "mean": message("mean"),
    "max": message("max"),
    "exact": message("exact"),
    "overlap": message("overlap"),
}
RATER = "rater:"


def variant_words(variant: str) -> str:
    """`rater:R-001` → “rater R-001”; a variant without words of its own is unchanged."""
    if variant.startswith(RATER):
        return message("rater %(code)s", code=variant.removeprefix(RATER))
    return VARIANTS.get(variant, variant)
