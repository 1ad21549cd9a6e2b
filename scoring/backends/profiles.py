"""Which checkpoints score a study: the published ones, or the small ones that come with the project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scoring.backends.checkpoints import Checkpoint
from scoring.backends.errors import ModelRefused

NLI, SENTIMENT, ENCODER, LANGUAGE_MODEL = "nli", "sentiment", "encoder", "language_model"
ROLES = (NLI, SENTIMENT, ENCODER, LANGUAGE_MODEL)
CUSTOM = "custom"
EMBEDDED = Path(__file__).parent / "embedded"
ONLY_FOR_DEMO = (
    "Scored with the small models of Groundwork, which know only artificial sentences. "
    "The scores show how scoring works, but say nothing about the texts."
)


@dataclass(frozen=True)
class Profile:
    """A named set of checkpoints, one per role."""

    name: str  # `paper`, `embedded`, `lexicon`, or `custom` when a checkpoint was replaced
    checkpoints: Mapping[str, Checkpoint]  # By role; a role may be absent
    # The layer whose vectors BERTScore compares, counted from the first; 0 means the last
    encoder_layer: int = 0
    caution: str = ""  # Warning that every page and export shows with scores of this profile; empty for none


DEMONSTRATION = {
    NLI: Checkpoint("embedded/nli", folder=EMBEDDED / "nli"),
    SENTIMENT: Checkpoint("embedded/sentiment", folder=EMBEDDED / "sentiment"),
    # The layers below the classifier of pairs.
    ENCODER: Checkpoint("embedded/nli", folder=EMBEDDED / "nli"),
    LANGUAGE_MODEL: Checkpoint("embedded/language_model", folder=EMBEDDED / "language_model"),
}
PROFILES: Mapping[str, Profile] = {
    "paper": Profile(
        "paper",
        {
            # He et al. (2023), section 3.1, footnotes 3 and 4. The commit of the first is recorded
            # when it is downloaded.
            NLI: Checkpoint("mujeensung/roberta-base_mnli_bc", "main"),
            SENTIMENT: Checkpoint(
                "distilbert/distilbert-base-uncased-finetuned-sst-2-english",
                "714eb0fa89d2f80546fda750413ed43d93601a13",
            ),
            # Table 3 calls it BERTScore large; Pang et al. (2020) measure fluency by GPT-2.
            ENCODER: Checkpoint("FacebookAI/roberta-large", "722cf37b1afa9454edce342e7895e588b6ff1d59"),
            LANGUAGE_MODEL: Checkpoint("openai-community/gpt2", "607a30d783dfa663caf39e06633721c8d4cfcd7e"),
        },
        encoder_layer=17,
    ),
    "embedded": Profile("embedded", DEMONSTRATION, caution=ONLY_FOR_DEMO),
    # Sentiment by a lexicon of rated words (Hutto and Gilbert, 2014) in place of the small model.
    "lexicon": Profile(
        "lexicon",
        {**DEMONSTRATION, SENTIMENT: Checkpoint("vaderSentiment", package="vaderSentiment")},
        caution=ONLY_FOR_DEMO,
    ),
}


def profile(
    name: str, replaced: Mapping[str, str] | None = None, *, encoder_layer: int | None = None
) -> Profile:
    """A profile, with some of its checkpoints replaced.

    Parameters
    ----------
    name
        One of `PROFILES`.
    replaced
        Checkpoints by role, as `Checkpoint.parsed` reads them.
    encoder_layer
        Layer of a replaced encoder; by default the last.

    Returns
    -------
    Profile
        Named `custom` when anything was replaced; with a caution as long as any embedded checkpoint remains.

    Raises
    ------
    ModelRefused
        `no_such_profile`, `no_such_role` or `bad_checkpoint_name`.
    """
    if name not in PROFILES:
        raise ModelRefused(
            "no_such_profile", f"There is no profile {name!r}. Choose {' or '.join(PROFILES)}."
        )
    chosen = PROFILES[name]
    if not replaced:
        return chosen
    _check_roles(replaced)
    checkpoints = {**chosen.checkpoints, **{role: Checkpoint.parsed(text) for role, text in replaced.items()}}
    cautious = any(EMBEDDED in (one.folder or Path()).parents for one in checkpoints.values())
    layer = chosen.encoder_layer if ENCODER not in replaced else encoder_layer or 0
    return replace(
        chosen,
        name=CUSTOM,
        checkpoints=checkpoints,
        encoder_layer=layer,
        caution=ONLY_FOR_DEMO if cautious else "",
    )


def _check_roles(named: Iterable[str]) -> None:
    if unknown := sorted(set(named) - set(ROLES)):
        raise ModelRefused(
            "no_such_role", f"No model has the role {unknown[0]!r}. Choose one of {', '.join(ROLES)}."
        )
