"""Settings of a run of scores: models, knowledge base, weights, extractor and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal, cast

from annotation.domain.base.errors import InvalidContent
from scoring.hauser.base.scores import MetricError
from scoring.hauser.components.extractors import BUILT_IN, extractor_named
from scoring.hauser.components.spacy_components import ExtractorUnavailable
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
    """Settings that decide the scores of a text, apart from the versions of what they name."""

    profile: str  # Profile of models, or `none`
    base: str = DEMO_BASE  # Name of the knowledge base
    weights: Weights = BEST  # Weights of the parts of quality
    extractor: str = BUILT_IN  # Extractor of components
    metrics: tuple[str, ...] = ()  # Prior metrics to compute as well
    reference_set: Literal["group", "run"] = "group"  # Texts with which Self-BLEU and Distinct compare
    # Source of components that comes before the extractor: `data` marks them, or `raters` of a study
    components: str = FROM_DATA

    def as_json(self) -> dict[str, Any]:
        """As a job's parameters; without what runs could not choose at first, where it is not chosen."""
        values = {**asdict(self), "metrics": list(self.metrics)}
        if self.components == FROM_DATA:
            del values["components"]
        return values

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ScoreSettings:
        """From a job's parameters; other keys are left alone."""
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
    """Names of the profiles that a run may take; `none` computes what needs no model."""
    return (*offered_profiles(), WITHOUT_MODELS)


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
    """Settings as a person typed them.

    Parameters
    ----------
    profile : str
        One of `profiles`.
    base : str
        Name of a knowledge base of this installation.
    weights : str
        Three numbers or fractions, of relevance, logical and sentiment consistency; empty for 3/6, 2/6, 1/6.
    extractor : str
        `built-in`, or `spacy:` and an installed pipeline.
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
        and those of an extractor
        or a knowledge base that cannot be used.
    """
    _one_of(profile, profiles(), "no_such_profile", "profile")
    _one_of(reference_set, REFERENCE_SETS, "no_such_reference_set", "reference set")
    _one_of(components, COMPONENTS, "no_such_components", "source of components")
    for metric in metrics:
        _one_of(metric, METRICS, "no_such_metric", "metric")
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
        raise InvalidContent(f"{str(fault)[:1].upper()}{str(fault)[1:]}.", code=fault.code) from fault


def parsed_weights(text: str) -> Weights:
    """Weights as a person typed them.

    Parameters
    ----------
    text : str
        Three numbers or fractions with commas between, such as `3/6, 2/6, 1/6`.

    Raises
    ------
    InvalidContent
        `bad_weights`.
    """
    wanted = "write three numbers or fractions of at least 0, such as 3/6,2/6,1/6"
    try:
        relevance, logic, sentiment = (float(Fraction(part.strip())) for part in text.split(","))
        return Weights(relevance, logic, sentiment)
    except (ValueError, ZeroDivisionError, OverflowError, MetricError) as fault:
        raise InvalidContent(f"{text!r} are no weights: {wanted}.", code="bad_weights") from fault


def _one_of(value: str, known: Sequence[str] | Mapping[str, Any], code: str, what: str) -> None:
    if value not in known:
        raise InvalidContent(f"There is no {what} {value!r}: take one of {', '.join(known)}.", code=code)
