"""Settings of a scoring run: models, knowledge base, weights, extractor and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal, cast

from django.conf import settings as site

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import Message, message
from scoring.hauser.base.scores import MetricError
from scoring.hauser.components.errors import ExtractorUnavailable
from scoring.hauser.components.extractors import BUILT_IN, extractor_in_store, extractor_named
from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.metrics.quality import BEST, Weights
from scoring.services.base.model_profiles import offered_profiles
from scoring.services.similes.knowledge_bases import DEMO_BASE, open_base
from scoring.textmetrics.registry import METRICS

WITHOUT_MODELS = "none"
REFERENCE_SETS = ("group", "run")
FROM_DATA = "data"
COMPONENTS = (FROM_DATA, "raters")


@dataclass(frozen=True)
class ScoreSettings:
    """Settings that determine the scores of a text, without the versions of models and knowledge base."""

    profile: str  # Profile of models, or `none`
    base: str = DEMO_BASE  # Name of the knowledge base
    weights: Weights = BEST  # Weights of the parts of quality
    extractor: str = BUILT_IN  # Extractor of components
    metrics: tuple[str, ...] = ()  # Prior metrics to compute as well
    reference_set: Literal["group", "run"] = "group"  # Texts with which Self-BLEU and Distinct compare
    # Source of components that comes before the extractor: `data` marks them, or `raters` of a study
    components: str = FROM_DATA

    def as_json(self) -> dict[str, Any]:
        """As a job's parameters; `components` is left out at its default, as in jobs of earlier versions."""
        values = {**asdict(self), "metrics": list(self.metrics)}
        if self.components == FROM_DATA:
            del values["components"]
        return values

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ScoreSettings:
        """From a job's parameters; other keys are ignored."""
        return cls(
            profile=stored["profile"],
            base=stored["base"],
            weights=Weights(**stored["weights"]),
            extractor=stored["extractor"],
            metrics=tuple(stored["metrics"]),
            reference_set=stored["reference_set"],
            components=stored.get("components", FROM_DATA),
        )


def profiles() -> tuple[str, ...]:
    """Names of the profiles that a run may use; `none` computes only scores that need no model."""
    return (*offered_profiles(), WITHOUT_MODELS)


def settings_of_members(*, extractor: str = BUILT_IN, **entered: Any) -> ScoreSettings:
    """Check settings from a page or the API, which may not name paths on the server.

    Parameters
    ----------
    extractor : str
        As of `extractor_in_store`.
    **entered
        The other settings of `checked_settings`.

    Raises
    ------
    InvalidContent
        `bad_extractor_name`, and those of `checked_settings`.
    """
    try:
        stored = extractor_in_store(extractor, site.MODEL_FOLDER)
    except ExtractorUnavailable as fault:
        raise _refused(fault) from fault
    return checked_settings(extractor=stored, **entered)


def checked_settings(
    *,
    profile: str,
    base: str = DEMO_BASE,
    weights: str = "",
    extractor: str = BUILT_IN,
    metrics: Sequence[str] = (),
    reference_set: str = "group",
    components: str = FROM_DATA,
) -> ScoreSettings:
    """Check settings that a user entered.

    Parameters
    ----------
    profile : str
        One of `profiles`.
    base : str
        Name of a knowledge base of this installation.
    weights : str
        Three numbers or fractions, of relevance, logical and sentiment consistency; empty for 3/6, 2/6, 1/6.
    extractor : str
        `built-in`, `spacy:` and an installed pipeline, or `trained:` and a folder.
    metrics : sequence of str
        Keys of `scoring.textmetrics.registry.METRICS`.
    reference_set : str
        `group` or `run`.
    components : str
        One of `COMPONENTS`.

    Raises
    ------
    InvalidContent
        `no_such_profile`, `bad_weights`, `no_such_metric`, `no_such_reference_set`, `no_such_components`,
        and those of an extractor or a knowledge base that cannot be used.
    """
    _one_of(profile, profiles(), "no_such_profile", message("profile"))
    _one_of(reference_set, REFERENCE_SETS, "no_such_reference_set", message("reference set"))
    _one_of(components, COMPONENTS, "no_such_components", message("source of components"))
    for metric in metrics:
        _one_of(metric, METRICS, "no_such_metric", message("metric"))
    _check_usable(extractor, base)
    return ScoreSettings(
        profile,
        base,
        parsed_weights(weights) if weights else BEST,
        extractor,
        tuple(name for name in METRICS if name in metrics),
        cast(Literal["group", "run"], reference_set),
        components,
    )


def _check_usable(extractor: str, base: str) -> None:
    try:
        extractor_named(extractor)
        open_base(base).close()
    except (ExtractorUnavailable, KnowledgeBaseError) as fault:
        raise _refused(fault) from fault


def _refused(fault: ExtractorUnavailable | KnowledgeBaseError) -> InvalidContent:
    return InvalidContent(f"{str(fault)[:1].upper()}{str(fault)[1:]}.", code=fault.code)


def parsed_weights(text: str) -> Weights:
    """Read weights that a user entered.

    Parameters
    ----------
    text : str
        Three numbers or fractions with commas between, such as `3/6, 2/6, 1/6`.

    Raises
    ------
    InvalidContent
        `bad_weights`.
    """
    try:
        relevance, logic, sentiment = (float(Fraction(part.strip())) for part in text.split(","))
        return Weights(relevance, logic, sentiment)
    except (ValueError, ZeroDivisionError, OverflowError, MetricError) as fault:
        raise InvalidContent(
            message(
                "“%(text)s” cannot be used as weights. "
                "Enter 3 numbers or fractions that are at least 0, such as 3/6,2/6,1/6.",
                text=text,
            ),
            code="bad_weights",
        ) from fault


def _one_of(value: str, known: Sequence[str] | Mapping[str, Any], code: str, what: Message) -> None:
    if value not in known:
        raise InvalidContent(
            message(
                "Unknown %(setting)s “%(value)s”. Choose one of: %(known)s.",
                setting=what,
                value=value,
                known=", ".join(known),
            ),
            code=code,
        )
